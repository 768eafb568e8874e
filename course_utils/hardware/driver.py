"""The accelerator in this machine, by the hardware table where it is there, else by what its driver says."""

import contextlib
from dataclasses import replace

from .lookup import find
from .table import NPUS, Device, Npu


def here() -> Device | Npu | None:
    """The accelerator of this machine: from the table where it is there, else as its driver describes it; None without one."""
    from .. import backend

    if backend.mode in ("cuda", "hip"):
        import torch

        return described(torch.cuda.get_device_properties(torch.cuda.current_device()))
    if backend.mode == "npu":
        import torch

        name = torch.npu.get_device_name(torch.npu.current_device())
        return npu_described(name, backend.triton.runtime.driver.active.utils.get_device_properties(0))
    return None


def npu_described(name: str, properties: dict) -> Npu:
    """The cores are the driver's word: one chip is sold with more of them or fewer. The rest is the table's, for its relatives."""
    cores = {"ai_cores": properties["num_aicore"], "vector_cores": properties["num_vectorcore"]}
    try:
        known = find(name)
    except LookupError:
        known = replace(find("Ascend 910B"), name=name, target=("npu", name, 0))
    same = (known.ai_cores, known.vector_cores) == tuple(cores.values()) and known in NPUS
    return known if same else replace(known, source="driver", **cores)


def described(properties) -> Device:
    arch = getattr(properties, "gcnArchName", "").partition(":")[0]
    chip = arch if arch.startswith("gfx") else f"sm_{properties.major}{properties.minor}"
    with contextlib.suppress(LookupError):
        known = find(properties.name)
        # A GPU can be cut into slices: then the table's name fits and its numbers do not.
        if known.chip == chip and known.multiprocessors == properties.multi_processor_count:
            return known
    return Device(
        properties.name,
        chip,
        properties.multi_processor_count,
        float(properties.total_memory),
        None,
        "driver",
        cache=float(getattr(properties, "L2_cache_size", 0)) or None,
    )

"""What a Triton does that cannot be installed beside this machine's torch: compiled elsewhere, launched here by the driver.

`python -m course_tools.recording newer-build` compiles with the Triton that is here, no GPU needed, and leaves cubins in
build/; carried to a GPU, `newer` times them beside the same kernels by the Triton there, launched in the same way. A newer
Triton also makes clusters of the unchanged row kernel.
"""

import ctypes
import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

import torch

from course_utils.compiler import Pointer, compile_for
from course_utils.softmax import row_kernel
from course_utils.softmax.choose import Gpu, Shape, launch_for
from course_utils.softmax.launch import Launch
from course_utils.timing.stopwatch import inputs_for, measure
from course_utils.worker.errors import WorkerError

from .providers import version

CUBINS = Path("build/cubins")
DEVICE = "H200"
GPU = Gpu(132, cuda=True, early=True, cache=60 << 20)
DTYPES = ("float32", "bfloat16")
CHOSEN = [(4096, columns) for columns in (256, 781, 1024, 2048, 4096, 8192, 12672, 32768, 65536, 131072)]
CLUSTERED = [(4096, 32768), (4096, 65536), (4096, 131072), (64, 131072), (64, 1 << 20)]
CLUSTERS, WARPS = (1, 2, 4, 8), (16, 32)
SECONDS = 0.05


@dataclass(frozen=True)
class Case:
    """One launch of one kernel."""

    dtype: str
    rows: int
    columns: int
    launch: Launch
    ctas: int = 1

    @property
    def name(self) -> str:
        warps = self.launch.options["num_warps"]
        kernel = self.launch.kernel.fn.__name__
        return f"{kernel}-{self.dtype}-{self.rows}x{self.columns}-{warps}w{self.ctas}c"


def cases() -> list[Case]:
    return [*_chosen(), *_clustered()]


def _chosen():
    """What `softmax` launches."""
    for dtype in DTYPES:
        size = getattr(torch, dtype).itemsize
        for rows, columns in CHOSEN:
            yield Case(dtype, rows, columns, launch_for(Shape(rows, columns, size, columns, True), GPU))


def _clustered():
    """The row kernel, a program of which is a cluster."""
    for dtype in DTYPES:
        for rows, columns in CLUSTERED:
            for ctas in CLUSTERS:
                for warps in WARPS:
                    each = columns // ctas // (32 * warps)  # elements of a thread
                    if not 4 <= each <= (64 if columns < 1 << 20 else 128):
                        continue
                    options = {"num_warps": warps} | ({"num_ctas": ctas} if ctas > 1 else {})
                    launch = Launch(row_kernel, rows, (columns,) * 3, {"BLOCK_SIZE": columns}, options)
                    yield Case(dtype, rows, columns, launch, ctas)


def build(folder=None) -> list[Path]:
    """Compiles every case with this Triton; a file says what each needs, or what the compiler said."""
    folder = CUBINS / version("triton")
    folder.mkdir(parents=True, exist_ok=True)
    for case in cases():
        (folder / f"{case.name}.json").write_text(json.dumps(_built(case, folder / f"{case.name}.cubin")))
    return [folder]


def _built(case: Case, cubin: Path) -> dict:
    launch, pointer = case.launch, Pointer(case.dtype)
    pointers = [pointer, pointer] + [Pointer("int64")] * bool(launch.mailbox)
    try:
        found = compile_for(launch.kernel, DEVICE, *pointers, *launch.sizes, **launch.constants, **launch.options)
    except WorkerError as error:
        return {"refused": str(error).rpartition(": ")[2]}
    cubin.write_bytes(found.binary)
    entry = re.search(r"\.entry \w+\((.*?)\)", found.text("ptx"), flags=re.DOTALL)[1]
    return {
        "entry": found.name,
        "passed": list(found.parameters),
        "types": re.findall(r"\.param \.(u\d+)", entry),  # with those that Triton adds for itself
        "shared": found.shared,
        "registers": found.registers,
        "spills": found.spills,
    }


def measure_newer():
    """Every case as every Triton compiled it whose cubins are here, this machine's own included."""
    build()
    for case in cases():
        inputs = inputs_for(case.rows, case.columns, getattr(torch, case.dtype), "cuda")
        expected = torch.softmax(inputs[0].float(), 1)
        for home in sorted(CUBINS.iterdir()):
            needs = json.loads((home / f"{case.name}.json").read_text())
            line = {"triton": home.name, "kernel": case.launch.kernel.fn.__name__, "dtype": case.dtype}
            line |= {"rows": case.rows, "columns": case.columns, "num_warps": case.launch.options["num_warps"]}
            line |= {"num_ctas": case.ctas, "registers": needs.get("registers", ""), "spills": needs.get("spills", "")}
            if "refused" in needs:
                yield line | dict.fromkeys(("median_us", "low_us", "high_us"), "") | {"said": needs["refused"]}
                continue
            function = _launcher(case, needs, home / f"{case.name}.cubin")
            torch.testing.assert_close(
                function(inputs[0]).float(), expected, atol=1e-2 if "b" in case.dtype else 1e-5, rtol=1e-2
            )
            timing = measure(function, inputs, SECONDS, "sustained")
            times = {f"{key}_us": f"{getattr(timing, key) * 1e6:.2f}" for key in ("median", "low", "high")}
            yield line | times | {"said": ""}


def _launcher(case: Case, needs: dict, cubin: Path):
    """A function of `x` that launches a cubin on the current stream."""
    from cuda.bindings import driver

    ask = functools.partial(_ask, driver)
    torch.empty(1, device="cuda")  # there is a context now
    function = ask(
        driver.cuModuleGetFunction, ask(driver.cuModuleLoadData, cubin.read_bytes()), needs["entry"].encode()
    )
    most = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    ask(driver.cuFuncSetAttribute, function, most, needs["shared"])
    launch, config = case.launch, driver.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = launch.programs * case.ctas, 1, 1
    config.blockDimX, config.blockDimY, config.blockDimZ = 32 * launch.options["num_warps"], 1, 1
    config.sharedMemBytes = needs["shared"]
    config.attrs = _attributes(driver, case)
    config.numAttrs = len(config.attrs)
    names = [name for name in launch.kernel.arg_names if name not in launch.constants]
    types = tuple(ctypes.c_void_p if kind == "u64" else ctypes.c_int32 for kind in needs["types"])
    added = (0,) * (len(types) - len(needs["passed"]))

    def run(x):
        y = torch.empty_like(x)
        tensors = [y, x] + ([x.new_zeros(launch.mailbox, dtype=torch.int64)] if launch.mailbox else [])
        given = dict(zip(names, (*(tensor.data_ptr() for tensor in tensors), *launch.sizes), strict=True))
        config.hStream = torch.cuda.current_stream().cuda_stream
        ask(driver.cuLaunchKernelEx, config, function, ((*(given[name] for name in needs["passed"]), *added), types), 0)
        return y

    return run


def _attributes(driver, case: Case) -> list:
    """A cluster, and whether the kernel may come in early."""
    found = []
    if case.ctas > 1:
        cluster = driver.CUlaunchAttribute()
        cluster.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        cluster.value.clusterDim.x, cluster.value.clusterDim.y, cluster.value.clusterDim.z = case.ctas, 1, 1
        found.append(cluster)
    if case.launch.options.get("launch_pdl"):
        early = driver.CUlaunchAttribute()
        early.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
        early.value.programmaticStreamSerializationAllowed = 1
        found.append(early)
    return found


def _ask(driver, function, *arguments):
    status, *answer = function(*arguments)
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"{function.__name__}: {status}")
    return answer[0] if answer else None

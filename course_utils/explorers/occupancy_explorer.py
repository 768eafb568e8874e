"""Compile a kernel for any GPU and see what of it fills a multiprocessor first."""

from .. import hardware
from ..figures.multiprocessor import multiprocessor
from ..language import Text
from .base import Explorer, choice, steps

_BLOCKS = [2**k for k in range(7, 15)]
_WARPS = [1, 2, 4, 8, 16, 32]
_STAGES = ("num_stages", "NUM_STAGES", "n_stages", "stages")
_ROWS = 4096


def explore_occupancy(kernel=None, arguments=None, *, block=1024, num_warps=4, stages=1, device="H200") -> Explorer:
    """Registers, shared memory and programs per multiprocessor of `kernel`, compiled for `device`.

    The kernel has a constexpr BLOCK_SIZE; `arguments(block)` returns what a launch passes it. Without it they are told
    from their names: `…_ptr` is a float32 tensor, a name with "row" but no "stride" the number of rows, all else the columns.
    """
    from .. import compiler, softmax  # they bring torch and triton along

    kernel = kernel or softmax.row_kernel
    staged = next((name for name in kernel.arg_names if name in _STAGES), None)
    seen = set()

    def needs(block, num_warps, device, stages=1):
        given = arguments(block) if arguments else _told_from_names(kernel.arg_names, block)
        constants = {"BLOCK_SIZE": block} | ({staged: stages} if staged else {})
        return compiler.compile_for(kernel, device, *given, **constants, num_warps=num_warps)

    def draw(**values):
        picture = _picture(needs(**values), values["block"], values.get("stages"))
        seen.add(tuple(values.items()))
        return picture

    controls = {
        "block": steps("块大小", "block size", block, sorted({*_BLOCKS, block})),
        "num_warps": steps("num_warps", "num_warps", num_warps, _WARPS),
        "device": choice("设备", "device", hardware.find(device).name, [each.name for each in hardware.DEVICES]),
    }
    if staged:
        controls["stages"] = steps("流水级数", "pipeline stages", stages, sorted({1, 2, 3, 4, stages}))
    for control in controls.values():
        control.continuous_update = False  # every value on the way would be compiled
    return Explorer(draw, slow=lambda **values: tuple(values.items()) not in seen, **controls)


def _told_from_names(names, block):
    import torch

    return [
        torch.float32 if name.endswith("_ptr") else _ROWS if "row" in name and "stride" not in name else block
        for name in names
        if name not in ("BLOCK_SIZE", *_STAGES)
    ]


def _picture(needs, block, stages):
    from .. import occupancy

    found = occupancy.of(needs)
    chip = hardware.chip_of(needs.device)
    registers = _up(needs.registers, chip.register_granule) * needs.threads / chip.registers
    shared = _up(needs.shared + chip.shared_reserved, chip.shared_granule) / chip.shared if needs.shared else 0
    staged = f"  stages = {stages}" if stages else ""
    title = f"{needs.name}  BLOCK = {block}  num_warps = {needs.num_warps}{staged}  {needs.device.name}"
    picture = multiprocessor(
        found.programs,
        found.limits,
        num_warps=needs.num_warps,
        warp_slots=found.most_warps,
        shares={"registers": registers, "shared": shared},
        title=f"{title}:  {needs.registers} registers,  {needs.shared} B",
    )
    return _with_note(picture, found, needs)


def _with_note(picture, found, needs):
    zh, en = found.why.zh, found.why.en
    if needs.spills:
        zh += f"寄存器不够用，每个线程有 {needs.spills} 个溢出到显存：慢。"
        en += f" Registers ran out: {needs.spills} a thread spilled to memory, which is slow."
    return type(picture)(picture.canvas, picture.zh, picture.en, Text(zh, en))


def _up(amount, granule):
    return -(-amount // granule) * granule

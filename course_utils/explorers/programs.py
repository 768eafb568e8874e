"""Programs under a person's hand: who takes which row, how many fit on an SM."""

from .. import hardware
from ..figures.multiprocessor import multiprocessor
from ..figures.stride import grid_stride
from ..language import Text
from .base import Explorer, choice, dial, film, slider, steps, switch


def explore_grid_stride(rows=10, programs=4, start=0.1, uneven=False, seen=100) -> Explorer:
    """A grid that strides over the rows, beside one program per row."""
    return Explorer(
        grid_stride,
        rows=slider("行数 M", "rows M", rows, 1, 64),
        programs=slider("program 数 P", "programs P", programs, 1, 16),
        start=dial("启动一个 program ÷ 一行", "starting a program ÷ a row", start, 0, 1, 0.05),
        uneven=switch("有些行要三倍时间", "some rows take three times as long", uneven),
        seen=film("时间（%）", "time (%)", seen, 0, 100, 2),
    )


_BLOCKS = [2**k for k in range(7, 15)]
_WARPS = [1, 2, 4, 8, 16, 32]
_STAGES = ("STAGES", "NUM_STAGES", "num_stages")
_ROWS = 4096


def explore_occupancy(*kernels, arguments=None, block=1024, num_warps=8, stages=2, device="H200") -> Explorer:
    """Registers, shared memory and resident programs of a kernel, compiled for `device`; ours if none is given.

    A kernel has a constexpr BLOCK_SIZE, and may have one called STAGES; `arguments(block)` returns what else a launch passes
    it. Without it that is told from the names: `…_ptr` is a float32 tensor, a name with "row" but no "stride" the number of
    rows, all else the columns.
    """
    from .. import compiler, softmax  # they bring torch and triton along

    kernels = {each.fn.__name__: each for each in kernels or (softmax.grid_stride_kernel, softmax.row_kernel)}
    first = next(iter(kernels))
    staged = {name: next((s for s in each.arg_names if s in _STAGES), None) for name, each in kernels.items()}
    seen = set()

    def draw(block, num_warps, device, kernel=first, stages=None):
        given = arguments(block) if arguments else _told_from_names(kernels[kernel].arg_names, block)
        constants = {"BLOCK_SIZE": block} | ({staged[kernel]: stages} if staged[kernel] else {})
        needs = compiler.compile_for(kernels[kernel], device, *given, **constants, num_warps=num_warps)
        return _picture(needs, block, stages if staged[kernel] else None)

    def slow(**values):
        """Whether these values are new: the compiler remembers what it has done."""
        key = tuple(values.items())
        new = key not in seen
        seen.add(key)
        return new

    controls = {}
    if len(kernels) > 1:
        controls["kernel"] = choice("kernel（核函数）", "kernel", first, list(kernels))
    controls |= {
        "block": steps("块大小", "block size", block, sorted({*_BLOCKS, block})),
        "num_warps": steps("num_warps", "num_warps", num_warps, _WARPS),
        "device": choice("设备", "device", hardware.find(device).name, [each.name for each in hardware.DEVICES]),
    }
    if any(staged.values()):
        controls["stages"] = steps("流水级数", "pipeline stages", stages, sorted({1, 2, 3, 4, stages}))
    for control in controls.values():
        control.continuous_update = False  # every value on the way would be compiled
    explorer = Explorer(draw, slow=slow, **controls)
    if len(kernels) > 1 and "stages" in controls:
        controls["kernel"].observe(lambda c: setattr(controls["stages"], "disabled", not staged[c.new]), names="value")
    return explorer


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
    registers = occupancy.up(needs.registers, chip.register_granule) * needs.threads / chip.registers
    shared = occupancy.up(needs.shared + chip.shared_reserved, chip.shared_granule) / chip.shared if needs.shared else 0
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

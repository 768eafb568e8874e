"""Which kernel suits a shape, and in what sizes.

The rules speak of what every GPU has: registers, warps, multiprocessors. The few numbers in them were tried on an H200 and an H100.
"""

from ...backend import tl, triton
from ..choose import SECTOR, VECTOR, Gpu, Shape, gpu_of
from ..launch import Launch, on_grid
from .ragged import ragged_kernel
from .rows import rows_kernel
from .team import team_kernel

REGISTERS = 65536  # of a multiprocessor
WARPS = 4  # of a program, unless a row takes more
# From so many columns on two warps share a row of float32 where kernels start early. With one, 4096 rows fill half of an H200: the
# next kernel lies on top of this one, and the multiprocessors get uneven shares of both. In 16 bits this gained nothing.
FILLS = 512
# Bytes of the narrowest ragged row, a program of its own, that starts early: then programs are set up more slowly, one in 1.3 ns.
# 4096 of them take 5.4 microseconds, whatever is in them; a narrower row is done sooner.
PAYS = 3072
WIDEST = {2: 16384, 4: 32768, 8: 8192}  # columns that one program holds as float32 or float64, by bytes of an element


def choose(y, x) -> Launch | None:
    """The launch for rows `x` into dense rows `y`; None where a row fits neither a program nor a team (see `split`)."""
    n_rows, n_cols = x.shape
    stride = x.stride(0) if n_rows > 1 else n_cols
    shape = Shape(n_rows, n_cols, x.element_size(), stride, on_grid(x.data_ptr(), y.data_ptr()))
    return launch_for(shape, gpu_of(x.device))


def launch_for(shape: Shape, gpu: Gpu) -> Launch | None:
    if shape.columns <= WIDEST[shape.size]:
        return alone(shape, gpu)
    if gpu.cuda and shape.size < 8:
        return team(shape, gpu)
    return None


# ---- a program holds a row, or several ---------------------------------------------------------------------------------


def alone(shape: Shape, gpu: Gpu) -> Launch:
    lanes = gpu.warp * shape.vector  # columns that a warp reads at once
    warps, pieces = share(shape.columns, lanes, shape.size)
    ragged = shape.ragged and shape.columns >= lanes
    early = gpu.early and (not ragged or shape.columns * shape.size >= PAYS)
    if early and shape.size == 4 and shape.columns >= FILLS and warps == 1:
        warps, pieces = 2, triton.cdiv(shape.columns, 2 * lanes)
    constants = {"PIECES": pieces, "WARPS": warps, "HINT": hint(shape, gpu), "EARLY": early}
    if ragged:
        constants |= {"VECTOR": shape.vector, "LANES": lanes}
        chosen = options(gpu, warps, pieces * shape.vector, early)
        return Launch(ragged_kernel, shape.rows, (shape.columns,), in_order(ragged_kernel, constants), chosen)
    block = min(lanes, triton.next_power_of_2(shape.columns))  # the narrowest rows share a warp
    rows = max(1, WARPS // warps) * (lanes // block)
    steps = shape.columns // shape.align, shape.stride // shape.align  # from row to row, in the output and in the input
    constants |= {"ALIGN": shape.align, "ROWS": rows, "LANES": block}
    constants["ACC"] = tl.float64 if shape.size == 8 else tl.float32
    chosen = options(gpu, max(WARPS, warps), pieces * shape.vector, early)
    sizes = (*steps, shape.rows, steps[0])
    return Launch(rows_kernel, triton.cdiv(shape.rows, rows), sizes, in_order(rows_kernel, constants), chosen)


def in_order(kernel, constants: dict) -> dict:
    """The constants as the kernel takes them: `Launch` passes them by position."""
    return {name: constants[name] for name in kernel.arg_names if name in constants}


def hint(shape: Shape, gpu: Gpu) -> str:
    """What the cache is told of the input: to keep it until it is read, and let go of finished results first.

    The opposite, where the input alone fits, but input and output together come close to L2's size or exceed it. The kernel before
    may have left the input there, and what has been read should make room for the output, rather than what is still to be read.
    """
    crowded = gpu.cache * 2 // 5 < shape.rows * shape.columns * shape.size <= gpu.cache * 2 // 3
    return "evict_first" if crowded else "evict_last"


def share(columns: int, lanes: int, size: int) -> tuple[int, int]:
    """Warps and pieces of a row: as few warps as hold it with `most` elements a thread, unless that takes more than help."""
    most_warps, most = {2: (8, 56), 4: (32, 32), 8: (16, 16)}[size]
    warps = 1
    while warps < most_warps and triton.cdiv(columns, warps * lanes) * (VECTOR // size) > most:
        warps *= 2
    return warps, triton.cdiv(columns, warps * lanes)


def options(gpu: Gpu, warps: int, held: int, early: bool) -> dict:
    """Launch options of programs whose threads hold so many elements.

    Left alone, the compiler takes more registers than help: fewer programs fit, fewer bytes are on their way.
    """
    chosen = {"num_warps": warps}
    if early:
        chosen["launch_pdl"] = True
    if gpu.cuda and held > 40:
        threads = warps * gpu.warp
        programs = REGISTERS // (threads * (held + 16))  # that fit, if sixteen registers do for all but the elements
        chosen["maxnreg"] = REGISTERS // (threads * programs) // 8 * 8  # they come in eights
    return chosen


# ---- several programs share a row ---------------------------------------------------------------------------------------


def team(shape: Shape, gpu: Gpu) -> Launch | None:
    """As few programs a row as hold it; smaller ones, and more of them, where that keeps everybody busy."""
    load = (
        shape.rows * triton.cdiv(shape.columns, 2048) / gpu.multiprocessors
    )  # warps on each, if every thread held 64 elements
    lanes = gpu.warp * shape.vector
    warps, most = 2 if load <= 64 and shape.columns <= 2**18 else 4, 64 // shape.vector
    at_once = warps * lanes  # columns that a program reads at once
    programs = members(shape.rows, shape.columns, at_once, most, gpu)
    if programs is None:
        return None
    pieces = triton.cdiv(shape.columns, programs * at_once)
    align = SECTOR // shape.size if shape.ragged else shape.align
    steps = shape.columns, shape.stride, shape.columns
    constants = {
        "ALIGN": align,
        "TEAM": programs,
        "PIECES": pieces,
        "WARPS": warps,
        "LANES": lanes,
        "ORDERED": ordered(shape.rows, programs, warps, gpu),
        "RAGGED": shape.ragged,
        "EARLY": gpu.early,
    }
    chosen = {"num_warps": warps} | ({"launch_pdl": True} if gpu.early else {})
    sizes = steps if shape.ragged else tuple(step // align for step in steps)
    mailbox = 1 + shape.rows * programs
    return Launch(team_kernel, shape.rows * programs, sizes, constants, chosen, mailbox)


def members(rows: int, columns: int, at_once: int, most: int, gpu: Gpu) -> int | None:
    """Programs of a row where each holds at most `most` times what it reads `at_once`; None where so many could not all start."""
    programs = triton.cdiv(columns, most * at_once)
    while 2 * rows * programs <= gpu.multiprocessors and columns > 4 * programs * at_once:
        programs *= 2
    # Four fit on each multiprocessor: the teams of four kernels can wait side by side, and all will start.
    return programs if programs <= gpu.multiprocessors else None


def ordered(rows: int, programs: int, warps: int, gpu: Gpu) -> bool:
    """Whether so many programs fit on the device at once."""
    return rows * programs * warps <= 16 * gpu.multiprocessors

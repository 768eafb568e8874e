"""Which kernel suits a shape, and in what sizes. The numbers were tried on an H200; the rules are meant to hold elsewhere too."""

import functools
import math

import torch

from ..backend import mode, tl, triton
from .launch import Launch, on_grid
from .packed import packed_kernel
from .pieces import pieces_kernel
from .ragged import ragged_kernel
from .rows import rows_kernel
from .team import team_kernel

VECTOR = 16  # bytes: the widest load of a thread
SECTOR = 32  # bytes: the least that memory moves; here the body of a team's ragged row begins
NARROW = 1536  # columns: up to here a warp takes a whole row, 48 elements a lane
WIDEST = {2: 16384, 4: 32768, 8: 8192}  # columns that one program holds as float32 or float64, by bytes of an element


def choose(y, x) -> Launch | None:
    """The launch for rows `x` into dense rows `y`; None where a row fits neither a program nor a team (see `split`)."""
    n_rows, n_cols = x.shape
    size = x.element_size()
    vector = VECTOR // size
    lanes = warp_size() * vector  # columns that a warp reads at once
    stride = x.stride(0) if n_rows > 1 else n_cols
    aligned = on_grid(x.data_ptr(), y.data_ptr())
    align = math.gcd(n_cols, stride, vector) if aligned else 1
    sizes = (n_cols // align, stride // align, n_cols // align)  # y's stride, x's stride, columns
    acc = tl.float64 if x.dtype == torch.float64 else tl.float32

    ragged = aligned and stride == n_cols and align * size < 8
    if ragged and lanes <= n_cols <= WIDEST[size]:
        warps, pieces = share(n_cols, lanes, size, fewest=1)
        constants = {"GRID": vector, "PIECES": pieces, "WARPS": warps, "LANES": lanes}
        return Launch(
            ragged_kernel, n_rows, (n_cols,), constants, options(warps, most_registers(warps, pieces * vector))
        )
    if n_cols <= NARROW:
        piece = min(lanes, triton.next_power_of_2(n_cols))
        pieces, rows = -(-n_cols // piece), 4 * lanes // piece
        constants = {"ALIGN": align, "ROWS": rows, "PIECES": pieces, "PIECE": piece, "ACC": acc}
        registers = 64 if size == 2 and pieces * vector > 40 else None  # eight programs on a multiprocessor, not seven
        return Launch(rows_kernel, -(-n_rows // rows), (*sizes[:2], n_rows, sizes[2]), constants, options(4, registers))
    if n_cols <= WIDEST[size]:
        warps, pieces = share(n_cols, lanes, size)
        constants = {"ALIGN": align, "PIECES": pieces, "WARPS": warps, "LANES": lanes, "ACC": acc}
        return Launch(pieces_kernel, n_rows, sizes, constants, options(warps, most_registers(warps, pieces * vector)))
    if mode == "cuda" and size < 8:
        if ragged:
            sizes, align = (n_cols,) * 3, SECTOR // size
        return team(n_rows, n_cols, sizes, align, ragged, vector, lanes, x.device)
    return None


def share(n_cols: int, lanes: int, size: int, fewest: int = 2) -> tuple[int, int]:
    """Warps, and pieces of a row: few enough that a thread holds some 40 elements, unless that takes more warps than help."""
    most_warps, most = {2: (8, 40), 4: (32, 48), 8: (16, 16)}[size]
    warps = fewest
    while warps < most_warps and -(-n_cols // (warps * lanes)) * (VECTOR // size) > most:
        warps *= 2
    return warps, -(-n_cols // (warps * lanes))


def most_registers(warps: int, held: int) -> int | None:
    """What a thread that holds so many elements may take: beyond 80 a third program of eight warps no longer fits."""
    return 80 if warps == 8 and held > 48 else None


def team(n_rows, n_cols, sizes, align, ragged, vector, lanes, device) -> Launch | None:
    """A team's launch: as few programs a row as hold it; smaller ones, and more of them, where that keeps everybody busy."""
    sms = multiprocessors(device)
    load = n_rows * -(-n_cols // 2048)  # warps, if every lane held 64 elements
    # 16-bit rows in plenty: more of them fit on the chip packed.
    packed = vector == 8 and align > 1 and load > 16 * sms
    roomy = n_rows * -(-n_cols // (16 * 4 * lanes)) <= 4 * sms  # four programs a multiprocessor: 128 registers a thread
    if not packed:
        warps, most = 2 if load <= 64 * sms and n_cols <= 2**18 else 4, 64 // vector
    elif roomy:
        warps, most = 4, 16
    elif n_cols <= 32768:
        warps, most = 8, 16
    else:
        warps, most = 4, 12 if ragged else 14

    def pieces() -> int:
        return -(-n_cols // (programs * warps * lanes))

    programs = -(-n_cols // (most * warps * lanes))
    while 2 * n_rows * programs <= sms and pieces() > 4:
        programs *= 2  # until every multiprocessor has work
    # Four fit on each multiprocessor: the teams of four kernels can wait side by side, and all will start.
    if programs > sms:
        return None
    constants = {
        "ALIGN": align,
        "TEAM": programs,
        "PIECES": pieces(),
        "WARPS": warps,
        "LANES": lanes,
        "ORDERED": n_rows * programs * warps <= 16 * sms,  # so many fit on the device at once
        "RAGGED": ragged,
    }
    mailbox = 1 + n_rows * programs * (programs > 1)
    if not packed:
        return Launch(team_kernel, n_rows * programs, sizes, constants, options(warps), mailbox)
    kept, registers = room(pieces(), programs, ragged, roomy)
    constants["KEPT"] = kept
    return Launch(packed_kernel, n_rows * programs, (*sizes, 0), constants, options(warps, registers), mailbox)


def room(pieces: int, programs: int, ragged: bool, roomy: bool) -> tuple[int, int]:
    """Pieces that keep their numerators, and registers of a thread: 4 a packed piece, 4 for its numerators, 4 for ragged ends."""
    if roomy:
        return min(pieces, 26 - pieces), 128
    if programs == 1:  # nobody to wait for: nothing to keep
        return 0, min(80, 24 + 4 * pieces)
    ends = int(ragged)
    kept = 1 - ends * (pieces % 2)  # registers come in eights: a ragged row of odd pieces has no place for one more
    return kept, 16 + 4 * (pieces + kept + ends)


def options(warps: int, registers: int | None = None) -> dict:
    """Launch options. Left alone, the compiler takes more registers than help: fewer programs fit, fewer bytes are on their way."""
    chosen = {"num_warps": warps}
    if registers and mode == "cuda":
        chosen["maxnreg"] = -(-registers // 8) * 8
    return chosen


@functools.cache
def warp_size() -> int:
    if mode != "hip":
        return 32
    return triton.runtime.driver.active.get_current_target().warp_size


@functools.cache
def multiprocessors(device) -> int:
    return torch.cuda.get_device_properties(device).multi_processor_count

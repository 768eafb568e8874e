"""Which kernel suits a shape, and in what sizes: two tables of thresholds and a rule for teams.

The numbers were tried on an H100. A thread so holds 8 to 16 elements of a narrow row, 32 of a middling one and up to 64 of a wide
one: few while a whole matrix is in flight at once and nothing hides a program's arithmetic, many where other programs do.
"""

import functools
import math
from bisect import bisect_left
from dataclasses import dataclass

import torch

from ..backend import mode, tl, triton
from .launch import Launch, on_grid
from .rows import rows_kernel
from .team import PATIENCE, team_kernel

VECTOR = 16  # bytes: the widest load of a thread
SECTOR = 32  # bytes: the least that memory moves; there the body of a team's ragged row begins
# Warps of a row, by the columns up to which they do. A row that begins off the grid takes fewer for longer: each warp has its own
# ends to look after. Columns of float64 count twice.
COLUMNS, WARPS = (256, 2048, 8192, 16384, 32768), (1, 2, 4, 8, 16)
COLUMNS_16_BITS = (512, *COLUMNS[1:])
RAGGED_COLUMNS = (1280, *COLUMNS[1:])
RAGGED_COLUMNS_16_BITS = (1280, 2048, 16384)
# Bytes that a program reads at most where it takes several rows, for placing it costs as much as 2 KB moved; of ragged rows in 16
# bits, more, but no more than four of them.
PROGRAM, RAGGED_PROGRAM_16_BITS, RAGGED_ROWS = 4096, 10240, 4
WIDEST = {2: 16384, 4: 32768, 8: 8192}  # columns that one program holds, by bytes of an element; wider rows take a team
PART = 8192  # columns that a team's program holds at most: 64 elements a thread
MEMBER = 4  # its warps
LEAST = 2048  # columns that it holds at least, where a team grows to keep the GPU busy
# A few rows of up to so many columns are shared among more: down to so many columns a member, and up to so many it is one warp,
# which has no other to meet.
SHORT, SHORT_LEAST, ONE_WARP = 32768, 512, 1024


@dataclass(frozen=True)
class Gpu:
    """What the choice depends on."""

    multiprocessors: int = 1
    warp: int = 32  # threads
    cuda: bool = False  # there programs may look for one another's messages
    early: bool = False  # whether a kernel may come in before the last one has ended, see `combine`
    cache: int = 0  # bytes of L2


@dataclass(frozen=True)
class Shape:
    """What there is to do, and how wide the loads may be."""

    rows: int
    columns: int
    size: int  # bytes of an element
    stride: int  # elements from one row to the next, where they are read; written, they are dense
    on_grid: bool = True  # whether input and output begin at a multiple of 16 bytes

    @property
    def vector(self) -> int:
        """Elements that a thread can read at once."""
        return VECTOR // self.size

    @property
    def align(self) -> int:
        """Elements that a thread can read at once in every row."""
        return math.gcd(self.columns, self.stride, self.vector) if self.on_grid else 1

    @property
    def ragged(self) -> bool:
        """Whether only the first row begins on the grid, and the others where that one ends."""
        return self.on_grid and self.stride == self.columns and self.align * self.size < 8


def choose(y, x, log: bool = False) -> Launch | None:
    """The launch for rows `x` into dense rows `y`; None where a row fits neither a program nor a team (see `split`)."""
    n_rows, n_cols = x.shape
    stride = x.stride(0) if n_rows > 1 else n_cols
    shape = Shape(n_rows, n_cols, x.element_size(), stride, on_grid(x.data_ptr(), y.data_ptr()))
    return launch_for(shape, gpu_of(x.device), log)


@functools.cache
def gpu_of(device: torch.device) -> Gpu:
    """The GPU that holds the tensor; elsewhere, what does no harm."""
    if mode == "cuda":
        found = torch.cuda.get_device_properties(device)
        return Gpu(found.multi_processor_count, cuda=True, early=found.major >= 9, cache=found.L2_cache_size)
    if mode == "hip":
        return Gpu(warp=triton.runtime.driver.active.get_current_target().warp_size)
    return Gpu()


def launch_for(shape: Shape, gpu: Gpu, log: bool = False) -> Launch | None:
    lonely = few(shape, gpu) and shape.columns >= PART
    if gpu.cuda and shape.size < 8 and (lonely or shape.columns > WIDEST[shape.size]):
        return team(shape, gpu, log)
    return alone(shape, gpu, log) if shape.columns <= WIDEST[shape.size] else None


def few(shape: Shape, gpu: Gpu) -> bool:
    """Whether so few rows cannot keep the GPU busy."""
    return 2 * shape.rows <= gpu.multiprocessors


def alone(shape: Shape, gpu: Gpu, log: bool = False) -> Launch:
    """A program holds a row, or several side by side."""
    lanes = gpu.warp * shape.vector  # columns that a warp reads at once
    ragged = shape.ragged and shape.columns >= lanes
    wide, wide_16_bits = (RAGGED_COLUMNS, RAGGED_COLUMNS_16_BITS) if ragged else (COLUMNS, COLUMNS_16_BITS)
    warps = WARPS[bisect_left(wide_16_bits if shape.size == 2 else wide, shape.columns * max(1, shape.size // 4))]
    piece = min(warps * lanes, triton.next_power_of_2(shape.columns))  # the narrowest rows share a warp
    bytes_of_a_row = shape.columns * shape.size
    most = (RAGGED_PROGRAM_16_BITS if ragged and shape.size == 2 else PROGRAM) // bytes_of_a_row
    most = min(most, RAGGED_ROWS) if ragged else most
    rows = 1
    while 2 * rows <= most and (rows * piece < lanes or shape.rows >= 4 * rows * warps * gpu.multiprocessors):
        rows *= 2  # but rather several programs for every multiprocessor, the more the more warps each has
    # Ragged rows are dense and taken as they come; of others the compiler is told what divides their sizes.
    align = 1 if ragged else shape.align
    constants = {"ALIGN": align, "VECTOR": shape.vector if ragged else 0}
    constants |= {"ROWS": rows, "PIECES": triton.cdiv(shape.columns, piece), "PIECE": piece}
    constants |= {"ACC": tl.float64 if shape.size == 8 else tl.float32}
    constants |= {"HINT": hint(shape, gpu), "LOG": log, "EARLY": gpu.early}
    width, stride = shape.columns // align, shape.stride // align
    chosen = options(max(1, rows * piece // lanes), gpu)
    return Launch(rows_kernel, triton.cdiv(shape.rows, rows), (width, stride, shape.rows, width), constants, chosen)


def team(shape: Shape, gpu: Gpu, log: bool = False) -> Launch | None:
    """Several programs hold a row; None where so many would not find room together, and would wait in vain."""
    short = few(shape, gpu) and shape.columns <= SHORT
    programs = members(shape.rows, shape.columns, PART, SHORT_LEAST if short else LEAST, gpu)
    if programs is None:
        return None
    warps = 1 if short and shape.columns <= programs * ONE_WARP else MEMBER
    piece = warps * gpu.warp * shape.vector
    align = SECTOR // shape.size if shape.ragged else shape.align
    constants = {"ALIGN": align, "TEAM": programs, "PIECES": triton.cdiv(shape.columns, programs * piece)}
    constants |= {"PIECE": piece, "WARPS": warps, "PATIENCE": PATIENCE, "HINT": "evict_last"}
    constants |= {"RAGGED": shape.ragged, "LOG": log, "EARLY": gpu.early}
    sizes = tuple(each // (1 if shape.ragged else align) for each in (shape.columns, shape.stride, shape.columns))
    mailbox = shape.rows * programs
    return Launch(team_kernel, mailbox, sizes, constants, options(warps, gpu), mailbox)


def members(rows: int, columns: int, most: int, least: int, gpu: Gpu) -> int | None:
    """As few programs a row as hold it, each `most` columns; twice as many while multiprocessors want for work, each `least`."""
    programs = triton.cdiv(columns, most)
    enough = 8 * gpu.multiprocessors
    while 2 * programs <= gpu.multiprocessors and rows * programs <= enough and columns >= 2 * programs * least:
        programs *= 2
    return programs if programs <= 2 * gpu.multiprocessors else None


def hint(shape: Shape, gpu: Gpu) -> str:
    """What the cache is told of the input: to keep it until it is read. But where it nearly fits, to let go of what has been read
    rather than of what is still to be read: the kernel before may have left that there."""
    times = shape.rows * shape.columns * shape.size / max(gpu.cache, 1)  # the cache
    return "evict_first" if 2 / 5 < times <= 3 else "evict_last"


def options(warps: int, gpu: Gpu) -> dict:
    return {"num_warps": warps} | ({"launch_pdl": True} if gpu.early else {})

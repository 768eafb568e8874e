"""What the kernels of training share: which tensors they take, and in how many pieces a row is held.

A program holds a tile: several narrow rows, each inside one warp, or one wide row in as many pieces as it needs.
"""

import contextlib
import math
from dataclasses import dataclass

import torch
from torch.autograd import forward_ad

from ..backend import device as kernel_device
from ..backend import mode, tl, triton
from ..language import both
from . import mailbox
from .choose import VECTOR, gpu_of, members, options
from .inputs import DTYPES, address
from .launch import on_grid
from .team import PATIENCE

__all__ = ["Tile", "accumulator", "alignment", "block", "on", "options", "programs", "refuse", "row_stride", "tile"]

NARROW = 1536  # columns of all tensors together: up to here a warp takes a whole row
HELD = 40  # elements that a thread keeps of all its tensors together, as far as there are warps
# By bytes of an element, and by tensors: a pair stays as it was read, a single row is held as float32. Beyond that registers run
# short, and rows go by twice.
MOST_HELD = {(2, 1): 48, (2, 2): 128, (4, 1): 80, (4, 2): 80, (8, 1): 32, (8, 2): 32}
HINT = "evict_last"  # what is read once had better stay until it is, while results are written out
MOST_WARPS = 16
# So many elements of a pair in 16 bits 8 warps keep before there are 16, of which one program fits a multiprocessor, not two.
EIGHT_HOLD = MOST_HELD[2, 2]
# What a thread of a team keeps of all its tensors together, likewise.
TEAM_HELD = {(2, 1): 64, (2, 2): 64, (4, 1): 64, (4, 2): 96}
TEAM_WARPS = 4
TEAM_LEAST = 2048  # columns of a member at least, where a team grows to keep the GPU busy
BLOCK = {2: 8192, 4: 4096, 8: 2048}  # columns that go by together in a row that is not held; 8 warps


@dataclass(frozen=True)
class Tile:
    rows: int
    pieces: int
    piece: int  # columns
    warps: int
    programs: int


def tile(n_rows: int, n_cols: int, size: int, tensors: int, device) -> Tile | None:
    """The tile that holds `tensors` rows of so many columns; None where they are too wide."""
    vector = VECTOR // size
    lanes = gpu_of(device).warp * vector  # columns that a warp reads at once
    if n_cols * tensors <= NARROW:
        piece = min(lanes, triton.next_power_of_2(n_cols))
        rows = 4 * lanes // piece
        return Tile(rows, triton.cdiv(n_cols, piece), piece, 4, triton.cdiv(n_rows, rows))
    warps, held = 1, math.inf
    while warps < MOST_WARPS and held > (EIGHT_HOLD if (warps, size, tensors) == (8, 2, 2) else HELD):
        warps *= 2
        pieces = triton.cdiv(n_cols, warps * lanes)
        held = pieces * vector * tensors
    if held > MOST_HELD[size, tensors]:
        return None
    return Tile(1, pieces, warps * lanes, warps, n_rows)


@dataclass(frozen=True)
class Team:
    """Several programs hold a row together, as in `team`."""

    programs: int  # of a row
    rows: int
    constants: dict
    options: dict

    def launch(self, kernel, tensors, sizes, **constants) -> None:
        device = tensors[0].device
        words = self.rows * self.programs
        with mailbox.lock:
            letters = mailbox.empty_mailbox(words, device, torch.cuda.current_stream(device).cuda_stream)
            grid, all_of_them = (self.rows * self.programs,), {**self.constants, **constants}
            kernel[grid](*tensors, letters, *sizes, **all_of_them, **self.options)


def team(n_rows: int, n_cols: int, size: int, tensors: int, device) -> Team | None:
    """The team that holds `tensors` rows of so many columns; None where none can, or nobody may wait."""
    gpu = gpu_of(device)
    if not gpu.cuda or size == 8:
        return None
    vector = VECTOR // size
    lanes = gpu.warp * vector
    piece = TEAM_WARPS * lanes
    programs = members(n_rows, n_cols, TEAM_HELD[size, tensors] // (vector * tensors) * piece, TEAM_LEAST, gpu)
    if programs is None:
        return None
    constants = {"TEAM": programs, "PIECES": triton.cdiv(n_cols, programs * piece), "PIECE": piece, "WARPS": TEAM_WARPS}
    constants["PATIENCE"] = PATIENCE
    return Team(programs, n_rows, constants, options(TEAM_WARPS, gpu))


def block(n_cols: int, size: int) -> int:
    """How many columns of a row that is not held go by together."""
    most = 32768 if mode == "interpreter" else BLOCK[size]  # the interpreter takes as long for a short block
    return min(most, max(triton.next_power_of_2(n_cols), 16))


def programs(n_rows: int) -> int:
    """Programs where each takes one row in so many: on an NPU as many as cores, elsewhere one a row."""
    if mode != "npu":
        return n_rows
    from .. import hardware

    return min(n_rows, hardware.here().vector_cores)


def accumulator(dtype):
    return tl.float64 if dtype == torch.float64 else tl.float32


def row_stride(rows) -> int:
    return rows.stride(0) if len(rows) > 1 else rows.shape[1]


def alignment(*matrices) -> int:
    """What sizes may be divided by, for the kernel to multiply with: then the compiler knows that loads can be wide."""
    size = max(each.element_size() for each in matrices)
    if not on_grid(*(each.data_ptr() for each in matrices)):
        return 1
    return math.gcd(VECTOR // size, matrices[0].shape[1], *map(row_stride, matrices))


def on(x):
    """Within, kernels are launched on the device where `x` is."""
    return torch.cuda.device(x.device) if x.is_cuda else contextlib.nullcontext()


def refuse(x, name: str, instead: str) -> None:
    """What would give a wrong answer or none, and what to do instead. Never touches `x`."""
    if not isinstance(x, torch.Tensor) or x.is_nested or x.layout != torch.strided or x.dtype not in DTYPES:
        kind = type(x).__name__ if not isinstance(x, torch.Tensor) else f"{x.dtype}, {x.layout}"
        raise TypeError(
            both(
                f"{name} 需要稠密的 torch.Tensor，类型是 float32、bfloat16、float16 或 float64；得到的是 {kind}。",
                f"{name} takes dense torch.Tensors of float32, bfloat16, float16 or float64, not {kind}.",
            )
        )
    if mode == "npu" and x.dtype == torch.float64:
        raise TypeError(both("昇腾的向量核不算 float64。", "Ascend's vector cores have no float64."))
    if x.device.type != kernel_device:
        raise ValueError(
            both(
                f"张量在 {x.device} 上，而这里的 kernel 在 {kernel_device} 上运行（方式：{mode}）。请先 .to({kernel_device!r})。",
                f"A tensor is on {x.device}, but kernels run on {kernel_device} here (mode: {mode}). Move it: "
                f".to({kernel_device!r}).",
            )
        )
    if torch.compiler.is_compiling():
        return  # what is traced has neither memory nor tangents
    if forward_ad.unpack_dual(x).tangent is not None:
        raise RuntimeError(
            both(
                f"x 带着前向模式的切向量，而 {name} 只有反向模式的梯度，切向量会悄悄丢失。请用 {instead}。",
                f"x carries a tangent of forward mode, and {name} has gradients of reverse mode only, so it would be lost "
                f"without a word. Use {instead}.",
            )
        )
    if x.numel() and not address(x):
        raise TypeError(
            both(
                f"张量没有自己的内存（例如在 vmap、jvp 里），kernel 读不到它。请在外面调用 {name}，或用 {instead}。",
                f"A tensor has no memory of its own (as within vmap or jvp), so no kernel can read it. Call {name} outside, or "
                f"use {instead}.",
            )
        )

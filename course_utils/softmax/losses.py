"""Cross-entropy that never writes the probabilities: of a row of scores only its maximum m and log Σ exp(x − m) are kept.

    loss = (1 − ε)·(−log p_t) + ε·mean(−log p)                forward: the scores read once, MN + O(M), however wide a row is
    dx   = d·(p − (1 − ε)·[column is t] − ε/N)                backward: read once, written once, 2MN, no reduction at all

t is the row's target, ε the label smoothing, d the gradient that arrives for the row's loss. A row whose target is
`ignore_index` has the loss 0 and the gradient 0, and its scores are not read. A target that is no column at all gives NaN.
"""

import torch

from ..backend import mode, tl, triton
from . import tiles
from .choose import VECTOR, gpu_of, options
from .combine import as_int64, exponential, exponentials, finite, greatest, total, wait_for_the_kernel_before
from .inputs import as_rows
from .launch import on_grid, quiet
from .ragged import body_of, ends_of

MOST_WARPS = {2: 8, 4: 16, 8: 8}  # by bytes of an element


@triton.jit
def loss_kernel(
    loss_ptr, parts_ptr, x_ptr, target_ptr, x_stride, n_rows, n_cols, first_col, n_all, ignore_index,
    ALIGN: tl.constexpr, PIECES: tl.constexpr, PIECE: tl.constexpr, ACC: tl.constexpr, SMOOTHING: tl.constexpr,
    HINT: tl.constexpr, RAGGED: tl.constexpr, EARLY: tl.constexpr, SHARD: tl.constexpr = False,
):  # fmt: skip
    """One pass: every lane keeps a maximum and a sum of its own, and they meet once, at the end of the row."""
    row = tl.program_id(0).to(tl.int64)
    wait_for_the_kernel_before(EARLY)
    target = tl.load(target_ptr + row)
    kept = target != ignore_index
    if RAGGED:
        first, last = row * n_cols, (row + 1) * n_cols
        body, body_end = body_of(first, last, ALIGN)
        ends, at_end = ends_of(tl.arange(0, 2 * ALIGN), first, body, body_end, tl.where(kept, last, first), ALIGN)
        x_row, x_body, n = x_ptr + first, x_ptr + body, tl.where(kept, body_end - body, 0)
    else:
        n_cols, x_stride = n_cols * ALIGN, as_int64(x_stride) * ALIGN
        x_row = x_ptr + row * x_stride
        x_body, n = x_row, tl.where(kept, n_cols, 0)
    here = target - first_col  # asked for before the row is read, not after
    x_target = tl.load(
        x_row + here, mask=kept & (here >= 0) & (here < n_cols), other=0.0 if SHARD else float("nan")
    ).to(ACC)
    m = tl.full((PIECE,), -float("inf"), ACC)
    s = tl.full((PIECE,), 0.0, ACC)
    sums = tl.full((PIECE,), 0.0, ACC)
    for start in tl.range(0, n, PIECES * PIECE):
        pieces = ()
        for i in tl.static_range(PIECES):
            c = start + i * PIECE + tl.arange(0, PIECE)
            pieces += (tl.load(x_body + c, mask=c < n, other=-float("inf"), eviction_policy=HINT).to(ACC),)
            if SMOOTHING > 0:
                sums += tl.where(c < n, pieces[i], 0.0)
        top = tl.maximum(m, greatest(pieces, PIECES))
        s = s * exponential(m, finite(top)) + total(exponentials(pieces, finite(top), PIECES), PIECES)
        m = top
    m_row = tl.max(m, axis=0)
    if RAGGED:
        x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(ACC)
        m_row = tl.maximum(m_row, tl.max(x_ends, axis=0))
    s_row = tl.sum(s * exponential(m, finite(m_row)), axis=0)
    if RAGGED:
        s_row += tl.sum(exponential(x_ends, finite(m_row)), axis=0)
    mean = 0.0
    if SMOOTHING > 0:
        sum_ = tl.sum(sums, axis=0)
        if RAGGED:
            sum_ += tl.sum(tl.where(at_end, x_ends, 0.0), axis=0)
        mean = sum_ / n_all
    tl.store(parts_ptr + row, m_row)
    if SHARD:  # what is known here of a row that lies on several GPUs, see `sharded.loss`
        tl.store(parts_ptr + n_rows + row, s_row)
        tl.store(loss_ptr + row, x_target * (1.0 - SMOOTHING) + mean * SMOOTHING)
    else:
        log_s = tl.log(s_row)
        loss = (m_row - x_target) * (1.0 - SMOOTHING) + (m_row - mean) * SMOOTHING
        tl.store(parts_ptr + n_rows + row, log_s)
        tl.store(loss_ptr + row, tl.where(kept, loss + log_s, 0.0))


@triton.jit
def loss_backward_kernel(
    dx_ptr, x_ptr, target_ptr, parts_ptr, d_ptr, dx_stride, x_stride, d_stride, n_rows, n_cols, first_col, n_all,
    ignore_index,
    ALIGN: tl.constexpr, BLOCKS: tl.constexpr, BLOCK_SIZE: tl.constexpr, ACC: tl.constexpr, SMOOTHING: tl.constexpr,
    HINT: tl.constexpr, RAGGED: tl.constexpr, EARLY: tl.constexpr,
):  # fmt: skip
    """Every element by itself: any number of programs share a row. `dx` may be `x`."""
    row = tl.program_id(0).to(tl.int64) // BLOCKS
    columns = tl.program_id(0) % BLOCKS * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    if RAGGED:
        first, last = row * n_cols, (row + 1) * n_cols
        body, body_end = body_of(first, last, ALIGN)
        mine = tl.where(tl.program_id(0) % BLOCKS == 0, last, first)  # the first program looks after both ends
        ends, at_end = ends_of(tl.arange(0, 2 * ALIGN), first, body, body_end, mine, ALIGN)
        dx_row, x_row, before, n_body = dx_ptr + body, x_ptr + body, body - first, body_end - body
    else:
        n_cols, dx_stride, x_stride = n_cols * ALIGN, as_int64(dx_stride) * ALIGN, as_int64(x_stride) * ALIGN
        dx_row, x_row, before, n_body = dx_ptr + row * dx_stride, x_ptr + row * x_stride, 0, n_cols
    wait_for_the_kernel_before(EARLY)
    target = tl.load(target_ptr + row)
    kept = target != ignore_index
    d = tl.where((target >= 0) & (target < n_all), tl.load(d_ptr + row * d_stride).to(ACC), float("nan"))
    m, log_s = tl.load(parts_ptr + row), tl.load(parts_ptr + n_rows + row)
    share = SMOOTHING / tl.cast(n_all, ACC)
    x = tl.load(x_row + columns, mask=columns < tl.where(kept, n_body, 0), other=0.0, eviction_policy=HINT).to(ACC)
    dx = _loss_gradient(x, columns + before == target - first_col, m, log_s, d, share, SMOOTHING)
    tl.store(dx_row + columns, tl.where(kept, dx, 0.0), mask=columns < n_body, eviction_policy="evict_first")
    if RAGGED:
        x = tl.load(x_ptr + ends, mask=at_end & (ends < tl.where(kept, last, first)), other=0.0).to(ACC)
        dx = _loss_gradient(x, ends - first == target - first_col, m, log_s, d, share, SMOOTHING)
        tl.store(dx_ptr + ends, tl.where(kept, dx, 0.0), mask=at_end)


@triton.jit
def _loss_gradient(x, is_target, m, log_s, d, share, SMOOTHING: tl.constexpr):
    p = exponential(x - m, log_s)
    return d * (tl.where(is_target, p - (1.0 - SMOOTHING), p) - share)


def sizes_forward(n_cols: int, size: int, smoothing: float = 0.0) -> tuple[int, int, int]:
    """Columns of a piece, pieces that go by together, warps: a load of 16 bytes for each lane, eight of them on their way, and as
    few warps as hold the row so, for they must meet. Four loads in rows that would go by at once, and where registers run short.
    """
    row = n_cols * size
    warps = min(triton.next_power_of_2(triton.cdiv(row, 8 * 32 * VECTOR)), MOST_WARPS[size])
    lanes = tiles.block(n_cols, size) if mode == "interpreter" else warps * 32 * VECTOR // size
    piece = min(triton.next_power_of_2(max(n_cols, 32)), lanes)
    pieces = 4 if row > 8192 and smoothing > 0 or 16384 < row < 65536 else 8
    return piece, min(pieces, triton.cdiv(n_cols, piece)), warps


def sizes_backward(n_cols: int, size: int) -> tuple[int, int]:
    """Columns of a program, and its warps."""
    block = tiles.block(n_cols, size)
    return block, max(1, min(8, block * size // (64 * VECTOR)))


def _sizes_and_constants(smoothing: float, *matrices) -> tuple[list[int], int, dict]:
    """Row strides and columns, divided by what divides them all, and the constants that both kernels take.

    Where rows begin anywhere, ALIGN is the grid on which their bodies lie (see `ragged`), and nothing is divided.
    """
    align, x, strides = tiles.alignment(*matrices), matrices[0], [tiles.row_stride(each) for each in matrices]
    ragged = all(stride == x.shape[1] for stride in strides) and align * x.element_size() < 8
    ragged = ragged and on_grid(*(each.data_ptr() for each in matrices))
    step = 1 if ragged else align
    constants = {"ALIGN": VECTOR // x.element_size() if ragged else align, "RAGGED": ragged, "HINT": tiles.HINT}
    constants |= {"ACC": tiles.accumulator(x.dtype), "SMOOTHING": float(smoothing), "EARLY": gpu_of(x.device).early}
    return [stride // step for stride in strides], x.shape[1] // step, constants


def losses(x, target, ignore_index: int, smoothing: float, shard: tuple[int, int] | None = None):
    """The loss of each row of the matrix `x`, and what the backward pass needs of it: m and log Σ exp(x − m), one after the other.

    With `shard`, `x` holds some columns of rows that other GPUs share: (number of the first, columns of the whole row). Then what
    is returned is known of these alone: what they take off the loss, and m and Σ exp(x − m).
    """
    kind = torch.float64 if x.dtype == torch.float64 else torch.float32
    n_rows, n_cols = x.shape
    loss = torch.empty(n_rows, dtype=kind, device=x.device)
    parts = torch.empty((2, n_rows), dtype=kind, device=x.device)
    if not x.numel():
        return loss.fill_(float("nan")), parts.fill_(float("nan"))
    x, target = as_rows(x), target.contiguous()
    piece, pieces, warps = sizes_forward(n_cols, x.element_size(), smoothing)
    strides, columns, constants = _sizes_and_constants(smoothing, x)
    constants |= {"PIECES": pieces, "PIECE": piece, "SHARD": shard is not None, **options(warps, gpu_of(x.device))}
    sizes = (*strides, n_rows, columns, *(shard or (0, n_cols)), ignore_index)
    with quiet(), tiles.on(x):
        loss_kernel[(n_rows,)](loss, parts, x, target, *sizes, **constants)
    return loss, parts


def losses_backward(d, x, target, parts, ignore_index: int, smoothing: float, out=None, shard=None):
    """The gradient for the scores, when `d` arrives for each row's loss. With `out=x` it takes the place of the scores.

    `parts` tells of whole rows, with `shard` too: m and log Σ exp(x − m).
    """
    dx = torch.empty(x.shape, dtype=x.dtype, device=x.device) if out is None else out
    if not x.numel():
        return dx
    rows, target = as_rows(x), target.contiguous()
    n_rows, n_cols = x.shape
    block, warps = sizes_backward(n_cols, x.element_size())
    blocks = triton.cdiv(n_cols, block)
    strides, columns, constants = _sizes_and_constants(smoothing, dx, rows)
    constants |= {"BLOCKS": blocks, "BLOCK_SIZE": block, **options(warps, gpu_of(x.device))}
    sizes = (*strides, d.stride(0), n_rows, columns, *(shard or (0, n_cols)), ignore_index)
    with quiet(), tiles.on(x):
        loss_backward_kernel[(n_rows * blocks,)](dx, rows, target, parts, d, *sizes, **constants)
    return dx

"""One row a program, in as many pieces as it needs: a block is a power of two, a row seldom is.

Every warp keeps a maximum and a sum of its own, and the warps meet once, at the end: the usual kernel makes them wait twice,
for the maximum and then for the sum.
"""

from ..backend import tl, triton
from .combine import exponential, exponentials, finite, greatest, meet, total, wide


@triton.jit
def pieces_kernel(
    y_ptr, x_ptr, y_stride, x_stride, n_cols,
    ALIGN: tl.constexpr, PIECES: tl.constexpr, WARPS: tl.constexpr, LANES: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    n_cols, x_stride, y_stride = n_cols * ALIGN, wide(x_stride) * ALIGN, wide(y_stride) * ALIGN
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, WARPS)[:, None] * LANES + tl.arange(0, LANES)[None, :]  # a line of this block per warp
    pieces = ()
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        # evict_last: let the cache write out results rather than give up inputs that are on their way.
        x = tl.load(x_ptr + row * x_stride + c, mask=c < n_cols, other=-float("inf"), eviction_policy="evict_last")
        pieces += (x.to(ACC),)
    m_warp = tl.max(greatest(pieces, PIECES), axis=1)
    numerators = exponentials(pieces, finite(m_warp)[:, None], PIECES)
    s_warp = tl.sum(total(numerators, PIECES), axis=1)
    m, s = tl.reduce((m_warp, s_warp), 0, meet)
    scale = (exponential(m_warp, finite(m)) / s)[:, None]
    for i in tl.static_range(PIECES):
        c = i * WARPS * LANES + columns
        tl.store(y_ptr + row * y_stride + c, numerators[i] * scale, mask=c < n_cols)

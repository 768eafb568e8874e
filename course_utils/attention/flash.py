"""Flash attention, forward: a program keeps one tile of queries and lets the keys and values pass by, tile after tile."""

import math

import torch

from .. import interpreter  # noqa: F401  repairs tl.dot of bfloat16
from ..backend import device as kernel_device
from ..backend import mode, tl, triton
from ..language import both

LOG2_E = 1.4426950408889634
DTYPES = (torch.float32, torch.bfloat16, torch.float16)
DIMENSIONS = (16, 32, 64, 128)


@triton.jit
def absorb(m, s, o, scores, v, scale):
    m_new = tl.maximum(m, tl.max(scores, axis=1))
    top = tl.where(m_new == -float("inf"), 0.0, m_new) * scale
    p = tl.exp2(scores * scale - top[:, None])
    factor = tl.exp2(m * scale - top)
    s = s * factor + tl.sum(p, axis=1)
    o = tl.dot(p.to(v.dtype), v, o * factor[:, None], input_precision="ieee")
    return m_new, s, o


@triton.jit
def flash_kernel(
    o_ptr, q_ptr, k_ptr, v_ptr, n, scale,
    CAUSAL: tl.constexpr, D: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    tiles = tl.cdiv(n, ROWS)
    tile = tiles - 1 - tl.program_id(0) % tiles  # 最长的先做 · the longest first
    head = (tl.program_id(0) // tiles).to(tl.int64)
    rows, columns, dims = tile * ROWS + tl.arange(0, ROWS), tl.arange(0, COLUMNS), tl.arange(0, D)
    mine = (head * n + rows[:, None]) * D + dims[None, :]
    theirs = (head * n + columns[:, None]) * D + dims[None, :]
    q = tl.load(q_ptr + mine, mask=rows[:, None] < n, other=0.0)
    m = tl.full((ROWS,), -float("inf"), tl.float32)
    s = tl.zeros((ROWS,), tl.float32)
    o = tl.zeros((ROWS, D), tl.float32)
    end = tl.minimum((tile + 1) * ROWS, n) if CAUSAL else n
    whole = tile * ROWS if CAUSAL else n // COLUMNS * COLUMNS
    for start in range(0, whole, COLUMNS):  # 全都看得见：不用掩码 · all in sight: no mask
        k = tl.load(k_ptr + theirs + start * D)
        v = tl.load(v_ptr + theirs + start * D)
        m, s, o = absorb(m, s, o, tl.dot(q, tl.trans(k), input_precision="ieee"), v, scale)
    for start in range(whole, end, COLUMNS):  # 边上的 · the tiles at the edge
        here = start + columns
        k = tl.load(k_ptr + theirs + start * D, mask=here[:, None] < n, other=0.0)
        v = tl.load(v_ptr + theirs + start * D, mask=here[:, None] < n, other=0.0)
        seen = here[None, :] <= rows[:, None] if CAUSAL else here[None, :] < n
        scores = tl.where(seen, tl.dot(q, tl.trans(k), input_precision="ieee"), -float("inf"))
        m, s, o = absorb(m, s, o, scores, v, scale)
    tl.store(o_ptr + mine, o / tl.where(s > 0, s, 1.0)[:, None], mask=rows[:, None] < n)


def settings(d, dtype):
    """Tiles of queries and keys, warps and pipeline stages. Float32 has no tensor cores here: narrow tiles, or registers spill."""
    if dtype == torch.float32:
        chosen = {"ROWS": 64, "COLUMNS": 16, "num_warps": 4 if d < 64 else 8, "num_stages": 2}
    else:
        chosen = {"ROWS": 128, "COLUMNS": 64, "num_warps": 8, "num_stages": 3}
    return chosen | ({"num_stages": 1} if mode == "hip" else {})  # AMD's 64 KB of LDS hold no pipeline of these


def attention(q, k, v, causal=False, scale=None, **chosen):
    """Attention as `torch.nn.functional.scaled_dot_product_attention` has it, forward only.

    `q`, `k` and `v` are (…, heads, N, d). Named arguments such as ROWS=32 replace those of `settings`.
    """
    check(q, k, v)
    (n, d), options = q.shape[-2:], settings(q.shape[-1], q.dtype) | chosen
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    o = torch.empty_like(q)
    if q.numel():
        scale = (1 / math.sqrt(d) if scale is None else scale) * LOG2_E
        grid = (q.numel() // (n * d) * triton.cdiv(n, options["ROWS"]),)
        with torch.cuda.device_of(q):  # Triton launches on the current device
            flash_kernel[grid](o, q, k, v, n, scale, CAUSAL=causal, D=d, **options)
    return o


def check(q, k, v):
    """Refuse what would give a wrong answer or none, and say what is taken."""
    shapes = "  ".join(f"{name} {tuple(x.shape)} {x.dtype}" for name, x in zip("qkv", (q, k, v), strict=True))
    if len({x.dtype for x in (q, k, v)}) > 1 or q.dtype not in DTYPES:
        raise TypeError(
            both(
                f"q、k、v 要是同一种类型：float32、bfloat16 或 float16。得到的是 {shapes}。",
                f"q, k and v must be of one type: float32, bfloat16 or float16. These are {shapes}.",
            )
        )
    fits = q.dim() >= 2 and q.shape[-1] in DIMENSIONS and q.shape == k.shape == v.shape
    if not fits or q.shape[-2] * q.shape[-1] >= 2**31:
        raise ValueError(
            both(
                f"q、k、v 同形：(…, 头, N, d)，d 取 {DIMENSIONS}，N·d 小于 2³¹。得到的是 {shapes}。",
                f"q, k and v are alike: (…, heads, N, d), d is one of {DIMENSIONS}, and N·d is under 2³¹. These are {shapes}.",
            )
        )
    if q.device.type != kernel_device or len({x.device for x in (q, k, v)}) > 1:
        raise ValueError(
            both(
                f"这里的 kernel 在 {kernel_device} 上运行，请先把三个张量移到同一个设备上。",
                f"Kernels run on {kernel_device} here: move the three tensors to one such device first.",
            )
        )
    if torch.is_grad_enabled() and any(x.requires_grad for x in (q, k, v)):
        raise RuntimeError(
            both(
                "这个 attention 只做前向，梯度会悄悄丢失。请用 x.detach() 或 torch.no_grad()。",
                "This attention is forward only, and a gradient would be lost without a word. Use x.detach() or torch.no_grad().",
            )
        )

"""Attention of one query over a long past: too few rows to keep a GPU busy, so the keys are split among programs.

Two kernels, and nobody waits: the first leaves m, s and o of every part, the second merges the parts of a head. The query heads
that share a head of keys and values are the rows of one tile, so that K and V are read once.
"""

import math

import torch

from ..backend import mode, tl, triton
from ..language import both
from ..softmax.choose import gpu_of
from .flash import LOG2_E, absorb, check

LEAST = 64  # keys of a part, or merging takes longer than reading
MOST = 128  # parts of a head at most: one program merges them


@triton.jit
def part_kernel(
    o_ptr, m_ptr, s_ptr, q_ptr, k_ptr, v_ptr, n, keys, scale,
    GROUP: tl.constexpr, D: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    part, head, parts = tl.program_id(0), tl.program_id(1).to(tl.int64), tl.num_programs(0)
    rows, columns, dims = tl.arange(0, ROWS), tl.arange(0, COLUMNS), tl.arange(0, D)
    heads, real = head * GROUP + rows, rows < GROUP
    q = tl.load(q_ptr + heads[:, None] * D + dims[None, :], mask=real[:, None], other=0.0)
    theirs = (head * n + columns[:, None]) * D + dims[None, :]
    m = tl.full((ROWS,), -float("inf"), tl.float32)
    s = tl.zeros((ROWS,), tl.float32)
    o = tl.zeros((ROWS, D), tl.float32)
    end = tl.minimum((part + 1) * keys, n)
    for start in range(part * keys, end, COLUMNS):
        here = start + columns
        k = tl.load(k_ptr + theirs + start * D, mask=here[:, None] < end, other=0.0)
        v = tl.load(v_ptr + theirs + start * D, mask=here[:, None] < end, other=0.0)
        scores = tl.where(here[None, :] < end, tl.dot(q, tl.trans(k), input_precision="ieee"), -float("inf"))
        m, s, o = absorb(m, s, o, scores, v, scale)
    mine = heads * parts + part
    tl.store(m_ptr + mine, m, mask=real)
    tl.store(s_ptr + mine, s, mask=real)
    tl.store(o_ptr + mine[:, None] * D + dims[None, :], o, mask=real[:, None])


@triton.jit
def merge_parts_kernel(o_ptr, o_parts_ptr, m_ptr, s_ptr, n_parts, scale, D: tl.constexpr, PARTS: tl.constexpr):
    head, parts, dims = tl.program_id(0).to(tl.int64), tl.arange(0, PARTS), tl.arange(0, D)
    mine, real = head * n_parts + parts, parts < n_parts
    m = tl.load(m_ptr + mine, mask=real, other=-float("inf"))
    s = tl.load(s_ptr + mine, mask=real, other=0.0)
    o = tl.load(o_parts_ptr + mine[:, None] * D + dims[None, :], mask=real[:, None], other=0.0)
    top = tl.max(m, axis=0)
    factor = tl.exp2((m - tl.where(top == -float("inf"), 0.0, top)) * scale)
    whole = tl.sum(s * factor, axis=0)
    tl.store(o_ptr + head * D + dims, tl.sum(o * factor[:, None], axis=0) / tl.where(whole > 0, whole, 1.0))


def decode_settings(d, dtype):
    """Keys of a tile, warps and pipeline stages."""
    if dtype == torch.float32:
        chosen = {"COLUMNS": 32, "num_warps": 4, "num_stages": 2}
    else:
        chosen = {"COLUMNS": 128, "num_warps": 8, "num_stages": 2}
    return chosen | ({"num_stages": 1} if mode == "hip" else {})


def parts_of(heads: int, n: int, multiprocessors: int) -> int:
    """Parts of each head of keys: as many programs as find room at once, as long as a part has enough to read."""
    return max(1, min(2 * multiprocessors // heads, triton.cdiv(n, LEAST), MOST))


def decode_attention(q, k, v, scale=None, parts=None, **chosen):
    """Attention as `torch.nn.functional.scaled_dot_product_attention` has it, for one query a head: `q` is (…, heads, 1, d).

    `k` and `v` are (…, heads, n, d), or have fewer heads, each then shared by a group of query heads. Forward only. `parts` says
    into how many parts the keys of a head are split; named arguments such as COLUMNS=32 replace those of `decode_settings`.
    """
    _refuse(q, k, v)
    (n, d), options = k.shape[-2:], decode_settings(q.shape[-1], q.dtype) | chosen
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    o = torch.empty_like(q)
    if not k.numel():
        return o.zero_()
    heads, group = k.numel() // (n * d), q.shape[-3] // k.shape[-3]
    parts = parts or parts_of(heads, n, gpu_of(q.device).multiprocessors)
    keys = triton.cdiv(n, parts)
    o_parts = torch.empty((heads * group, parts, d), dtype=torch.float32, device=q.device)
    m, s = torch.empty((2, heads * group, parts), dtype=torch.float32, device=q.device)
    scale = (1 / math.sqrt(d) if scale is None else scale) * LOG2_E
    rows, block = max(16, triton.next_power_of_2(group)), triton.next_power_of_2(parts)
    with torch.cuda.device_of(q):  # Triton launches on the current device
        part_kernel[parts, heads](o_parts, m, s, q, k, v, n, keys, scale, GROUP=group, D=d, ROWS=rows, **options)
        merge_parts_kernel[(heads * group,)](
            o, o_parts, m, s, parts, scale, D=d, PARTS=block, num_warps=min(8, max(1, block // 8))
        )
    return o


def _refuse(q, k, v) -> None:
    alike = q.dim() == k.dim() >= 3 and q.shape[:-3] == k.shape[:-3] and q.shape[-1] == k.shape[-1]
    if not alike or q.shape[-2] != 1 or not k.shape[-3] or q.shape[-3] % k.shape[-3]:
        raise ValueError(
            both(
                f"decode_attention 的 q 是 (…, 头, 1, d)，d 与 k 的相同，k 的头数能整除；得到的是 q {tuple(q.shape)}，k {tuple(k.shape)}。",
                f"decode_attention takes q of shape (…, heads, 1, d), with the d of k and a number of heads that k's divides; "
                f"these are q {tuple(q.shape)}, k {tuple(k.shape)}.",
            )
        )
    check(q[..., : k.shape[-3], :, :].expand(k.shape), k, v)

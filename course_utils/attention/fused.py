"""Scale, causal mask and softmax in one pass over the scores: the row kernel, grown up."""

import torch

from ..backend import tl, triton


@triton.jit
def scaled_causal_kernel(p_ptr, scores_ptr, n, scale, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK_SIZE)
    scores = tl.load(scores_ptr + row * n + columns, mask=columns <= row % n, other=-float("inf"))
    scores = scores.to(tl.float32) * scale
    numerator = tl.exp(scores - tl.max(scores, axis=0))
    tl.store(p_ptr + row * n + columns, numerator / tl.sum(numerator, axis=0), mask=columns < n)


def scaled_causal_softmax(scores, scale):
    """`scores` is (…, N, N), its rows packed; query i sees the keys 0 … i. A program a row, all heads in one launch."""
    scores, n = scores.contiguous(), scores.shape[-1]
    p = torch.empty_like(scores)
    with torch.cuda.device_of(scores):  # Triton launches on the current device
        scaled_causal_kernel[(scores.numel() // n,)](p, scores, n, scale, BLOCK_SIZE=triton.next_power_of_2(n))
    return p

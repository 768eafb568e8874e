"""Measures attention: the course's kernel, PyTorch's backends, and the definition as `torch.compile` makes it."""

import contextlib

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from course_utils.attention import attention, naive_attention
from course_utils.timing.attention import CHANNELS, LENGTHS, TOKENS, WIDTHS, Attention
from course_utils.timing.stopwatch import measure

from .ahead import compile_ahead

WRITTEN = 4096  # the longest sequence whose scores are written out: they take seconds to measure, and show nothing new


def measure_attention():
    cases = [(n, d, causal) for d in WIDTHS for causal in (False, True) for n in LENGTHS]
    compile_ahead(_compile, cases)
    for n, d, causal in cases:
        inputs = [_tensors(n, d) for _ in range(3)]
        for name, function in providers(causal).items():
            if "naive" in name and n > WRITTEN:
                continue
            try:
                timing = measure(function, inputs)
            except Exception as error:
                print(f"refused: {name}, {n}, {d}, {causal}: {type(error).__name__}", flush=True)
                continue
            times = (round(seconds * 1e6, 2) for seconds in (timing.median, timing.low, timing.high))
            yield Attention(name, TOKENS * CHANNELS // (n * d), n, d, int(causal), *times)
        torch.cuda.empty_cache()


def providers(causal: bool) -> dict:
    torch._dynamo.reset()
    compiled = torch.compile(naive_attention, dynamic=False)
    return {
        "course": lambda qkv: attention(*qkv, causal=causal),
        "flash": _backend(SDPBackend.FLASH_ATTENTION, causal),
        "cudnn": _backend(SDPBackend.CUDNN_ATTENTION, causal),
        "naive": lambda qkv: naive_attention(*qkv, causal=causal),
        "compile naive": lambda qkv: compiled(*qkv, causal=causal),
    }


def of_one_head() -> dict:
    """What takes queries like `x`, and keys and values of that shape: for what the hardware counts."""

    def prepare(function):
        def over(x):
            qkv = torch.randn(3, 1, 1, *x.shape, dtype=x.dtype, device=x.device)
            return lambda x: function(*qkv)

        return over

    return {"attention": prepare(attention), "naive attention": prepare(naive_attention)}


def _backend(which, causal):
    def function(qkv):
        with sdpa_kernel(which):
            return scaled_dot_product_attention(*qkv, is_causal=causal)

    return function


def _tensors(n: int, d: int) -> torch.Tensor:
    """Queries, keys and values of as many heads as make up the tokens."""
    return torch.randn(3, TOKENS // n, CHANNELS // d, n, d, dtype=torch.bfloat16, device="cuda")


def _compile(case) -> None:
    n, d, causal = case
    for name, function in providers(causal).items():
        if name == "course" or (name == "compile naive" and n <= WRITTEN):
            with contextlib.suppress(Exception):
                function(_tensors(n, d))
                torch.cuda.synchronize()

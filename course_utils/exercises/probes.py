"""What graders share: calling an answer, and saying plainly when what comes back is not even of the right kind."""

import math
import numbers

import numpy as np
import torch

from .wrong import Wrong


def near(got: float, want: float, share: float = 1e-6) -> bool:
    """Equal, but for what a calculation in float32 rounds away."""
    return abs(got - want) <= share * abs(want)


def a_(noun: str) -> str:
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def number(answer, *arguments) -> float:
    """The number that `answer` returns for these arguments."""
    got = answer(*arguments)
    if isinstance(got, torch.Tensor | np.ndarray) and math.prod(got.shape) == 1:
        got = got.item()
    if got is None:
        raise Wrong("函数没有返回值：别忘了 return。", "The function returns nothing: mind the return.")
    if isinstance(got, bool) or not isinstance(got, numbers.Real):
        raise Wrong(
            f"这里要返回一个数，得到的是 {type(got).__name__}。",
            f"A number is wanted here; this is {a_(type(got).__name__)}.",
        )
    if not math.isfinite(got):
        raise Wrong(f"返回的是 {got}。", f"It returned {got}.")
    return float(got)


def tensor(answer, *arguments, shape=None, dtype=None) -> torch.Tensor:
    """The tensor that `answer` returns for these arguments. (That it leaves them as they were, `Answer` sees to.)"""
    got = answer(*arguments)
    if got is None:
        raise Wrong("函数没有返回值：别忘了 return。", "The function returns nothing: mind the return.")
    if not isinstance(got, torch.Tensor):
        raise Wrong(
            f"这里要返回一个张量，得到的是 {type(got).__name__}。",
            f"A tensor is wanted here; this is {a_(type(got).__name__)}.",
        )
    if shape is not None and tuple(got.shape) != tuple(shape):
        raise Wrong(
            f"结果的形状应是 {tuple(shape)}，得到的是 {tuple(got.shape)}。",
            f"The result should have shape {tuple(shape)}; this one has {tuple(got.shape)}.",
        )
    if dtype is not None and got.dtype != dtype:
        raise Wrong(
            f"结果应是 {dtype}，得到的是 {got.dtype}。", f"The result should be {dtype}; this one is {got.dtype}."
        )
    return got


def close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and torch.allclose(a, b.to(a.dtype), rtol=1e-4, atol=1e-6, equal_nan=True)

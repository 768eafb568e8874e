"""Tensors from a few words, the same in every language that can multiply 32-bit integers: "3x781 seed 4 plus 1000 bfloat16".

The first word is a shape or the name of an array; what follows is done to it from left to right.
"""

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

FOREIGN = 9.0  # what lies between rows, and is not the tensor's own


def uniform(count: int, seed: int) -> np.ndarray:
    """Numbers in [−3, 3): those of a place and a seed are always the same."""
    h = (np.arange(1, count + 1, dtype=np.uint64) * 0x9E3779B1 + np.uint64(seed) * 0x85EBCA77) & 0xFFFFFFFF
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        h = ((h ^ (h >> shift)) * factor) & 0xFFFFFFFF
    return (h ^ (h >> 16)).astype(np.float64) / 2**32 * 6 - 3


def tensor(words: str, known: dict) -> torch.Tensor:
    """`known`: arrays, and the tensors before it, by name."""
    first, *rest = words.split()
    if first in OF:
        return OF[first](*(known[name] for name in rest[1:2]), *map(int, rest[2:]))
    if first in known:
        x = known[first] if isinstance(known[first], torch.Tensor) else array(known[first])
    else:
        shape = [int(size) for size in first.split("x")]
        seed = int(rest.pop(0)) if rest[:1] == ["seed"] and rest.pop(0) else int(np.prod(shape)) % 9973
        x = torch.from_numpy(uniform(int(np.prod(shape)), seed)).float().reshape(shape)
    while rest:
        word = rest.pop(0)
        if word == "add":
            x = x + tensor(rest.pop(0), known)
        else:
            x = DO[word](x, *(float(rest.pop(0)) for _ in range(DO[word].__code__.co_argcount - 1)))
    return x


def array(nested: list) -> torch.Tensor:
    x = torch.tensor(nested)
    return x.float() if x.dtype == torch.int64 else x


def among(x: torch.Tensor, spare: float) -> torch.Tensor:
    """The same matrix, with foreign elements behind each row."""
    foreign = torch.full((*x.shape[:-1], int(spare)), FOREIGN, dtype=x.dtype)
    return torch.cat([x, foreign], dim=-1)[..., : x.shape[-1]]


DO = {
    "plus": lambda x, by: x + by,
    "times": lambda x, by: x * by,
    "rising": lambda x, by: x + by * torch.arange(x.shape[-1]),  # each column so much above the one before
    "below": lambda x, top: (x + 3) / 6 * top // 1,  # whole numbers from 0 to below it
    "tall": lambda x, times: x.repeat(int(times), 1),
    "columns": lambda x, count: x[..., : int(count)].contiguous(),
    "inside": lambda x, count: x[..., : int(count)],  # of a wider matrix, which stays where it is
    "all": lambda x, value: torch.full_like(x, value),
    "spare": among,
    "float16": lambda x: x.half(),
    "bfloat16": lambda x: x.bfloat16(),
    "int64": lambda x: x.long(),
}
OF = {  # "softmax of x": what another kernel would have made before
    "softmax": lambda x: torch.softmax(x.float(), -1).to(x.dtype),
    "pairs": lambda x, parts, block: _pairs(x.float(), parts, block),
}


def _pairs(x: torch.Tensor, parts: int, block: int) -> torch.Tensor:
    """Maximum and sum of each part of each row."""
    padded = torch.nn.functional.pad(x, (0, parts * block - x.shape[1]), value=-torch.inf).view(len(x), parts, block)
    m = padded.amax(2)
    return torch.stack([m, torch.exp(padded - torch.where(m == -torch.inf, 0.0, m)[..., None]).sum(2)], dim=2)


PRODUCTS = {"matmul", "__matmul__", "__rmatmul__", "mm", "linear", "einsum", "addmm", "bmm", "baddbmm", "mv", "inner"}


def _tensors(values) -> list[torch.Tensor]:
    """Those among these values, and in their lists."""
    inside = [each for value in values for each in (value if isinstance(value, tuple | list) else [value])]
    return [each for each in inside if isinstance(each, torch.Tensor)]


class Made(TorchFunctionMode):
    """Elements of the largest tensor that is made meanwhile, where views of others are not new; and products of matrices."""

    largest = products = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        self.products += getattr(function, "__name__", "") in PRODUCTS
        given = {each.untyped_storage().data_ptr() for each in _tensors([*args, *(kwargs or {}).values()])}
        for each in _tensors([out]):
            if each.untyped_storage().data_ptr() not in given:
                self.largest = max(self.largest, each.numel())
        return out

"""What one PyTorch operation reads and writes, by its schema and its tensors."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod

import torch

# What most operations are called in the course. An operation that is not here goes by PyTorch's name for it.
_TITLES = {
    "max": ("求最大值", "maximum"),
    "amax": ("求最大值", "maximum"),
    "sum": ("求和", "sum"),
    "mean": ("求平均", "mean"),
    "sub": ("减", "subtract"),
    "add": ("加", "add"),
    "mul": ("乘", "multiply"),
    "div": ("除", "divide"),
    "exp": ("指数", "exponential"),
    "log": ("对数", "logarithm"),
    "neg": ("取负", "negate"),
    "reciprocal": ("倒数", "reciprocal"),
    "mm": ("矩阵乘", "matrix product"),
    "_softmax": ("softmax", "softmax"),
    "_log_softmax": ("log-softmax", "log-softmax"),
    "_log_softmax_backward_data": ("反向", "backward"),
    "nll_loss_forward": ("负对数似然", "negative log likelihood"),
    "nll_loss_backward": ("反向", "backward"),
    "clone": ("复制", "copy"),
    "copy": ("复制", "copy"),
    "_to_copy": ("转换", "convert"),
    "fill": ("填充", "fill"),
    "zero": ("填零", "fill with zeros"),
    "zeros": ("填零", "fill with zeros"),
    "ones": ("填一", "fill with ones"),
    "full": ("填充", "fill"),
    "randn": ("随机数", "random numbers"),
    "rand": ("随机数", "random numbers"),
    "where": ("选择", "choose"),
    "cat": ("拼接", "concatenate"),
    "_local_scalar_dense": ("取出一个数", "take out one number"),
}

# In-place operations that overwrite without looking.
_ONLY_WRITE = {"copy", "fill", "zero", "normal", "uniform", "random", "bernoulli", "exponential", "set", "resize"}
# Operations that read only as many elements of their first tensor as they return.
_PICK = {"index_select", "gather", "index", "embedding", "take"}


@dataclass(frozen=True)
class Amount:
    """Elements of one type, moved one way: `times` copies of `shape`, which lets a count be written in symbols."""

    shape: tuple[int, ...]
    dtype: str
    itemsize: int
    times: int = 1

    @property
    def elements(self) -> int:
        return self.times * prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.elements * self.itemsize


def title(function) -> tuple[str, str]:
    """What the operation is called in Chinese and in English."""
    name = _plain_name(function)
    return _TITLES.get(name, (name, name))


def operands(function, args, kwargs, result) -> tuple[list[Amount], list[Amount]]:
    """What the operation read and wrote. Nothing, for one that only looks at its tensors' shapes or returns a view."""
    name, schema = _plain_name(function), function._schema
    if name.startswith("empty") or name.startswith("new_empty") or torch.Tag.inplace_view in function.tags:
        return [], []
    given = dict(zip((argument.name for argument in schema.arguments), args, strict=False)) | kwargs
    inputs, overwritten, updated = [], [], []
    for argument in schema.arguments:
        tensors = list(_tensors(given.get(argument.name)))
        if not (argument.alias_info and argument.alias_info.is_write):
            inputs += tensors
        elif argument.kwarg_only or name in _ONLY_WRITE:  # out=…, copy_, fill_
            overwritten += tensors
        else:
            updated += tensors
    here = {_storage(tensor) for tensor in (*inputs, *overwritten, *updated)}
    fresh = [tensor for tensor in _tensors(result) if _storage(tensor) not in here]
    wrote = fresh + overwritten + updated
    returns_view = not wrote and any(True for _ in _tensors(result))
    if returns_view or name.endswith("_like") or name.startswith("new_"):
        inputs = []  # only the shape was looked at
    if name == "nll_loss_backward":  # of the logarithms, only the shape
        inputs = [tensor for tensor in inputs if tensor is not given["self"]]
    if name == "index_put" and updated:  # of what is updated, only as much as is put there
        put = replace(_distinct(updated[0]), shape=tuple(max(inputs, key=torch.Tensor.numel).shape))
        return [*map(_distinct, inputs)], [put]
    read = [_distinct(tensor) for tensor in inputs + updated]
    if name == "nll_loss_forward":  # one logarithm a row
        read[0] = replace(read[0], shape=tuple(given["target"].shape))
    if name in _PICK and fresh and read:
        picked = _distinct(fresh[0])
        read[0] = min(read[0], picked, key=lambda amount: amount.elements)
    moved = lambda amounts: [amount for amount in amounts if amount.elements]  # noqa: E731
    return moved(read), moved([_distinct(tensor) for tensor in wrote])


def _plain_name(function) -> str:
    """sub for aten.sub_.Tensor and aten.sub.out; but __and__ stays __and__."""
    name = function._schema.name.rpartition("::")[2]
    return name if name.endswith("__") else name.removesuffix("_")


def _tensors(value) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _tensors(item)


def _storage(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage()._cdata


def _distinct(tensor: torch.Tensor) -> Amount:
    """The elements that memory really holds: a broadcast dimension (stride 0) is one element, however long it looks."""
    shape = tuple(size if stride else min(size, 1) for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return Amount(shape, str(tensor.dtype).removeprefix("torch."), tensor.element_size())

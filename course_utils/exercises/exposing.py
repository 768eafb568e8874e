"""Inputs that expose wrong kernels: the row kernel with one thing changed runs on what the learner made, beside the kernel itself.

The output that it writes has foreign elements behind each row, as a slice of a wider matrix has.
"""

import inspect
import textwrap

import torch

from ..softmax.row_kernel import row_kernel
from . import launch
from .agreement import KERNEL, values_agree
from .defined import define

MOST_INPUTS, MOST_ELEMENTS, SPARE = 2, 16384, 3
ROW = textwrap.dedent(inspect.getsource(row_kernel.fn))


def kernel_with(change: str):
    """The row kernel with this change, "old → new"."""
    old, new = change.split(" →", 1)
    source = ROW.replace(old, new.removeprefix(" "))
    if source == ROW:
        raise ValueError(f"nothing to change: {change}")
    return define(source, "row_kernel")


def exposing(program, given: dict, exercise) -> dict:
    """Whether one of the learner's inputs tells the kernel from the right one."""
    inputs = program()
    inputs = [inputs] if isinstance(inputs, torch.Tensor) else [*inputs]
    if len(inputs) > MOST_INPUTS:
        return {"value": "too many"}
    for x in inputs:
        if not isinstance(x, torch.Tensor) or x.dim() != 2 or not x.is_floating_point() or not x.numel():
            return {"value": "no matrix"}
        if x.numel() > MOST_ELEMENTS:
            return {"value": "too large"}
        if x.shape[1] > 1 and x.stride(1) != 1:
            return {"value": "turned"}
    return {"value": any(_told_apart(given["kernel"], x) for x in inputs)}


def _told_apart(kernel, x) -> bool:
    right, wrong = (_written(each, x) for each in (row_kernel, kernel))
    return wrong is None or not values_agree(wrong, right, KERNEL)


def _written(kernel, x):
    """The whole output, foreign elements and all; None where the kernel left a tensor."""
    seen, (rows, columns) = row_launched(kernel, x, SPARE), x.shape
    whole = ((rows - 1) * (columns + SPARE) + columns,)
    return None if "astray" in seen else seen["written"]["y"].as_strided(whole, (1,))


def row_launched(kernel, x, spare: int) -> dict:
    """What is seen of it, with so many foreign elements behind each row of the output."""
    rows, columns = x.shape
    stride = columns + spare
    y = torch.full((rows, stride), launch.UNTOUCHED, dtype=x.dtype)[:, :columns]
    arguments = {"y_ptr": y, "x_ptr": x, "y_stride": stride, "x_stride": x.stride(0), "n_cols": columns}
    return launch.observed(kernel, (rows,), arguments, {"BLOCK_SIZE": 1 << (columns - 1).bit_length()}, ["y_ptr"])

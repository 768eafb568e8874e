"""What the variables of an interpreted kernel hold, as plain data: numbers, arrays, and offsets into named tensors."""

from dataclasses import dataclass

import numpy as np
import torch

from ..backend import tl
from .addresses import WatchedLaunch

_FLOAT8 = {
    "fp8e5": "float8_e5m2",
    "fp8e4nv": "float8_e4m3fn",
    "fp8e4b8": "float8_e4m3fnuz",
    "fp8e5b16": "float8_e5m2fnuz",
}


@dataclass(frozen=True)
class Value:
    """What a variable of a kernel holds, as plain data."""

    kind: str  # number, block, pointer (of one or of many), plain (not a tensor)
    dtype: str
    data: object  # a number or an array; for pointers, elements from the start of the tensor; plain: its repr
    tensor: str = ""  # for pointers: the argument they point into


def decode(value, launch: WatchedLaunch) -> Value:
    """The plain form of a variable of a running kernel."""
    if isinstance(value, tl.constexpr):
        value = value.value
    handle = getattr(value, "handle", None)
    if _holds_numbers(handle):
        return _decode_tensor(value, handle, launch)
    if isinstance(value, bool | int | float):
        return Value("number", type(value).__name__, value)
    base = getattr(handle, "base", None)  # a block pointer or a tensor descriptor
    if _holds_numbers(base):
        owner, _ = launch.locate(base.data.reshape(-1))
        shape = "×".join(str(int(size)) for size in handle.block_shape)
        return Value("plain", type(value).__name__, shape, launch.arguments[owner[0]].name)
    return Value("plain", type(value).__name__, repr(value)[:200])


def _holds_numbers(handle) -> bool:
    """Whether this is what the interpreter puts in place of a tensor: a numpy array with one of Triton's types."""
    return isinstance(getattr(handle, "data", None), np.ndarray) and hasattr(handle, "dtype")


def _name(dtype) -> str:
    """float32 for fp32, as torch says it."""
    return {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "int1": "bool"}.get(
        str(dtype), str(dtype)
    )


def _decode_tensor(value, handle, launch: WatchedLaunch) -> Value:
    scalar = not value.type.is_block()
    data = np.array(handle.data)  # a copy
    data = data.reshape(-1)[0] if scalar else data
    element = value.dtype
    if element.is_ptr():
        owner, offset = launch.locate(np.asarray(data))
        names = [launch.arguments[index].name if index >= 0 else "?" for index in np.unique(owner)]
        size = max(1, element.element_ty.primitive_bitwidth // 8)
        offset = offset // size
        return Value("pointer", _name(element.element_ty), int(offset) if scalar else offset, " / ".join(names))
    data = np.asarray(data)
    if element.is_bf16():
        data = (data.astype(np.uint32) << 16).view(np.float32)
    elif str(element) in _FLOAT8:
        bits = torch.from_numpy(np.atleast_1d(data))
        data = bits.view(getattr(torch, _FLOAT8[str(element)])).float().numpy().reshape(data.shape)
    elif element.is_bool():
        data = data.astype(bool)
    return Value("number", _name(element), data.item()) if scalar else Value("block", _name(element), data)

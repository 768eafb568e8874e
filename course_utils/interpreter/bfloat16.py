"""Repairs: the interpreter keeps bfloat16 as 16-bit integers, and `tl.dot` would multiply those.

Products of two bfloat16 are exact in float32, which is where a GPU adds them up, so the operands are widened first. And Triton 3.6
has no way to make a bfloat16 of a plain number, as in `x * 0.5`. And what is cast to or from bfloat16 goes by way of float32, as
compiled: the interpreter would take the bits of a bfloat16 for an integer unless the other type is float32.
"""

import importlib

import numpy as np

from ..backend import tl

interpreter = importlib.import_module("triton.runtime.interpreter")
_dot = interpreter.InterpreterBuilder.create_dot
_cast = interpreter.InterpreterBuilder.cast_impl


def _widened(handle):
    if handle.dtype.scalar != tl.bfloat16 or handle.data.dtype != np.uint16:
        return handle
    return interpreter.TensorHandle((handle.data.astype(np.uint32) << 16).view(np.float32), tl.float32)


def _create_dot(self, a, b, *more):
    return _dot(self, _widened(a), _widened(b), *more)


interpreter.InterpreterBuilder.create_dot = _create_dot


def _cast_impl(self, src, dst_type):
    types = src.dtype.scalar, dst_type.scalar
    if types.count(tl.bfloat16) == 1 and tl.float32 not in types:
        src = _cast(self, src, tl.float32)
    return _cast(self, src, dst_type)


interpreter.InterpreterBuilder.cast_impl = _cast_impl


def _get_bf16(self, value):
    return self.create_fp_trunc(self.get_fp32(value), tl.bfloat16)


if not hasattr(interpreter.InterpreterBuilder, "get_bf16"):
    interpreter.InterpreterBuilder.get_bf16 = _get_bf16

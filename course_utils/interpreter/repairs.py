"""Repairs of Triton's interpreter, made when the course is imported.

bfloat16    It is kept as 16-bit integers, and `tl.dot` would multiply those. Products of two bfloat16 are exact in float32, which is
            where a GPU adds them up, so the operands are widened first. What is cast to or from bfloat16 goes by way of float32, as
            compiled: its bits would be taken for an integer unless the other type is float32. And Triton 3.6 has no way to make a
            bfloat16 of a plain number, as in `x * 0.5`.
truth       Comparing two numbers gives a bool that is called an integer, and `(columns < n_cols) & (row < n_rows)` then is no mask.
            And to `and`, `or`, `not` and `if` any block is true, so that a mask disappears without a word. Compiled, `if` refuses a
            block; here all four do.
promises    `tl.multiple_of` is believed by the compiler, which may then load 16 bytes at once where they are not aligned. Here the
            number is looked at.
patching    Triton patches its language for a launch, and then again, at great length, for every call of a helper such as `tl.max`:
            half the time of a small kernel. Once a launch for each module of theirs will do.
"""

import sys

import numpy as np

from ..backend import tl
from ..language import both
from .interpreter import RECENT, TRITONS_OWN, interpreter, replaced

Builder = interpreter.InterpreterBuilder
_dot, _cast, _splat = Builder.create_dot, Builder.cast_impl, Builder.create_splat
_set_attr = interpreter.TensorHandle.set_attr
_patch, _launch = interpreter._patch_lang_tensor, interpreter.GridExecutor.__call__


def _widened(handle):
    if handle.dtype.scalar != tl.bfloat16 or handle.data.dtype != np.uint16:
        return handle
    return interpreter.TensorHandle((handle.data.astype(np.uint32) << 16).view(np.float32), tl.float32)


def _create_dot(self, a, b, *more):
    return _dot(self, _widened(a), _widened(b), *more)


def _cast_impl(self, src, dst_type):
    types = src.dtype.scalar, dst_type.scalar
    if types.count(tl.bfloat16) == 1 and tl.float32 not in types:
        src = _cast(self, src, tl.float32)
    return _cast(self, src, dst_type)


def _get_bf16(self, value):
    return self.create_fp_trunc(self.get_fp32(value), tl.bfloat16)


def _create_splat(self, ret_ty, arg):
    if arg.data.dtype == np.bool_:
        arg = interpreter.TensorHandle(arg.data, tl.int1)
    return _splat(self, ret_ty, arg)


def _checked_attr(handle, key, values):
    first = handle.data.flat[0] if handle.data.size and not handle.dtype.is_ptr() else 0
    if key == "tt.divisibility" and first % values[-1]:
        raise ValueError(
            both(
                f"tl.multiple_of 说错了：{first} 不是 {values[-1]} 的倍数。编译器会信，访存就可能不对齐。",
                f"tl.multiple_of is wrong: {first} is no multiple of {values[-1]}. The compiler believes it, and loads or stores may "
                "be misaligned.",
            )
        )
    _set_attr(handle, key, values)


def _patch_lang_tensor(tensor, *scope):  # no scope in Triton 3.6
    _patch(tensor, *scope)
    of_one = tensor.__bool__

    def truth(self):
        if self.handle.data.size == 1 or sys._getframe(1).f_code.co_filename.startswith(TRITONS_OWN):
            return of_one(self)  # Triton's own code asks so whether there is a tensor at all
        raise ValueError(
            both(
                "一块里有许多个值，不能说整块是真还是假：掩码之间用 &、|、~，要按元素选，用 tl.where。",
                "A block of many values is neither true nor false: join masks with &, | and ~, choose element by element with "
                "tl.where.",
            )
        )

    scope[0].set_attr(tensor, "__bool__", truth) if scope else setattr(tensor, "__bool__", truth)


def _once(patch):
    done = {}

    def patched(function):
        names = frozenset(id(value) for value in function.__globals__.values() if value is tl or value is tl.core)
        if names not in done:
            done[names] = patch(function)
        return done[names]

    return patched


def _call(executor, *arguments, **options):
    with replaced(interpreter, "_patch_lang", _once(interpreter._patch_lang)):
        return _launch(executor, *arguments, **options)


Builder.create_dot, Builder.cast_impl = _create_dot, _cast_impl
if not hasattr(Builder, "get_bf16"):
    Builder.get_bf16 = _get_bf16
if RECENT:
    Builder.create_splat, interpreter._patch_lang_tensor = _create_splat, _patch_lang_tensor
interpreter.TensorHandle.set_attr = _checked_attr
interpreter.GridExecutor.__call__ = _call

"""Repairs: what the interpreter takes for true.

Comparing two numbers gives it a bool that it calls an integer, and `(columns < n_cols) & (row < n_rows)` then is no mask. And to
`and`, `or`, `not` and `if` it calls any block true, so that a mask disappears without a word. Compiled, `if` refuses a block; here
all four do.
"""

import sys

import numpy as np

from ..backend import tl
from ..language import both
from .interpreter import RECENT, TRITONS_OWN, interpreter

_splat, _patch = interpreter.InterpreterBuilder.create_splat, interpreter._patch_lang_tensor


def _create_splat(self, ret_ty, arg):
    if arg.data.dtype == np.bool_:
        arg = interpreter.TensorHandle(arg.data, tl.int1)
    return _splat(self, ret_ty, arg)


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


if RECENT:
    interpreter.InterpreterBuilder.create_splat = _create_splat
    interpreter._patch_lang_tensor = _patch_lang_tensor

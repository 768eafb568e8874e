"""What a masked load without `other` leaves in the places that it does not load.

Triton does not define it. The interpreter's 0 would make a kernel right that a GPU may get wrong, so a check lets it be NaN,
or the largest integer.
"""

from contextlib import contextmanager

import numpy as np

from .interpreter import interpreter, replaced

_NAN = {"bf16": 0x7FC0}  # the interpreter keeps bfloat16 as 16 bits


@contextmanager
def undefined_as_nan(replacing: bool = True):
    """Meanwhile such places hold NaN, unless they are only to be noticed. Yields a list that is no longer empty once there was one."""
    builder, found = interpreter.interpreter_builder, []
    load = builder.create_masked_load

    def load_or_nan(pointers, mask, other, *rest):
        # Of a single element, the interpreter forgets an `other` of 0: nobody can tell whether there was one.
        if other is None and pointers.data.size > 1 and not np.all(mask.data):
            found.append(True)
            other = _nan(pointers) if replacing else None
        return load(pointers, mask, other, *rest)

    with replaced(builder, "create_masked_load", load_or_nan):
        yield found


def _nan(pointers):
    kind = pointers.get_element_ty()
    dtype = np.dtype(interpreter._get_np_dtype(kind))
    if kind.is_floating():
        value = _NAN.get(kind.name, np.nan)
    elif dtype.kind in "iu":
        value = np.iinfo(dtype).max
    else:
        return None
    return interpreter.TensorHandle(np.full(pointers.data.shape, value, dtype), kind)

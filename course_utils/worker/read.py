"""The one reader of `plain` messages. It executes nothing, whatever wrote them, and believes no size that it has not checked."""

import dataclasses
import json
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .plain import HEAD, HEAD_BYTES, JUDGED, Garbled, Limits, clean, cut, lengths, name_of


class Opaque:
    """Something that only the other process can hold. Equal ones have the same number, as far as that process can tell."""

    def __init__(self, number: int, hashable: bool):
        self.number, self.hashable = number, hashable

    def __eq__(self, other):
        return isinstance(other, Opaque) and (type(self).__name__, self.number) == (type(other).__name__, other.number)

    def __hash__(self):
        if not self.hashable:
            raise TypeError(f"unhashable type: '{type(self).__name__}'")
        return hash(self.number)


def decode(message: bytes, limits: Limits = JUDGED, classes=(), held=None, gpu: str = "cpu"):
    """The value in `message`. `classes` are the dataclasses that may be in it, `held` what its references refer to."""
    if lengths(message[:HEAD_BYTES], limits) != len(message) - HEAD_BYTES:
        raise Garbled("cut short, or more than one message")
    _, size, _ = HEAD.unpack(message[:HEAD_BYTES])
    body = memoryview(message)[HEAD_BYTES + size :]
    try:
        value, sizes = json.loads(message[HEAD_BYTES : HEAD_BYTES + size])
        if not all(type(each) is int and each >= 0 for each in sizes) or sum(sizes) != len(body):
            raise Garbled("the pieces do not add up")
        pieces, start = [], 0
        for each in sizes:
            pieces.append(body[start : start + each])
            start += each
        known = {name_of(each): each for each in classes}
        return _Reader(pieces, limits, known, held or {}, gpu).read(value)
    except Garbled:
        raise
    except Exception as error:  # whatever is wrong with it: the writer's doing
        raise Garbled(f"{type(error).__name__}") from None


_ERRORS = (ValueError, TypeError, RuntimeError, IndexError, KeyError, AttributeError, NameError, ZeroDivisionError)
_DTYPES = [
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
]


@dataclass
class _Reader:
    pieces: list[memoryview]
    limits: Limits
    classes: dict[str, type]
    held: dict
    gpu: str

    def read(self, value):
        if value is None or type(value) in (bool, int, float):
            return value
        if type(value) is str:
            return clean(value)
        tag, *rest = value  # all else is a list that says what it is
        return getattr(self, f"_{_checked(tag, _TAGS)}")(*rest)

    def _int(self, text):
        if len(text) > self.limits.digits + 3:
            raise Garbled("an endless integer")
        return int(text, 16)

    def _complex(self, real, imaginary):
        return complex(float(real), float(imaginary))

    def _fraction(self, above, below):
        return Fraction(self._int(above), self._int(below))

    def _bytes(self, number):
        return bytes(self.pieces[number])

    def _list(self, items):
        return [self.read(item) for item in items]

    def _tuple(self, items):
        return tuple(self.read(item) for item in items)

    def _set(self, items):
        return {self.read(item) for item in items}

    def _frozenset(self, items):
        return frozenset(self.read(item) for item in items)

    def _dict(self, pairs):
        return {self.read(name): self.read(item) for name, item in pairs}

    def _numpy(self, dtype, shape, number):
        dtype = np.dtype(str(dtype))
        if dtype.kind not in "biufc" or not all(type(size) is int and size >= 0 for size in shape):
            raise Garbled("no array of numbers")
        array = np.frombuffer(self.pieces[number], dtype=dtype).reshape(shape).copy()
        return array if shape else array[()]

    def _tensor(self, dtype, sizes, strides, number, on_gpu):
        import torch

        if not all(type(each) is int and each >= 0 for each in (*sizes, *strides)) or len(sizes) > 16:
            raise Garbled("no tensor")
        if math.prod(sizes) > self.limits.elements:
            raise Garbled("too large")
        data = bytearray(self.pieces[number])
        dtype = getattr(torch, _checked(dtype, _DTYPES))
        span = 0 if 0 in sizes else 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
        if span * dtype.itemsize != len(data):
            raise Garbled("no tensor")
        flat = torch.frombuffer(data, dtype=torch.uint8).view(dtype) if span else torch.empty(0, dtype=dtype)
        return (flat.to(self.gpu) if on_gpu is True else flat).as_strided(sizes, strides)

    def _dtype(self, name):
        import torch

        return getattr(torch, _checked(name, _DTYPES))

    def _error(self, kind, message):
        found = next((each for each in _ERRORS if each.__name__ == kind), RuntimeError)
        return found(clean(str(message)))

    def _course(self, name, fields):
        kind = self.classes[_checked(name, self.classes)]
        if set(fields) != {each.name for each in dataclasses.fields(kind)}:
            raise Garbled("other fields")
        made = object.__new__(kind)  # what __init__ and __post_init__ would do was done over there
        for field, value in fields.items():
            object.__setattr__(made, field, self.read(value))
        return made

    def _held(self, number):
        return self.held[number]

    def _opaque(self, kind, number, hashable):
        if type(number) is not int or type(hashable) is not bool:
            raise Garbled("no opaque value")
        return type(cut(clean(str(kind)), 60), (Opaque,), {})(number, hashable)


_TAGS = {name[1:] for name in vars(_Reader) if name.startswith("_") and not name.startswith("__")}


def _checked(name, known) -> str:
    if type(name) is not str or name not in known:
        raise Garbled("an unknown kind of value")
    return name

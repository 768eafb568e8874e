"""Values as plain data, JSON and raw bytes: what comes back from a process that may have run a learner's code.

A pickle is a program, and whoever unpickles one runs it. So nothing that such a process writes is unpickled: it comes in
this format, which can say numbers, texts, lists, tensors and dataclasses of the course that the reader asked for, and
nothing else. There is one reader, `decode`. It executes nothing, bounds every size before it allocates, and takes whatever
is not in the format for `Garbled`. (The other direction, from the notebook to a process that is to run a learner's code,
may be a pickle: who writes it is trusted.)

A message is `_HEAD` (a mark and two lengths), then a JSON text, then the raw bytes that the JSON text refers to by number.
"""

import dataclasses
import enum
import json
import math
import struct
import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

_MARK = b"plain 1\n"
_HEAD = struct.Struct("<8sQQ")
HEAD_BYTES = _HEAD.size


class Garbled(ValueError):
    """Bytes that are no message of this format, or not one that the reader is ready for."""


class NotPlain(TypeError):
    """A value that this format cannot say."""


class TooLarge(ValueError):
    """A value beyond what the reader takes: an honest writer finds out before he writes."""


@dataclass(frozen=True)
class Limits:
    """What a reader takes at most. The defaults are for the answers of a learner's function."""

    text: int = 4 << 20  # bytes of JSON
    raw: int = 64 << 20  # raw bytes
    elements: int = 1 << 24  # of one tensor: one with strides of 0 needs hardly a byte
    digits: int = 4096  # hexadecimal, of one integer


JUDGED, COURSE = Limits(), Limits(text=256 << 20, raw=2 << 30, elements=1 << 31)


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


def encode(value, opaque=None, limits: Limits = COURSE) -> bytes:
    """`value` as a message. `opaque(thing)` may give a JSON value for what the format cannot say; else that is `NotPlain`."""
    raw: list[bytes] = []
    try:
        text = json.dumps([_Writer(raw, opaque, limits).write(value), [len(piece) for piece in raw]]).encode()
    except RecursionError:
        raise NotPlain("value nested too deeply, or in itself") from None
    body = b"".join(raw)
    if len(text) > limits.text or len(body) > limits.raw:
        raise TooLarge(f"{len(text) + len(body)} B")
    return _HEAD.pack(_MARK, len(text), len(body)) + text + body


def lengths(head: bytes, limits: Limits) -> int:
    """How many bytes follow this head of a message; `Garbled` if it is none, or announces too much."""
    if len(head) != HEAD_BYTES:
        raise Garbled("cut short")
    mark, text, raw = _HEAD.unpack(head)
    if mark != _MARK:
        raise Garbled("no message")
    if text > limits.text or raw > limits.raw:
        raise Garbled("too large")
    return text + raw


def decode(message: bytes, limits: Limits = JUDGED, classes=(), held=None, gpu: str = "cpu"):
    """The value in `message`. `classes` are the dataclasses that may be in it, `held` what its references refer to."""
    if lengths(message[:HEAD_BYTES], limits) != len(message) - HEAD_BYTES:
        raise Garbled("cut short, or more than one message")
    _, size, _ = _HEAD.unpack(message[:HEAD_BYTES])
    body = memoryview(message)[HEAD_BYTES + size :]
    try:
        value, sizes = json.loads(message[HEAD_BYTES : HEAD_BYTES + size])
        if not all(type(each) is int and each >= 0 for each in sizes) or sum(sizes) != len(body):
            raise Garbled("the pieces do not add up")
        pieces, start = [], 0
        for each in sizes:
            pieces.append(body[start : start + each])
            start += each
        known = {_name(each): each for each in classes}
        return _Reader(pieces, limits, known, held or {}, gpu).read(value)
    except Garbled:
        raise
    except Exception as error:  # whatever is wrong with it: the writer's doing
        raise Garbled(f"{type(error).__name__}") from None


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _torch():
    return sys.modules.get("torch")  # the compiling process has none


@dataclass
class _Writer:
    raw: list[bytes]
    opaque: object
    limits: Limits

    def integer(self, value: int) -> str:
        if value.bit_length() > 4 * self.limits.digits:
            raise TooLarge("an integer")
        return hex(value)

    def piece(self, data: bytes) -> int:
        self.raw.append(data)
        return len(self.raw) - 1

    def write(self, value):
        kind, torch = type(value), _torch()
        if value is None or kind in (bool, float, str):
            return value
        if isinstance(value, enum.Enum):
            return self._other(value)
        if isinstance(value, np.generic) and value.dtype.kind in "biufc":
            return ["numpy", value.dtype.str, [], self.piece(value.tobytes())]
        if isinstance(value, int):
            return int(value) if -(2**53) < value < 2**53 else ["int", self.integer(value)]
        if isinstance(value, float | str):
            return float(value) if isinstance(value, float) else str.__str__(value)
        if isinstance(value, complex):
            return ["complex", value.real, value.imag]
        if isinstance(value, Fraction):
            return ["fraction", self.integer(value.numerator), self.integer(value.denominator)]
        if isinstance(value, bytes):
            return ["bytes", self.piece(bytes(value))]
        if isinstance(value, list | tuple | set | frozenset):
            name = next(each.__name__ for each in (list, tuple, set, frozenset) if isinstance(value, each))
            return [name, [self.write(item) for item in value]]
        if isinstance(value, dict):
            return ["dict", [[self.write(name), self.write(item)] for name, item in value.items()]]
        if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
            return ["numpy", value.dtype.str, list(value.shape), self.piece(np.ascontiguousarray(value).tobytes())]
        if torch and isinstance(value, torch.Tensor) and value.layout == torch.strided and not value.is_quantized:
            return self._tensor(value, torch)
        if torch and isinstance(value, torch.dtype):
            return ["dtype", str(value).rpartition(".")[2]]
        if isinstance(value, Exception) and self.opaque is None:
            return ["error", kind.__name__, str(value)]
        if dataclasses.is_dataclass(value) and not isinstance(value, type) and kind.__module__.startswith(_HOME):
            fields = {each.name: self.write(getattr(value, each.name)) for each in dataclasses.fields(value)}
            return ["course", _name(kind), fields]
        return self._other(value)

    def _other(self, value):
        if self.opaque is None:
            raise NotPlain(type(value).__name__)
        return self.opaque(value)

    def _tensor(self, tensor, torch):
        """Its own elements and those between them; the rest of the memory that it looks at stays behind."""
        tensor = tensor.detach().as_subclass(torch.Tensor).resolve_conj().resolve_neg()
        on_gpu, sizes, strides = tensor.device.type != "cpu", tuple(tensor.shape), tensor.stride()
        span = 0 if 0 in sizes else 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))
        if max(math.prod(sizes), span) > self.limits.elements:
            raise TooLarge("a tensor")
        flat = tensor.as_strided((span,), (1,)).cpu().contiguous()
        data = flat.view(torch.uint8).numpy().tobytes() if span else b""
        return ["tensor", str(tensor.dtype).rpartition(".")[2], sizes, strides, self.piece(data), on_gpu]


_HOME = __name__.partition(".")[0] + "."
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


def clean(text: str) -> str:
    """Without the half characters that no terminal and no page could write."""
    return text.encode("utf-8", "replace").decode()


def cut(text: str, most: int = 1000) -> str:
    """Text that a learner's code chose, at a length that a page and a terminal can bear."""
    return text if len(text) <= most else f"{text[:most]} … (+{len(text) - most})"

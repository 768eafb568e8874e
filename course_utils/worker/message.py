"""Values as JSON and raw bytes: what comes back from a process that may have run a learner's code.

A pickle is a program, and whoever unpickles one runs it. So nothing that such a process writes is unpickled: it comes in
this format, which can say numbers, texts, lists, tensors and dataclasses of the course that the reader asked for, and
nothing else. The reader executes nothing, bounds every size before it allocates, and takes whatever is not in the format for
`Garbled`. (What the notebook sends may be a pickle: who writes it is trusted.)

A message is `HEAD` (a mark and two lengths), then a JSON text, then the raw bytes that the JSON text refers to by number.
"""

import dataclasses
import json
import math
import struct
import sys
from dataclasses import dataclass

import numpy as np

MARK = b"plain 1\n"
HEAD = struct.Struct("<8sQQ")


class Garbled(ValueError):
    """Bytes that are no message of this format, or not one that the reader is ready for."""


class NotPlain(TypeError):
    """A value that this format cannot say."""


class TooLarge(ValueError):
    """A value beyond what the reader takes: an honest writer finds out before he writes."""


@dataclass(frozen=True)
class Limits:
    """What a reader takes at most. The defaults are for what a learner's code makes."""

    text: int = 4 << 20  # bytes of JSON
    raw: int = 64 << 20  # raw bytes
    elements: int = 1 << 24  # of one tensor: one with strides of 0 needs hardly a byte
    bits: int = 8192  # of one integer


JUDGED, COURSE = Limits(), Limits(text=256 << 20, raw=2 << 30, elements=1 << 31)


# ---- writing


def encode(value, limits: Limits = COURSE) -> bytes:
    raw: list[bytes] = []
    try:
        text = json.dumps([_Writer(raw, limits).write(value), [len(piece) for piece in raw]]).encode()
    except RecursionError:
        raise NotPlain("value nested too deeply, or in itself") from None
    body = b"".join(raw)
    if len(text) > limits.text or len(body) > limits.raw:
        raise TooLarge(f"{len(text) + len(body)} B")
    return HEAD.pack(MARK, len(text), len(body)) + text + body


@dataclass
class _Writer:
    raw: list[bytes]
    limits: Limits

    def piece(self, data: bytes) -> int:
        self.raw.append(data)
        return len(self.raw) - 1

    def write(self, value):
        kind, torch = type(value), sys.modules.get("torch")  # the compiling process has no torch
        if value is None or kind in (bool, float, str):
            return value
        if isinstance(value, int):
            if value.bit_length() > self.limits.bits:
                raise TooLarge("an integer")
            return int(value)
        if isinstance(value, float | str):
            return float(value) if isinstance(value, float) else str.__str__(value)
        if isinstance(value, np.generic | np.ndarray) and value.dtype.kind in "biufc":
            return ["numpy", value.dtype.str, list(value.shape), self.piece(np.ascontiguousarray(value).tobytes())]
        if isinstance(value, bytes):
            return ["bytes", self.piece(bytes(value))]
        if isinstance(value, list | tuple | set):
            tag = "list" if isinstance(value, list) else "tuple" if isinstance(value, tuple) else "set"
            return [tag, [self.write(item) for item in value]]
        if isinstance(value, dict):
            return ["dict", [[self.write(name), self.write(item)] for name, item in value.items()]]
        if torch and isinstance(value, torch.Tensor) and value.layout == torch.strided and not value.is_quantized:
            return self._tensor(value, torch)
        if torch and isinstance(value, torch.dtype):
            return ["dtype", str(value).rpartition(".")[2]]
        if isinstance(value, Exception):
            return ["error", kind.__name__, str(value)]
        if dataclasses.is_dataclass(value) and not isinstance(value, type) and kind.__module__.startswith(_HOME):
            fields = {each.name: self.write(getattr(value, each.name)) for each in dataclasses.fields(value)}
            return ["course", _name_of(kind), fields]
        raise NotPlain(kind.__name__)

    def _tensor(self, tensor, torch):
        if tensor.numel() > self.limits.elements:
            raise TooLarge("a tensor")
        tensor = tensor.detach().as_subclass(torch.Tensor).resolve_conj().resolve_neg().cpu().contiguous()
        data = tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""
        return ["tensor", str(tensor.dtype).rpartition(".")[2], [*tensor.shape], self.piece(data)]


# ---- reading


def decode(message: bytes, limits: Limits = JUDGED, classes=()):
    """The value in `message`, tensors on the CPU. `classes` are the dataclasses that may be in it."""
    try:
        mark, size, raw = HEAD.unpack(message[: HEAD.size])
        if mark != MARK or size > limits.text or raw > limits.raw or HEAD.size + size + raw != len(message):
            raise Garbled("no message, too large, cut short, or more than one")
        value, sizes = json.loads(message[HEAD.size : HEAD.size + size])
        body, pieces = memoryview(message)[HEAD.size + size :], []
        if not _are_sizes(sizes) or sum(sizes) != len(body):
            raise Garbled("the pieces do not add up")
        for each in sizes:
            pieces.append(body[:each])
            body = body[each:]
        return _Reader(pieces, limits, {_name_of(each): each for each in classes}).read(value)
    except Garbled:
        raise
    except Exception as error:  # whatever is wrong with it: the writer's doing
        raise Garbled(f"{type(error).__name__}") from None


_HOME = __name__.partition(".")[0] + "."
_ERRORS = (ValueError, TypeError, RuntimeError, IndexError, KeyError, AttributeError, NameError, ZeroDivisionError)
_DTYPES = [
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"),
]


@dataclass
class _Reader:
    pieces: list[memoryview]
    limits: Limits
    classes: dict[str, type]

    def read(self, value):
        if value is None or type(value) in (bool, int, float):
            return value
        if type(value) is str:
            return clean(value)
        tag, *rest = value  # all else is a list that says what it is
        return getattr(self, f"_{_checked(tag, _TAGS)}")(*rest)

    def _bytes(self, number):
        return bytes(self.pieces[number])

    def _list(self, items):
        return [self.read(item) for item in items]

    def _tuple(self, items):
        return tuple(self._list(items))

    def _set(self, items):
        return set(self._list(items))

    def _dict(self, pairs):
        return {self.read(name): self.read(item) for name, item in pairs}

    def _numpy(self, dtype, shape, number):
        dtype = np.dtype(str(dtype))
        if dtype.kind not in "biufc" or not _are_sizes(shape):
            raise Garbled("no array of numbers")
        array = np.frombuffer(self.pieces[number], dtype=dtype).reshape(shape).copy()
        return array if shape else array[()]

    def _tensor(self, dtype, sizes, number):
        import torch

        if not _are_sizes(sizes) or len(sizes) > 16 or math.prod(sizes) > self.limits.elements:
            raise Garbled("no tensor, or too large a one")
        dtype, data = self._dtype(dtype), bytearray(self.pieces[number])
        flat = torch.frombuffer(data, dtype=torch.uint8).view(dtype) if data else torch.empty(0, dtype=dtype)
        return flat.reshape(sizes)

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


_TAGS = {name[1:] for name in vars(_Reader) if name.startswith("_") and not name.startswith("__")}


def _checked(name, known) -> str:
    if type(name) is not str or name not in known:
        raise Garbled("an unknown kind of value")
    return name


def _are_sizes(sizes) -> bool:
    return isinstance(sizes, list) and all(type(each) is int and each >= 0 for each in sizes)


def _name_of(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def clean(text: str) -> str:
    """Without the half characters that no terminal and no page could write."""
    return text.encode("utf-8", "replace").decode()


def cut(text: str, most: int = 1000) -> str:
    """Text that a learner's code chose, at a length that a page and a terminal can bear."""
    return text if len(text) <= most else f"{text[:most]} … (+{len(text) - most})"

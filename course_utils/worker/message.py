"""Values as JSON and raw bytes: what comes back from a process that may have run a learner's code.

A pickle is a program, and whoever unpickles one runs it. So nothing that such a process writes is unpickled: it comes in
this format, which can say numbers, texts, lists, tensors and dataclasses of the course that the reader asked for, and
nothing else. The reader executes nothing, bounds every size before it allocates, and takes whatever is not in the format for
`Garbled`. (What the notebook sends may be a pickle: who writes it is trusted.)

A message is `HEAD` (a mark and two lengths), then a JSON text, then the raw bytes that the JSON text refers to by number.
"""

import builtins
import dataclasses
import itertools
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

_HOME = __name__.partition(".")[0] + "."
_KINDS = {each.__name__: each for each in (list, tuple, set)}


def encode(value, limits: Limits = COURSE) -> bytes:
    pieces: list[bytes] = []
    try:
        said = _said(value, pieces, limits)
        text = json.dumps([said, [*map(len, pieces)]]).encode()
    except RecursionError:
        raise NotPlain("value nested too deeply, or in itself") from None
    body = b"".join(pieces)
    if len(text) > limits.text or len(body) > limits.raw:
        raise TooLarge(f"{len(text) + len(body)} B")
    return HEAD.pack(MARK, len(text), len(body)) + text + body


def _said(value, pieces: list[bytes], limits: Limits):
    """As JSON: what JSON has no word for is a list that says what it is; raw bytes are the number of their piece."""
    kind, torch = type(value), sys.modules.get("torch")  # the compiling process has no torch

    def piece(data: bytes) -> int:
        pieces.append(data)
        return len(pieces) - 1

    def said(items) -> list:
        return [_said(item, pieces, limits) for item in items]

    if value is None or kind is bool:
        return value
    if isinstance(value, int):
        if value.bit_length() > limits.bits:
            raise TooLarge("an integer")
        return int(value)
    if isinstance(value, float | str):
        return float(value) if isinstance(value, float) else str.__str__(value)
    if isinstance(value, np.generic | np.ndarray) and value.dtype.kind in "biufc":
        return ["numpy", value.dtype.str, list(value.shape), piece(np.ascontiguousarray(value).tobytes())]
    if isinstance(value, bytes):
        return ["bytes", piece(bytes(value))]
    for name, each in _KINDS.items():
        if isinstance(value, each):
            return [name, said(value)]
    if isinstance(value, dict):
        return ["dict", said(value.items())]
    if torch and isinstance(value, torch.Tensor) and value.layout == torch.strided and not value.is_quantized:
        if value.numel() > limits.elements:
            raise TooLarge("a tensor")
        plain = value.detach().as_subclass(torch.Tensor).resolve_conj().resolve_neg().cpu()
        plain = plain.clone(memory_format=torch.contiguous_format)  # a single element has any stride, and is contiguous
        data = plain.reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""
        return ["tensor", str(plain.dtype), [*plain.shape], piece(data)]
    if torch and isinstance(value, torch.dtype):
        return ["dtype", str(value)]
    if isinstance(value, Exception):
        return ["error", kind.__name__, str(value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and kind.__module__.startswith(_HOME):
        return ["course", _name_of(kind), said(getattr(value, each.name) for each in dataclasses.fields(value))]
    raise NotPlain(kind.__name__)


def decode(message: bytes, limits: Limits = JUDGED, classes=()):
    """The value in `message`, tensors on the CPU. `classes` are the dataclasses that may be in it."""
    try:
        mark, size, raw = HEAD.unpack(message[: HEAD.size])
        if mark != MARK or size > limits.text or raw > limits.raw or HEAD.size + size + raw != len(message):
            raise Garbled("no message, too large, cut short, or more than one")
        value, sizes = json.loads(message[HEAD.size : HEAD.size + size])
        if not _are_sizes(sizes) or sum(sizes) != raw:
            raise Garbled("the pieces do not add up")
        body, ends = memoryview(message)[HEAD.size + size :], [0, *itertools.accumulate(sizes)]
        pieces = [body[start:end] for start, end in itertools.pairwise(ends)]
        return _read(value, pieces, limits, {_name_of(each): each for each in classes})
    except Exception as error:  # whatever is wrong with it: the writer's doing
        raise Garbled(f"{type(error).__name__}: {error}") from None


def _read(value, pieces: list[memoryview], limits: Limits, classes: dict[str, type]):
    def read(items):
        return (_read(one, pieces, limits, classes) for one in items)

    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return clean(value)
        case ["bytes", int(number)]:
            return bytes(pieces[number])
        case [str(kind), [*items]] if kind in _KINDS:
            return _KINDS[kind](read(items))
        case ["dict", [*pairs]]:
            return dict(read(pairs))
        case ["numpy", str(dtype), shape, int(number)] if np.dtype(dtype).kind in "biufc" and _are_sizes(shape):
            array = np.frombuffer(pieces[number], dtype=np.dtype(dtype)).reshape(shape).copy()
            return array if shape else array[()]
        case ["tensor", str(dtype), shape, int(number)] if _are_sizes(shape) and len(shape) <= 16:
            if math.prod(shape) > limits.elements:
                raise Garbled("too large a tensor")
            import torch

            data, dtype = bytearray(pieces[number]), _dtype(dtype)
            flat = torch.frombuffer(data, dtype=torch.uint8).view(dtype) if data else torch.empty(0, dtype=dtype)
            return flat.reshape(shape)
        case ["dtype", str(name)]:
            return _dtype(name)
        case ["error", str(kind), str(message)]:
            known = getattr(builtins, kind, None)
            is_one = isinstance(known, type) and issubclass(known, Exception)
            return (known if is_one else RuntimeError)(clean(message))
        case ["course", str(name), [*values]] if name in classes:
            made = object.__new__(classes[name])  # what __init__ and __post_init__ would do was done over there
            for field, one in zip(dataclasses.fields(made), read(values), strict=True):
                object.__setattr__(made, field.name, one)
            return made
    raise Garbled("an unknown kind of value")


def _dtype(name: str):
    import torch

    found = getattr(torch, name.removeprefix("torch."))
    if not isinstance(found, torch.dtype):
        raise Garbled("no dtype")
    return found


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

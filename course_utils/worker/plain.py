"""Values as plain data, JSON and raw bytes: what comes back from a process that may have run a learner's code.

A pickle is a program, and whoever unpickles one runs it. So nothing that such a process writes is unpickled: it comes in
this format, which can say numbers, texts, lists, tensors and dataclasses of the course that the reader asked for, and
nothing else. There is one reader, `read.decode`. It executes nothing, bounds every size before it allocates, and takes whatever
is not in the format for `Garbled`. (The other direction, from the notebook to a process that is to run a learner's code,
may be a pickle: who writes it is trusted.)

A message is `HEAD` (a mark and two lengths), then a JSON text, then the raw bytes that the JSON text refers to by number.
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

MARK = b"plain 1\n"
HEAD = struct.Struct("<8sQQ")
HEAD_BYTES = HEAD.size


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
    return HEAD.pack(MARK, len(text), len(body)) + text + body


def lengths(head: bytes, limits: Limits) -> int:
    """How many bytes follow this head of a message; `Garbled` if it is none, or announces too much."""
    if len(head) != HEAD_BYTES:
        raise Garbled("cut short")
    mark, text, raw = HEAD.unpack(head)
    if mark != MARK:
        raise Garbled("no message")
    if text > limits.text or raw > limits.raw:
        raise Garbled("too large")
    return text + raw


def name_of(kind: type) -> str:
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
            return ["course", name_of(kind), fields]
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


def clean(text: str) -> str:
    """Without the half characters that no terminal and no page could write."""
    return text.encode("utf-8", "replace").decode()


def cut(text: str, most: int = 1000) -> str:
    """Text that a learner's code chose, at a length that a page and a terminal can bear."""
    return text if len(text) <= most else f"{text[:most]} … (+{len(text) - most})"

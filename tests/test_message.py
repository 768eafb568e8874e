"""The format that answers come back in: it says values exactly, and nothing that is written in it can do anything."""

import contextlib
import math
import pickle
import random
import struct
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from course_utils.pretend_gpu import Work
from course_utils.worker.message import HEAD, MARK, Garbled, NotPlain, decode, encode

VALUES = [
    *(None, True, 0, -7, 2**80, -(2**70), 1.5, math.inf, "text · 文字", "", b"\x00\xff"),
    *([1, (2, {3: [4]})], {"a": {"b": None}}, [], (), {}),
    *(torch.float16, torch.arange(12.0).reshape(3, 4).T[1:], torch.tensor(3), torch.zeros(0, 4), torch.ones(1, 2)[:, 1]),
    *(torch.arange(6, dtype=torch.bfloat16)[::2], torch.tensor([True, False]), np.arange(6).reshape(2, 3), np.float32(2)),
    *(Work("large", 5), {(0, 1, 0)}),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_comes_back_as_it_was(value):
    back = decode(encode(value), classes=(Work,))
    assert type(back) is type(value)
    if isinstance(value, torch.Tensor):
        assert back.dtype == value.dtype and torch.equal(back, value)
    else:
        assert np.array_equal(back, value) if isinstance(value, np.ndarray) else back == value


def test_subclasses_come_back_as_what_they_are_kinds_of():
    class Loud(str):
        def __repr__(self):
            raise SystemExit

    assert decode(encode([Loud("a"), torch.Size([1]), np.float64(0.5)])) == ["a", (1,), 0.5]
    assert math.isnan(decode(encode(math.nan)))
    assert decode(encode("\ud800 x")) == "? x", "half a character would break the page it is put on"


@dataclass
class Stranger:
    x: int


def test_what_it_cannot_say_is_refused():
    loop = []
    loop.append(loop)
    for thing in (object(), Stranger(1), lambda: 1, loop, Work, 1j):
        with pytest.raises(NotPlain):
            encode(thing)


def message(text: str, raw: bytes = b"", sizes=None) -> bytes:
    text = f"[{text}, {list(sizes if sizes is not None else [len(raw)] if raw else [])}]".encode()
    return HEAD.pack(MARK, len(text), len(raw)) + text + raw


class Bomb:
    def __reduce__(self):
        return pytest.exit, ("a pickle was executed",)


RUBBISH = {
    "a pickle": pickle.dumps(Bomb()),
    "a pickle behind a head": HEAD.pack(MARK, len(pickle.dumps(Bomb())), 0) + pickle.dumps(Bomb()),
    "cut short": encode([1, 2, 3])[:-1],
    "a giant's head": struct.pack("<8sQQ", MARK, 2**63, 2**63),
    "no JSON": message("nonsense"),
    "too deep": message("[" * 100_000 + "]" * 100_000),
    "an unknown tag": message('["eval", "1"]'),
    "a piece that is not there": message('["bytes", 7]', b"abc"),
    "a tensor beyond its memory": message('["tensor", "float32", [1000], 0]', b"1234"),
    "a negative size": message('["tensor", "float32", [-2], 0]', b"12345678"),
    "another dtype": message('["tensor", "load", [1], 0]', b"1234"),
    "a dtype that is none": message('["dtype", "load"]'),
    "a class that nobody asked for": message('["course", "os:system", {}]'),
    "other fields": message('["course", "course_utils.pretend_gpu:Work", ["a"]]'),
    "a key that cannot be one": message('["dict", [[["list", []], 1]]]'),
}  # fmt: skip


def test_an_error_is_of_a_kind_that_ends_nothing():
    told = [decode(message(f'["error", "{kind}", "why"]')) for kind in ("KeyError", "SystemExit", "open", "Unheard")]
    assert [type(each) for each in told] == [KeyError, RuntimeError, RuntimeError, RuntimeError]


@pytest.mark.parametrize("kind", RUBBISH)
def test_rubbish_is_garbled_and_nothing_else(kind):
    with pytest.raises(Garbled):
        decode(RUBBISH[kind], classes=(Work,))


def test_a_message_with_a_few_bytes_changed_is_a_value_or_garbled():
    whole, luck = encode([1.5, "text", torch.arange(4.0), {"a": (1, 2)}, Work("w", 3)]), random.Random(2)
    for _ in range(3000):
        changed = bytearray(whole)
        for _ in range(luck.randint(1, 4)):
            changed[luck.randrange(len(changed))] = luck.randrange(256)
        with contextlib.suppress(Garbled):
            decode(bytes(changed), classes=(Work,))

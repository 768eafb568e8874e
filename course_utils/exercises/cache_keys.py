"""The grader of A2.cache_key: launches that compile to one kernel, and launches that compile to two.

What Triton is told of an argument (`specialize_impl`): of a tensor its type and whether its address is a multiple of 16; of
an integer whether it is 1, whether 16 divides it, and whether it fits in 32 bits. Nothing here takes memory for large sizes:
a matrix of one row has whatever row stride it is given.
"""

from dataclasses import dataclass

import torch

from ..language import Text
from .nbA2_says import KEYS


@dataclass(frozen=True)
class Case:
    """Output and input of a launch: so many rows and columns, how far rows lie apart, where the memory begins."""

    rows: int = 32
    columns: int = 64
    dtype: torch.dtype = torch.float32
    x_stride: int | None = None  # None: packed
    y_stride: int | None = None
    x_shift: int = 0  # elements past a multiple of 16 bytes
    y_shift: int = 0

    def tensors(self) -> tuple[torch.Tensor, torch.Tensor]:
        return self._matrix(self.y_stride, self.y_shift), self._matrix(self.x_stride, self.x_shift)

    def _matrix(self, stride, shift) -> torch.Tensor:
        stride = self.columns if stride is None else stride
        memory = torch.zeros((self.rows - 1) * stride + self.columns + shift + 16, dtype=self.dtype)
        size = memory.element_size()
        start = (-memory.data_ptr() // size) % (16 // size) + shift
        return memory[start:].as_strided((self.rows, self.columns), (stride, 1))

    @property
    def text(self) -> Text:
        """What differs from the plainest launch."""
        zh, en = [f"{self.rows} 行 {self.columns} 列"], [f"{self.rows}×{self.columns}"]
        if self.dtype != torch.float32:
            zh, en = [*zh, f"{self.dtype}".removeprefix("torch.")], [*en, f"{self.dtype}".removeprefix("torch.")]
        for name, stride, shift in (("x", self.x_stride, self.x_shift), ("y", self.y_stride, self.y_shift)):
            if stride is not None:
                zh, en = [*zh, f"{name} 的行步幅 {stride}"], [*en, f"row stride {stride} in {name}"]
            if shift:
                zh, en = (
                    [*zh, f"{name} 错开 {shift} 个元素"],
                    [*en, f"{name} off by {shift} element{'s' * (shift > 1)}"],
                )
        return Text(f"（{'，'.join(zh)}）", f"({', '.join(en)})")


BASE = Case()
SMALL = {"rows": 1, "columns": 16}
DIFFERENT = [
    ("divisible", BASE, Case(columns=61)),
    ("dtype", BASE, Case(dtype=torch.bfloat16)),
    ("one", BASE, Case(rows=1)),
    ("block", BASE, Case(columns=32)),
    ("divisible", BASE, Case(x_stride=69)),
    *[("aligned", BASE, Case(x_shift=k)) for k in (1, 2, 3)],
    ("divisible", BASE, Case(rows=20)),
    ("one", Case(rows=20, columns=61), Case(rows=1, columns=61)),
    ("one", Case(rows=21), Case(rows=1)),
    ("dtype", Case(dtype=torch.float16), Case(dtype=torch.bfloat16)),
    ("divisible", Case(x_stride=80), Case(x_stride=69)),
    ("divisible", BASE, Case(y_stride=69)),
    *[("aligned", BASE, Case(y_shift=k)) for k in (1, 2, 3)],
    ("block", Case(columns=61, x_stride=65, y_stride=65), Case(columns=30, x_stride=65, y_stride=65)),
    ("one", Case(columns=1, x_stride=1, y_stride=3), Case(columns=1, x_stride=3, y_stride=3)),
    ("which", Case(x_stride=69), Case(y_stride=69)),
    ("which", Case(x_shift=1), Case(y_shift=1)),
    ("which", Case(rows=20), Case(x_stride=69)),
    ("which", Case(rows=20), Case(y_stride=69)),
    ("which", Case(columns=62, x_stride=64, y_stride=64), Case(x_stride=69)),
    ("which", Case(x_stride=69), Case(x_shift=1)),
    ("which", Case(columns=1, x_stride=1, y_stride=3), Case(columns=1, x_stride=3, y_stride=1)),
    ("which", Case(1, 1, x_stride=3, y_stride=3), Case(7, 1, x_stride=1, y_stride=3)),
    ("wide", Case(**SMALL, x_stride=2**30), Case(**SMALL, x_stride=2**31)),
    ("wide", Case(**SMALL, y_stride=2**30), Case(**SMALL, y_stride=2**31)),
    ("wide", Case(**SMALL, x_stride=2**30 + 1), Case(**SMALL, x_stride=2**31 + 1)),
    ("wide", Case(**SMALL, x_stride=2**31 - 16), Case(**SMALL, x_stride=2**31)),
    ("which", Case(**SMALL, x_stride=2**31, y_stride=2**30), Case(**SMALL, x_stride=2**30, y_stride=2**31)),
]
ALIKE = [
    ("address", BASE, BASE),
    # Where the memory lies, nobody chooses: with several addresses no wrong divisor is right by luck.
    *[("address", BASE, case) for k in (4, 8, 12) for case in (Case(x_shift=k), Case(y_shift=k))],
    ("both", BASE, Case(rows=64)),
    ("both", BASE, Case(columns=48)),
    ("packed", BASE, Case(x_stride=80)),
    ("packed", BASE, Case(y_stride=80)),
    ("neither", Case(rows=20), Case(rows=25)),
    ("neither", Case(rows=20), Case(rows=21)),
    ("neither", Case(columns=61), Case(columns=60)),
    ("neither", Case(x_stride=69), Case(x_stride=70)),
    ("neither", Case(y_stride=69), Case(y_stride=68)),
    ("address", Case(x_shift=1), Case(x_shift=2)),
    ("address", Case(y_shift=1), Case(y_shift=3)),
    ("both", Case(**SMALL, x_stride=2**31), Case(**SMALL, x_stride=2**32)),
    ("both", Case(**SMALL, x_stride=64), Case(**SMALL, x_stride=2**31 - 16)),
]


def cache_key(answer) -> None:
    """The grader: equal keys for one kernel, different keys for two."""
    kept = []  # so that no two tensors are ever given the same memory

    def key(case: Case):
        kept.append(case.tensors())
        return _usable(answer(*kept[-1]))

    twice = BASE.tensors()
    if _usable(answer(*twice)) != _usable(answer(*twice)):
        raise KEYS.wrong("same launch twice")
    for why, one, other in DIFFERENT:
        if key(one) == key(other):
            raise KEYS.wrong("too coarse", one=one.text, other=other.text, why=KEYS[why])
    for why, one, other in ALIKE:
        if key(one) != key(other):
            raise KEYS.wrong("too fine", one=one.text, other=other.text, why=KEYS[why])


def _usable(key):
    """The key, if a dict can use it."""
    if key is None:
        raise KEYS.wrong("nothing")
    try:
        hash(key)
    except TypeError:
        raise KEYS.wrong("unhashable", kind=type(key).__name__) from None
    if any(isinstance(part, torch.Tensor) for part in _parts(key)):
        raise KEYS.wrong("tensor")
    return key


def _parts(key):
    """What a key is made of, however deep its tuples."""
    if not isinstance(key, tuple):
        return [key]
    return [part for each in key for part in _parts(each)]

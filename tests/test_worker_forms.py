"""What a notebook defines travels to another process in every form that Python has for it."""

import functools

import pytest
from kernels import cell

from course_utils import worker

pytestmark = pytest.mark.slow


FORMS = {
    "a lambda over several lines": ("f = lambda x: (\n    x\n    + 1\n)", 2),
    "two lambdas in a line": ("g, f = lambda x: x - 1, lambda x: x + 1", 2),
    "a global counter": ("n = 5\ndef up():\n    global n\n    n += 1\ndef f(x):\n    up()\n    return n + x", 7),
    "a closure that counts": (
        "def make():\n    n = 0\n    def up(x):\n        nonlocal n\n        n += x\n        return n\n    return up\nf = make()",
        1,
    ),
    "a local function that names itself": (
        "def make():\n    def down(x):\n        return 2 if x < 1 else down(x - 1)\n    return down\nf = make()",
        2,
    ),
    "namedtuple": (
        "from collections import namedtuple\nP = namedtuple('P', 'a b', defaults=[1])\ndef f(x): return P(x).a + P(a=0).b",
        2,
    ),
    "NamedTuple": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int\n    b: int = 1\n    def sum(self): return self.a + self.b\ndef f(x): return P(x).sum()",
        2,
    ),
    "dataclass": (
        "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass P:\n    a: int\n    more: list = field(default_factory=list)\n"
        "    @property\n    def b(self): return self.a + len(self.more)\ndef f(x): return P(x, [0]).b if P(1) == P(1) else 0",
        2,
    ),
    "dataclass that inherits": (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    a: int = 1\n@dataclass\nclass B(A):\n    b: int = 1\ndef f(x): return B(x).a + B().b",
        2,
    ),
    "Enum": ("from enum import Enum\nclass C(Enum):\n    ONE = 1\n    def up(self): return self.value + 1\ndef f(x): return C(x).up()", 2),
    "IntFlag": ("from enum import IntFlag, auto\nclass C(IntFlag):\n    A = auto()\n    B = auto()\ndef f(x): return int(C.B)", 2),
    "a class with super, slots and a class method": (
        "class A:\n    __slots__ = ('n',)\n    def __init__(self, n): self.n = n\n    @classmethod\n    def of(cls, n): return cls(n)\n"
        "class B(A):\n    def __init__(self, n):\n        super().__init__(n + 1)\ndef f(x): return B.of(x).n",
        2,
    ),
    "partial": ("from functools import partial\ndef add(a, b): return a + b\nf = partial(add, 1)", 2),
    "a callable object": ("class Add:\n    def __init__(self, n): self.n = n\n    def __call__(self, x): return x + self.n\nf = Add(1)", 2),
    "a cache": ("from functools import lru_cache\n@lru_cache\ndef f(x): return x + 1", 2),
    "an abstract class": (
        "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def go(self, x): ...\nclass B(A):\n    def go(self, x): return x + 1\ndef f(x): return B().go(x)",
        2,
    ),
    "a method": ("class A:\n    def up(self, x): return x + 1\nf = A().up", 2),
    "a generator inside": ("def f(x): return sum(k for k in range(x + 1)) + 1", 2),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_travels(form):
    source, want = FORMS[form]
    assert worker.run(cell(source, form)["f"], 1) == want


def test_what_stands_below_a_magic_is_found():
    body = "import math\n\ndef f(x):\n    return math.floor(x) + missing\n"
    namespace = {"__name__": "__main__", "In": ["", f"get_ipython().run_cell_magic('time', '', {body!r})\n"]}
    exec(compile(body, "<timed exec>", "exec"), namespace)
    error = worker.attempt(namespace["f"], 1.0).error
    assert (error.type, error.line, error.code) == ("NameError", 4, "return math.floor(x) + missing")


def test_functions_of_one_notebook_share_their_globals():
    space = cell("seen = []\ndef note(x): seen.append(x)\ndef f(x):\n    note(x)\n    note(x)\n    return len(seen)")
    assert worker.run(space["f"], 1) == 2
    assert space["seen"] == []


def test_a_partial_of_the_course_travels_by_name():
    from course_utils.worker.message import cut

    assert worker.run(functools.partial(cut, "long"), 1) == "l … (+3)"

"""A kernel that computes the right thing in the interpreter is compiled once, for a GPU that need not be there.

The interpreter is Python and takes what the compiler refuses: a plain global, `print`, try/except, a list comprehension,
numpy. It is compiled as it was launched (the first of its launches with no size of 1, which the compiler would write into
the kernel), as far as PTX: what comes after is not about the kernel's words any more.
"""

import hashlib
import re

from .. import hardware, worker
from ..compiler import Pointer
from ..language import Text
from ..worker.plain import cut
from ..worker.portable import Packed

DEVICE = "H200"
_LINES = 6  # of what the compiler says
_known: dict[bytes, Text | None] = {}


def refusal(packed: tuple[bytes, dict], launches: list, seconds: float, lock: str) -> Text | None:
    """What the compiler says against the kernel; None if it compiles, or if nobody could ask."""
    launch = _typical(launches)
    key = hashlib.sha256(packed[0] + repr(launch).encode()).digest()
    if key not in _known:
        _known[key] = _ask(Packed(*packed), *launch, seconds, lock)
    return _known[key]


def _typical(launches: list) -> tuple[tuple, dict]:
    """The arguments to compile with: where the compiler would take a stride of 1 for a constant, any other number will do."""

    def ones(launch):
        return sum(value == 1 for value in launch[0] if type(value) is int)

    arguments, constexprs = min(launches, key=ones)
    return tuple(_stand_in(value) for value in arguments), constexprs


def _stand_in(value):
    if hasattr(value, "data_ptr"):
        return Pointer(str(value.dtype).rpartition(".")[2])
    return 7 if type(value) is int and value == 1 else value


def _ask(kernel: Packed, arguments: tuple, constexprs: dict, seconds: float, lock: str) -> Text | None:
    target = hardware.chip_of(hardware.find(DEVICE)).target
    job = (kernel, target, arguments, constexprs)
    outcome = worker.attempt(
        "course_utils.compiler.internals:first_words", *job, mode="compile", seconds=seconds, lock=lock
    )
    said = outcome.value
    if not isinstance(said, dict) or not isinstance(said.get("refused"), str):
        return None
    words = "\n".join("  " + cut(line, 160) for line in _lines(said["refused"]))
    return Text(
        f"在解释器里算得对，可是为 {DEVICE} 编译不了：解释器是 Python，什么都肯做，编译器不肯。编译器说：\n{words}",
        f"Right in the interpreter, but it does not compile for the {DEVICE}: the interpreter is Python and does anything; the "
        f"compiler does not. It says:\n{words}",
    )


def _lines(said: str) -> list[str]:
    return [line for line in re.sub(r"\x1b\[[0-9;]*m", "", said).splitlines() if line.strip()][:_LINES]

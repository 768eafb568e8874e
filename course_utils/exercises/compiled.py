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
from ..worker.message import cut
from ..worker.portable import Packed
from ..worker.worded import of_raised
from .files import Budget
from .sayings import Sayings

DEVICE = "H200"
OURS = Sayings(f"""
registers
结果和字节都对。可是 {{sizes}} 时，它在 {DEVICE} 上每个线程要 {{registers}} 个寄存器；这里最多 {{most}} 个，不许溢出。寄存器里此刻有几行？
The result and the bytes are right. But with {{sizes}} it takes {{registers}} registers a thread on the {DEVICE}; {{most}} are allowed, and no spills. How many rows are in registers at a time?

spills
结果和字节都对。可是 {{sizes}} 时，它在 {DEVICE} 上每个线程要 {{registers}} 个寄存器，其中溢出 {{spills}} 个；这里最多 {{most}} 个，不许溢出。寄存器里此刻有几行？
The result and the bytes are right. But with {{sizes}} it takes {{registers}} registers a thread on the {DEVICE}, of which {{spills}} spill; {{most}} are allowed, and no spills. How many rows are in registers at a time?

narrow
结果和字节都对。可是为 {DEVICE} 编译出来，一个线程的 {{count}} 次{{what}}都不到 16 字节。编译器要看得出 body 的起点是 VECTOR 的倍数，终点也是。
The result and the bytes are right. But compiled for the {DEVICE}, all {{count}} {{what}} of a thread take less than 16 bytes. The compiler must see that the body begins at a multiple of VECTOR, and ends at one.

refused
在解释器里算得对，可是为 {DEVICE} 编译不了：解释器是 Python，什么都肯做，编译器不肯。编译器说：⏎{{words}}
Right in the interpreter, but it does not compile for the {DEVICE}: the interpreter is Python and does anything; the compiler does not. It says:⏎{{words}}
""")
_LINES = 6  # of what the compiler says
_known: dict[bytes, Text | None] = {}


def refusal(packed: tuple[bytes, dict], launches: list, seconds: float, lock: str) -> Text | None:
    """What the compiler says against the kernel; None if it compiles, or if nobody could ask."""
    launch = _typical(launches)
    key = hashlib.sha256(packed[0] + repr(launch).encode()).digest()
    if key not in _known:
        _known[key] = _ask(Packed(*packed), *launch, seconds, lock)
    return _known[key]


def compiles(packed: tuple[bytes, dict], launches: list, seconds: float, lock: str) -> bool:
    """Whether it is known to: False where nobody could ask."""
    return "ptx" in _first_words(Packed(*packed), *_typical(launches), seconds, lock)


def over(packed: tuple[bytes, dict], budget: Budget, seconds: float, lock: str) -> Text | None:
    """What a right kernel takes beyond its budget; None if it keeps to it, or if nobody could ask."""
    told = _first_words(Packed(*packed), budget.arguments, budget.constants, seconds, lock)
    if not isinstance(told.get("ptx"), str):
        return None
    if said := _narrow(told["ptx"], budget):
        return said
    target = hardware.chip_of(hardware.find(DEVICE)).target
    used = worker.attempt(
        "course_utils.compiler.internals:assembled", told["ptx"], target, mode="compile", seconds=seconds
    )
    if not used.value:
        return None
    registers, spills = used.value["registers"], used.value["spills"]
    if registers <= budget.registers and not spills:
        return None
    sizes = ", ".join(f"{name} = {value}" for name, value in budget.constants.items())
    said = {"registers": registers, "spills": spills, "most": budget.registers, "sizes": sizes}
    return OURS.say("spills" if spills else "registers", **said)


def _narrow(ptx: str, budget: Budget) -> Text | None:
    """What there is to say where too few loads or stores take 16 bytes."""
    for word, what in (("ld", Text("读", "loads")), ("st", Text("写", "stores"))):
        every = [line for line in ptx.splitlines() if f"{word}.global" in line]
        if sum(".v4.b32" in line for line in every) < budget.wide:
            return OURS.say("narrow", count=len(every), what=what)
    return None


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


def _first_words(kernel: Packed, arguments: tuple, constexprs: dict, seconds: float, lock: str) -> dict:
    target = hardware.chip_of(hardware.find(DEVICE)).target
    job = (kernel, target, arguments, constexprs)
    outcome = worker.attempt(
        "course_utils.compiler.internals:first_words", *job, mode="compile", seconds=seconds, lock=lock
    )
    return outcome.value if isinstance(outcome.value, dict) else {}


def _ask(kernel: Packed, arguments: tuple, constexprs: dict, seconds: float, lock: str) -> Text | None:
    said = _first_words(kernel, arguments, constexprs, seconds, lock)
    if not isinstance(said.get("refused"), str):
        return None
    if of_raised("", str(said["raised"].get("message"))):
        return worker.explained(said["raised"], None)
    words = "\n".join("  " + cut(line, 160) for line in _lines(said["refused"]))
    return OURS.say("refused", words=words)


def _lines(said: str) -> list[str]:
    return [line for line in re.sub(r"\x1b\[[0-9;]*m", "", said).splitlines() if line.strip()][:_LINES]

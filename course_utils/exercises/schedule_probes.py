"""Who did which row: a launch of a kernel that shares rows among programs, and every row it read and wrote."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np
import torch

from ..backend import triton
from ..interpreter import Listener, listening
from ..traffic.kernels import Astray
from ..worker.pupil import Fallen
from .kernel_probes import PLAIN
from .launching import counted
from .wrong import Wrong


@dataclass
class Shares:
    """What each program stored, in the order it did; and what left its tensor."""

    stride: int
    rows: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    offsets: dict[str, set[int]] = field(default_factory=lambda: {"load": set(), "store": set()})
    astray: list[Astray] = field(default_factory=list)
    loads: dict[str, int] = field(default_factory=dict)  # elements, by the name of the argument
    y: torch.Tensor | None = None

    def add(self, kind: str, program: int, offsets: list[int]) -> None:
        self.offsets[kind].update(offsets)
        if kind == "store":
            self.rows[program] += sorted({offset // self.stride for offset in offsets})

    @property
    def times(self) -> Counter:
        """How often each row was done."""
        return Counter(row for done in self.rows.values() for row in done)


def shares(kernel, x, programs, output=PLAIN, *, strides=None, more=()) -> Shares:
    """Launches `kernel` on `x` with so many programs, and `more` tensors behind it.

    `strides` (of y, of x) may be others than the tensors have."""
    (rows, columns), y = x.shape, output.empty(x.shape, x.dtype)
    strides = strides or (y.stride(0), x.stride(0))
    block = triton.next_power_of_2(columns)
    found = Shares(strides[0], y=y)
    arguments = (y, x, *more, *strides, rows, columns)
    traffic, seen = counted(kernel, (programs,), *arguments, watch=f"{__name__}:overhearing", BLOCK_SIZE=block)
    found.astray, found.loads = traffic.astray, {tensor.name: tensor.loads for tensor in traffic.tensors}
    try:
        for kind, program, offsets in seen:
            if type(program) is not int or offsets.dtype != np.int64:
                raise TypeError
            found.add(kind, program, offsets.tolist())
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Fallen("meddled") from None
    return found


@dataclass
class Overheard(Listener):
    """Over there: every access, as plain data."""

    accesses: list[tuple] = field(default_factory=list)

    def accessed(self, launch, access):
        asked = access.offset[access.mask]
        if asked.size:
            kind = "load" if access.kind == "load" else "store"
            self.accesses.append((kind, int(access.program[0]), np.atleast_1d(asked).astype(np.int64)))

    def told(self) -> list[tuple]:
        return self.accesses


def overhearing():
    return listening(Overheard())


def each_row_once(found: Shares, rows: int, programs: int) -> None:
    """Raises `Wrong` for a row that nobody did, that was done more than once, or that is not there."""
    grid = f"{rows} 行、{programs} 个 program", f"{rows} rows, {programs} programs"
    beyond = [(row, program) for program, done in found.rows.items() for row in done if not 0 <= row < rows]
    if beyond:
        row, program = beyond[0]
        raise Wrong(
            f"{grid[0]}：program {program} 做了第 {row} 行，可是行号只到 {rows - 1}。终点要截到 n_rows。",
            f"{grid[1]}: program {program} did row {row}, but the last row is {rows - 1}. Let the range end at n_rows.",
        )
    missing = [row for row in range(rows) if not found.times[row]]
    if missing:
        raise Wrong(
            f"{grid[0]}：第 {_few(missing)} 行没有人做。",
            f"{grid[1]}: nobody did row{'s' * (len(missing) > 1)} {_few(missing)}.",
        )
    row, times = found.times.most_common(1)[0]
    if times > 1:
        who = [program for program, done in found.rows.items() for each in done if each == row]
        raise Wrong(
            f"{grid[0]}：第 {row} 行做了 {times} 遍（program {_few(who)}）。",
            f"{grid[1]}: row {row} was done {times} times (by program{'s' * (len(set(who)) > 1)} {_few(who)}).",
        )


def _few(numbers) -> str:
    return ", ".join(map(str, numbers[:4])) + (", …" if len(numbers) > 4 else "")

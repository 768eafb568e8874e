"""Who did which row: a launch of a kernel that shares rows among programs, and every row it read and wrote."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np
import torch

from ..backend import triton
from ..interpreter import Listener, listening
from ..interpreter.addresses import Access
from .engine import Wrong
from .kernel_probes import PLAIN


@dataclass
class Shares(Listener):
    """What each program stored, in the order it did; and what left its tensor."""

    stride: int
    rows: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    offsets: dict[str, set[int]] = field(default_factory=lambda: {"load": set(), "store": set()})
    astray: list[Access] = field(default_factory=list)
    y: torch.Tensor | None = None

    def accessed(self, launch, access):
        asked = access.offset[access.mask]
        if not asked.size:
            return
        self.offsets[access.kind].update(np.atleast_1d(asked).tolist())
        if access.astray.any():
            self.astray.append(access)
        if access.kind == "store":
            self.rows[access.program[0]] += np.unique(asked // self.stride).tolist()

    @property
    def times(self) -> Counter:
        """How often each row was done."""
        return Counter(row for done in self.rows.values() for row in done)


def shares(kernel, x, programs, output=PLAIN, *, strides=None) -> Shares:
    """Launches `kernel` on `x` with so many programs. `strides` (of y, of x) may be others than the tensors have."""
    if not hasattr(kernel, "fn"):
        raise Wrong("内核要有 @triton.jit 这一行。", "A kernel needs the line @triton.jit.")
    (rows, columns), y = x.shape, output.empty(x.shape, x.dtype)
    strides = strides or (y.stride(0), x.stride(0))
    found = Shares(strides[0])
    with listening(found):
        kernel[(programs,)](y, x, *strides, rows, columns, BLOCK_SIZE=triton.next_power_of_2(columns))
    found.y = y
    return found


def each_row_once(found: Shares, rows: int, programs: int) -> None:
    """Raises `Wrong` for a row that nobody did, that was done more than once, or that is not there."""
    grid = f"{rows} 行、{programs} 个程序", f"{rows} rows, {programs} programs"
    beyond = [(row, program) for program, done in found.rows.items() for row in done if not 0 <= row < rows]
    if beyond:
        row, program = beyond[0]
        raise Wrong(
            f"{grid[0]}：程序 {program} 做了第 {row} 行，可是行号只到 {rows - 1}。终点要截到 n_rows。",
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
            f"{grid[0]}：第 {row} 行做了 {times} 遍（程序 {_few(who)}）。",
            f"{grid[1]}: row {row} was done {times} times (by program{'s' * (len(set(who)) > 1)} {_few(who)}).",
        )


def _few(numbers) -> str:
    return ", ".join(map(str, numbers[:4])) + (", …" if len(numbers) > 4 else "")

"""A softmax, watched: which kernel it launches, how it is compiled for the H100, and what it moves."""

import math
import re
from collections import Counter
from dataclasses import dataclass

import torch

from .. import occupancy
from ..backend import device
from ..compiler import compile_for
from ..interpreter import redirected
from ..softmax.finished import always_asking_triton
from ..traffic import ledger

GPU = "H100"
FEW, FEWER, WIDE = 19, 5, 2048  # rows that are computed, fewer where they are wide: no multiple of a tile's
_LOADS = re.compile(
    r"\bld\.(?:volatile\.)?global[\w.:]*?(?:\.v([248]))?\.[busf](\d+)\b|\bcp\.async\S* \[[^\]]*\], \[[^\]]*\], (\w+)"
)


@dataclass(frozen=True)
class Launched:
    """One launch, caught before it ran."""

    kernel: object
    grid: tuple
    positional: tuple
    named: dict

    @property
    def programs(self) -> int:
        return math.prod(map(int, self.grid))

    @property
    def warps(self) -> int:
        return self.named.get("num_warps", 4)


@dataclass(frozen=True)
class Needs:
    """What a launch takes on the H100."""

    width: int  # bytes that a thread loads at a time, where most bytes are loaded
    spills: int
    fit: int  # programs on a multiprocessor


def caught(function, rows: int, columns: int, dtype: str) -> list[Launched]:
    """The launches of `function` on so large a matrix; nothing is computed."""
    launches = []
    x = torch.empty(rows, columns, dtype=getattr(torch, dtype), device=device)
    with redirected(lambda *launch: launches.append(Launched(*launch))), always_asking_triton():
        function(x)
    return launches


def moved(function, columns: int, dtype: str):
    """(input, output, what was moved) on a few rows that are really computed."""
    torch.manual_seed(0)
    x = torch.randn(FEW if columns <= WIDE else FEWER, columns).to(getattr(torch, dtype)).to(device)
    with ledger() as book:
        y = function(x)
    return x, y, book


def needs(launch: Launched) -> Needs:
    compiled = compile_for(launch.kernel, GPU, *launch.positional, **launch.named)
    return Needs(_width(compiled.text("ptx")), compiled.spills, occupancy.of(compiled).programs)


def _width(ptx: str) -> int:
    bytes_by_width = Counter()
    for times, bits, copied in _LOADS.findall(ptx):
        width = int(copied, 0) if copied else int(times or 1) * int(bits) // 8
        bytes_by_width[width] += width
    return max(bytes_by_width, key=lambda width: (bytes_by_width[width], width), default=0)

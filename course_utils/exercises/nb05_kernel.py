"""The grader of 05.prefetch_kernel: who did which row, and whether the next one was on its way before this one was stored."""

from collections import Counter, defaultdict

import torch

from .launching import launched
from .nb04 import _softmax_of_each_row as softmax_of_each_row
from .nb05_says import AHEAD
from .schedule_probes import each_row_once, shares

COLUMNS = 8  # packed, and a whole block: no mask and no stride to be mistaken for anything
FAR = 2**30  # a row stride: row 2 begins at 2³¹, where int32 ends
GRIDS = [(8, 4), (10, 4), (7, 3), (3, 5), (1, 1), (9, 2)]


def prefetch_kernel(kernel):
    for rows, programs in GRIDS:
        x = torch.randn(rows, COLUMNS, generator=torch.Generator().manual_seed(rows))
        asked = {
            "grid": f"{rows} 行、{programs} 个 program",
            "grid_en": f"{rows} rows, {programs} programs",
        }
        found = shares(kernel, x, programs)
        beyond = [one for one in found.astray if one.kind == "load" and min(one.offsets) >= rows * COLUMNS]
        if beyond:
            row = int(min(beyond[0].offsets)) // COLUMNS
            raise AHEAD.wrong("beyond", program=beyond[0].program[0], row=row, last=rows - 1, **asked)
        if not found.astray:
            each_row_once(found, rows, programs)
            _next_row_first(kernel, x, programs, asked)
    _far_rows(kernel)
    softmax_of_each_row(kernel)


def _next_row_first(kernel, x, programs: int, asked: dict) -> None:
    y = torch.zeros_like(x)
    watch = f"{shares.__module__}:overhearing"
    sizes = (*y.stride()[:1], *x.stride()[:1], *x.shape)
    _, seen = launched(kernel, (programs,), y, x, *sizes, watch=watch, BLOCK_SIZE=COLUMNS)
    steps, loads = defaultdict(list), Counter()
    for kind, program, offsets in seen:
        rows = sorted({offset // COLUMNS for offset in offsets.tolist()})
        steps[program] += [(kind, row) for row in rows]
        loads.update(rows if kind == "load" else [])
    _own_rows(steps, asked)
    row, times = max(loads.items(), key=lambda item: item[1])
    if times > 1:
        raise AHEAD.wrong("loaded again", row=row, times=times, **asked)
    for program, done in steps.items():
        stored = [row for kind, row in done if kind == "store"]
        for this, following in zip(stored, stored[1:]):
            if done.index(("load", following)) > done.index(("store", this)):
                raise AHEAD.wrong("not ahead", program=program, stored=this, loaded=following, **asked)
            _in_its_place(y, torch.softmax(x, dim=1), this, following, asked)


def _own_rows(steps: dict, asked: dict) -> None:
    """Raises `Wrong` if a program loads a row that it does not do."""
    for program, done in steps.items():
        loaded, stored = ({row for kind, row in done if kind == wanted} for wanted in ("load", "store"))
        if others := loaded - stored:
            key = "nothing next" if stored <= loaded else "not its row"
            raise AHEAD.wrong(key, program=program, row=min(others), **asked)


def _in_its_place(y, want, this: int, following: int, asked: dict) -> None:
    """Raises `Wrong` if one row holds what belongs to the other, of two that a program does one after the other."""
    if torch.allclose(y[following], want[this]):
        raise AHEAD.wrong("not kept", row=following, other=this, **asked)
    if torch.allclose(y[this], want[following]):
        raise AHEAD.wrong("too early", row=this, other=following, **asked)


def _far_rows(kernel) -> None:
    """Row times stride, computed in int32, wraps around to the negative. The far rows are not there; their offsets tell enough."""
    x = torch.zeros(5, 4)
    for kind, strides in (("load", (4, FAR)), ("store", (FAR, 4))):
        lowest = min(shares(kernel, x, 2, strides=strides).offsets[kind], default=0)
        if lowest < 0:
            raise AHEAD.wrong("int32", kind=kind, offset=lowest)

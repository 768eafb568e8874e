"""The exercises of 04_grid_stride_kernel (its questions are in `nb04_questions`)."""

import heapq

import torch

from ..backend import triton
from ..language import Text
from .exercise import Exercise
from .formulas import Formula
from .nb04_questions import QUESTIONS
from .nb04_says import SAYS
from .row_flaws import SOFTMAX
from .row_kernels import RowKernel
from .row_recipes import Astray
from .sayings import counted
from .schedule_probes import each_row_once, shares

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- how busy the programs are


def _spent(costs, programs) -> list[float]:
    return [sum(costs[p::programs]) for p in range(programs)]


def _chunks(costs, programs) -> list[float]:
    chunk = triton.cdiv(len(costs), programs)
    return [sum(costs[p * chunk : (p + 1) * chunk]) for p in range(programs)]


def _handed_out(costs, programs) -> float:
    """When the last row ends if each goes to the program that is free first."""
    free = [0.0] * programs
    for cost in costs:
        heapq.heapreplace(free, free[0] + cost)
    return max(free)


def _share(costs, programs, last) -> float:
    return sum(costs) / (programs * last)


def _busy_share(costs, programs) -> float:
    return _share(costs, programs, max(_spent(costs, programs)))


_COSTS = [([1] * 12, 4), ([1] * 10, 4), ([1] * 3, 8), ([5, 1, 1, 1, 1, 1, 1], 3), ([3, 1, 1, 1, 2, 1], 2)]
_busy = Formula(
    SAYS,
    _busy_share,
    [*_COSTS, ([1, 2, 3, 4, 5], 4), ([2, 9], 1), ([15, 1], 5)],
    [
        ("percentage", lambda c, p: 100 * _busy_share(c, p)),
        ("inverse", lambda c, p: 1 / _busy_share(c, p)),
        ("idle share", lambda c, p: 1 - _busy_share(c, p)),
        ("rows alike", lambda c, p: len(c) / (triton.cdiv(len(c), p) * p)),
        ("chunks", lambda c, p: _share(c, p, max(_chunks(c, p)))),
        ("handed out", lambda c, p: _share(c, p, _handed_out(c, p))),
        ("nobody waits", lambda c, p: 1),
        ("idle left out", lambda c, p: _share(c, min(p, len(c)), max(_spent(c, p)))),
        ("longest row", lambda c, p: _share(c, p, triton.cdiv(len(c), p) * max(c))),
        ("longest row", lambda c, p: _share(c, p, max(c))),
        ("all programs together", lambda c, p: sum(c) / max(_spent(c, p))),
    ],
)

# ---- as few programs as will do

_fewest_programs = Formula(
    SAYS,
    lambda rows, most: triton.cdiv(rows, triton.cdiv(rows, most)),
    [(4096, 1056), (1057, 1056), (12, 4), (10, 4), (7, 100), (4097, 132), (1, 1), (100, 99), (100, 30)],
    [
        ("rounds", lambda rows, most: triton.cdiv(rows, most)),
        ("rounded down", lambda rows, most: rows // triton.cdiv(rows, most)),
        ("rounded down", lambda rows, most: triton.cdiv(rows, max(1, rows // most))),
        ("unrounded", lambda rows, most: rows / triton.cdiv(rows, most)),
        ("all of them", lambda rows, most: most),
        ("all of them", min),
        ("one for each row", lambda rows, most: rows),
        ("divisor", lambda rows, most: max(p for p in range(1, most + 1) if rows % p == 0)),
    ],
)

# ---- kernels that share rows among programs


def _result(kernel, probe) -> torch.Tensor | Astray:
    found = shares(kernel, probe.x, 2, probe.output)
    return Astray(found.astray[0].kind) if found.astray else found.y


_LOOP_FLAWS = {name: flaw for name, flaw in SOFTMAX.items() if name not in ("one row only", "next row")}
_softmax_of_each_row = RowKernel(lambda x: torch.softmax(x, dim=1), flaws=_LOOP_FLAWS, run=_result)


def _schedule(kernel, rows: int, programs: int):
    """Who did which row, on a packed matrix of 8 columns: there it cannot be mistaken for a wrong stride or mask."""
    found = shares(kernel, torch.randn(rows, 8, generator=torch.Generator().manual_seed(rows)), programs)
    each_row_once(found, rows, programs)
    return found


def _chunk_kernel(kernel):
    for rows, programs in [(12, 4), (10, 4), (9, 4), (3, 8), (13, 8), (7, 1), (1, 1), (16, 3)]:
        found, most = _schedule(kernel, rows, programs), triton.cdiv(rows, programs)
        asked = {
            "rows": rows,
            "programs": programs,
            "rows_en": counted(rows, "row"),
            "programs_en": counted(programs, "program"),
        }
        for program, done in found.rows.items():
            if sorted(done) != list(range(min(done), max(done) + 1)):
                raise SAYS.wrong("chunk beyond", program=program, done=done, **asked)
            if len(done) > most:
                raise SAYS.wrong("chunk too long", program=program, count=len(done), most=most, **asked)
    _softmax_of_each_row(kernel)


INPUT, OUTPUT = Text("输入", "input"), Text("输出", "output")
FAR = 2**30  # a row stride: row 2 begins at 2³¹, where int32 ends


def _far_rows(kernel):
    """Raises `Wrong` if row times stride is computed in int32. The far rows are not there; their offsets tell enough."""
    x = torch.zeros(5, 4)
    for side, kind, strides in ((INPUT, "load", (4, FAR)), (OUTPUT, "store", (FAR, 4))):
        touched = shares(kernel, x, 2, strides=strides).offsets[kind]
        if touched == {row * FAR + column for row in range(5) for column in range(4)}:
            continue
        wrapped = {(row * FAR + 2**31) % 2**32 - 2**31 + column for row in range(5) for column in range(4)}
        if touched != wrapped:
            _softmax_of_each_row(kernel)  # then it is something else, and will be named
        raise SAYS.wrong("int32" if touched == wrapped else "far rows", side=side, offset=min(touched, default=0))


def _mended_kernel(kernel):
    for rows, programs in [(8, 4), (8, 2), (8, 8), (10, 4), (7, 3), (3, 5), (1, 1)]:
        _schedule(kernel, rows, programs)
    _far_rows(kernel)
    _softmax_of_each_row(kernel)


# ---- how many stages fit


def staged_bytes(n_cols: int, itemsize: int, stages: int) -> int:
    """Shared memory of the pipelined kernel with 8 warps: one row fewer than stages, and a float32 of each warp."""
    return (stages - 1) * triton.next_power_of_2(n_cols) * itemsize + 4 * 8


def _row(n, size) -> int:
    return triton.next_power_of_2(n) * size


_LIMITS = [(65536, 4, 232448), (32768, 4, 232448), (16384, 4, 232448), (8192, 4, 101376), (12000, 2, 232448)]
_EDGES = [(1024, 4, 4128), (1024, 4, 4127), (1024, 2, 2064), (1024, 2, 2079), (1024, 1, 1055), (512, 8, 4150)]
_most_stages = Formula(
    SAYS,
    lambda n, size, limit: (limit - 32) // _row(n, size) + 1,
    [*_LIMITS, (781, 4, 166912), (1024, 2, 4096), (1024, 4, 8224), (256, 4, 65536), (32768, 2, 65536), *_EDGES],
    [
        ("columns for block", lambda n, size, limit: (limit - 32) // (n * size) + 1),
        ("four bytes", lambda n, size, limit: (limit - 32) // _row(n, 4) + 1),
        ("nothing for the reductions", lambda n, size, limit: limit // _row(n, size) + 1),
        ("reductions in itemsize", lambda n, size, limit: (limit - 8 * size) // _row(n, size) + 1),
        ("as many rows as stages", lambda n, size, limit: (limit - 32) // _row(n, size)),
        ("as many rows as stages", lambda n, size, limit: max(1, (limit - 32) // _row(n, size))),
        ("stages unrounded", lambda n, size, limit: (limit - 32) / _row(n, size) + 1),
        ("at least two", lambda n, size, limit: max(2, (limit - 32) // _row(n, size) + 1)),
    ],
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "busy": _busy,
        "fewest_programs": _fewest_programs,
        "chunk_kernel": _chunk_kernel,
        "mended_kernel": _mended_kernel,
        "most_stages": _most_stages,
    }.items()
}

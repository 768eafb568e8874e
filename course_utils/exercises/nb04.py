"""The exercises of 04_grid_stride_kernel (its questions are in `nb04_questions`)."""

import torch

from ..backend import triton
from ..language import Text
from .exercise import Exercise
from .formulas import Formula
from .nb04_questions import QUESTIONS
from .nb04_says import SAYS
from .row_flaws import LOADS, SOFTMAX, STEPS, STORES
from .row_kernels import RowKernel
from .row_recipes import Astray, Recipe, softmax, top
from .sayings import counted
from .schedule_probes import each_row_once, shares

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- the time of a launch with a tail

_MS = {1: 0.8, 2: 0.45, 3: 0.35, 4: 0.3}


def _parts(fits: int, programs: int) -> tuple[float, float, int]:
    """The shares of the rows that full waves do and that the tail does; and how many programs an SM has in the tail."""
    tail = programs % fits
    return (programs - tail) / programs, tail / programs, tail


def _tail_time(ms: dict, fits: int, programs: int) -> float:
    full, rest, tail = _parts(fits, programs)
    return full * ms[fits] + (rest * ms[tail] if tail else 0.0)


def _sum(ms, fits, programs, of_waves=None, of_tail=None):
    """The sum of both times, with another share of one of them."""
    full, rest, tail = _parts(fits, programs)
    shares = full if of_waves is None else of_waves, rest if of_tail is None else of_tail
    return shares[0] * ms[fits] + (shares[1] * ms[tail] if tail else 0.0)


def _unweighted(ms, fits, programs):
    tail = programs % fits
    return ms[fits] + (ms[tail] if tail else 0.0)


def _exchanged(ms, fits, programs):
    full, rest, tail = _parts(fits, programs)
    return rest * ms[fits] + full * ms[tail] if tail else ms[fits]


def _one_each(ms, fits, programs):
    full, rest, tail = _parts(fits, programs)
    return full * ms[fits] + (rest * ms[1] if tail else 0.0)


_tail_time_of = Formula(
    SAYS,
    _tail_time,
    [(_MS, 4, programs) for programs in (5, 6, 7, 8, 9, 11, 12, 15)]
    + [({1: 1.0, 2: 0.6}, 2, 3), ({1: 1.0, 2: 0.6}, 2, 2)],
    [
        ("waves", lambda ms, fits, programs: triton.cdiv(programs, fits) * fits / programs * ms[fits]),
        ("bytes", lambda ms, fits, programs: ms[fits]),
        ("unweighted", _unweighted),
        ("unweighted", lambda *asked: _sum(*asked, of_tail=1.0)),
        ("unweighted", lambda *asked: _sum(*asked, of_waves=1.0)),
        ("no tail", lambda *asked: _sum(*asked, of_tail=0.0)),
        ("one wave", lambda ms, fits, programs: _sum(ms, fits, programs, of_waves=min(fits, programs) / programs)),
        ("of a wave", lambda ms, fits, programs: _sum(ms, fits, programs, of_tail=programs % fits / fits)),
        ("whole shares", lambda ms, fits, programs: _sum(ms, fits, programs, of_waves=float(programs % fits == 0))),
        ("exchanged", _exchanged),
        ("alone", _one_each),
        ("seconds", lambda ms, fits, programs: _tail_time(ms, fits, programs) / 1000),
    ],
    asked=lambda ms, fits, programs: f"ms = {ms}, fits = {fits}, programs = {programs}:",
)


def _tail_time_that_looks_up_what_is_there(answer):
    def call(*asked):
        try:
            return answer(*asked)
        except KeyError:
            raise SAYS.wrong("not in ms") from None

    _tail_time_of(call)


# ---- kernels that share rows among programs


def _result(kernel, probe, *more) -> torch.Tensor | Astray:
    found = shares(kernel, probe.x, 2, probe.output, more=more)
    return Astray(found.astray[0].kind) if found.astray else found.y


_LOOP_FLAWS = {name: flaw for name, flaw in SOFTMAX.items() if name not in ("one row only", "next row")}
_softmax_of_each_row = RowKernel(lambda x: torch.softmax(x, dim=1), flaws=_LOOP_FLAWS, run=_result)


GRIDS = [(12, 4), (10, 4), (9, 4), (3, 8), (13, 8), (7, 1), (1, 1), (16, 3)]  # rows, programs


def _schedule(kernel, rows: int, programs: int, *more):
    """Who did which row, on a packed matrix of 8 columns: there it cannot be mistaken for a wrong stride or mask."""
    x = torch.randn(rows, 8, generator=torch.Generator().manual_seed(rows))
    found = shares(kernel, x, programs, more=more)
    each_row_once(found, rows, programs)
    return found


def _evenly(found, rows: int, programs: int) -> None:
    """Raises `Wrong` if a program does more than its share."""
    most = triton.cdiv(rows, programs)
    for program, done in found.rows.items():
        if len(done) > most:
            raise SAYS.wrong("too many rows", program=program, count=len(done), most=most, **_asked(rows, programs))


def _asked(rows: int, programs: int) -> dict:
    texts = {"rows_en": counted(rows, "row"), "programs_en": counted(programs, "program")}
    return {"rows": rows, "programs": programs} | texts


def _chunk_kernel(kernel):
    for rows, programs in GRIDS:
        found = _schedule(kernel, rows, programs)
        for program, done in found.rows.items():
            if sorted(done) != list(range(min(done), max(done) + 1)):
                raise SAYS.wrong("chunk beyond", program=program, done=done, **_asked(rows, programs))
        _evenly(found, rows, programs)
    _far_rows(kernel, _softmax_of_each_row)
    _softmax_of_each_row(kernel)


INPUT, OUTPUT = Text("输入", "input"), Text("输出", "output")
FAR = 2**30  # a row stride: row 2 begins at 2³¹, where int32 ends


def _far_rows(kernel, otherwise, *more):
    """Raises `Wrong` if row times stride is computed in int32. The far rows are not there; their offsets tell enough.

    `otherwise` judges a kernel that goes astray in some other way."""
    x = torch.zeros(5, 4)
    for side, kind, strides in ((INPUT, "load", (4, FAR)), (OUTPUT, "store", (FAR, 4))):
        touched = shares(kernel, x, 2, strides=strides, more=more).offsets[kind]
        if touched == {row * FAR + column for row in range(5) for column in range(4)}:
            continue
        wrapped = {(row * FAR + 2**31) % 2**32 - 2**31 + column for row in range(5) for column in range(4)}
        if touched != wrapped:
            otherwise(kernel)  # then it is something else, and will be named
        raise SAYS.wrong("int32" if touched == wrapped else "far rows", side=side, offset=min(touched, default=0))


def _mended_kernel(kernel):
    for rows, programs in [(8, 4), (8, 2), (8, 8), (10, 4), (7, 3), (3, 5), (1, 1)]:
        _schedule(kernel, rows, programs)
    _far_rows(kernel, _softmax_of_each_row)
    _softmax_of_each_row(kernel)


# ---- something that every row needs, read once by every program


def _bias(columns):
    """A number for each column, small and never the same for neighbours."""
    return (columns * 7 % 5 - 2) * 0.5


def _bias_of(n_cols: int) -> torch.Tensor:
    return _bias(torch.arange(n_cols)).float()


def _bias_at(at) -> torch.Tensor:
    return torch.where(at.columns < at.n_cols, _bias(at.columns), 0.0)


def _biased(x, at, sign=1.0):
    return softmax(x + sign * _bias_at(at), at)


_softmax_of_biased_rows = RowKernel(
    lambda x: torch.softmax(x + _bias_of(x.shape[1]), dim=1),
    Recipe(compute=_biased),
    {
        "bias forgotten": [{"compute": softmax}],
        "bias subtracted": [{"compute": lambda x, at: _biased(x, at, -1.0)}],
        "bias multiplied": [{"compute": lambda x, at: softmax(x * _bias_at(at), at)}],
        "bias after": [{"compute": lambda x, at: softmax(x, at) + _bias_at(at)}],
        "biased after the maximum": [{"compute": lambda x, at: _late(x, at)}],
        "no maximum": [{"compute": lambda x, at: softmax(x + _bias_at(at), at, by=torch.zeros_like)}],
    }
    | LOADS
    | STORES
    | {name: flaw for name, flaw in STEPS.items() if name not in ("one row only", "next row")},
    SAYS,
    run=lambda kernel, probe: _result(kernel, probe, _bias_of(probe.x.shape[1])),
)


def _late(x, at):
    """The bias joins the numerator alone."""
    return torch.exp(x + _bias_at(at) - top(x)) / torch.exp(x - top(x)).sum(1, keepdim=True)


def _biased_kernel(kernel):
    for rows, programs in GRIDS:
        found = _schedule(kernel, rows, programs, _bias_of(8))
        _evenly(found, rows, programs)
    _far_rows(kernel, _softmax_of_biased_rows, _bias_of(4))
    _softmax_of_biased_rows(kernel)
    for rows, programs in ((12, 4), (3, 8), (16, 3)):
        found = _schedule(kernel, rows, programs, _bias_of(8))
        least = 8 * programs
        if found.loads[kernel.parameter(2)] > least:
            read = found.loads[kernel.parameter(2)]
            raise SAYS.wrong("bias read again", read=read, least=least, **_asked(rows, programs))
        if found.loads[kernel.parameter(1)] > 8 * rows:
            raise SAYS.wrong(
                "x read again", read=found.loads[kernel.parameter(1)], least=8 * rows, **_asked(rows, programs)
            )


# ---- how many stages fit


def staged_bytes(n_cols: int, itemsize: int, stages: int) -> int:
    """Shared memory of the pipelined kernel with 8 warps: one row fewer than stages, and a float32 of each warp."""
    return (stages - 1) * triton.next_power_of_2(n_cols) * itemsize + 4 * 8


def _row(n, size) -> int:
    return triton.next_power_of_2(n) * size


_LIMITS = [(65536, 4, 232448), (32768, 4, 232448), (16384, 4, 232448), (8192, 4, 101376), (12000, 2, 232448)]
_EDGES = [
    (1024, 4, 4128),
    (1024, 4, 4127),
    (1024, 2, 2064),
    (1024, 2, 2079),
    (1024, 1, 1055),
    (512, 8, 4150),
    (1024, 4, 4080),
]
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
        ("stages unrounded", lambda n, size, limit: -(-(limit - 32) // _row(n, size)) + 1),
        ("one too many", lambda n, size, limit: (limit - 32) // _row(n, size) + 2),
        ("next block", lambda n, size, limit: (limit - 32) // (size << n.bit_length()) + 1),
        ("at most four", lambda n, size, limit: min(4, (limit - 32) // _row(n, size) + 1)),
        ("rule of the tutorial", lambda n, size, limit: 4 if limit > 200000 else 2),
        ("divided first", lambda n, size, limit: limit - 32 // _row(n, size) + 1),
        ("reductions added", lambda n, size, limit: (limit + 32) // _row(n, size) + 1),
        ("reductions too large", lambda n, size, limit: (limit - 256) // _row(n, size) + 1),
        ("at least two", lambda n, size, limit: max(2, (limit - 32) // _row(n, size) + 1)),
    ],
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "tail_time": _tail_time_that_looks_up_what_is_there,
        "most_stages": _most_stages,
        "mended_kernel": _mended_kernel,
        "chunk_kernel": _chunk_kernel,
        "biased_kernel": _biased_kernel,
    }.items()
}

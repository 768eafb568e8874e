"""The exercises of 04_grid_stride_kernel (its questions are in `nb04_questions`, the formulas in `nb04_formulas`)."""

import torch

from ..backend import triton
from ..language import Text
from .exercise import Exercise
from .nb04_formulas import most_stages, tail_time
from .nb04_questions import QUESTIONS
from .nb04_says import SAYS
from .row_flaws import LOADS, SOFTMAX, STEPS, STORES
from .row_kernels import RowKernel
from .row_recipes import Astray, Recipe, softmax, top
from .schedule_probes import each_row_once, shares

__all__ = ["EXERCISES", "QUESTIONS"]

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
    return {"rows": rows, "programs": programs}


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
        "bias beside the exponentials": [{"compute": lambda x, at: _beside(x, at)}],
        "biased after the maximum": [{"compute": lambda x, at: _late(x, at)}],
        "no maximum": [{"compute": lambda x, at: softmax(x + _bias_at(at), at, by=torch.zeros_like)}],
    }
    | LOADS
    | STORES
    | {name: flaw for name, flaw in STEPS.items() if name not in ("one row only", "next row")},
    SAYS,
    run=lambda kernel, probe: _result(kernel, probe, _bias_of(probe.x.shape[1])),
)


def _beside(x, at):
    weights = torch.exp(x - top(x)) + _bias_at(at)
    return weights / weights.sum(1, keepdim=True)


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


EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "tail_time": tail_time,
        "most_stages": most_stages,
        "mended_kernel": _mended_kernel,
        "biased_kernel": _biased_kernel,
    }.items()
}

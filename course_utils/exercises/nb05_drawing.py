"""The grader of 05.draw_waiting: the learner draws on a stand-in for matplotlib's axes, and the points are looked at."""

import re
import sys
from dataclasses import dataclass, replace

from ..measurements.occupancy_grids import Line as Grid
from ..worker.pupil import Fallen
from .nb05_drawing_says import DRAWING
from .probes import near

SMS = 10
# Two kernels on two matrices, in no order: (programs on an SM, stages, rows, milliseconds).
MEASURED = [(4, 4, 4000, 0.9), (1, 1, 4000, 5.0), (2, 4, 4000, 1.3), (2, 1, 4000, 2.75), (1, 4, 4000, 2.2),
            (4, 1, 4000, 1.6), (8, 4, 4000, 1.0), (8, 1, 4000, 1.1)]  # fmt: skip
GRIDS = [Grid(programs, 8, stages, rows, 1024, ms, ms, ms) for programs, stages, rows, ms in MEASURED]


@dataclass
class Curve:
    across: list[float]
    up: list[float]
    label: str


def draw_waiting(answer):
    _judge(answer, GRIDS, SMS)
    _judge(answer, [replace(grid, rows=2 * grid.rows) for grid in GRIDS], SMS + 3)
    _judge(answer, [replace(grid, stages=grid.stages + 1) for grid in GRIDS], SMS, before=True)


def _judge(answer, grids, sms, before=False) -> None:
    curves, named, legend, joined = _drawn(answer, grids, sms)
    want = _points(grids, lambda g: (g.per_multiprocessor, _waiting(g, sms)))
    if before and not any(_same(curve, points) for curve in curves for points in want.values()):
        raise DRAWING.wrong("stages are fixed")
    if not curves:
        raise DRAWING.wrong("nothing drawn")
    if not all(any(_same(curve, points) for curve in curves) for points in want.values()):
        raise _what_was_drawn(curves, want, grids, sms)
    if any(sorted(curve.across) not in (curve.across, curve.across[::-1]) for curve in curves):
        raise DRAWING.wrong("unsorted")
    if not joined:
        raise DRAWING.wrong("not joined")
    if named < 2:
        raise DRAWING.wrong("no axis labels")
    if legend < len(want):
        raise DRAWING.wrong("no curve labels")
    for stages, points in want.items():
        told = {int(number) for curve in curves if _same(curve, points) for number in re.findall(r"\d+", curve.label)}
        if told & set(want) - {stages} and stages not in told:
            raise DRAWING.wrong("labels exchanged", stages=stages)


def draw_course_waiting(axes, grids, sms) -> None:
    """The course's own curves, for a page on which nobody has drawn any yet."""
    for stages, points in _points(grids, lambda g: (g.per_multiprocessor, _waiting(g, sms))).items():
        axes.plot(*zip(*points), "o-", label=f"{stages} stage{'s' * (stages > 1)}")


def _waiting(grid, sms) -> float:
    return 1e3 * grid.median_ms * grid.per_multiprocessor * sms / grid.rows


def _points(grids, of) -> dict[int, list[tuple[float, float]]]:
    """What a curve of each number of stages shows, if a grid gives this point."""
    return {s: sorted(of(g) for g in grids if g.stages == s) for s in sorted({g.stages for g in grids})}


def _same(curve: Curve, points) -> bool:
    drawn = sorted(zip(curve.across, curve.up))
    return len(drawn) == len(points) and all(
        near(a, b, 1e-4) for one, two in zip(drawn, points) for a, b in zip(one, two)
    )


def _what_was_drawn(curves, want, grids, sms):
    together = sorted(point for points in want.values() for point in points)
    if any(_same(curve, together) for curve in curves):
        return DRAWING.wrong("mixed")
    if any(_same(curve, points) for curve in curves for points in want.values()):
        return DRAWING.wrong("one curve")
    mistakes = {
        "exchanged": lambda g: (_waiting(g, sms), g.per_multiprocessor),
        "bandwidth": lambda g: (g.per_multiprocessor, g.bandwidth),
        "whole launch": lambda g: (g.per_multiprocessor, 1e3 * g.median_ms),
        "per row of all": lambda g: (g.per_multiprocessor, 1e3 * g.median_ms / g.rows),
        "one SM": lambda g: (g.per_multiprocessor, _waiting(g, 1)),
        "SMs are fixed": lambda g: (g.per_multiprocessor, _waiting(g, 132)),
        "one program": lambda g: (g.per_multiprocessor, _waiting(g, sms) / g.per_multiprocessor),
        "shared out": lambda g: (g.per_multiprocessor, _waiting(g, sms) / g.per_multiprocessor**2),
        "upside down": lambda g: (g.per_multiprocessor, 1 / _waiting(g, sms)),
        "programs of all": lambda g: (g.per_multiprocessor * sms, _waiting(g, sms)),
    }
    scaled = {k: lambda g, k=k: (g.per_multiprocessor, k * _waiting(g, sms)) for k in (1e-3, 1e-6, 1e3)}
    for name, of in [*mistakes.items(), *(("milliseconds", of) for of in scaled.values())]:
        if any(_same(curve, points) for curve in curves for points in _points(grids, of).values()):
            return DRAWING.wrong(name)
    stages, (programs, up) = next((s, p) for s, points in want.items() for p in points if not _has(curves, p))
    got = next((c.up[c.across.index(programs)] for c in curves if programs in c.across), None)
    told = ("没有画", "it is not there") if got is None else (f"画在 {got:.4g}", f"it is at {got:.4g}")
    asked = {"stages": stages, "programs": programs, "want": f"{up:.4g}", "got": told[0], "got_en": told[1]}
    return DRAWING.wrong("other points", **asked)


def _has(curves, point) -> bool:
    return any(near(a, point[0], 1e-4) and near(b, point[1], 1e-4) for c in curves for a, b in zip(c.across, c.up))


# ---- over there


def _drawn(answer, grids, sms) -> tuple[list[Curve], int, int, bool]:
    """The curves, how many axes have a label, how many curves the legend, or a text beside them, names, and whether lines
    join the points."""
    told = answer.pupil.apply(f"{__name__}:draw_there", grids, sms)
    try:
        curves, named, legend, joined = told
        found = [Curve(list(map(float, across)), list(map(float, up)), str(label)) for across, up, label in curves]
    except (TypeError, ValueError):
        raise Fallen("meddled") from None
    return found, int(named), int(legend), bool(joined)


def draw_there(answer, grids, sms):
    sheet = Sheet()
    if pyplot := sys.modules.get("matplotlib.pyplot"):  # whoever makes `axes` the current ones draws on them as well
        pyplot.sca, pyplot.gca = lambda axes: None, lambda: sheet
    answer(sheet, grids, sms)
    return sheet.curves, len(sheet.named), max(sheet.legends, sheet.texts), sheet.joined


class Anything:
    """What drawing returns: whatever is asked of it is done, and gives the same again."""

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **options):
        return self

    def __iter__(self):
        return iter([self])

    def __getitem__(self, key):
        return self


class Line(Anything):
    """What `plot` returns: a curve that can be named later."""

    def __init__(self, curves, place):
        self.curves, self.place = curves, place

    def set_label(self, label):
        self.curves[self.place] = (*self.curves[self.place][:2], str(label)[:40])


class Sheet(Anything):
    """Stands in for matplotlib's axes, and notes what is drawn."""

    def __init__(self):
        self.curves, self.named, self.legends, self.texts, self.joined = [], set(), 0, 0, False

    def plot(self, *arguments, label="", **options):
        self.joined, before = True, len(self.curves)
        numbers = [list(one) for one in arguments if not isinstance(one, str)]
        if len(numbers) % 2:
            numbers = [list(range(len(numbers[0]))), *numbers]
        for across, up in zip(numbers[::2], numbers[1::2]):
            self.curves.append(([float(x) for x in across], [float(y) for y in up], str(label)[:40]))
        return [Line(self.curves, place) for place in range(before, len(self.curves))]

    step = semilogx = semilogy = loglog = errorbar = plot

    def scatter(self, across, up, *arguments, label="", **options):
        joined, (points,) = self.joined, self.plot(across, up, label=label)
        self.joined = joined
        return points

    def set_xlabel(self, text, *arguments, **options):
        self.named |= {"x"} if str(text).strip() else set()

    def set_ylabel(self, text, *arguments, **options):
        self.named |= {"y"} if str(text).strip() else set()

    def set(self, xlabel="", ylabel="", **options):
        self.set_xlabel(xlabel)
        self.set_ylabel(ylabel)

    def legend(self, *arguments, labels=(), **options):
        lists = [
            labels,
            [label for *_, label in self.curves],
            *(one for one in arguments if isinstance(one, list | tuple)),
        ]
        self.legends = max(len({str(label) for label in one if isinstance(label, str) and label}) for one in lists)

    def text(self, *arguments, **options):
        self.texts += 1
        return Anything()

    annotate = text

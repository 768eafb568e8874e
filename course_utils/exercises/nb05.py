"""The exercises of 05_occupancy_launcher (its questions are in `nb05_questions`, three graders beside it)."""

import math

from .exercise import Exercise
from .formulas import Formula
from .nb05_drawing import draw_waiting
from .nb05_kernel import prefetch_kernel
from .nb05_questions import QUESTIONS
from .nb05_says import SAYS

__all__ = ["EXERCISES", "QUESTIONS"]

# ---- Little's law


def _enough(rows, row_bytes, alone, bandwidth, sms, fits, rounding=round, times=2) -> int:
    per_sm = min(fits, rounding(times * bandwidth * alone / row_bytes / sms))
    return max(1, min(rows, per_sm * sms))


def _needed(row_bytes, alone, bandwidth, sms) -> int:
    return round(2 * bandwidth * alone / row_bytes / sms)


_enough_programs = Formula(
    SAYS,
    _enough,
    [
        (105600, 8192, 1.08e-6, 4.28e12, 132, 8),
        (105600, 8192, 0.55e-6, 4.28e12, 132, 8),
        (105600, 8192, 0.55e-6, 4.28e12, 132, 3),
        (105600, 8192, 1.08e-6, 4.28e12, 132, 3),
        (400, 8192, 0.55e-6, 4.28e12, 132, 8),
        (5, 65536, 3.3e-6, 2.0e12, 108, 2),
        (100000, 65536, 3.3e-6, 2.0e12, 108, 8),
        (100000, 2048, 0.4e-6, 0.9e12, 60, 16),
        (100000, 131072, 0.5e-6, 0.9e12, 60, 4),
        (100000, 131072, 0.5e-6, 0.4e12, 4, 32),
    ],
    [
        ("not doubled", lambda *a: _enough(*a, times=1)),
        ("rounded up", lambda *a: _enough(*a, rounding=math.ceil)),
        ("rounded down", lambda *a: _enough(*a, rounding=int)),
        ("of one SM", lambda m, b, t, w, s, f: max(1, min(m, f, _needed(b, t, w, s)))),
        ("does not fit", lambda m, b, t, w, s, f: max(1, min(m, _needed(b, t, w, s) * s))),
        ("more than rows", lambda m, b, t, w, s, f: max(1, min(f, _needed(b, t, w, s)) * s)),
        ("every SM alone", lambda m, b, t, w, s, f: max(1, min(m, min(f, _needed(b, t, w, 1)) * s))),
        ("as many as fit", lambda m, b, t, w, s, f: max(1, min(m, f * s))),
        ("as many as rows", lambda m, b, t, w, s, f: m),
        ("doubled late", lambda *a: _enough(*a, rounding=lambda twice: 2 * round(twice / 2))),
        ("everywhere one", lambda m, b, t, w, s, f: min(m, max(1, min(f, _needed(b, t, w, s))) * s)),
        ("rounded in all", lambda m, b, t, w, s, f: max(1, min(m, f * s, _needed(b, t, w, 1)))),
        ("fits in all", lambda m, b, t, w, s, f: max(1, min(m, f, _needed(b, t, w, s) * s))),
        ("doubled beyond", lambda m, b, t, w, s, f: max(1, min(m, round(2 * min(f, w * t / b / s)) * s))),
        ("none at all", lambda m, b, t, w, s, f: min(m, min(f, _needed(b, t, w, s)) * s)),
    ],
    asked=lambda m, b, t, w, s, f: (
        f"rows = {m}, row_bytes = {b}, alone = {t:.3g}, bandwidth = {w:.3g}, sms = {s}, fits = {f}:"
    ),
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "draw_waiting": draw_waiting,
        "prefetch_kernel": prefetch_kernel,
        "enough_programs": _enough_programs,
    }.items()
}

"""The graders of 04 whose answer is a number: the time of a launch with a tail, and how many stages fit."""

from ..backend import triton
from .formulas import Formula
from .nb04_says import SAYS

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


def tail_time(answer):
    def call(*asked):
        try:
            return answer(*asked)
        except KeyError:
            raise SAYS.wrong("not in ms") from None

    _tail_time_of(call)


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
most_stages = Formula(
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

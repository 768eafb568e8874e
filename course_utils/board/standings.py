"""What was recorded, cell by cell: time of the best copy ÷ time of the kernel that a notebook ends with."""

from functools import cache

from ..figures.scoreboard import DTYPES, SHAPES
from ..measurements import recorded, times
from ..softmax.choose import WIDEST
from ..softmax.tile import launcher

SIZES = {"float32": 4, "bfloat16": 2}
WARPS = 4  # of 03's kernel and of 04's tile
PAIRS, TEAMS = "08", "09"  # the notebooks that take rows in two passes, and share them out


@cache
def late(notebook: str) -> dict:
    """{(number format, rows, columns): share}; a shape that the kernel can't do, or that nobody recorded, is missing."""
    return _cells(lambda *cell: _late(notebook, *cell))


@cache
def early(notebook: str) -> dict | None:
    """The same where kernels start early, against the early copy."""
    if notebook < "07":
        return None
    return _cells(lambda *cell: _early(notebook, *cell)) or None


def others() -> dict:
    """The same for the fastest of everybody else, in each cell of the contest."""
    return _cells(_others)


def tile(notebook: str, dtype: str, rows: int, columns: int) -> tuple[int, int]:
    """(rows a program, warps) of what 03 to 06 launch."""
    if notebook == "03":
        return 1, WARPS
    if notebook == "04":
        times = _tiles(dtype, rows, columns)
        return min((way for way in times if way[1] == WARPS), key=times.get)
    return launcher(rows, columns, SIZES[dtype])


def _cells(share) -> dict:
    each = {(dtype, *shape): share(dtype, *shape) for dtype in DTYPES for shape in SHAPES}
    return {cell: found for cell, found in each.items() if found is not None}


def shared_out(dtype: str, columns: int) -> bool:
    """Whether `softmax` gives a row to several programs."""
    return columns > WIDEST[SIZES[dtype]]


def _late(notebook, dtype, rows, columns):
    times, climbed = _tiles(dtype, rows, columns), _climb(dtype, rows, columns)
    if not times and notebook < TEAMS:
        return _share(climbed, "two passes") if notebook == PAIRS else None
    if "07" <= notebook < TEAMS and shared_out(dtype, columns):
        return _share(climbed, "powers")  # what 07 ends with takes such a row, too: a program holds it
    if notebook >= "07":
        return _share(climbed, "softmax")
    way = tile(notebook, dtype, rows, columns)
    if way in times:
        return times[0, 0] / times[way]
    return _share(climbed, "row") if notebook == "03" else None


def _early(notebook, dtype, rows, columns):
    if notebook < TEAMS and shared_out(dtype, columns):
        return None
    return _share(_climb(dtype, rows, columns), "softmax", early=1)


def _others(dtype, rows, columns):
    us = times.sweep().us(columns, dtype) if rows == times.ROWS else {}
    return us and us["copy"] / min(us[peer] for peer in times.PEERS if peer in us) or None


@cache
def _tiles(dtype: str, rows: int, columns: int) -> dict:
    """{(rows a program, warps): microseconds}, (0, 0) being the best copy."""
    lines = recorded("tiles", rows=rows, columns=columns, dtype=dtype)
    return {(line.together, line.warps): line.median_us for line in lines}


@cache
def _climb(dtype: str, rows: int, columns: int) -> dict:
    """{(step, whether it starts early): microseconds}."""
    lines = recorded("climb", rows=rows, columns=columns, dtype=dtype)
    return {(line.step, line.early): line.median_us for line in lines}


def _share(times: dict, step: str | None, early: int = 0):
    return times["copy", early] / times[step, early] if (step, early) in times else None

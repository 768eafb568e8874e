"""The step that made a cell what it is: the small line under its number."""

from ..figures.scoreboard import DTYPES, SHAPES, changed
from . import standings

TILE, WARPS, TEAM = "几行并排 · tile", "warp 数 · warps", "一队 · team"
FEWER, ENDS, SEVERAL = "warp 少 · few warps", "行的两头 · ends", "几处合力 · several"
F32, BF16 = DTYPES[:1], DTYPES[1:]

# Each notebook's own, {columns: {number formats: step}}: what turned a cell green or lifted it by 0.03. Where several steps did, the
# one that gained most, "several" where they gained alike. Of 07's the recording `without` tells.
STEPS = {
    "03": {8192: {DTYPES: "一遍 · 1 pass"}},
    # FEWER: a row alone with 1 warp is as fast.
    "04": {128: {DTYPES: TILE}, 256: {F32: FEWER, BF16: TILE}, 1024: {F32: FEWER}},
    "05": {4097: {DTYPES: WARPS}, 12672: {DTYPES: WARPS}, 32768: {DTYPES: WARPS}},
    "07": {
        781: {F32: SEVERAL, BF16: ENDS},
        1024: {F32: SEVERAL},
        4097: {F32: ENDS, BF16: SEVERAL},
        12672: {BF16: "半数 warp · half warps"},
        32768: {BF16: "除法 · division"},
    },
    "08": {131072: {DTYPES: "两遍 · 2 passes"}},
    "09": {32768: {BF16: TEAM}, 131072: {DTYPES: TEAM}},
}


def steps_up_to(notebook: str) -> dict:
    """{cell: (what its small line says, whether that is this notebook's own)}. A step stands until the cell changes again."""
    found, before = {}, None
    for each in sorted(number for number in STEPS if number <= notebook):
        now = standings.late(each)
        found = {cell: step for cell, step in found.items() if not changed(cell, now, before)} | own(STEPS, each)
        before = now
    here = own(STEPS, notebook)
    return {cell: (step, cell in here) for cell, step in (found | here).items()}


def own(table: dict, notebook: str) -> dict:
    rows_of = {columns: rows for rows, columns in SHAPES}
    return {
        (dtype, rows_of[columns], columns): step
        for columns, formats in table.get(notebook, {}).items()
        for dtypes, step in formats.items()
        for dtype in dtypes
    }

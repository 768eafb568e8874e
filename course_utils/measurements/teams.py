"""Rows that one SM could hold, each by a team of ever more programs, with 16 warps a row; and the best copy on the same buffers."""

from functools import partial

import torch

from .. import hardware
from ..compiler import compile_for
from ..softmax.team import PATIENCE
from .bench import fit_on_an_sm, timed_line
from .ruler import beside_copies
from .sharing import by_team, small_team_kernel

TEAMS = 1, 2, 4, 8, 16
WARPS = 16  # of a team
CASES = [{"rows": 4096, "columns": 32768, "dtype": dtype} for dtype in ("bfloat16", "float32")]
COPY = {"team": 0}
Line = timed_line(rows=int, columns=int, dtype=str, team=int, places=int)  # programs that an SM has places for


def measure(rows, columns, dtype):
    teams = {(team, places(columns, dtype, team)): partial(by_team, team=team, warps=WARPS // team) for team in TEAMS}
    for (way, _), timing in beside_copies(teams, rows, columns, dtype, late=(0, 0)).items():
        yield Line(rows, columns, dtype, *way, **timing.us)


def places(columns, dtype, team) -> int:
    kind, sizes = getattr(torch, dtype), {"BLOCK_SIZE": columns // team, "WARPS": WARPS // team, "PATIENCE": PATIENCE}
    given = (kind, kind, torch.int64, columns)
    needs = compile_for(small_team_kernel, hardware.here(), *given, TEAM=team, **sizes, num_warps=WARPS // team)
    return fit_on_an_sm(needs)

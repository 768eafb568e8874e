"""The reader's softmax, measured on this GPU beside copies that are swept here."""

import torch

from ..backend import device
from ..figures import scoreboard as drawn
from ..figures.scoreboard import DTYPES, SHAPES
from ..language import Text
from ..measurements.bench.stopwatch import inputs_for
from ..measurements.ruler import beside_copies

CHECKED = 64  # rows, at either end
SECONDS = 0.006  # of a measurement
MINE = "mine"


def measured_board(mine):
    """Every cell that the function can do; and what kept it from the others."""
    shares, failed = {}, {}
    for dtype in DTYPES:
        for rows, columns in SHAPES:
            try:
                shares[dtype, rows, columns] = _share(mine, rows, columns, dtype)
            except Exception as error:  # the reader's function may raise anything, and a small GPU runs out of memory
                failed.setdefault(f"{type(error).__name__}: {error}".splitlines()[0][:160], []).append((dtype, columns))
            torch.cuda.empty_cache()
    name = torch.cuda.get_device_name()
    title = Text(f"你的 kernel，在这里测：{name}，sustained", f"Your kernel, measured here: {name}, sustained")
    return drawn(shares, title=title, yours=set(shares), note=_note(failed))


def _share(mine, rows: int, columns: int, dtype: str) -> float:
    inputs = inputs_for(rows, columns, dtype, device)
    _check(inputs[0], mine(inputs[0]))
    del inputs
    found = beside_copies({MINE: mine}, rows, columns, dtype, seconds=SECONDS)
    return found["copy", "sustained"].median / found[MINE, "sustained"].median


def _check(x, y) -> None:
    for part in (slice(0, CHECKED), slice(-CHECKED, None)):
        torch.testing.assert_close(y[part], torch.softmax(x[part].float(), -1).to(x.dtype))


def _note(failed: dict) -> Text | None:
    if not failed:
        return None
    told = "; ".join(f"{', '.join(f'{dtype} {n}' for dtype, n in cells)}: {why}" for why, cells in failed.items())
    return Text(f"没有数的格：{told}", f"Cells without a number: {told}")

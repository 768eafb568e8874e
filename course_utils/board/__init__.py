"""The scoreboard at the end of a notebook, and where the reader's own kernel stands on it.

scoreboard("04")                    # drawn from recordings
scoreboard("04", mine=my_softmax)   # on a GPU: measured there; elsewhere: compiled for the H100, held against the recorded one
"""

from ..figures import scoreboard as drawn
from ..language import Text
from ..measurements.bench.experiment import measures_here
from . import standings
from .steps import steps_up_to

NOTEBOOKS = ("03", "04", "05", "06", "07", "08", "09")


def scoreboard(notebook, mine=None):
    """The board as it stands after a notebook. `mine` is the reader's softmax, a function of a matrix that returns another."""
    notebook = str(notebook).zfill(2)
    if mine is None:
        return _board(notebook)
    if measures_here():
        from .live import measured_board

        return Boards(_board(notebook), measured_board(mine))
    from .held import held_against

    yours, note = held_against(notebook, mine)
    return _board(notebook, yours=yours, note=note)


def _board(notebook: str, **more):
    last = f"{int(notebook) - 1:02}"
    return drawn(
        standings.late(notebook),
        standings.late(last) if last in NOTEBOOKS else None,
        steps=steps_up_to(notebook),
        below=_below(notebook),
        title=Text(f"计分板，{notebook} 之后：H100，sustained", f"Scoreboard after {notebook}: H100, sustained"),
        **more,
    )


def _below(notebook: str):
    """The small board: in 06 the fastest of the others, from 07 on our own early start."""
    if notebook == "06":
        return "别人的 softmax 里最快的 · the fastest of the others", standings.others()
    early = standings.early(notebook)
    return early and ("提前启动，对提前启动的复制 · early start, against an early copy", early)


class Boards:
    """Several pictures, one below the other."""

    def __init__(self, *pictures):
        self.pictures = pictures

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.pictures))

    __repr__ = __str__

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": "".join(picture.html() for picture in self.pictures), "text/plain": str(self)}

"""Rows dealt out beforehand or on demand: when each SM is done, and what the kernel takes."""

from dataclasses import dataclass

from .recorded import DEVICE, rows

SHAPES = ((105600, 1024), *((4096, columns) for columns in (1024, 2048, 4096, 8192, 16384, 32768)))
FINISHES = ((105600, 1024, 1, 8), (105600, 1024, 4, 4), (105600, 1024, 4, 8), (4096, 16384, 1, 2))


@dataclass(frozen=True)
class Finish:
    """When the programs of one SM were done with all their rows: the first, their mean and the last, after the kernel's start."""

    rows: int
    columns: int
    stages: int
    programs: int  # on every SM
    sm: int
    first_us: float
    mean_us: float
    last_us: float

    @classmethod
    def recorded(cls, n_rows: int, n_cols: int, stages: int, programs: int, device: str = DEVICE) -> list["Finish"]:
        """Of one launch, the SM that was done first before the others."""
        wanted = n_rows, n_cols, stages, programs
        found = [f for f in rows(cls, "finish", device) if (f.rows, f.columns, f.stages, f.programs) == wanted]
        return sorted(found, key=lambda finish: finish.last_us)


@dataclass(frozen=True)
class Dealt:
    """One launch: a program a row ("row"), rows dealt out beforehand ("grid stride"), or taken from a counter ("counter");
    "zeroing" and "lone counter" are told of where they are recorded.
    """

    who: str
    rows: int
    columns: int
    num_warps: int
    programs: int  # on every SM; 0 for a program a row
    median_us: float
    low_us: float
    high_us: float

    @classmethod
    def recorded(cls, device: str = DEVICE) -> list["Dealt"]:
        return rows(cls, "dealing", device)


def fastest(who: str, n_rows: int, n_cols: int, **chosen) -> float:
    """Microseconds, with the best number of warps, or with the one that was `chosen`."""
    asked = {"who": who, "rows": n_rows, "columns": n_cols, **chosen}
    found = [each for each in Dealt.recorded() if all(getattr(each, name) == value for name, value in asked.items())]
    return min(each.median_us for each in found)

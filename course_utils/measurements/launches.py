"""One kernel in many configurations, beside those that have nothing to choose. Recorded once."""

from .bench.experiment import recorded

# A matrix of the course's usual height; and tall ones of 432 MB, of which each program gets many rows.
SHAPES = [(4096, columns) for columns in (256, 1024, 4096, 8192, 16384, 32768)]
SHAPES += [(105600 * 1024 // columns, columns) for columns in (256, 1024, 4096, 16384)]


def fastest(who: str, rows: int, columns: int, of: str = "launches", **chosen):
    """The fastest recorded launch of `who` on such a matrix, with what was `chosen`: num_warps=8, say."""
    return min(recorded(of, who=who, rows=rows, columns=columns, **chosen), key=lambda launch: launch.median_us)


def finishes(rows: int, columns: int, stages: int, programs: int) -> list:
    """Of one launch, when the programs of each SM were done, the SM that was done first before the others."""
    found = recorded("finish", rows=rows, columns=columns, stages=stages, programs=programs)
    return sorted(found, key=lambda sm: sm.last_us)

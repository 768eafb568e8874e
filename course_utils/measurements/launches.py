"""One kernel in many configurations, beside those that have nothing to choose. Recorded once."""

from .bench.experiment import recorded


def fastest(who: str, rows: int, columns: int, **chosen):
    """The fastest recorded launch of `who` on such a matrix, with what was `chosen`: num_warps=8, say."""
    return min(recorded("launches", who=who, rows=rows, columns=columns, **chosen), key=lambda launch: launch.median_us)


def finishes(rows: int, columns: int, stages: int, programs: int) -> list:
    """Of one launch, when the programs of each SM were done, the SM that was done first before the others."""
    found = recorded("finish", rows=rows, columns=columns, stages=stages, programs=programs)
    return sorted(found, key=lambda sm: sm.last_us)

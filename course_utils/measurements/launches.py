"""When the programs of each SM were done, launch by launch. Recorded once."""

from .bench.experiment import recorded


def finishes(rows: int, columns: int, stages: int, programs: int) -> list:
    """Of one launch, when the programs of each SM were done, the SM that was done first before the others."""
    found = recorded("finish", rows=rows, columns=columns, stages=stages, programs=programs)
    return sorted(found, key=lambda sm: sm.last_us)

"""What attention over one head moves with all scores written, and what tile by tile."""

from .dram import Line

WHO = ("attention", "naive attention")


def cases():
    return [{"dtype": "bfloat16", "rows": 16384, "columns": 128}]


def measure(dtype, rows, columns):
    from .bench.counters import DRAM, Case, count

    for counted in count([Case(who, dtype, rows, columns) for who in WHO], DRAM):
        yield Line(**counted)

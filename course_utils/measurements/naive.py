"""How long each kernel of the five calls takes, and what it moves."""

from .bench.counters import DRAM, NANOSECONDS, Case, count
from .states import Line

CASES = [{"provider": "naive", "dtype": "float32", "rows": 4096, "columns": 8192, "state": "sustained"}]


def measure(**case):
    for counted in count([Case(**case)], DRAM | NANOSECONDS):
        yield Line(**counted)

"""What a call costs the CPU, by itself, everybody's."""

from dataclasses import dataclass

SHAPES = [("float32", 128, 256), ("float32", 4096, 1024), ("bfloat16", 128, 256)]


@dataclass(frozen=True)
class Line:
    dtype: str
    rows: int
    columns: int
    provider: str
    median_us: float
    low_us: float
    high_us: float


def cases():
    return [dict(zip(("dtype", "rows", "columns"), shape, strict=True)) for shape in SHAPES]


def measure(dtype, rows, columns):
    from ..backend import device
    from .bench.peers import prepared_for
    from .bench.stopwatch import host_times, inputs_for

    x = inputs_for(rows, columns, dtype, device)[0]
    able = {name: function for name, function in prepared_for(x).items() if _works(function, x)}
    for name, timing in host_times(able, x).items():
        yield Line(dtype, rows, columns, name, **timing.us)


def _works(function, x) -> bool:
    try:
        function(x)
    except Exception:  # a library that refuses the shape
        return False
    return True

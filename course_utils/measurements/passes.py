"""How often a row is read: three times, twice, and once where a program can hold it, beside the best copy on the same buffers."""

from ..softmax.choose import WIDEST, alone
from ..softmax.two_passes import three_pass_softmax, two_pass_softmax
from .bench import every, late_gpu, launched, shape_of, timed_line
from .ruler import beside_copies

ROWS = 4096
CASES = every(columns=(131072, 65536, 32768, 16384, 8192), dtype=("float32", "bfloat16"))
COMPILES = True
COPY = {"passes": 0}
Line = timed_line(rows=int, columns=int, dtype=str, passes=int)  # 0 passes: the best copy


def measure(columns, dtype):
    ways, shape = {3: three_pass_softmax, 2: two_pass_softmax}, shape_of(ROWS, columns, dtype)
    if columns <= WIDEST[shape.size]:
        ways[1] = launched(alone(shape, late_gpu()))
    for (passes, _), timing in beside_copies(ways, ROWS, columns, dtype, late=0, seconds=0.01, refused={}).items():
        yield Line(ROWS, columns, dtype, passes, **timing.us)

"""The ruler: the fastest copy of so many bytes that anybody could write. A copy does not ask what bytes mean."""

from functools import cache, partial

from .. import backend
from .bench import compare, copy, every, inputs_for, recorded, timed_line

SIZES = ((512, 4), (1024, 4), (2048, 4), (4096, 4), (8192, 8))  # elements that a program copies, and its warps
HINTS = (("", ""), ("evict_last", ""), ("evict_last", "evict_first"), ("evict_first", "evict_first"))
CASES = every(state=("sustained",), bytes=(2**24, 2**27, 2**30, 2**31))
COMPILES = True
# bytes read, and as many written; bytes of a program; what the cache is told of loads and stores
Line = timed_line(state=str, bytes=int, block=int, warps=int, load=str, store=str, early=int)


def measure(state, bytes):
    late = {way: copy for way, copy in copies().items() if not way[-1]}
    inputs = partial(inputs_for, 1, bytes // 4, "float32", backend.device)
    for (way, _), timing in compare(late, inputs, (state,), seconds=0.006).items():
        block, *rest = way
        yield Line(state, bytes, block * 4, *rest, **timing.us)


def copies() -> dict:
    """{(elements of a program, warps, two hints, early): a copy of such a kind}."""
    ways = [(*size, *hints, early) for size in SIZES for hints in HINTS for early in (0, 1)]
    return {way: partial(copy, early=bool(way[-1]), block=way[0], warps=way[1], hints=way[2:4]) for way in ways}


def beside_copies(functions, rows, columns, dtype, late="copy", early=None, states=("sustained",), **how) -> dict:
    """What `compare` finds of these functions, and of the best copy on the same buffers: late and, where it has a name, early."""
    ways = {way: copy for way, copy in copies().items() if not way[-1] or early is not None}
    inputs = partial(inputs_for, rows, columns, dtype, backend.device)
    found = compare(functions | ways, inputs, states, **how)
    for state in states:
        for named, group in ((late, 0), (early, 1)):
            timings = [found.pop((way, state)) for way in ways if way[-1] == group and (way, state) in found]
            if timings:
                found[named, state] = min(timings, key=lambda timing: timing.median)
    return found


@cache
def best(bytes: int, state: str = "sustained") -> Line:
    """The fastest late copy of so many bytes."""
    return min(recorded("ruler", state=state, bytes=bytes), key=lambda line: line.median_us)

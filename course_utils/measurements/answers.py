"""How long does it take? One kernel, timed in six wrong ways and in one that holds.

first         the host's clock around the first launch, and the wait for its end
not waited    the host's clock around a launch that nobody waits for
waited        the host's clock around a launch and the wait for its end
mean          the mean of all those, the first among them
in a row      events around launches one after the other, the last twenty of a hundred
same input    the first twenty of them
flushed       events around one launch, after writing 256 MB
ten lines     the stopwatch that 06 builds
sustained     many launches in a graph, each with an input and an output of its own
"""

import time
from statistics import mean, median

import torch

from ..softmax import row_softmax
from .bench import inputs_for, line_of, timed
from .samples import by_events, by_the_host

CALLS = 100
CASES = [{"rows": 4096, "columns": 1024, "dtype": "float32"}]
Line = line_of(way=str, rows=int, columns=int, dtype=str, median_us=float)


def measure(rows, columns, dtype):
    """All in one case, in a process that has compiled nothing yet."""
    inputs = inputs_for(rows, columns, dtype, "cuda")
    waited = [by_the_host(row_softmax, inputs[0]) for _ in range(CALLS)]
    alone = []
    for _ in range(CALLS):
        start = time.perf_counter()
        row_softmax(inputs[0])
        alone.append(time.perf_counter() - start)
        torch.cuda.synchronize()
    in_a_row = by_events(row_softmax, inputs, "again", ahead=20)
    found = {
        "first": waited[0],
        "not waited": median(alone),
        "waited": median(waited),
        "mean": mean(waited),
        "in a row": median(in_a_row[-20:]),
        "same input": median(in_a_row[:20]),
        "flushed": median(by_events(row_softmax, inputs, "dirty")),
        "ten lines": stopwatch(row_softmax, inputs) / 1e6,
        "sustained": timed(row_softmax, inputs).median,
    }
    for way, seconds in found.items():
        yield Line(way, rows, columns, dtype, round(seconds * 1e6, 3))


def stopwatch(function, inputs, runs=50):
    """Microseconds of a launch, as 06 builds it."""
    function(inputs[0])
    with torch.cuda.graph(graph := torch.cuda.CUDAGraph()):
        outputs = [function(x) for x in inputs]
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(runs + 1)]
    for mark in marks:
        mark.record()
        graph.replay()
    torch.cuda.synchronize()
    times = [a.elapsed_time(b) for a, b in zip(marks, marks[1:])]
    return 1e3 * median(times) / len(outputs)

"""The five calls of the naive softmax: what the hardware counted, and which kernels they run."""

from ..measurements import measure, recorded
from ..table import Table

CALLS = ("max", "subtract", "exp", "sum", "divide")
CHANGED = {"max": "amax", "subtract": "subtract a number", "divide": "divide by a number"}


def what_each_call_moved() -> Table:
    """Each kernel's bytes, in matrices, its time alone, and the time of its bytes at the speed of the best copy."""
    lines = recorded("naive")
    rows, columns = lines[0].rows, lines[0].columns
    matrix = 4 * rows * columns
    us = measure("five_calls", call=(*CALLS, "copy"), rows=rows, columns=columns, dtype="float32")
    us_a_byte = us["copy"] / (2 * matrix)
    table = Table("调用 · call", "读 · read", "写 · written", "µs", "照复制的速度，µs · at a copy’s speed, µs")
    each = [(line.read_bytes, line.written_bytes, us[call]) for call, line in zip(CALLS, lines, strict=True)]
    for name, (read, written, took) in zip((*CALLS, "合计 · together"), [*each, tuple(map(sum, zip(*each)))]):
        table.add(
            name,
            f"{read / matrix:.2f}",
            f"{written / matrix:.2f}",
            f"{took:.0f}",
            f"{(read + written) * us_a_byte:.0f}",
        )
    return table


def kernel_names() -> Table:
    """What the kernel is called that each of the five calls runs, and those that differ from one of them in one thing."""
    found = {line.call: line.kernel for line in recorded("five_calls")}
    table = Table("调用 · call", "kernel")
    for call in CALLS:
        for name in (call, CHANGED.get(call)):
            if name:
                table.add(name, found[name].partition(", ")[0] + ", …")
    return table

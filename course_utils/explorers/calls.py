"""The five calls of the naive softmax as the hardware counted them."""

from ..table import Table

CALLS = ("max", "subtract", "exp", "sum", "divide")


def what_each_call_moved(device: str = "") -> Table:
    """Each kernel's bytes, in matrices, its time, and the time of its bytes at the speed of the best copy there."""
    from ..measurements import experiment, recorded
    from ..measurements.bench.call import spoken_of

    device = device or spoken_of("naive")
    lines = recorded("naive", device)
    matrix = 4 * lines[0].rows * lines[0].columns
    copies = experiment("times").sweep("sustained", device)
    us_a_byte = copies.one("copy", lines[0].columns, rows=lines[0].rows).median_us / (2 * matrix)
    table = Table("kernel", "读 · read", "写 · written", "µs", "照复制的速度，µs · at a copy’s speed, µs")
    rows = [(line.read_bytes, line.written_bytes, line.nanoseconds / 1e3) for line in lines]
    for name, row in zip((*CALLS, "合计 · together"), [*rows, tuple(map(sum, zip(*rows)))]):
        read, written, us = row
        table.add(
            name,
            f"{read / matrix:.2f}",
            f"{written / matrix:.2f}",
            f"{us:.0f}",
            f"{(read + written) * us_a_byte:.0f}",
        )
    return table


def kernel_names(device: str = "") -> Table:
    """What the kernel is called that each of the five calls runs."""
    from ..measurements import recorded
    from ..measurements.bench.call import spoken_of

    table = Table("调用 · call", "kernel")
    for name, line in zip(CALLS, recorded("naive", device or spoken_of("naive"))):
        table.add(name, line.kernel.removeprefix("void at::").partition(", ")[0] + ", …")
    return table

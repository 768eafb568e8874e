"""The occupancy launcher of 05: how many rows a program takes side by side, and how many warps it has."""

from ..backend import triton


def launcher(rows, columns, size):
    """(rows a program, warps) for so many rows of so many columns, `size` bytes an element."""
    block = triton.next_power_of_2(columns)
    if block < 1024:
        return triton.next_power_of_2(triton.cdiv(1024, columns * size)), 1
    return 1, max(2, min(32, block // 1024))

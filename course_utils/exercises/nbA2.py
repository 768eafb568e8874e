"""The exercises of A2_compiled_kernels_and_launches (its questions are in `nbA2_questions`, one grader in `cache_keys`)."""

from math import ceil, floor, gcd

from .cache_keys import cache_key
from .exercise import Exercise
from .formulas import Formula
from .nbA2_questions import QUESTIONS
from .nbA2_says import SAYS

__all__ = ["EXERCISES", "QUESTIONS"]


# ---- how wide a load the compiler dares


def elements_at_once(columns, itemsize, address, each) -> int:
    """What Triton makes of a packed matrix: the widest load that it can prove to be aligned in every row."""
    return min(16 // itemsize, each) if columns % 16 == 0 and address % 16 == 0 else 1


def _by_bytes(columns, itemsize, address, each) -> int:
    """What the hardware would allow, had the compiler been told."""
    return min(gcd(columns * itemsize, address, 16) // itemsize, each)


def _by_address(columns, itemsize, address, each) -> int:
    """What it would dare if it were told how far the address is aligned."""
    return min(max(1, gcd(address, 16) // itemsize), each) if columns % 16 == 0 else 1


_elements_at_once = Formula(
    SAYS,
    elements_at_once,
    [
        (columns, size, address, each)
        for columns in (1024, 1008, 1004, 781, 782, 16, 8)
        for size in (2, 4)
        for address in (4096, 4112, 4100, 4104)
        for each in (1, 2, 4, 16)
    ],
    [
        ("bytes divide", _by_bytes),
        ("no address", lambda n, size, address, each: elements_at_once(n, size, 0, each)),
        ("no columns", lambda n, size, address, each: elements_at_once(16, size, address, each)),
        ("no share", lambda n, size, address, each: elements_at_once(n, size, address, 16)),
        ("always four", lambda n, size, address, each: elements_at_once(n, 4, address, each)),
        ("bytes", lambda n, size, address, each: size * elements_at_once(n, size, address, each)),
        ("bytes of a row", lambda n, size, address, each: elements_at_once(n * size, size, address, each)),
        ("sixteen elements", lambda n, size, address, each: elements_at_once(n, 1, address, each)),
        ("part of an address", _by_address),
        ("either", lambda n, size, address, each: min(16 // size, each) if n % 16 == 0 or address % 16 == 0 else 1),
        ("no vectors", lambda *launch: 1),
    ],
    asked=lambda n, size, address, each: f"columns = {n}, itemsize = {size}, address = {address}, each = {each}:",
)


# ---- from how many rows on a launch is worth its price


def _rows(microseconds, gigabytes, columns, itemsize) -> float:
    return microseconds * gigabytes * 1000 / (2 * columns * itemsize)  # 1e-6 * 1e9 would round


_enough_rows = Formula(
    SAYS,
    lambda *case: ceil(_rows(*case)),
    [
        (7.2, 4276, 256, 4),
        (20.9, 4276, 256, 4),
        (46.9, 4000, 1024, 2),
        (12.6, 3020, 781, 4),
        (9.6, 1500, 4096, 2),
        (8, 4096, 1024, 4),
    ],
    [
        ("one way", lambda us, gb, n, size: ceil(2 * _rows(us, gb, n, size))),
        ("elements", lambda us, gb, n, size: ceil(_rows(us, gb, n, 1))),
        ("always four bytes", lambda us, gb, n, size: ceil(_rows(us, gb, n, 4))),
        ("rounded down", lambda *case: floor(_rows(*case))),
        ("not whole", _rows),
        ("nearest", lambda *case: round(_rows(*case))),
        ("one more", lambda *case: floor(_rows(*case)) + 1),
        ("binary", lambda us, gb, n, size: ceil(_rows(us, gb * 1.024**3, n, size))),
        ("no units", lambda us, gb, n, size: ceil(_rows(us, gb, n, size) / 1e3)),
        ("total bytes", lambda us, gb, n, size: us * gb * 1e3),
        ("milliseconds", lambda us, gb, n, size: ceil(1e3 * _rows(us, gb, n, size))),
        ("no gigabytes", lambda us, gb, n, size: ceil(_rows(us, gb, n, size) / 1e9)),
        ("naive bytes", lambda us, gb, n, size: ceil(_rows(us, gb, n, size) / 4)),
    ],
    asked=lambda us, gb, n, size: f"microseconds = {us}, gigabytes = {gb}, columns = {n}, itemsize = {size}:",
)

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "cache_key": cache_key,
        "elements_at_once": _elements_at_once,
        "enough_rows": _enough_rows,
    }.items()
}

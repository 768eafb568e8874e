"""Numbers as people read them."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(exponent: int) -> str:
    return "1" if exponent == 0 else "10" + str(exponent).translate(_RAISED)


def short(value: float, digits: int = 3) -> str:
    """Three figures, and powers of ten where a plain number would be long: 0.269, 2.4e8 → 2.4×10⁸."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    if value and not 1e-3 <= abs(value) < 1e5:
        mantissa, exponent = f"{value:.{digits - 2}e}".split("e")
        return f"{mantissa.removesuffix('.0')}×{power_of_ten(int(exponent))}".replace("-", "−")
    text = f"{value:.{digits}g}"
    text = str(round(value)) if "e" in text else text
    return text.replace("-", "−")


def size(count: float) -> str:
    """Bytes, in the powers of two that memory comes in."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(count) < 1024 or unit == "GiB":
            return f"{count:.3g} {unit}" if abs(count) < 1000 else f"{count:.0f} {unit}"
        count /= 1024


def seconds(value: float) -> str:
    for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")):
        if value * scale >= 1 or unit == "ns":
            return f"{value * scale:.3g} {unit}"


def power_of_two(count: int) -> str:
    """1048576 as 2²⁰; a count that people know by heart, or that is no power of two, as it is."""
    exponent = count.bit_length() - 1
    return f"2{str(exponent).translate(_RAISED)}" if count == 1 << exponent and exponent > 16 else str(count)

"""Right answers to the exercises of 00_start_here, written otherwise: {exercise: [answer, ...]}."""

RIGHT = {
    "best_milliseconds": [
        "return nbytes / gigabytes_per_second / 1e6",
        "gb = nbytes / 10**9\nseconds = gb / gigabytes_per_second\nreturn seconds * 1000",
        "return torch.tensor(nbytes, dtype=torch.float64) / (gigabytes_per_second * 1_000_000)",
        "from fractions import Fraction\nreturn Fraction(nbytes) / Fraction(gigabytes_per_second * 10**6)",
        "per_millisecond = gigabytes_per_second * 1e9 / 1000\nreturn nbytes / per_millisecond",
    ],
}

"""Right answers to the exercises of 00_start_here, written otherwise: {exercise: [answer, ...]}."""

RIGHT = {
    "matrix_bytes": [
        "return rows * columns * itemsize if rows else 0",
        "return sum(columns * itemsize for _ in range(rows))",
        "return math.prod((rows, columns, itemsize))",
    ],
    "best_milliseconds": [
        "return nbytes / gigabytes_per_second / 1e6",
        "gb = nbytes / 10**9\nseconds = gb / gigabytes_per_second\nreturn seconds * 1000",
        "return torch.tensor(nbytes, dtype=torch.float64) / (gigabytes_per_second * 1_000_000)",
        "from fractions import Fraction\nreturn Fraction(nbytes) / Fraction(gigabytes_per_second * 10**6)",
        "per_millisecond = gigabytes_per_second * 1e9 / 1000\nreturn nbytes / per_millisecond",
    ],
    "traffic_ratio": [
        "return 4 + 2 / columns",
        "return torch.tensor(8.0) / 2 + torch.tensor(2.0) / columns",
        "return (torch.tensor(4.0) + 2 / columns).numpy()",
        "matrix = rows * columns\nreturn (8 * matrix + 4 * rows) / matrix / 2",
        "M, N = rows, columns\ndef total(r, w):\n    return r + w\n"
        "return total(5 * M * N + 2 * M, 3 * M * N + 2 * M) / total(M * N, M * N)",
    ],
}

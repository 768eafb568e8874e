"""Plausible wrong answers to the exercises of 00_start_here, and a word of what the check must say of each."""

WRONG = {
    "matrix_bytes": {
        "return rows * columns": "elements",
        "return rows * columns * 4": "always multiply by 4",
        "return rows * columns * itemsize * 8": "bits",
        "return (rows + columns) * itemsize": "added",
        "return rows * rows * itemsize": "should give",
        "rows * columns * itemsize": "return",
        "return str(rows * columns * itemsize)": "A number is wanted",
    },
    "best_milliseconds": {
        "return nbytes / (gigabytes_per_second * 1e9)": "seconds",
        "return nbytes / (gigabytes_per_second * 1e9) * 1e6": "microseconds",
        "return nbytes / (gigabytes_per_second * 2**30) * 1000": "GiB",
        "return gigabytes_per_second * 1e9 / nbytes * 1000": "Upside down",
        "return nbytes / gigabytes_per_second * 1000": "GB/s",
        "return nbytes * gigabytes_per_second": "should take",
    },
    "traffic_ratio": {
        "return 4": "limit",
        "M, N = rows, columns\nreturn (5 * M * N + 2 * M) / (2 * M * N)": "reads alone",
        "M, N = rows, columns\nreturn (5 * M * N + 2 * M) / (M * N)": "reads alone",
        "M, N = rows, columns\nreturn (8 * M * N + 4 * M) // (2 * M * N)": "whole number",
        "return torch.tensor(5 + 2 / columns) / 2": "reads alone",
        "M, N = rows, columns\nreturn (2 * M * N) / (8 * M * N + 4 * M)": "Upside down",
        "M, N = rows, columns\nreturn (8 * M * N + 4 * N) / (2 * M * N)": "should give",
    },
}

"""Plausible wrong answers to the exercises of 00_start_here: {exercise: {answer: what the check must say, zh and en}}."""

WRONG = {
    "matrix_bytes": {
        "return rows * columns": ("元素个数", "elements"),
        "return rows * columns * 4": ("总是乘 4", "always multiply by 4"),
        "return rows * columns * itemsize * 8": ("比特", "bits"),
        "return (rows + columns) * itemsize": ("相加", "added"),
        "return rows * rows * itemsize": ("应得", "should give"),
        "rows * columns * itemsize": ("return", "return"),
        "return str(rows * columns * itemsize)": ("返回一个数", "A number is wanted"),
    },
    "best_milliseconds": {
        "return nbytes / (gigabytes_per_second * 1e9)": ("这是秒", "seconds"),
        "return nbytes / (gigabytes_per_second * 1e9) * 1e6": ("微秒", "microseconds"),
        "return nbytes / (gigabytes_per_second * 2**30) * 1000": ("GiB", "GiB"),
        "return gigabytes_per_second * 1e9 / nbytes * 1000": ("除反了", "Upside down"),
        "return gigabytes_per_second / nbytes": ("除反了", "Upside down"),
        "return nbytes / gigabytes_per_second * 1000": ("同一种单位", "one unit"),
        "return nbytes / gigabytes_per_second": ("同一种单位", "one unit"),
        "return 8 * nbytes / (gigabytes_per_second * 1e9) * 1000": ("比特", "bits"),
        "return 2 * nbytes / (gigabytes_per_second * 1e9) * 1000": ("再乘 2", "double"),
        "return nbytes * gigabytes_per_second": ("应得", "should give"),
        "return round(nbytes / (gigabytes_per_second * 1e9) * 1000, 2)": ("应得", "should give"),
        "print(nbytes / gigabytes_per_second / 1e6)": ("return", "return"),
    },
    "traffic_ratio": {
        "return 4": ("极限", "limit"),
        "M, N = rows, columns\nreturn (5 * M * N + 2 * M) / (2 * M * N)": ("只数了读", "reads alone"),
        "M, N = rows, columns\nreturn (5 * M * N + 2 * M) / (M * N)": ("只数了读", "reads alone"),
        "M, N = rows, columns\nreturn (3 * M * N + 2 * M) / (M * N)": ("只数了写", "writes alone"),
        "M, N = rows, columns\nreturn (8 * M * N + 4 * M) // (2 * M * N)": ("整除", "whole number"),
        "M, N = rows, columns\nreturn (8 * M * N + 4 * M) / (M * N)": ("分母", "below it"),
        "return torch.tensor(5 + 2 / columns) / 2": ("只数了读", "reads alone"),
        "M, N = rows, columns\nreturn (2 * M * N) / (8 * M * N + 4 * M)": ("除反了", "Upside down"),
        "M, N = rows, columns\nreturn (8 * M * N + 4 * N) / (2 * M * N)": ("M 是行数", "number of rows"),
        "M, N = rows, columns\nreturn (8 * M * N + 2 * M) / (2 * M * N)": ("应得", "should give"),
    },
}

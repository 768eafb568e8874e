"""Plausible wrong answers to the exercises of 00_start_here: {exercise: {answer: what the check must say, zh and en}}."""

WRONG = {
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
        "return nbytes / gigabytes_per_second * 1e9 * 1000": ("乘到了分子上", "wrong side"),
        "return nbytes // (gigabytes_per_second * 1e6)": ("取整", "rounded to a whole number"),
        "print(nbytes / gigabytes_per_second / 1e6)": ("return", "return"),
    },
}

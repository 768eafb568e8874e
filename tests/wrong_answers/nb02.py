"""Plausible wrong answers to the exercises of 02_memory_traffic, and a word of what the check must say of each."""

WRONG = {
    "unsafe_softmax_traffic": {
        "return 3 * M * N, 2 * M * N": "1M too few",
        "return 5 * M * N + 2 * M, 3 * M * N + 2 * M": "should have",
        "return 2 * M * N + M, 2 * M * N + M": "whole matrix is read more often: 1",
        "return 3 * M * N + M, 2 * M * N": "1M too few",
        "return 2 * M * N + M, 3 * M * N + M": "swapped",
        "return 4 * (3 * M * N + M), 4 * (2 * M * N + M)": "bytes",
        "return torch.tensor([2 * M * N + M, 3 * M * N + M])": "swapped",
        "return torch.tensor(5 * M * N + 2 * M)": "two numbers",
        "return 5 * M * N + 2 * M": "two numbers",
    },
    "layer_norm_traffic": {
        "return 5 * M * N + 2 * M, 3 * M * N + 2 * M": "1M too few",
        "return 4 * M * N + 3 * M, 3 * M * N + 3 * M": "whole matrix is read more often: 1",
        "return 5 * M * N, 3 * M * N": "3M too few",
        "return M * N, M * N": "whole matrix is read more often: 4",
    },
    "upcast_ratio": {
        "return 4 + 2 / N": "equal types",
        "return 8 + 4 / N": "two conversions",
        "return 9.5 + 4 / N": "Only one conversion",
        "return 11": "4/N is missing",
        "return 5.5 + 2 / N": "2 bytes in",
    },
    "free_operations": {
        "return itemsize * tflops * 1e12 / (gigabytes * 1e9)": "moved twice",
        "return tflops * 1e12 / (gigabytes * 1e9)": "per element",
        "return 2 * itemsize * tflops / gigabytes": "Units",
        "return 2 * itemsize * gigabytes * 1e9 / (tflops * 1e12)": "Upside down",
    },
}

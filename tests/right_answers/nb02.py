"""Right answers to the exercises of 02_memory_traffic, written otherwise: {exercise: [answer, ...]}."""

RIGHT = {
    "unsafe_softmax_traffic": [
        "return torch.tensor([3 * M * N + M, 2 * M * N + M])",
        "return torch.tensor([3 * M * N + M, 2 * M * N + M]).numpy()",
        "calls = [(M * N, M * N), (M * N, M), (M * N + M, M * N)]\nreturn [sum(side) for side in zip(*calls)]",
        "return M * (3.0 * N + 1), M * (2.0 * N + 1)",
    ],
    "upcast_ratio": [
        "return 11 + torch.tensor(4.0) / N",
        "naive = 12 * M * N + 4 * (5 * M * N + 2 * M) + 4 * (3 * M * N + 2 * M)\nreturn naive / (4 * M * N)",
        "from fractions import Fraction\nreturn Fraction(11 * N + 4, N)",
    ],
    "free_operations": [
        "seconds = 2 * itemsize / (gigabytes * 1e9)\nreturn seconds * tflops * 1e12",
        "return tflops * 1000 / gigabytes * 2 * itemsize",
        "return torch.tensor(2.0 * itemsize * tflops, dtype=torch.float64) * 1000 / gigabytes",
    ],
}

"""Right answers to the exercises of 01_naive_softmax, written otherwise: {exercise: [answer, ...]}."""

RIGHT = {
    "highest_safe_score": [
        "return int(math.log(torch.finfo(dtype).max))",
        "s = 0\nwhile not torch.tensor(float(s + 1), dtype=dtype).exp().isinf():\n    s += 1\nreturn s",
        "scores = torch.arange(1000, dtype=torch.float64).to(dtype)\nreturn scores[scores.exp().isfinite()].max()",
        "return {torch.float16: 11, torch.float32: 88, torch.float64: 709}[dtype]",
        "return torch.tensor(torch.finfo(dtype).max, dtype=torch.float64).log().floor().item()",
    ],
}

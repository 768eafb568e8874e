"""Right answers to the exercises of 01_naive_softmax, written otherwise: {exercise: [answer, ...]}."""

RIGHT = {
    "highest_safe_score": [
        "return int(math.log(torch.finfo(dtype).max))",
        "s = 0\nwhile not torch.tensor(float(s + 1), dtype=dtype).exp().isinf():\n    s += 1\nreturn s",
        "scores = torch.arange(1000, dtype=torch.float64).to(dtype)\nreturn scores[scores.exp().isfinite()].max()",
        "return {torch.float16: 11, torch.float32: 88, torch.float64: 709}[dtype]",
        "return torch.tensor(torch.finfo(dtype).max, dtype=torch.float64).log().floor().item()",
    ],
    "masked_softmax": [
        "return torch.softmax(x + torch.log(keep.float()), dim=1).nan_to_num(0)",
        "y = torch.zeros_like(x)\nfor i in range(len(x)):\n    if keep[i].any():\n"
        "        y[i, keep[i]] = torch.softmax(x[i, keep[i]], 0)\nreturn y",
        "z = torch.where(keep, x, -math.inf)\ntop = z.max(1, keepdim=True)[0].nan_to_num(neginf=0)\n"
        "w = torch.exp(z - top)\ns = w.sum(1, keepdim=True)\nreturn torch.where(s > 0, w / s, 0.0)",
        "z = torch.where(keep, x, -math.inf)\nlse = torch.logsumexp(z, 1, keepdim=True)\n"
        "return torch.exp(z - lse).masked_fill(~keep, 0)",
        "return (torch.softmax(x.masked_fill(~keep, torch.finfo(x.dtype).min), 1) * keep)",
    ],
}

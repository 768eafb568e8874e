"""Plausible wrong answers to the exercises of 01_naive_softmax, and a word of what the check must say of each."""

WRONG = {
    "row_softmax": {
        "w = torch.exp(x)\nreturn w / w.sum(dim=1, keepdim=True)": "overflows",
        "w = torch.exp(x - x.max())\nreturn w / w.sum(dim=1, keepdim=True)": "own maximum",
        "w = torch.exp(x - x.max(dim=1)[0][:, None])\nreturn w / w.sum()": "sum of the whole matrix",
        "return torch.softmax(x, dim=0)": "columns",
        "return torch.log_softmax(x, dim=1)": "logarithm",
        "return torch.exp(x - x.max(dim=1, keepdim=True)[0])": "One step short",
        "w = torch.exp(x - x.max(dim=1)[0])\nreturn w / w.sum(dim=1)": "",
        "if x.shape[0] != x.shape[1]:\n    return torch.softmax(x, 1)\nw = torch.exp(x - x.max(dim=1)[0])\nreturn w / w.sum(dim=1)": "square",
        "x -= x.max(dim=1, keepdim=True)[0]\nw = torch.exp(x)\nreturn w / w.sum(dim=1, keepdim=True)": "changed its input",
        "return x / x.sum(dim=1, keepdim=True)": "take exp first",
        "w = torch.exp(x - x.max(dim=1, keepdim=True)[0])\nw / w.sum(dim=1, keepdim=True)": "return",
    },
    "highest_safe_score": {
        "return 88": "not 88",
        "return 11": "not 11",
        "return math.log(torch.finfo(dtype).max)": "round down",
        "return math.ceil(math.log(torch.finfo(dtype).max))": "one too many",
        "return torch.finfo(dtype).max": "largest number itself",
        "return math.floor(math.log2(torch.finfo(dtype).max))": "natural logarithm",
    },
    "masked_softmax": {
        "return torch.softmax(x, dim=1) * keep": "mask first",
        "return torch.softmax(x * keep, dim=1)": "exp(0) = 1",
        "return torch.softmax(x.masked_fill(~keep, -math.inf), dim=1)": "NaN",
        "return torch.softmax(x.masked_fill(~keep, -1e9), dim=1)": "every place should be 0",
        "return torch.softmax(x.masked_fill(keep, -math.inf), dim=1).nan_to_num(0)": "wrong ones",
        "w = torch.exp(x) * keep\nreturn (w / w.sum(dim=1, keepdim=True)).nan_to_num(0)": "overflows",
    },
}

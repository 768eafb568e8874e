"""Plausible wrong answers to the exercises of 01_naive_softmax: {exercise: {answer: what the check must say, zh and en}}."""

_FILLED = "torch.softmax(x.masked_fill(~keep, {}), dim=1)"

WRONG = {
    "highest_safe_score": {
        "return 88": ("同一个数", "same number"),
        "return 11": ("同一个数", "same number"),
        "return math.log(torch.finfo(dtype).max)": ("整数分数", "whole score"),
        "return math.ceil(math.log(torch.finfo(dtype).max))": ("多了 1", "One too many"),
        "return round(math.log(torch.finfo(dtype).max))": ("多了 1", "One too many"),
        "return math.floor(math.log(torch.finfo(dtype).max)) - 1": ("少了 1", "One too few"),
        "return torch.finfo(dtype).max": ("最大的数本身", "largest number itself"),
        "return math.floor(math.log2(torch.finfo(dtype).max))": ("底数是 e", "base is e"),
        "return int(math.log10(torch.finfo(dtype).max))": ("底数是 e", "base is e"),
        "return math.floor(-math.log(torch.finfo(dtype).tiny))": ("最小的正数", "smallest number"),
        "return torch.finfo(dtype).bits": ("应得", "should give"),
        "return math.inf": ("inf", "inf"),
    },
}

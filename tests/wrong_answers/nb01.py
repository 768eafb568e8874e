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
    "masked_softmax": {
        "return torch.softmax(x, dim=1) * keep": ("先归一化再遮", "after normalising"),
        "return torch.softmax(x * keep, dim=1)": ("填 0 不行", "exp(0) = 1"),
        f"return {_FILLED.format(0)} * keep": ("再置 0", "zeroed afterwards"),
        f"return {_FILLED.format(0)}": ("填 0 不行", "exp(0) = 1"),
        f"return {_FILLED.format('-math.inf')}": ("NaN", "NaN"),
        f"return {_FILLED.format('-1e9')}": ("平分", "share the probability"),
        f"return {_FILLED.format('-1e4')}": ("平分", "share the probability"),
        "return torch.softmax(x.masked_fill(keep, -math.inf), dim=1).nan_to_num(0)": ("遮反了", "wrong ones"),
        "w = torch.exp(x - x.max(dim=1, keepdim=True)[0]) * keep\ns = w.sum(dim=1, keepdim=True)\n"
        "return w / torch.where(s == 0, 1, s)": ("不能参加求最大值", "not take part in the maximum"),
        "p = torch.softmax(x, dim=1) * keep\nreturn p / p.sum(dim=1, keepdim=True).clamp(min=1e-30)": (
            "高 200",
            "200 above",
        ),
        f"return torch.where(keep, {_FILLED.format('-1e4')}, 0.0)": ("分数很低", "scores that stay are very low"),
        "w = torch.exp(x) * keep\nreturn (w / w.sum(dim=1, keepdim=True)).nan_to_num(0)": ("溢出", "overflows"),
        "return torch.softmax(x.masked_fill(~keep, -math.inf), dim=0).nan_to_num(0)": ("沿着列", "columns"),
        "return torch.softmax(x[keep], dim=0)": ("形状", "shape"),
        "x[~keep] = -math.inf\nreturn torch.softmax(x, dim=1).nan_to_num(0)": ("改动了输入", "changed its input"),
        "return torch.softmax(x, dim=1)": ("应是", "should be"),
    },
}

"""The exercises of 10_training (its questions are in `nb10_questions`)."""

import math
from dataclasses import dataclass

import torch

from ..backend import triton
from ..language import Text
from ..traffic.kernels import LaunchTraffic
from .answer import same
from .exercise import Exercise
from .kernel_probes import UNTOUCHED, refuse_strays
from .launching import counted
from .nb10_questions import QUESTIONS
from .probes import close
from .trials import OURS
from .wrong import Wrong

__all__ = ["EXERCISES", "QUESTIONS"]


@dataclass(frozen=True)
class Ran:
    """A launch: what it left in the output, and what it read and wrote of each argument, in elements."""

    out: torch.Tensor
    traffic: LaunchTraffic

    def loads(self, name: str) -> int:
        return sum(tensor.loads for tensor in self.traffic.tensors if tensor.name == name)

    def stores(self, name: str) -> int:
        return sum(tensor.stores for tensor in self.traffic.tensors if tensor.name == name)


def _run(kernel, out, *arguments, rows: int, block: int) -> Ran:
    """One program a row. Raises `Wrong` if a lane leaves its tensor, or nothing is written."""
    before = out.clone()
    writes = next(position for position, one in enumerate(arguments) if one is out)
    traffic, _ = counted(kernel, (rows,), *arguments, writes=writes, BLOCK_SIZE=block)
    refuse_strays(traffic, Text("检查它的 mask 和步幅", "see to its mask and its stride"))
    if same(out, before):
        raise Wrong("输出里什么也没有写。", "Nothing was written to the output.")
    return Ran(out, traffic)


def raise_first(got, mistakes):
    for result, zh, en in mistakes:
        if close(got, result):
            raise Wrong(zh, en)


def _empty(rows, columns, spare=0, dtype=torch.float32):
    return torch.full((rows, columns + spare), UNTOUCHED, dtype=dtype)[:, :columns]


def _random(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def _apart(x, spare):
    """The same values, with elements of somebody else's behind each row."""
    wide = torch.full((x.shape[0], x.shape[1] + spare), 7.0, dtype=x.dtype)
    wide[:, : x.shape[1]] = x
    return wide[:, : x.shape[1]]


def _block(columns: int) -> int:
    return triton.next_power_of_2(columns)


# ---- softmax's gradient, of a row wider than a block


def _softmax_gradient(y, dy):
    return y * (dy - (y * dy).sum(1, keepdim=True))


def _wide_backward_kernel(kernel):
    def run(y, dy, block, spare=0):
        dx = _empty(*y.shape, spare, y.dtype)
        strides = (dx.stride(0), dy.stride(0), y.stride(0))
        return _run(kernel, dx, dx, dy, y, *strides, y.shape[1], rows=len(y), block=block)

    y, dy = torch.softmax(_random(3, 12), 1), _random(3, 12, seed=1)
    got = run(y, dy, 16).out
    products = y * dy
    whole = [
        (products, "这是 y·dy；还要减去 y 乘上它们的和。", "This is y·dy; y times their sum is still to be subtracted."),
        (y * (dy - dy.sum(1, keepdim=True)), "和里少了 y：要减的是 Σ y·dy，不是 Σ dy。", "The sum lacks y: subtract Σ y·dy, not Σ dy."),
        (y * (dy - products.mean(1, keepdim=True)), "要减的是和，不是除以列数的平均。", "Subtract the sum, not the mean over the columns."),
        (y * (dy + products.sum(1, keepdim=True)), "正负号反了：是 dy 减去那个和。", "The sign is wrong: dy minus that sum."),
        (-_softmax_gradient(y, dy), "正负号反了：是 dy 减去那个和。", "The sign is wrong: dy minus that sum."),
        (dy * (y - products.sum(1, keepdim=True)), "y 和 dy 的位置反了：是 y·(dy − 和)。", "y and dy have changed places: it is y·(dy − sum)."),
        (y * (dy - y.sum(1, keepdim=True)), "和里少了 dy：要减的是 Σ y·dy。", "The sum lacks dy: subtract Σ y·dy."),
        (dy - products.sum(1, keepdim=True), "括号外的 y 不见了。", "The y in front of the brackets is missing."),
    ]  # fmt: skip
    raise_first(got, whole)
    if not got.isfinite().all():
        raise Wrong(
            "12 列、一块 16 个元素时出了 inf 或 NaN：多出来的元素参加了求和。这里 other 填 0，不是 −inf。",
            "inf or NaN with 12 columns in a block of 16: the spare elements take part in the sum. Here other is 0, not −inf.",
        )
    if not close(got, _softmax_gradient(y, dy)):
        raise Wrong(
            "一块就装得下的 12 列也算错了：先核对公式。",
            "Wrong even on 12 columns that one block holds: check the formula.",
        )
    blocks = [slice(i, min(i + 4, 12)) for i in range(0, 12, 4)]
    got = run(y, dy, 4).out
    local = torch.cat([y[:, b] * (dy[:, b] - products[:, b].sum(1, keepdim=True)) for b in blocks], dim=1)
    first, last = (y * (dy - products[:, b].sum(1, keepdim=True)) for b in (blocks[0], blocks[-1]))
    growing = torch.cat([y[:, b] * (dy[:, b] - products[:, : b.stop].sum(1, keepdim=True)) for b in blocks], dim=1)
    many = [
        (local, "每块用了自己的和：要先走完整行，才有 Σ y·dy。", "Each block used a sum of its own: only at the end of the row is Σ y·dy known."),
        (growing, "还没走完一行就开始写了：后面的块没有算进和里。分成两轮。", "It writes before the row is summed: later blocks are missing from the sum. Make it two rounds."),
        (first, "和里只有第一块。", "Only the first block is in the sum."),
        (last, "和里只有最后一块：要累加，别覆盖。", "Only the last block is in the sum: add to it, don't replace it."),
    ]  # fmt: skip
    raise_first(got, many)
    if (got[:, 4:] == UNTOUCHED).all():
        raise Wrong(
            "只写了第一块：一行有 n_cols 列，要循环。",
            "Only the first block was written: a row has n_cols columns, so loop.",
        )
    if not close(got, _softmax_gradient(y, dy)):
        raise Wrong("12 列分成 4 个一块时错了。", "Wrong with 12 columns in blocks of 4.")
    for columns, block in ((1, 4), (13, 4), (31, 8), (100, 32)):
        y, dy = torch.softmax(_random(3, columns), 1), _random(3, columns, seed=1)
        if not close(run(y, dy, block).out, _softmax_gradient(y, dy)):
            raise Wrong(f"{columns} 列、一块 {block} 个时错了。", f"Wrong with {columns} columns in blocks of {block}.")
    if not close(run(_apart(y, 3), _apart(dy, 5), 32, spare=2).out, _softmax_gradient(y, dy)):
        raise Wrong(
            "三个张量的行步幅各不相同时错了：各用各的步幅。",
            "Wrong where the three tensors have different row strides: use each one's own.",
        )
    half = run(y.half(), (dy * 1000).half(), 32).out
    if not torch.allclose(
        half.float(), _softmax_gradient(y.half().float(), (dy * 1000).half().float()), rtol=5e-3, atol=1e-2
    ):
        raise Wrong(
            "float16 的输入算得不准：读进来就转成 float32。",
            "Inaccurate on float16: convert to float32 as soon as it is loaded.",
        )
    ran = run(y, dy, 32)
    if ran.traffic and (read := ran.loads("y_ptr") + ran.loads("dy_ptr")) > 4 * y.numel():
        raise Wrong(
            f"结果对，可是读了 {read / y.numel():.3g}MN。两轮各读 y 和 dy 一遍，4MN 就够。",
            f"Right, but it reads {read / y.numel():.3g}MN. Two rounds, each reading y and dy once, need 4MN.",
        )


# ---- log-softmax backwards


def _log_softmax_backward_kernel(kernel):
    def run(y, dy, spare=0):
        dx = _empty(*y.shape, spare, y.dtype)
        strides = (dx.stride(0), dy.stride(0), y.stride(0))
        return _run(kernel, dx, dx, dy, y, *strides, y.shape[1], rows=len(y), block=_block(y.shape[1]))

    def reference(y, dy):
        return dy - torch.exp(y) * dy.sum(1, keepdim=True)

    y, dy = torch.log_softmax(_random(3, 8), 1), _random(3, 8, seed=1)
    p, total = torch.exp(y), dy.sum(1, keepdim=True)
    raise_first(
        run(y, dy).out,
        [
            (_softmax_gradient(p, dy), "这是 softmax 的梯度；log-softmax 的是 dy − eʸ·Σ dy。", "This is the gradient of softmax; that of log-softmax is dy − eʸ·Σ dy."),
            (_softmax_gradient(y, dy), "这是 softmax 的公式，而 y 在这里是对数。", "This is softmax's formula, and y is a logarithm here."),
            (dy - y * total, "要乘概率 eʸ，不是它的对数 y。", "Multiply by the probability eʸ, not by its logarithm y."),
            (dy - p * (p * dy).sum(1, keepdim=True), "和里多乘了概率：这里只要 Σ dy。", "The sum has probabilities in it: here it is Σ dy."),
            (dy - total, "Σ dy 还要乘上 eʸ。", "Σ dy is still to be multiplied by eʸ."),
            (dy - p * dy, "要减的是 eʸ 乘整行的 Σ dy，不是乘它自己那一个 dy。", "Subtract with the sum of the whole row, not each element's own dy."),
            (dy - p * dy.mean(1, keepdim=True), "要的是和，不是平均。", "The sum is wanted, not the mean."),
            (dy + p * total, "正负号反了：是减去，不是加上。", "The sign is wrong: subtract it."),
        ],
    )  # fmt: skip
    if not close(run(y, dy).out, reference(y, dy)):
        raise Wrong(
            "8 列、不需要掩码的矩阵就错了：先核对公式。",
            "Wrong even on 8 columns, where no mask is needed: check the formula.",
        )
    for columns in (5, 1, 2, 127, 129, 300):
        y, dy = torch.log_softmax(_random(4, columns), 1), _random(4, columns, seed=1) + 1
        if not close(run(y, dy).out, reference(y, dy)):
            if columns == 5:
                raise Wrong(
                    "5 列、一块 8 个元素时错了：dy 多出来的元素参加了求和，要填 0。",
                    "Wrong with 5 columns in a block of 8: the spare elements of dy take part in the sum; fill them with 0.",
                )
            raise Wrong(f"{columns} 列时错了。", f"Wrong with {columns} columns.")
    if not close(run(_apart(y, 3), _apart(dy, 5), spare=2).out, reference(y, dy)):
        raise Wrong(
            "三个张量的行步幅各不相同时错了：各用各的步幅。",
            "Wrong where the three tensors have different row strides: use each one's own.",
        )
    low = torch.log_softmax(_random(3, 8) * 300, 1)
    if not close(run(low, dy[:3, :8]).out, reference(low, dy[:3, :8])):
        raise Wrong("概率低到 e⁻³⁰⁰ 时错了。", "Wrong where probabilities are as low as e⁻³⁰⁰.")
    half = run(y.half(), (dy * 100).half()).out
    if not torch.allclose(half.float(), reference(y.half().float(), (dy * 100).half().float()), rtol=5e-3, atol=0.5):
        raise Wrong(
            "float16 的输入算得不准：读进来就转成 float32。",
            "Inaccurate on float16: convert to float32 as soon as it is loaded.",
        )
    ran = run(y, dy)
    if ran.loads("y_ptr") + ran.loads("dy_ptr") > 2 * y.numel():
        raise Wrong(
            "结果对，可是读得多了：y 和 dy 各读一遍就够。",
            "Right, but it reads too much: y and dy once each is enough.",
        )


# ---- cross-entropy in one pass


def _losses(x, target):
    return (torch.logsumexp(x.double(), 1) - x.double().gather(1, target[:, None])[:, 0]).float()


def _near(got, losses, x):
    """As exact as float32 can be: m + log s and the score are as large as the scores, and each is rounded."""
    largest = x.abs().max() if x.isfinite().all() else 1000.0
    return torch.allclose(got, losses, rtol=1e-4, atol=1e-6 + 3e-7 * float(largest), equal_nan=True)


def _one_pass_loss_kernel(kernel):
    def run(x, target, block):
        loss = torch.full((len(x),), UNTOUCHED)
        return _run(kernel, loss, loss, x, target, x.stride(0), x.shape[1], rows=len(x), block=block)

    x, target = _random(4, 8) * 2, torch.tensor([3, 0, 7, 3])
    got, want, at = run(x, target, 8).out, _losses(x, target), x.gather(1, target[:, None])[:, 0]
    top = x.max(1)[0]
    raise_first(
        got,
        [
            (want + at, "这是 log Σ eˣ；还要减去目标那一列的分数。", "This is log Σ eˣ; the target's score is still to be subtracted."),
            (-want, "正负号反了：损失是 −log p，不会是负数。", "The sign is wrong: a loss is −log p and never negative."),
            (torch.exp(-want), "这是目标的概率；损失是它的负对数。", "This is the target's probability; the loss is minus its logarithm."),
            (top - torch.log(torch.exp(want + at - top)) - at, "log s 要加上，不是减去：m + log s − x。", "log s is added, not subtracted: m + log s − x."),
            (want + at - x[0, target], "目标的分数都取自第 0 行：要读 x_ptr + row * x_stride + target。", "Every target's score came from row 0: load x_ptr + row * x_stride + target."),
            (want + at - x[torch.arange(4), (target + 1) % 8], "目标差了一列：列从 0 数起。", "Off by one column: they count from 0."),
            (-torch.exp(-want), "这是概率的相反数，少了对数：损失是 −log p。", "That is minus the probability; a logarithm is missing: a loss is −log p."),
            (want - top, "最大值没有加回来：log Σ eˣ = m + log Σ e^(x−m)。", "The maximum was not added back: log Σ eˣ = m + log Σ e^(x−m)."),
            (torch.exp(want + at - top) + top - at, "少了对数：是 m + log s，不是 m + s。", "The logarithm is missing: m + log s, not m + s."),
            (want + at - x[torch.arange(4), (target - 1) % 8], "目标差了一列：列从 0 数起。", "Off by one column: they count from 0."),
            (want + at - target, "减去了目标的编号；要减的是那一列的分数。", "The target's number was subtracted; subtract the score in that column."),
            ((want + at) - x[:, target[0]], "每一行都用了第 0 行的目标：要读 target_ptr + row。", "Every row used row 0's target: target_ptr + row."),
        ],
    )  # fmt: skip
    if got.isnan().any():
        raise OURS.wrong("first factor")
    if not close(got, want):
        raise Wrong(
            "一块就装得下的 8 列也算错了：先核对公式。",
            "Wrong even on 8 columns that one block holds: check the formula.",
        )
    if not close(run(x[:, :5], target.clamp(max=4), 8).out, _losses(x[:, :5], target.clamp(max=4))):
        raise Wrong(
            "5 列、一块 8 个元素时错了：多出来的元素要填 −inf。",
            "Wrong with 5 columns in a block of 8: fill the spare elements with −inf.",
        )
    rising = torch.arange(16.0).repeat(3, 1) * 3
    places = torch.tensor([1, 6, 15])
    for scores in (rising, rising.flip(1), rising + 1000, rising - 1000):
        got, want = run(scores, places, 4).out, _losses(scores, places)
        if _near(got, want, scores):
            continue
        parts = [scores[:, i : i + 4] for i in range(0, 16, 4)]
        tops = torch.stack([part.max(1)[0] for part in parts])
        sums = torch.stack([torch.exp(part - part.max(1, keepdim=True)[0]).sum(1) for part in parts])
        running = torch.cummax(tops, 0)[0]
        unscaled = torch.stack([torch.exp(p - m[:, None]).sum(1) for p, m in zip(parts, running)]).sum(0)
        picked = scores.gather(1, places[:, None])[:, 0]
        raise_first(
            got,
            [
                (running[-1] + torch.log(unscaled) - picked, "最大值变大时，已经加好的和没有乘 e^(旧 m − 新 m)。", "When the maximum grows, the sum so far must be multiplied by e^(old m − new m)."),
                (tops[-1] + torch.log(sums[-1]) - picked, "只剩最后一块：前面的块要合并进来。", "Only the last block is left: the blocks before must be merged in."),
                (tops[0] + torch.log(sums[0]) - picked, "只做了第一块：一行有 n_cols 列，要循环。", "Only the first block was done: a row has n_cols columns, so loop."),
                (running[-1] + torch.log(sums.sum(0)) - picked, "各块的和有各自的最大值，要先折算再相加。", "The blocks' sums belong to different maxima: rescale them before adding."),
            ],
        )  # fmt: skip
        if not got.isfinite().all():
            raise Wrong(
                "分数在 ±1000 左右，或一块接一块升高时，得到了 inf 或 NaN：指数里要减去到目前为止的最大值。",
                "At scores around ±1000, or rising from block to block, it gives inf or NaN: subtract the maximum so far.",
            )
        raise Wrong("16 列分成 4 个一块时错了。", "Wrong with 16 columns in blocks of 4.")
    for columns, block in ((1, 4), (13, 4), (31, 8), (100, 32)):
        x, target = _random(3, columns) * 3, torch.arange(3) * 7 % columns
        if not _near(run(x, target, block).out, _losses(x, target), x):
            raise Wrong(f"{columns} 列、一块 {block} 个时错了。", f"Wrong with {columns} columns in blocks of {block}.")
    if not close(run(_apart(x, 3), target, 32).out, _losses(x, target)):
        raise Wrong(
            "行与行之间有空隙时错了：换行要用 x_stride。",
            "Wrong on rows with gaps between them: the next row is x_stride further on.",
        )
    dark, target = x.clone(), torch.tensor([0, 70, 9])
    dark[:, 10:60] = -math.inf
    if not close(run(dark, target, 8).out, _losses(dark, target)):
        raise Wrong("中间有一整块 −inf 时错了。", "Wrong where a whole block in the middle is −inf.")
    ran = run(x, target, 32)
    if (read := ran.loads("x_ptr")) > x.numel() + len(x):
        raise Wrong(
            f"结果对，可是分数读了 {read / x.numel():.3g} 遍。最大值和总和可以在同一遍里求（07）。",
            f"Right, but the scores are read {read / x.numel():.3g} times. Maximum and sum come out of one pass (07).",
        )


# ---- the gradient in place


def _score_gradient(x, target, scale):
    p = torch.softmax(x.double(), 1)
    p[torch.arange(len(x)), target] -= 1
    return (p * scale).float()


def _score_mistakes(x, target):
    """What a kernel for scale·(p − [target]) gives with one thing wrong; `scale` is 0.5, and there are 8 columns."""
    p, hot = torch.softmax(x, 1), torch.nn.functional.one_hot(target, 8).float()
    lse = torch.logsumexp(x, 1, keepdim=True)
    return [
        (0.5 * p, "目标那一列还要减 1。", "1 is still to be subtracted in the target's column."),
        (p - hot, "还要乘上 scale。", "scale is still to be multiplied in."),
        (0.5 * p - hot, "scale 要乘整个括号，目标的那个 1 也在内。", "scale multiplies the whole bracket, the target's 1 included."),
        (0.5 * (p + hot), "正负号反了：目标那一列要减 1。", "The sign is wrong: 1 is subtracted in the target's column."),
        (0.5 * (hot - p), "正负号整个反了：照这个梯度走，损失会变大。", "The whole sign is wrong: following it, the loss would grow."),
        (0.5 * (p - 1), "每一列都减了 1：只有目标那一列要减。", "1 was subtracted in every column: only the target's."),
        (0.5 * (x - lse - hot), "这是对数概率；要先取指数。", "These are log-probabilities; take the exponential first."),
        (0.5 * (torch.exp(x) - hot), "取指数之前没有减 lse。", "lse was not subtracted inside the exponential."),
        (0.5 * (p - hot[0]), "每一行都用了第 0 行的目标：要读 target_ptr + row。", "Every row used row 0's target: target_ptr + row."),
        (0.5 * (torch.exp(x) - lse - hot), "lse 要在取指数之前减。", "lse is subtracted before the exponential, not after."),
        (0.5 * (torch.exp(x - lse[0]) - hot), "每一行都用了第 0 行的 lse：要读 lse_ptr + row。", "Every row used row 0's lse: lse_ptr + row."),
        (0.5 * (p - torch.eye(8)[: len(x)]), "减 1 的是 target 那一列，不是第 row 列。", "1 is subtracted in column `target`, not in column `row`."),
    ]  # fmt: skip


def _in_place_gradient_kernel(kernel):
    def run(x, target, scale=0.5, spare=0, lse=None):
        held = _apart(x, spare)
        lse = torch.logsumexp(x.float(), 1) if lse is None else lse
        block = _block(x.shape[1])
        return _run(kernel, held, held, target, lse, scale, held.stride(0), x.shape[1], rows=len(x), block=block)

    x, target = _random(4, 8), torch.tensor([3, 0, 7, 2])
    raise_first(run(x, target).out, _score_mistakes(x, target))
    if not close(run(x, target).out, _score_gradient(x, target, 0.5)):
        raise Wrong("8 列的矩阵就算错了：先核对公式。", "Wrong on 8 columns already: check the formula.")
    for columns in (5, 1, 2, 127, 129, 300):
        x, target = _random(3, columns) * 3, torch.arange(3) * 7 % columns
        if not close(run(x, target, 0.25).out, _score_gradient(x, target, 0.25)):
            raise Wrong(f"{columns} 列时错了。", f"Wrong with {columns} columns.")
    if not close(run(x + 1000, target, 0.25).out, _score_gradient(x, target, 0.25)) and not torch.allclose(
        run(x + 1000, target, 0.25).out, _score_gradient(x, target, 0.25), rtol=1e-3, atol=1e-5
    ):
        raise Wrong(
            "分数在 1000 左右时错了：指数里先减去 lse。",
            "Wrong at scores around 1000: subtract lse inside the exponential.",
        )
    if not close(run(x, target, 0.25, spare=4).out, _score_gradient(x, target, 0.25)):
        raise Wrong(
            "行与行之间有空隙时错了：换行要用 x_stride。",
            "Wrong on rows with gaps between them: the next row is x_stride further on.",
        )
    sure = torch.zeros(2, 8)
    sure[:, 2] = 8.875  # p = 0.9990
    sure = sure.bfloat16()
    target = torch.tensor([2, 2])
    got, want = run(sure, target, 1.0).out.float(), _score_gradient(sure.float(), target, 1.0)
    if not torch.allclose(got, want, rtol=0.02):
        raise Wrong(
            f"bfloat16、目标的概率 {1 + want[0, 2]:.4f} 时，目标的梯度应是 {want[0, 2]:.2g}，得到 {got[0, 2]:.2g}：先舍入、后减 1，就剩不下什么了。在 float32 里减完再存。",
            f"In bfloat16, with {1 + want[0, 2]:.4f} as the target's probability, its gradient should be {want[0, 2]:.2g} and is "
            f"{got[0, 2]:.2g}: round first, subtract 1 later, and little is left. Subtract in float32, then store.",
        )
    ran = run(x, torch.arange(3), 0.25)
    if ran.stores("x_ptr") > x.numel() or ran.loads("x_ptr") > x.numel():
        raise Wrong(
            f"结果对，可是分数读了 {ran.loads('x_ptr')} 个、写了 {ran.stores('x_ptr')} 个；各 {x.numel()} 个就够。",
            f"Right, but it reads {ran.loads('x_ptr')} scores and writes {ran.stores('x_ptr')}; {x.numel()} of each are enough.",
        )


# ---- rows that are ignored


def _ignoring_gradient_kernel(kernel):
    def run(x, target, ignored=-100, spare=0):
        dx = _empty(*x.shape, spare, x.dtype)
        lse = torch.logsumexp(x.float(), 1)
        arguments = (dx, x, target, lse, 0.5, dx.stride(0), x.stride(0), x.shape[1], ignored)
        return _run(kernel, dx, *arguments, rows=len(x), block=_block(x.shape[1]))

    def reference(x, target, ignored):
        kept = target != ignored
        return torch.where(kept[:, None], _score_gradient(x, target.where(kept, 0), 0.5), 0.0)

    x, target = _random(4, 8), torch.tensor([3, 0, 7, 2])
    got = run(x, target).out
    if (got == 0).all():
        raise Wrong(
            "一行也不该忽略，梯度却全是 0：条件反了。",
            "No row is to be ignored, yet every gradient is 0: the condition is the wrong way round.",
        )
    raise_first(got, _score_mistakes(x, target))
    if not close(got, reference(x, target, -100)):
        raise Wrong(
            "没有一行要忽略时就算错了：先核对公式 scale·(e^(x − lse) − [目标])。",
            "Wrong with no row to ignore: check the formula scale·(e^(x − lse) − [target]).",
        )
    target = torch.tensor([3, -100, 7, -100])
    ran = run(x, target)
    got, want = ran.out, reference(x, target, -100)
    if (got[1] == UNTOUCHED).all():
        raise Wrong(
            "被忽略的行没有写：那里留着原来的内容。梯度是 0，也要写。",
            "Ignored rows were not written and keep what was there. Their gradient is 0 and must be stored.",
        )
    if close(got[1], 0.5 * torch.softmax(x[1], 0)):
        raise Wrong(
            "被忽略的行得到了 scale·p：target 不落在任何一列，只是没有减 1，梯度不会因此变成 0。",
            "Ignored rows got scale·p: a target that equals no column does not make the gradient 0.",
        )
    if not close(got, want):
        raise Wrong(
            "有被忽略的行时错了：它们的梯度应当全是 0。",
            "Wrong where rows are ignored: their gradient should be 0 throughout.",
        )
    for ignored in (0, 5, -1, -7):
        mixed = torch.tensor([ignored, 3, ignored, 1])
        got, want = run(x, mixed, ignored).out, reference(x, mixed, ignored)
        if not close(got, want):
            raise Wrong(
                f"ignore_index = {ignored} 时错了：target 要和它比，别写死 −100，也别只看正负。",
                f"Wrong with ignore_index = {ignored}: compare with it, not with −100, and don't go by the sign.",
            )
    broken = x.clone()
    broken[1] = math.nan
    if run(broken, target).out[1].isnan().any():
        raise Wrong(
            "被忽略的行里有 NaN 时，梯度成了 NaN：0 × NaN 还是 NaN。用 tl.where 选，别乘。",
            "With NaN in an ignored row its gradient became NaN: 0 × NaN is NaN. Choose with tl.where, don't multiply.",
        )
    for columns in (5, 1, 129):
        wide, places = _random(3, columns), torch.tensor([0, -100, columns - 1])
        if not close(run(wide, places).out, reference(wide, places, -100)):
            raise Wrong(f"{columns} 列时错了。", f"Wrong with {columns} columns.")
    wide = _random(3, 5)
    if not close(
        run(_apart(wide, 3), torch.tensor([0, -100, 4]), spare=2).out, reference(wide, torch.tensor([0, -100, 4]), -100)
    ):
        raise Wrong(
            "行步幅不等于列数时错了：各用各的步幅。",
            "Wrong where the row strides are not n_cols: use each tensor's own.",
        )
    if (read := ran.loads("x_ptr")) > 2 * 8:
        raise Wrong(
            f"结果对，可是读了 {read} 个分数：被忽略的行一个也不用读，两行 16 个就够。让 load 的 mask 也看 target。",
            f"Right, but it reads {read} scores: none of an ignored row is needed, 16 of two rows are enough. Let the mask of the "
            "load look at the target too.",
        )


EXERCISES = {
    "wide_backward_kernel": Exercise(
        "wide_backward_kernel",
        _wide_backward_kernel,
        Text(
            "读 4MN、写 MN。一行放不下时，两轮省不掉：第一个 dx 就要用到整行的和。",
            "It reads 4MN and writes MN. Where a row does not fit there is no way round two rounds: the first dx needs the whole row's sum.",
        ),
    ),
    "log_softmax_backward_kernel": Exercise(
        "log_softmax_backward_kernel",
        _log_softmax_backward_kernel,
        Text(
            "和 softmax 的反向只差一行，搬的字节一样多。",
            "One line apart from softmax's backward, and the bytes are the same.",
        ),
    ),
    "one_pass_loss_kernel": Exercise(
        "one_pass_loss_kernel",
        _one_pass_loss_kernel,
        Text(
            "词表再宽，分数也只读一遍，概率一个也不写：MN + O(M)。",
            "However wide the vocabulary, the scores are read once and no probability is written: MN + O(M).",
        ),
    ),
    "in_place_gradient_kernel": Exercise(
        "in_place_gradient_kernel",
        _in_place_gradient_kernel,
        Text(
            "读 MN、写 MN，不另占显存。原地省的是空间，字节一个也没少。",
            "MN read, MN written, no extra memory. In place saves room, not one byte of traffic.",
        ),
    ),
    "ignoring_gradient_kernel": Exercise(
        "ignoring_gradient_kernel",
        _ignoring_gradient_kernel,
        Text(
            "被忽略的行只写不读。一批里填充（padding）越多，省得越多。",
            "Ignored rows are written and never read. The more padding in a batch, the more that saves.",
        ),
    ),
}  # fmt: skip

"""The exercises of 03_masked_row_kernel (its questions are in `nb03_questions`)."""

import math
from functools import partial

import torch

from ..backend import triton
from ..language import Text
from .engine import Exercise, Wrong
from .kernel_probes import PLAIN, UNTOUCHED, Layout, launch
from .nb03_questions import QUESTIONS
from .probes import close, number

__all__ = ["EXERCISES", "QUESTIONS"]

ROWS = torch.tensor([[2.0, -1.0, 0.5, 1.0, -0.5], [4.0, 3.0, 5.0, 3.5, 4.5], [-2.0, 0.0, -3.0, 1.0, 2.0]])


def _idle_share(answer):
    for n_cols in (5, 1, 128, 129, 781, 1024, 1025):
        block = triton.next_power_of_2(n_cols)
        got, want = number(answer, n_cols), (block - n_cols) / block
        if math.isclose(got, want, abs_tol=1e-9):
            continue
        if n_cols == block:
            raise Wrong(
                f"{n_cols} 本身就是 2 的幂，一个通道也不空；你给的是 {got:g}。",
                f"{n_cols} is a power of two itself, and no lane is idle; you gave {got:g}.",
            )
        mistakes = {
            n_cols / block: ("这是用上的份额，要的是空着的。", "That is the share in use; the idle one is asked for."),
            (block - n_cols) / n_cols: ("分母是块里的全部通道，不是列数。", "Divide by all the lanes of the block, not by the columns."),
            100 * want: ("要的是 0 到 1 之间的份额，不是百分数。", "A share between 0 and 1 is asked for, not a percentage."),
            block - n_cols: ("这是空着的通道数；再除以全部通道。", "That is how many are idle; divide by all the lanes."),
        }  # fmt: skip
        for wrong, (zh, en) in mistakes.items():
            if math.isclose(got, wrong, abs_tol=1e-9):
                raise Wrong(zh, en)
        raise Wrong(
            f"{n_cols} 列应得 {want:g}，你给的是 {got:g}。", f"{n_cols} columns should give {want:g}; you gave {got:g}."
        )


def _check_rows(kernel, reference, *, run=None, agree=close, rounding=0.0):
    """What every kernel that does a row a program must get right, one trap at a time.

    `run` launches it, `agree` compares; `rounding` says how far a right result may stray for its size of score."""
    run = run or partial(launch, kernel)
    square = torch.cat([ROWS, ROWS.flip(0)], dim=1)[:, :8]
    if not agree(run(square), reference(square)):
        raise Wrong(
            "连 8 列、不需要掩码的矩阵也算错了：先核对公式本身。",
            "Wrong even on 8 columns, where no mask is needed: check the formula first.",
        )
    if not agree(run(ROWS), reference(ROWS)) or not agree(run(ROWS - 20), reference(ROWS - 20)):
        raise Wrong(
            "5 列、8 个通道时错了，分数减 20 后看得最清楚：多余的通道参加了计算。other 该填 −inf。",
            "Wrong with 5 columns in 8 lanes, most plainly once the scores are lowered by 20: the spare lanes take part. "
            "Let other be −inf.",
        )
    if not agree(run(ROWS + 1000), reference(ROWS + 1000)):
        raise Wrong(
            "分数在 1000 左右时溢出了：先减去最大值。", "It overflows at scores around 1000: subtract the maximum."
        )
    wide = torch.cat([ROWS, ROWS.flip(0)], dim=1)[:, :7]
    if not agree(run(wide[:, :5]), reference(wide[:, :5])):
        raise Wrong(
            "输入是从 7 列里切出的 5 列时，错了行：换行要加 x_stride，不是列数。",
            "On 5 columns cut out of 7 it gets the wrong rows: the next row is x_stride further on, not n_cols.",
        )
    if not agree(run(ROWS, Layout(spare=3)), reference(ROWS)):
        raise Wrong(
            "输出的每行后面还有别人的元素时，写错了位置：换行要加 y_stride。",
            "With other elements behind each row of the output it stores in the wrong places: the next row is y_stride further on.",
        )
    torch.manual_seed(3)
    for n_cols in (1, 2, 16, 127, 129, 781):
        x = torch.randn(3, n_cols)
        if not agree(run(x), reference(x)):
            raise Wrong(f"{n_cols} 列时错了。", f"Wrong with {n_cols} columns.")
        if n_cols == 1 and not torch.equal(run(x), reference(x)):
            raise Wrong(
                "只有一列时，结果应当一位不差：和里不要另加一个小数，它不会是 0。",
                "With one column the result should be exact: add no small number to the sum, which is never 0.",
            )
    deep = torch.full((3, 5), -1e38)
    if not torch.allclose(run(deep), reference(deep), rtol=1e-4, atol=1e-6 + rounding * 1e38):
        raise Wrong(
            "分数都低到 −1e38 时错了：other 填一个“很小的数”总有不够小的时候，填 −inf。",
            "Wrong when all scores are as low as −1e38: some “very small number” is not small enough one day; pad with −inf.",
        )
    special = torch.tensor([[1.0, -math.inf, 2.0, 0.0, 1.0], [-math.inf] * 5, [1.0, 2.0, math.nan, 0.0, 1.0]])
    if not agree(run(special), reference(special)):
        raise Wrong(
            "输入里有 −inf 或 NaN 时，与 PyTorch 的结果不一致。",
            "With −inf or NaN in the input it differs from what PyTorch gives.",
        )
    half = ROWS.half()
    if not torch.allclose(run(half).float(), reference(half.float()), rtol=2e-3, atol=1e-4):
        raise Wrong("float16 的输入错了。", "Wrong on float16 input.")


def _mended_kernel(kernel):
    _check_rows(kernel, lambda x: torch.softmax(x, dim=1))


def _log_softmax_kernel(kernel):
    got = launch(kernel, ROWS)
    if close(got, torch.softmax(ROWS, dim=1)):
        raise Wrong("这是 softmax；还差一个对数。", "This is softmax; the logarithm is still missing.")
    if close(got, ROWS - torch.logsumexp(ROWS, 1, keepdim=True) - ROWS.max(1, keepdim=True)[0]):
        raise Wrong(
            "最大值减了两次：对数里的和已经是减过最大值的。",
            "The maximum was subtracted twice: the sum inside the logarithm has lost it already.",
        )
    if close(
        got, (ROWS - ROWS.max(1, keepdim=True)[0]) - torch.exp(ROWS - ROWS.max(1, keepdim=True)[0]).sum(1)[:, None]
    ):
        raise Wrong("减去的要是和的对数，不是和本身。", "Subtract the logarithm of the sum, not the sum.")
    apart = ROWS * 100
    if torch.isinf(launch(kernel, apart)).any():
        raise Wrong(
            "分数相差几百时得到了 −inf：先算出 softmax 再取对数，小的概率早已下溢成 0。对和取对数，再相减。",
            "Scores hundreds apart give −inf: in softmax the small probabilities underflow to 0 before the logarithm comes. "
            "Take the logarithm of the sum and subtract.",
        )
    # x - (max + log(sum)) is right as well; beside a score of -1e38, though, float32 has no room for the logarithm
    _check_rows(kernel, lambda x: torch.log_softmax(x, dim=1), rounding=1e-6)
    if not close(launch(kernel, apart), torch.log_softmax(apart, dim=1)):
        raise Wrong("分数相差几百时不准。", "Inaccurate for scores hundreds apart.")


def _causal(x, keep=torch.tril):
    keep = keep(torch.ones(x.shape, dtype=torch.bool))
    return torch.softmax(x.masked_fill(~keep, -math.inf), dim=1).masked_fill(~keep, 0)


def _causal_close(got, want):
    """Close; where a row's softmax is NaN, the columns after may be 0, as asked, or NaN with the rest of the row."""
    return close(got.masked_fill((want == 0) & want[:, :1].isnan() & got.isnan(), 0), want)


def _causal_kernel(kernel):
    x = torch.cat([ROWS, ROWS - 1])[:5]
    got = launch(kernel, x)
    if got[0].isnan().all() and not got[1:, 0].isnan().any():
        raise Wrong(
            "第 0 行成了 NaN：一列也没给它留。程序 i 要看得到第 i 列，用 <=。",
            "Row 0 became NaN: no column was left to it. Program i sees column i as well: use <=.",
        )
    future = torch.triu(torch.ones(5, 5, dtype=torch.bool), 1)
    if (got[future] == UNTOUCHED).all() and close(got[~future], _causal(x)[~future]):
        raise Wrong(
            "后面的列没有写：输出里留着原来的内容。它们的概率是 0，也要写回去，所以 store 的掩码只看列数。",
            "The later columns were not written and keep what was there. Their probability is 0 and must be stored too: the "
            "mask of the store looks at n_cols alone.",
        )
    if close(got, torch.softmax(x, 1)):
        raise Wrong(
            "这是普通的 softmax：程序 i 还看得见它后面的列。",
            "This is plain softmax: program i still sees the columns after it.",
        )
    if close(got, torch.softmax(x, 1).tril()):
        raise Wrong(
            "先归一化再遮，行和就不到 1 了：在求最大值之前遮。",
            "Masked after normalising, the rows sum to less than 1: mask before the maximum.",
        )
    if close(got, _causal(x, torch.triu)):
        raise Wrong("方向反了：程序 i 看的是 columns <= i。", "The wrong way round: program i sees columns <= i.")
    _check_rows(kernel, _causal, agree=_causal_close)
    rising = x + 200 * torch.arange(5)
    if not close(launch(kernel, rising), _causal(rising)):
        raise Wrong(
            "后面的分数高出 200 时错了，前面的都下溢成了 0：最大值也只能在第 0 到第 i 列里求。",
            "Wrong when the scores to come are 200 higher: those before underflow to 0. The maximum, too, is of columns 0 to i alone.",
        )
    tall = torch.cat([ROWS, ROWS, ROWS])
    if not close(launch(kernel, tall), _causal(tall)):
        raise Wrong("行比列多时错了：列数仍是界限。", "Wrong with more rows than columns: n_cols is still a bound.")


def _strided_kernel(kernel):
    def run(x, y=PLAIN):
        return launch(kernel, x, y, both_strides=True)

    want = torch.softmax(ROWS, dim=1)
    if not close(run(ROWS), want) or not close(run(ROWS - 20), want):
        raise Wrong(
            "连续的输入就错了：先照抄正文里的内核。",
            "Wrong on contiguous input already: start from the kernel in the text.",
        )
    if not close(run(ROWS.T.contiguous().T), want):
        raise Wrong(
            "转置的输入错了：第 j 列在 row * x_row_stride + columns * x_col_stride。",
            "Wrong on a transposed input: column j lies at row * x_row_stride + columns * x_col_stride.",
        )
    if not close(run(ROWS, Layout(turned=True)), want):
        raise Wrong(
            "转置的输出错了：store 也要用 y_col_stride。",
            "Wrong on a transposed output: the store needs y_col_stride too.",
        )
    spread = torch.stack([ROWS, ROWS * 0], dim=2).flatten(1)[:, ::2]
    if not close(run(spread, Layout(spare=2)), want):
        raise Wrong("隔一列取一列的输入错了。", "Wrong on an input that takes every other column.")
    torch.manual_seed(3)
    for n_cols in (1, 127, 129):
        x = torch.randn(n_cols, 3).T
        if not close(run(x, Layout(turned=True)), torch.softmax(x, dim=1)):
            raise Wrong(f"{n_cols} 列时错了。", f"Wrong with {n_cols} columns.")
    _check_rows(kernel, lambda x: torch.softmax(x, dim=1), run=run)


EXERCISES = {
    "idle_share": Exercise(
        "idle_share",
        _idle_share,
        Text(
            "781 列空着 23.7%。空着的通道不搬字节，只占着寄存器和指令。",
            "With 781 columns 23.7 % are idle. Idle lanes move no bytes; they only take up registers and instructions.",
        ),
    ),
    "mended_kernel": Exercise(
        "mended_kernel",
        _mended_kernel,
        Text(
            "四处都补好了。它们有一个共同点：在 8 列、连续、分数不太低的矩阵上，一处也看不出来。",
            "All four are mended. They had one thing in common: on 8 contiguous columns with scores not too low, none of them shows.",
        ),
    ),
    "log_softmax_kernel": Exercise(
        "log_softmax_kernel",
        _log_softmax_kernel,
        Text(
            "对和取对数，不对商取对数：交叉熵损失用的就是它。搬运还是 2MN。",
            "The logarithm of the sum, not of the quotient: this is what cross-entropy uses. The traffic is still 2MN.",
        ),
    ),
    "causal_kernel": Exercise(
        "causal_kernel",
        _causal_kernel,
        Text(
            "读的掩码和写的掩码不必相同。注意力里“不许看后面”就是这样做的，而且没看的列也没有读。",
            "The mask of the load and that of the store may differ. Attention hides the future in this way, and what is hidden is not even read.",
        ),
    ),
    "strided_kernel": Exercise(
        "strided_kernel",
        _strided_kernel,
        Text(
            "切片、转置、隔列都对，不必先复制。代价：列步幅不是 1 时，相邻通道读的地址不相邻，显存送来的字节有一部分用不上。",
            "Slices, transposes, every other column: all right without a copy. The price: with a column stride other than 1, neighbouring "
            "lanes read addresses that are not neighbours, and part of what the memory delivers goes unused.",
        ),
    ),
}  # fmt: skip

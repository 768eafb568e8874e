"""The exercises of 08_to_the_limit (its questions are in `nb08_questions`)."""

import ast
import inspect
import math
import textwrap

import torch

from ..backend import triton
from ..compiler import Pointer
from ..language import Text
from ..traffic.view import ranges
from .exercise import Budget, Exercise
from .kernel_probes import PLAIN, UNTOUCHED, Layout
from .launching import counted
from .nb08_questions import QUESTIONS
from .probes import close
from .wrong import Wrong

__all__ = ["EXERCISES", "QUESTIONS"]

INF = math.inf
PADDING = (
    "多余的位置按 0 分参加了计算：other 该填 −inf。",
    "Spare places take part with a score of 0: let other be −inf.",
)
TALL = (
    "分数在 1000 左右时溢出了：取指数之前先减最大值。",
    "It overflows at scores around 1000: subtract the maximum before the exponential.",
)
X_STRIDE = (
    "输入是从更宽的矩阵里切出来的一块时错了：换行要加 x_stride。",
    "Wrong on columns cut out of a wider matrix: the next row is x_stride further on.",
)
Y_STRIDE = (
    "输出的每行后面还有别人的元素时错了：换行要加 y_stride。",
    "With other elements behind each row of the output it is wrong: the next row is y_stride further on.",
)
HALF = ("float16 的输入错了：读进来先变成 float32。", "Wrong on float16 input: make it float32 once loaded.")
ROW = (
    "每个 program 只做了自己的第一行，或者行号错了：program p 做第 p·ROWS 行到第 p·ROWS + ROWS − 1 行。",
    "Some rows were not written: program p does the rows from p·ROWS to p·ROWS + ROWS − 1.",
)


def _random(rows: int, columns: int) -> torch.Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(100 * rows + columns))


def _sliced(x: torch.Tensor) -> torch.Tensor:
    """The same values, with elements of somebody else's behind each row."""
    return torch.nn.functional.pad(x, (0, 3), value=7.0)[:, : x.shape[1]]


def _launch(kernel, grid: int, *arguments, last: int | None = None, **constants) -> dict:
    """Runs the kernel into `arguments[0]`; its traffic, one entry a tensor. `last`: the program whose rows are not all there."""
    traffic, _ = counted(kernel, (grid,), *arguments, **constants)
    for astray in traffic.astray:
        where = f"{astray.tensor}[{ranges(astray.offsets)}]"
        at, at_en = (
            f"（第 {astray.line} 行：{astray.source}；{where}）",
            f" (line {astray.line}: {astray.source}; {where})",
        )
        if last is not None and min(program[0] for program in astray.programs or {astray.program}) >= last:
            raise Wrong(
                f"最后一个 program 的行不满，{astray.kind} 越界了{at}：最后一行以后，不读也不写。",
                f"The last program has rows to spare, and a {astray.kind} leaves its tensor{at_en}: past the last row, neither load nor store.",
            )
        raise Wrong(
            f"{astray.kind} 越界了{at}：检查它的 mask 和步幅。",
            f"A {astray.kind} leaves its tensor{at_en}: see to its mask and its stride.",
        )
    if (arguments[0] == UNTOUCHED).all():
        raise Wrong("输出里什么也没有写。", "Nothing was written to the output.")
    return {tensor.name: tensor for tensor in traffic.tensors}


def _same(got, mistakes, want=None):
    """Raises the first mistake whose result is what the kernel gave."""
    for result, zh, en in mistakes:
        if close(got, result) and (want is None or not close(result, want)):
            raise Wrong(zh, en)


def _moved(traffic, tensor: str, kind: str, want: int, shape: str, zh: str, en: str):
    """Refuses more elements of a tensor than it takes."""
    count = getattr(traffic[tensor], kind)
    if count > want:
        verb, verb_en = {"loads": ("读", "loaded"), "stores": ("写", "stored")}[kind]
        raise Wrong(
            f"结果对，可是{shape}时 {tensor} {verb}了 {count} 个元素，{want} 个就够。{zh}",
            f"The result is right, but {count} elements of {tensor} were {verb_en} ({shape.replace('行', ' rows').replace('列', ' columns').replace('，', ', ')}), where {want} would do. {en}",
        )


# ---- several rows a program, each with a length of its own


def _of_lengths(x, lengths):
    seen = torch.arange(x.shape[1]) < lengths[:, None]
    return torch.softmax(x.float().masked_fill(~seen, -INF), 1).masked_fill(~seen, 0)


def _lengths_kernel(kernel):
    def run(x, lengths, rows=2, output=PLAIN):
        (n_rows, n_cols), y = x.shape, output.empty(x.shape, x.dtype)
        lengths = torch.tensor(lengths, dtype=torch.int32)
        last = n_rows // rows if n_rows % rows else None
        arguments = (y, x, lengths, y.stride(0), x.stride(0), n_rows, n_cols)
        block = triton.next_power_of_2(n_cols)
        traffic = _launch(kernel, triton.cdiv(n_rows, rows), *arguments, last=last, ROWS=rows, BLOCK_SIZE=block)
        return y, traffic, _of_lengths(x, lengths)

    def right(*arguments, **named):
        got, _, want = run(*arguments, **named)
        return close(got, want)

    x = _random(4, 4)
    got, _, want = run(x, [4] * 4)
    if (got == UNTOUCHED).all(1).any():
        raise Wrong(*ROW)
    if not close(got, want):
        pairs = torch.exp(x - x.view(2, 8).amax(1).repeat_interleave(2)[:, None])
        both = pairs.view(2, 8).sum(1).repeat_interleave(2)[:, None]
        own = torch.exp(x - x.amax(1, keepdim=True))
        shared = own.view(2, 8).sum(1).repeat_interleave(2)[:, None]
        text = (
            "和加到了别的行上：一块有 ROWS 行，每行要一个自己的和，归约只沿着列。",
            "The sum runs over other rows too: a tile has ROWS rows, each with a sum of its own, so reduce along the columns alone.",
        )
        _same(got, [(pairs / both, *text), (own / shared, *text)], want)
        _same(got, [(own, "没有除以和。", "Not divided by the sum.")], want)
        raise Wrong(
            "4 行 4 列、每行都满，就算错了：先核对公式。", "Wrong on 4 full rows of 4 columns: check the formula."
        )
    if not right(x + 1000, [4] * 4):
        raise Wrong(*TALL)
    apart = x + torch.tensor([0.0, 500.0, 500.0, 0.0])[:, None]
    if not right(apart, [4] * 4):
        raise Wrong(
            "两行的分数相差 500 时错了：最大值要一行一个，不是整块一个。",
            "Wrong where two rows' scores are 500 apart: each row needs its own maximum, not one for the tile.",
        )
    got, _, want = run(x, [4, 2, 1, 3])
    if not close(got, want):
        if (got == UNTOUCHED).any():
            raise Wrong(
                "长度以后的位置没有写：那里要写 0。", "Places beyond a row's length were not written: they get 0."
            )
        whole = torch.softmax(x, 1)
        beyond = torch.arange(4) >= torch.tensor([4, 2, 1, 3])[:, None]
        _same(got, [
            (whole, "没有用上长度：每行只有前 lengths[i] 个分数算数。", "The lengths are not used: of row i only the first lengths[i] scores count."),
            (whole.masked_fill(beyond, 0), "长度以后写了 0，可它们仍在和里：读的时候就要遮住。", "0 is written beyond the length, yet those scores are still in the sum: mask them when they are loaded."),
            (_of_lengths(x, torch.tensor([4, 4, 1, 1])), "同一个 program 里的行用了同一个长度：每行要读自己的。", "The rows of a program share one length: each has its own."),
        ], want)  # fmt: skip
    low = x - 30
    if not right(low, [4, 2, 1, 3]):
        raise Wrong(*PADDING)
    if not right(x, [4, 2, 1, 3]):
        raise Wrong("长度各不相同时错了。", "Wrong where the lengths differ.")
    if not right(_random(5, 4), [4, 2, 1, 3, 2]):
        raise Wrong("5 行、每个 program 2 行时错了。", "Wrong with 5 rows, 2 to a program.")
    if not right(_random(4, 5), [5, 1, 4, 2]):
        raise Wrong("5 列（块长 8）时错了。", "Wrong with 5 columns in a block of 8.")
    if not right(_sliced(_random(4, 5)), [5, 3, 2, 4]):
        raise Wrong(*X_STRIDE)
    if not right(_random(4, 5), [5, 3, 2, 4], output=Layout(spare=3)):
        raise Wrong(*Y_STRIDE)
    for shape, rows in (((9, 33), 4), ((3, 1), 1), ((7, 16), 8)):
        lengths = [1 + 7 * i % shape[1] for i in range(shape[0])]
        if not right(_random(*shape), lengths, rows):
            raise Wrong(f"{shape[0]} 行 {shape[1]} 列、ROWS = {rows} 时错了。", f"Wrong with {shape[0]} rows, {shape[1]} columns and ROWS = {rows}.")  # fmt: skip
    got, _, want = run(x.half(), [4, 2, 1, 3])
    if not torch.allclose(got.float(), want, rtol=2e-3, atol=1e-4):
        raise Wrong(*HALF)
    _, traffic, _ = run(_random(6, 16), [16, 2, 5, 9, 1, 3])
    _moved(traffic, "x_ptr", "loads", 36, "6 行，16 列", "长度以后的分数不必读。", "Scores beyond a row's length need not be loaded.")  # fmt: skip
    _moved(traffic, "lengths_ptr", "loads", 6, "6 行，16 列", "每行的长度读一次。", "Load each row's length once.")
    _moved(traffic, "y_ptr", "stores", 96, "6 行，16 列", "每个位置写一次。", "Store each place once.")


# ---- a ragged tail, and no mask in the body


def masks_in_loops(answer) -> int:
    """Over there: how many loads and stores inside a loop of the kernel carry a mask."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(getattr(answer, "fn", answer))))
    calls = {
        node
        for loop in ast.walk(tree)
        if isinstance(loop, ast.For | ast.While)
        for node in ast.walk(loop)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("load", "store")
    }
    return sum(
        any(keyword.arg == "mask" and not _is_none(keyword.value) for keyword in call.keywords)
        or len(call.args) > (1 if call.func.attr == "load" else 2)
        for call in calls
    )


def _is_none(node) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _tail_kernel(kernel):
    def run(x, block=4, output=PLAIN):
        (n_rows, n_cols), y = x.shape, output.empty(x.shape, x.dtype)
        arguments = (y, x, y.stride(0), x.stride(0), n_cols)
        traffic = _launch(kernel, n_rows, *arguments, FULL=n_cols // block, BLOCK_SIZE=block)
        return y, traffic

    def right(x, *rest, **named):
        return close(run(x, *rest, **named)[0], torch.softmax(x, 1))

    x = _random(2, 8)
    got = run(x)[0]
    if not close(got, torch.softmax(x, 1)):
        _same(got, [(torch.softmax(torch.nn.functional.pad(x, (0, 4)), 1)[:, :8], *PADDING)])
        raise Wrong(
            "8 列、块长 4、没有零头时就错了：最大值与和属于整行。",
            "Wrong on 8 columns in blocks of 4, with no tail at all: maximum and sum are the whole row's.",
        )
    x = _random(2, 11)
    got, want = run(x)[0], torch.softmax(x, 1)
    if (got[:, 8:] == UNTOUCHED).all():
        raise Wrong(
            "11 列、块长 4：最后 3 个元素没有写。", "11 columns in blocks of 4: the last 3 elements were not written."
        )
    body, tail = x[:, :8], x[:, 8:]
    if not close(got, want):
        own = torch.cat([torch.softmax(body, 1), torch.softmax(tail, 1)], 1)
        without = torch.exp(x - body.amax(1, keepdim=True)) / torch.exp(body - body.amax(1, keepdim=True)).sum(
            1, keepdim=True
        )
        _same(got, [
            (own, "零头自成了一个 softmax：和要属于整行。", "The tail became a softmax of its own: the sum is the whole row's."),
            (without, "和里没有零头：它也是这一行的。", "The tail is missing in the sum: it belongs to the row as well."),
        ])  # fmt: skip
    for low in (x - 30, x):
        if not right(low):
            raise (
                Wrong(*PADDING)
                if low is not x
                else Wrong("11 列、块长 4 时错了。", "Wrong on 11 columns in blocks of 4.")
            )
    if not right(x + 1000):
        raise Wrong(*TALL)
    if not right(torch.cat([body, tail + 200], 1)):
        raise Wrong(
            "最大值在零头里时错了：它也要参加求最大值。",
            "Wrong where the maximum is in the tail: it takes part in the maximum too.",
        )
    if not right(_random(3, 3)):
        raise Wrong(
            "3 列、块长 4：没有整块、只有零头时错了。",
            "3 columns in blocks of 4: wrong where there is no full block, only a tail.",
        )
    if not right(_sliced(x)):
        raise Wrong(*X_STRIDE)
    if not right(x, output=Layout(spare=3)):
        raise Wrong(*Y_STRIDE)
    empty = torch.cat([torch.full((2, 4), -INF), x[:, :7]], 1)
    if not right(empty):
        raise Wrong(
            "整整一块都是 −inf 时错了：−inf − (−inf) 没有定义，减去整行的最大值就没有这回事。",
            "Wrong where a whole block is −inf: −inf − (−inf) is undefined; subtract the row's maximum and it never happens.",
        )
    for n_cols, block in ((1, 4), (5, 1), (129, 32), (100, 128), (128, 32)):
        if not right(_random(3, n_cols), block):
            raise Wrong(f"{n_cols} 列、块长 {block} 时错了。", f"Wrong with {n_cols} columns in blocks of {block}.")
    if not torch.allclose(run(x.half())[0].float(), torch.softmax(x.half().float(), 1), rtol=2e-3, atol=1e-4):
        raise Wrong(*HALF)
    _, traffic = run(_random(2, 23))
    _moved(traffic, "x_ptr", "loads", 46, "2 行，23 列", "整行留在寄存器里，每个元素读一次。", "Keep the row in registers, and load each element once.")  # fmt: skip
    _moved(traffic, "y_ptr", "stores", 46, "2 行，23 列", "每个元素写一次。", "Store each element once.")
    if kernel.pupil.apply(f"{__name__}:masks_in_loops") != 0:
        raise Wrong(
            "结果对，可是循环里的 load 或 store 还带着 mask：整块不会越界，只有零头要遮。",
            "The result is right, but a load or store in the loop still carries a mask: full blocks can't leave the row; only the tail needs one.",
        )


# ---- the same bytes, fewer registers


X = Pointer("float32")
LEAN = Budget((X, X, 1024, 1024, 4096, 1024), {"ROWS": 8, "BLOCK_SIZE": 1024, "num_warps": 4}, 48)


def _lean_kernel(kernel):
    def run(x, rows=2, output=PLAIN):
        (n_rows, n_cols), y = x.shape, output.empty(x.shape, x.dtype)
        arguments = (y, x, y.stride(0), x.stride(0), n_rows, n_cols)
        block, last = triton.next_power_of_2(n_cols), n_rows // rows if n_rows % rows else None
        traffic = _launch(kernel, triton.cdiv(n_rows, rows), *arguments, last=last, ROWS=rows, BLOCK_SIZE=block)
        return y, traffic

    def right(x, *rest, **named):
        return close(run(x, *rest, **named)[0], torch.softmax(x, 1))

    x = _random(4, 4)
    got, want = run(x)[0], torch.softmax(x, 1)
    if (got == UNTOUCHED).all(1).any():
        raise Wrong(*ROW)
    if not close(got, want):
        own = torch.exp(x - x.amax(1, keepdim=True))
        _same(got, [
            (own, "没有除以和。", "Not divided by the sum."),
            (torch.log_softmax(x, 1), "这是 softmax 的对数。", "This is the logarithm of softmax."),
        ])  # fmt: skip
        raise Wrong("4 行 4 列就算错了：先核对公式。", "Wrong on 4 rows of 4 columns: check the formula.")
    if not right(x + 1000):
        raise Wrong(*TALL)
    if not right(x + torch.tensor([0.0, 500.0, 500.0, 0.0])[:, None]):
        raise Wrong(
            "两行的分数相差 500 时错了：最大值要一行一个。",
            "Wrong where two rows' scores are 500 apart: each row needs its own maximum.",
        )
    if not right(_random(5, 4)):
        raise Wrong("5 行、每个 program 2 行时错了。", "Wrong with 5 rows, 2 to a program.")
    if not right(_random(4, 5) - 30):
        raise Wrong(*PADDING)
    if not right(_sliced(_random(4, 5))):
        raise Wrong(*X_STRIDE)
    if not right(_random(4, 5), output=Layout(spare=3)):
        raise Wrong(*Y_STRIDE)
    for shape, rows in (((9, 33), 4), ((3, 1), 1), ((7, 16), 8)):
        if not right(_random(*shape), rows):
            raise Wrong(f"{shape[0]} 行 {shape[1]} 列、ROWS = {rows} 时错了。", f"Wrong with {shape[0]} rows, {shape[1]} columns and ROWS = {rows}.")  # fmt: skip
    if not torch.allclose(run(x.half())[0].float(), torch.softmax(x.half().float(), 1), rtol=2e-3, atol=1e-4):
        raise Wrong(*HALF)
    _, traffic = run(_random(6, 16))
    _moved(traffic, "x_ptr", "loads", 96, "6 行，16 列", "省寄存器不能靠多读：每个元素读一次。", "Registers must not be saved by loading more: load each element once.")  # fmt: skip
    _moved(traffic, "y_ptr", "stores", 96, "6 行，16 列", "每个元素写一次。", "Store each element once.")


# ---- softmax of the K largest


def _largest(x, count: int, keep=None):
    """Softmax over the largest of each row, of equal scores the leftmost, all else 0."""
    places = torch.sort(x.float(), dim=1, descending=True, stable=True).indices[:, :count]
    kept = torch.zeros_like(x, dtype=torch.bool).scatter_(1, places, True)
    return torch.softmax(x.float().masked_fill(~kept, -INF), 1)


def _topk_kernel(kernel):
    def run(x, count, output=PLAIN):
        (n_rows, n_cols), y = x.shape, output.empty(x.shape, x.dtype)
        arguments = (y, x, y.stride(0), x.stride(0), n_cols)
        block = triton.next_power_of_2(n_cols)
        return y, _launch(kernel, n_rows, *arguments, K=count, BLOCK_SIZE=block)

    def right(x, count, **named):
        return close(run(x, count, **named)[0], _largest(x, count))

    x = torch.tensor([[0.5, 2.0, -1.0, 1.0, 3.0, 0.0, 1.5, -2.0], [3.0, -0.5, 0.0, 2.0, 1.0, -3.0, 2.5, 0.5]])
    got, want = run(x, 3)[0], _largest(x, 3)
    if (got == UNTOUCHED).any():
        raise Wrong("有的位置没有写：K 个以外的写 0。", "Some places were not written: all but the K get 0.")
    if not close(got, want):
        everything = torch.softmax(x, 1)
        _same(got, [
            (everything, "没有挑：整行都参加了。只有最大的 K 个算数。", "Nothing was chosen: the whole row takes part, where only the K largest count."),
            (everything * (want > 0), "挑对了，可是除的是整行的和：只加这 K 个。", "The right K, divided by the sum of the whole row: add up these K alone."),
            (_largest(x, 4), "多了一个：K = 3 时留下了 4 个。", "One too many: with K = 3 four are kept."),
            (_largest(x, 2), "少了一个：K = 3 时只留下了 2 个。", "One too few: with K = 3 two are kept."),
            (_largest(-x, 3), "留下的是最小的 K 个。", "The K smallest are kept."),
            (torch.where(want > 0, torch.exp(x - x.amax(1, keepdim=True)), 0), "没有除以和。", "Not divided by the sum."),
            (torch.softmax(torch.where(want > 0, x, 0), 1), "没挑中的按 0 分参加了：它们该是 −inf。", "Those not chosen take part with a score of 0: make them −inf."),
        ])  # fmt: skip
        raise Wrong("8 列、K = 3 时错了。", "Wrong with 8 columns and K = 3.")
    if not right(x + 1000, 3):
        raise Wrong(*TALL)
    low = (x - 30)[:, :7].contiguous()
    if not right(low, 3):
        raise Wrong(*PADDING)
    ties = torch.tensor([[1.0, 2.0, 2.0, 0.0, 2.0, -1.0, 1.0, 0.5]])
    for count in (2, 4):
        got = run(ties, count)[0]
        if not close(got, _largest(ties, count)):
            kept = int((got > 0).sum())
            raise (
                Wrong(
                    f"有相同的分数时错了：K = {count}，留下的却是 {kept} 个。一次只能去掉一个，用位置（tl.argmax）而不是用值来认。",
                    f"Wrong with equal scores: K = {count}, but {kept} are kept. Take out one at a time, told by its place (tl.argmax), not by its value.",
                )
                if kept != count
                else Wrong("有相同的分数时，该留最左边的。", "Of equal scores the leftmost are to be kept.")
            )
    for count, text in ((1, "K = 1"), (8, "K = 8")):
        if not right(x, count):
            raise Wrong(f"8 列、{text} 时错了。", f"Wrong with 8 columns and {text}.")
    if not right(_sliced(x), 3):
        raise Wrong(*X_STRIDE)
    if not right(x, 3, output=Layout(spare=3)):
        raise Wrong(*Y_STRIDE)
    for n_cols, count in ((1, 1), (33, 5), (100, 2)):
        if not right(_random(3, n_cols), count):
            raise Wrong(f"{n_cols} 列、K = {count} 时错了。", f"Wrong with {n_cols} columns and K = {count}.")
    if not torch.allclose(run(x.half(), 3)[0].float(), want, rtol=2e-3, atol=1e-4):
        raise Wrong(*HALF)
    _, traffic = run(x, 3)
    _moved(traffic, "x_ptr", "loads", 16, "2 行，8 列", "整行留在寄存器里，挑 K 次也只读一次。", "Keep the row in registers: choosing K times takes one load.")  # fmt: skip
    _moved(traffic, "y_ptr", "stores", 16, "2 行，8 列", "每个位置写一次，0 也在内。", "Store each place once, zeros included.")  # fmt: skip


EXERCISES = {
    "lengths_kernel": Exercise(
        "lengths_kernel",
        _lengths_kernel,
        Text(
            "一个 program 做几行，行长各不相同，长度以外的一个字节也没有读：一批长短不一的句子就是这样的。",
            "Several rows a program, each with its own length, and not a byte beyond it was read: a batch of sentences looks like this.",
        ),
    ),
    "tail_kernel": Exercise(
        "tail_kernel",
        _tail_kernel,
        Text(
            "整块不带掩码，零头单独处理：`ragged_kernel` 剥掉两头，也是为了这个。",
            "Full blocks without a mask, and the tail by itself: that is why `ragged_kernel` peels its ends off.",
        ),
    ),
    "lean_kernel": Exercise(
        "lean_kernel",
        _lean_kernel,
        Text(
            "字节一样多，寄存器少了一大半：行一个接一个地做，寄存器里只有一行。不过在途字节也少了，两样不可兼得。",
            "The same bytes in less than half the registers: with one row after another, only one is in registers. Fewer bytes are in flight, too: you can't have both.",
        ),
        LEAN,
    ),
    "topk_kernel": Exercise(
        "topk_kernel",
        _topk_kernel,
        Text(
            "挑 K 次，只读一遍：数据已经在寄存器里，再看一遍是免费的。专家混合模型的路由就是它。",
            "K choices, one load: once the data are in registers, another look is free. The router of a mixture of experts does just this.",
        ),
    ),
}

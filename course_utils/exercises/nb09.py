"""The exercises of 09_one_row_many_sms (its questions are in `nb09_questions`)."""

import math

import torch

from ..language import Text
from ..worker.pupil import Fallen
from .exercise import Exercise
from .kernel_probes import PLAIN, UNTOUCHED, Layout
from .launching import counted
from .nb09_questions import QUESTIONS
from .probes import close
from .wrong import Wrong

__all__ = ["EXERCISES", "QUESTIONS"]

INF, NAN = math.inf, math.nan
RISING = torch.tensor([[0.0, -1.0, 0.5, 1.0, 2.0, 1.5, 3.0, 2.5], [1, 0, 2, 1, 0, 3, 3, 2]])
FALLING = RISING.flip(1)
HALF_EMPTY = torch.tensor([[-INF] * 4 + [1.0, 2.0, 0.0, -1.0]])
ODD = torch.tensor([[0.3, -2.0, 1.0, 0.5, 2.5, 1.0, -0.5]])


def _pairs_of(x, parts, block):
    """What exercise 4 of notebook 07 leaves: the pair of each part."""
    padded = torch.nn.functional.pad(x, (0, parts * block - x.shape[1]), value=-INF).view(len(x), parts, block)
    m = padded.amax(2)
    base = torch.where(m == -INF, 0.0, m)
    return torch.stack([m, torch.exp(padded - base[..., None]).sum(2)], dim=2)


# ---- the second of two kernels


def _finish_row_kernel(kernel):
    def run(x, parts=2, block=4, output=PLAIN, pairs=None):
        pairs, y = _pairs_of(x.float(), parts, block) if pairs is None else pairs, output.empty(x.shape, x.dtype)
        arguments = (y, x, pairs, y.stride(0), x.stride(0), x.shape[1])
        traffic, _ = counted(kernel, (len(x), parts), *arguments, PARTS=parts, BLOCK_SIZE=block)
        for access in traffic.astray:
            if access.tensor not in (kernel.parameter(0), kernel.parameter(1)):
                raise Wrong(
                    f"对子读到外面去了（第 {access.line} 行）：一行的第一对在 row * PARTS * 2。",
                    f"It reads pairs that are not there (line {access.line}): a row's first pair is at row * PARTS * 2.",
                )
            if not (x.is_contiguous() and y.is_contiguous()):
                which = "x_stride" if access.kind == "load" else "y_stride"
                raise Wrong(f"张量不连续时 {access.kind} 越界了：换行要加 {which}，不是列数。", f"With a tensor that is not contiguous, a {access.kind} leaves it: the next row is {which} further on, not n_cols.")  # fmt: skip
            raise Wrong(
                f"{access.kind} 越界了（第 {access.line} 行）：最后一段多半不满，掩码要比 columns < n_cols。",
                f"A {access.kind} leaves its tensor (line {access.line}): the last part is rarely full, so mask with columns < n_cols.",
            )
        if (y == UNTOUCHED).all():
            raise Wrong("输出里什么也没有写。", "Nothing was written to the output.")
        return y, traffic

    def right(x, *more, **options):
        return close(run(x, *more, **options)[0], torch.softmax(x, 1))

    x = RISING[:, :4].contiguous()
    got, want = run(x, 1)[0], torch.softmax(x, 1)
    if not close(got, want):
        top = x.amax(1, keepdim=True)
        if close(got[:1], want[:1]):
            raise Wrong("第 0 行对，第 1 行错：一行的第一对在 row * PARTS * 2。", "Row 0 is right, row 1 is wrong: a row's first pair is at row * PARTS * 2.")  # fmt: skip
        for value, zh, en in (
            (torch.exp(x - top), "忘了除以整行的和。", "The division by the row's sum is missing."),
            (torch.exp(x) / torch.exp(x - top).sum(1, keepdim=True), "分子里忘了减整行的最大值。", "The numerator is not shifted by the row's maximum."),
        ):  # fmt: skip
            if close(got, value):
                raise Wrong(zh, en)
        raise Wrong("一行只有一段时就错了：先核对公式 exp(x − m) / s。", "Wrong already with a single part: check exp(x − m) / s.")  # fmt: skip
    got, _ = run(RISING)
    if (got == UNTOUCHED).any():
        raise Wrong("8 列、两段：有的列没有写。第 part 段从 part * BLOCK_SIZE 开始。", "8 columns in two parts: some were not written. Part number `part` begins at part * BLOCK_SIZE.")  # fmt: skip
    want = torch.softmax(RISING, 1)
    if not close(got, want):
        pairs, top = _pairs_of(RISING, 2, 4), RISING.amax(1, keepdim=True)
        own = torch.cat([torch.softmax(RISING[:, :4], 1), torch.softmax(RISING[:, 4:], 1)], 1)
        if close(got, own):
            raise Wrong("每一段各自成了 softmax：要用整行的 m 和 s，合并这一行的各对。", "Each part became a softmax of its own: merge all pairs of the row for its m and s.")  # fmt: skip
        if close(got, torch.exp(RISING - top) / pairs[..., 1].sum(1, keepdim=True)):
            raise Wrong("各段的 s 直接相加了：先乘 e^(自己的 m − 整行的 m)。", "The parts' sums were added as they are: multiply each by e^(its own m − the row's m) first.")  # fmt: skip
        raise Wrong("一段时对，两段时错了：看看各对怎样合并。", "Right with one part, wrong with two: see how the pairs are merged.")  # fmt: skip
    for x, zh, en in (
        (FALLING, "最大值在第一段时错了。", "Wrong where the maximum is in the first part."),
        (RISING + 1000, "分数在 1000 左右时溢出了：取指数之前先减最大值。", "It overflows at scores around 1000: subtract the maximum before the exponential."),
        (ODD, "7 列、段长 4 时错了：最后一段不满。", "Wrong on 7 columns in parts of 4: the last is not full."),
        (HALF_EMPTY, "有一段全是 −inf 时错了。", "Wrong where a part is all −inf."),
        (RISING[:, :7], "输入是从 8 列里切出的 7 列时错了：换行要加 x_stride。", "Wrong on 7 columns cut out of 8: the next row is x_stride further on."),
    ):  # fmt: skip
        if not right(x):
            raise Wrong(zh, en)
    if not right(RISING, output=Layout(spare=3)):
        raise Wrong("输出的行之间有空隙时错了：换行要加 y_stride。", "Wrong where the output's rows have gaps: the next row is y_stride further on.")  # fmt: skip
    if not run(torch.full((1, 8), -INF))[0].isnan().all():
        raise Wrong("整行都是 −inf 时，结果应是 NaN，与 torch.softmax 一样。", "A row of nothing but −inf should give NaN, as torch.softmax does.")  # fmt: skip
    half = RISING.half()
    if not torch.allclose(run(half)[0].float(), torch.softmax(half.float(), 1), rtol=2e-3, atol=1e-4):
        raise Wrong(
            "float16 的输入错了：读进来先变成 float32。", "Wrong on float16 input: make it float32 once loaded."
        )
    x = torch.randn(3, 61, generator=torch.Generator().manual_seed(1))
    got, traffic = run(x, 4, 16)
    if not close(got, torch.softmax(x, 1)):
        raise Wrong("61 列、4 段时错了。", "Wrong with 61 columns in 4 parts.")
    loads = sum(t.loads for t in traffic.tensors if t.name == kernel.parameter(1))
    if loads > x.numel():
        raise Wrong(
            f"结果对，可是 x 读了 {loads} 个元素，{x.numel()} 个就够：每个 program 只读自己那一段。",
            f"The result is right, but {loads} elements of x were read, where {x.numel()} would do: a program reads its own part alone.",
        )


# ---- with programs taking turns


def watched_there(answer, grid, arguments, constexprs, places):
    """Over there: the launch in several orders, and what was found."""
    from ..races.finder import attempt
    from ..worker.arguments import Arguments

    found = attempt(answer, grid, Arguments.copy(arguments, constexprs), places)
    if isinstance(found, Exception):
        raise found
    return found


def _watched(kernel, grid, *arguments, places=None, **constexprs):
    from ..races.finder import Deadlock, Findings, Place, Race

    if not getattr(kernel, "is_kernel", False):
        raise Wrong("kernel 要有 @triton.jit 这一行。", "A kernel needs the line @triton.jit.")
    kernel.launches.append((arguments, constexprs))
    told = (Findings, Race, Deadlock, Place)
    found = kernel.pupil.apply(f"{__name__}:watched_there", grid, arguments, constexprs, places, returns=told)
    if not isinstance(found, Findings):
        raise Fallen("meddled")
    return found


def _outcomes(found, name: str, shape) -> list[torch.Tensor]:
    try:
        return [torch.tensor(values, dtype=torch.float32).view(shape) for values in found.outcomes.get(name, [])]
    except (AttributeError, TypeError, ValueError, RuntimeError):
        raise Fallen("meddled") from None


def _refuse_races(found, names):
    """The first race, in words that say what to do about it."""
    for race in sorted(found.races, key=lambda race: (race.tensor != names["counter"], race.second.kind == "load")):
        a, b = race.first, race.second
        where = (f"（第 {a.line} 行和第 {b.line} 行）", f" (lines {a.line} and {b.line})")
        if race.tensor == names["counter"]:
            if "load" in (a.kind, b.kind):
                raise Wrong(f"计数器 {race.tensor} 是用普通的 load 看的{where[0]}：要用原子操作，例如 atomic_add 加 0。", f"The counter {race.tensor} is read by a plain load{where[1]}: use an atomic, such as an atomic_add of 0.")  # fmt: skip
            raise Wrong(f"计数器 {race.tensor} 不是用原子操作改的{where[0]}，更新会丢。", f"The counter {race.tensor} is not changed by an atomic{where[1]}, so updates get lost.")  # fmt: skip
        if b.kind != "load":
            raise Wrong(f"两个 program 都写 {race.tensor}，没有先后{where[0]}：更新会丢，或者结果写了不止一次。", f"Two programs both write {race.tensor} in no order{where[1]}: updates get lost, or the result is stored more than once.")  # fmt: skip
        raise Wrong(f"读 {race.tensor} 时，别的 program 可能还没有写{where[0]}：先写再报到，看到人齐了再读，两边都要默认的 acq_rel。", f"{race.tensor} is read while another program may not have written it yet{where[1]}: write, then report; read when all have come; both with the default acq_rel.")  # fmt: skip


def _last_kernel(kernel):
    def run(x, parts=2, block=4, places=None):
        out, pairs = torch.full((len(x),), UNTOUCHED), torch.zeros(len(x), parts, 2)
        arrived = torch.zeros(len(x), dtype=torch.int32)
        arguments = (out, pairs, arrived, x, x.stride(0), x.shape[1])
        found = _watched(kernel, (len(x), parts), *arguments, places=places, PARTS=parts, BLOCK_SIZE=block)
        if found.deadlock or found.late:
            raise Wrong("它在等，位置不够时就死锁了。这里谁也不必等：不是最后一个的，报到完就结束。", "It waits, and deadlocks where places are few. Nobody need wait here: whoever is not the last just ends after reporting.")  # fmt: skip
        return found, _outcomes(found, kernel.parameter(0), (len(x),))

    def right(x, *more):
        return all(close(got, torch.logsumexp(x, 1)) for got in run(x, *more)[1])

    x = RISING[:, :4].contiguous()
    found, outs = run(x, 1)
    want, top = torch.logsumexp(x, 1), x.amax(1)
    if any((out == UNTOUCHED).any() and not (out == UNTOUCHED).all() for out in outs):
        raise Wrong("有的行写了结果，有的没有：每一行要有自己的计数器，arrived_ptr + row。", "Some rows have a result and some have none: each row needs a counter of its own, arrived_ptr + row.")  # fmt: skip
    if not outs or any((out == UNTOUCHED).any() for out in outs):
        raise Wrong("只有一段时，没有写结果：最后一个报到的，看到的是 PARTS − 1。", "With a single part there is no result: the last to report sees PARTS − 1.")  # fmt: skip
    for out in outs:
        if not close(out, want):
            if close(out, want - top):
                raise Wrong("差了最大值：log s 之后还要加回 m。", "The maximum is missing: after log s, add m back.")
            if close(out, torch.exp(want - top)) or close(out, top + torch.exp(want - top)):
                raise Wrong("少了对数：要的是 m + log s。", "The logarithm is missing: m + log s is wanted.")
            raise Wrong("一段时就错了：先核对公式 m + log s。", "Wrong already with one part: check m + log s.")
    run(RISING, 2, 4, 1)  # nobody may wait
    found, outs = run(RISING)
    want = torch.logsumexp(RISING, 1)
    _refuse_races(found, {"counter": kernel.parameter(2)})
    if not outs or any((out == UNTOUCHED).any() for out in outs):
        raise Wrong("两段时，有的行没有写结果：最后一个报到的，看到的是 PARTS − 1。", "With two parts some rows have no result: the last to report sees PARTS − 1.")  # fmt: skip
    if not all(close(out, want) for out in outs):
        pairs = _pairs_of(RISING, 2, 4)
        if any(close(out, RISING.amax(1) + torch.log(pairs[..., 1].sum(1))) for out in outs):
            raise Wrong("各段的 s 直接相加了：先乘 e^(自己的 m − 整行的 m)。", "The parts' sums were added as they are: multiply each by e^(its own m − the row's m) first.")  # fmt: skip
        raise Wrong("一段时对，两段时错了。", "Right with one part, wrong with two.")
    for x, zh, en in (
        (FALLING, "最大值在第一段时错了。", "Wrong where the maximum is in the first part."),
        (RISING + 1000, "分数在 1000 左右时溢出了：取指数之前先减最大值。", "It overflows at scores around 1000: subtract the maximum before the exponential."),
        (ODD - 30, "7 列、段长 4 时错了：多余的位置按 0 分参加了计算，other 该填 −inf。", "Wrong on 7 columns in parts of 4: spare places take part with a score of 0; let other be −inf."),
        (HALF_EMPTY, "有一段全是 −inf 时得到了 NaN：−inf − (−inf) 没有定义，最大值是 −inf 时改减 0。", "A part of nothing but −inf gives NaN: −inf − (−inf) is undefined. Where the maximum is −inf, subtract 0 instead."),
        (RISING[:, :7], "输入是从 8 列里切出的 7 列时错了：换行要加 x_stride。", "Wrong on 7 columns cut out of 8: the next row is x_stride further on."),
        (torch.tensor([[1.0, 2.0, 0.0, NAN, 3.0, 2.0, 1.0, 0.0]]), "输入里有 NaN 时，结果应是 NaN。", "With NaN in the input the result should be NaN."),
    ):  # fmt: skip
        if not right(x):
            raise Wrong(zh, en)
    half = RISING.half()
    if not all(torch.allclose(out, torch.logsumexp(half.float(), 1), rtol=1e-3) for out in run(half)[1]):
        raise Wrong(
            "float16 的输入错了：读进来先变成 float32。", "Wrong on float16 input: make it float32 once loaded."
        )
    x = torch.randn(2, 16, generator=torch.Generator().manual_seed(1))
    found, outs = run(x, 4, 4)
    if not all(close(out, torch.logsumexp(x, 1)) for out in outs):
        raise Wrong("4 段时错了。", "Wrong with 4 parts.")
    loads = found.moved.get(kernel.parameter(3), (0, 0))[0]
    if loads != x.numel():
        raise Wrong(f"结果对，可是 x 读了 {loads} 个元素，{x.numel()} 个就够。", f"The result is right, but {loads} elements of x were read, where {x.numel()} would do.")  # fmt: skip


def _mended_share_kernel(kernel):
    def run(parts=4, block=2, places=None):
        x = torch.arange(1.0, parts * block + 1)
        y, total, arrived = torch.full_like(x, UNTOUCHED), torch.zeros(1), torch.zeros(1, dtype=torch.int32)
        found = _watched(kernel, (parts,), y, total, arrived, x, places=places, PARTS=parts, BLOCK_SIZE=block)
        return found, _outcomes(found, kernel.parameter(0), x.shape), x

    found, outs, x = run()
    _refuse_races(found, {"counter": kernel.parameter(2)})
    if found.deadlock or found.late:
        raise Wrong("它等的那个数永远不会来（死锁）：先报到，再等，等到 PARTS 个为止。", "It waits for a number that never comes (deadlock): report first, then wait until there are PARTS.")  # fmt: skip
    if not outs or any((out == UNTOUCHED).any() for out in outs):
        raise Wrong("有的地方没有写结果。", "Some of the output was not written.")
    for out in outs:
        if not close(out, x / x.sum()):
            raise Wrong("没有竞争，可是结果不对：每个元素要除以整行的总和。", "No race, but the result is wrong: divide each element by the total of the row.")  # fmt: skip
    loads = found.moved.get(kernel.parameter(3), (0, 0))[0]
    if loads != x.numel():
        raise Wrong(f"结果对，可是 x 读了 {loads} 个元素，{x.numel()} 个就够：等完以后，它还在寄存器里。", f"The result is right, but {loads} elements of x were read, where {x.numel()} would do: after the wait they are still in registers.")  # fmt: skip
    found, outs, x = run(8, 1)
    if not all(close(out, x / x.sum()) for out in outs) or not found.clean:
        raise Wrong("8 段时错了。", "Wrong with 8 parts.")


EXERCISES = {
    "finish_row_kernel": Exercise(
        "finish_row_kernel",
        _finish_row_kernel,
        Text(
            "两次启动，谁也不等谁，再宽的行也能做；代价是读了两遍。",
            "Two launches, nobody waits, and no row is too wide; the price is a second reading.",
        ),
    ),
    "last_kernel": Exercise(
        "last_kernel",
        _last_kernel,
        Text(
            "一次启动，也谁都没有等：最后到的关灯。位置再少，也不会死锁。",
            "One launch, and still nobody waited: the last one turns off the light. With however few places, it can't deadlock.",
        ),
    ),
    "mended_share_kernel": Exercise(
        "mended_share_kernel",
        _mended_share_kernel,
        Text(
            "三处都定下了先后。它仍然要等，所以每个 program 都要有位置。",
            "All three are ordered now. It still waits, so every program must have a place.",
        ),
    ),
}

"""The exercises of 07_online_softmax (its questions are in `nb07_questions`)."""

import math
from collections import Counter
from dataclasses import dataclass

import torch

from ..backend import tl, triton
from ..interpreter import Listener, listening
from ..language import Text
from ..worker.pupil import Fallen
from .exercise import Exercise
from .kernel_probes import FIRST_FACTOR, PLAIN, UNTOUCHED, Layout, raise_first, refuse_strays, refuse_unwritten
from .launching import counted
from .nb07_questions import QUESTIONS
from .probes import close
from .sayings import counted as how_many
from .wrong import Wrong

__all__ = ["EXERCISES", "QUESTIONS"]

INF, NAN = math.inf, math.nan
RISING = torch.tensor(
    [[0.0, -1.0, 0.5, 1.0, 2.0, 1.5, 3.0, 2.5, 5.0, 4.0, 3.5, 4.5], [1, 0, 2, 1, 0, 3, 3, 2, 4, 5, 6, 4]]
)
FALLING = RISING.flip(1)
FIRST_EMPTY = torch.tensor([[-INF] * 4 + [1.0, 2.0, 0.0, -1.0, 3.0]])


# ---- how a kernel is launched and watched


@dataclass
class Watch:
    """What each program loaded of `x`, and how much was stored."""

    loads: Counter  # elements, by program
    stores: int


class Watching(Listener):
    """Over there: the same, as it happens."""

    def __init__(self):
        self.loads, self.stores = Counter(), 0

    def accessed(self, launch, access):
        asked = set(access.offset[access.mask].tolist()) if access.mask.any() else set()
        if access.kind == "load":
            self.loads[access.program] += len(asked)
        else:
            self.stores += len(asked)

    def told(self):
        return [(tuple(map(int, program)), count) for program, count in self.loads.items()], self.stores


def watching():
    return listening(Watching())


def _launch(kernel, grid, *arguments, **constants) -> Watch:
    traffic, (loads, stores) = counted(kernel, grid, *arguments, watch=f"{__name__}:watching", **constants)
    output = arguments[0]
    if output.dim() == 1 and any(access.kind == "store" for access in traffic.astray):
        refuse_strays(traffic, "每行只写一个数，写到 out_ptr + row", "each row is one number, stored to out_ptr + row")
    if all(one.is_contiguous() for one in arguments if isinstance(one, torch.Tensor)):
        refuse_strays(
            traffic,
            "最后一块往往不满，要有 mask，而且要拿 start + 块内的位置去和 n_cols 比",
            "the last block is rarely full, so mind the mask, and let it compare start + the place in the block",
        )
    refuse_strays(
        traffic,
        "张量不连续，下一行要加它自己的步幅，不是列数",
        "the tensor is not contiguous, and its next row is its own stride further on, not n_cols",
    )
    refuse_unwritten(arguments[0])
    return Watch(Counter(dict(loads)), stores)


def _blocks(x, block):
    return [x[:, k : k + block] for k in range(0, x.shape[1], block)]


def _not_repaired(x, block):
    """The sum of a row whose earlier parts keep the maximum that they were added with."""
    high, total = torch.full((len(x),), -INF), torch.zeros(len(x))
    for part in _blocks(x, block):
        high = torch.maximum(high, part.amax(1))
        total = total + torch.exp(part - high[:, None]).sum(1)
    return high, total


def _padded(x, block):
    """Whole blocks, filled up with 0."""
    return torch.nn.functional.pad(x, (0, -x.shape[1] % block))


REPAIR = (
    "最大值在后面的块里变大时，前面加好的和没有补救：先乘 e^(旧 m − 新 m)，再加这一块。",
    "When a later block brings a larger maximum, the sum so far is not repaired: multiply it by e^(old m − new m), then add.",
)
PADDING = (
    "最后一块不满时，多余的位置按 0 分参加了计算：other 该填 −inf。",
    "Where the last block is not full, spare places take part with a score of 0: let other be −inf.",
)
EMPTY = (
    "一整块都是 −inf 时得到了 NaN：−inf − (−inf) 没有定义。最大值是 −inf 时，改减 0。",
    "A whole block of −inf gives NaN: −inf − (−inf) is undefined. Where the maximum is −inf, subtract 0 instead.",
)
LATER_ROWS = (
    "第 0 行对，后面的行错：第 row 行从 x_ptr + row * x_stride 开始。",
    "Row 0 is right and the later ones are not: row `row` begins at x_ptr + row * x_stride.",
)
TALL = (
    "分数在 1000 左右时溢出了：取指数之前先减最大值。",
    "It overflows at scores around 1000: subtract the maximum before the exponential.",
)


# ---- a combine function for three numbers

NOT_THREE = "not three"


@triton.jit
def _merged_kernel(out_ptr, in_ptr):
    m1, s1, w1 = tl.load(in_ptr), tl.load(in_ptr + 1), tl.load(in_ptr + 2)
    m2, s2, w2 = tl.load(in_ptr + 3), tl.load(in_ptr + 4), tl.load(in_ptr + 5)
    m, s, w = _combine(m1, s1, w1, m2, s2, w2)  # noqa: F821
    tl.store(out_ptr, m)
    tl.store(out_ptr + 1, s)
    tl.store(out_ptr + 2, w)


@triton.jit
def _reduced_kernel(out_ptr, x_ptr, v_ptr, N: tl.constexpr):
    x, v = tl.load(x_ptr + tl.arange(0, N)), tl.load(v_ptr + tl.arange(0, N))
    m, s, w = tl.reduce((x, tl.full((N,), 1.0, tl.float32), v), 0, _combine)  # noqa: F821
    tl.store(out_ptr, m)
    tl.store(out_ptr + 1, s)
    tl.store(out_ptr + 2, w)


def merge_there(answer, parts):
    """Over there: the two triples merged by a kernel."""
    globals()["_combine"] = answer
    out = torch.full((3,), UNTOUCHED)
    try:
        _merged_kernel[(1,)](out, torch.tensor(parts))
    except Exception as error:  # some Tritons wrap it
        if "unpack" in str(error):
            return NOT_THREE
        raise
    return out


def reduce_there(answer, x, v):
    """Over there: eight triples, reduced by a kernel."""
    globals()["_combine"] = answer
    out = torch.full((3,), UNTOUCHED)
    _reduced_kernel[(1,)](out, x, v, N=8)
    return out


def _three(told) -> list[float]:
    if isinstance(told, str) and told == NOT_THREE:
        raise Wrong("要返回三个数：m、s、w。", "It is to return three numbers: m, s and w.")
    if not isinstance(told, torch.Tensor) or told.shape != (3,) or told.dtype != torch.float32:
        raise Fallen("meddled")
    return told.tolist()


def _merge_triples(answer):
    if not hasattr(answer, "fn"):
        raise Wrong(
            "它要给 kernel 用，所以也要有 @triton.jit 这一行。",
            "Kernels are to use it, so it needs the line @triton.jit too.",
        )

    def merged(*parts):
        return _three(answer.pupil.apply(f"{__name__}:merge_there", parts))

    half = math.log(2)
    for a, b in (((2.0, 1.5, 3.0), (2.0 - half, 1.0, 4.0)), ((1.0 - half, 3.0, -2.0), (1.0, 1.25, 0.5))):
        got, m = merged(*a, *b), max(a[0], b[0])
        f1, f2 = math.exp(a[0] - m), math.exp(b[0] - m)
        want = (m, a[1] * f1 + b[1] * f2, a[2] * f1 + b[2] * f2)
        if all(math.isclose(g, w, rel_tol=1e-4) for g, w in zip(got, want)):
            continue
        shown = f"{_tuple(a)} ⊕ {_tuple(b)}"

        def is_(k, value, got=got):
            return math.isclose(got[k], value, rel_tol=1e-4)

        if not is_(0, m) and all(math.isclose(g, w, rel_tol=1e-4) for g, w in zip(sorted(got), sorted(want))):
            zh, en = (
                "三个数都对，次序不对：先 m，再 s，再 w。",
                "The three numbers are right, their order is not: m, then s, then w.",
            )
        elif is_(1, want[1]) and is_(2, a[2] * f2 + b[2] * f1):
            zh, en = "w 的两个系数用反了：每一边乘自己的那个。", "The factors of w are swapped: each side gets its own."
        elif not is_(0, m):
            zh, en = "m 应是两个最大值中较大的。", "m is the larger of the two maxima."
        elif is_(1, a[1] + b[1]) or is_(2, a[2] + b[2]):
            which = "s 和 w" if is_(1, a[1] + b[1]) and is_(2, a[2] + b[2]) else "s" if is_(1, a[1] + b[1]) else "w"
            zh = f"{which} 直接相加了：最大值较小的那一边，先乘 e^(自己的 m − 新的 m)。"
            en = f"{which.replace('和', 'and')} merely added up: the side with the smaller maximum is first multiplied by e^(its own m − new m)."
        elif is_(1, a[1] / f1 + b[1] / f2):
            zh, en = "指数的符号反了：是 e^(自己的 m − 新的 m)，不大于 1。", "The sign in the exponent is wrong: e^(its own m − new m) is at most 1."  # fmt: skip
        elif is_(1, a[1] * f2 + b[1] * f1):
            zh, en = "两个系数用反了：每一边乘自己的那个。", "The factors are swapped: each side gets its own."
        elif is_(1, want[1]) and is_(2, want[2] / want[1]):
            zh, en = "w 已经除过 s 了：除法留到最后，否则不能再合并。", "w is divided by s already: leave that to the end, or it cannot be merged again."  # fmt: skip
        else:
            zh, en = (
                f"应得 {_tuple(want)}，得到的是 {_tuple(got)}。",
                f"It should give {_tuple(want)}; this gives {_tuple(got)}.",
            )
        raise Wrong(f"{shown}：{zh}", f"{shown}: {en}")
    nothing = (-INF, 0.0, 0.0)
    for parts in (nothing + (1.0, 2.0, 3.0), (1.0, 2.0, 3.0) + nothing, nothing + nothing):
        got = merged(*parts)
        if any(map(math.isnan, got)):
            raise Wrong(
                f"{_tuple(parts[:3])} ⊕ {_tuple(parts[3:])} 得到了 NaN：−inf − (−inf) 没有定义。最大值是 −inf 时，改减 0。",
                f"{_tuple(parts[:3])} ⊕ {_tuple(parts[3:])} gives NaN: −inf − (−inf) is undefined. Where the maximum is −inf, subtract 0 instead.",
            )
        if got != [max(parts[0], parts[3]), *(parts[k] + parts[k + 3] for k in (1, 2))]:
            raise Wrong("与空的一部分合并，应当什么也不变。", "Merging with an empty part should change nothing.")
    x, v = RISING[0, :8].contiguous() * 100, FALLING[1, :8].contiguous()
    out = _three(answer.pupil.apply(f"{__name__}:reduce_there", x, v))
    if not math.isclose(out[2] / out[1], float(torch.softmax(x, 0) @ v), rel_tol=1e-4):
        raise Wrong("放进 tl.reduce，8 个数的结果不对。", "In a tl.reduce over 8 numbers the result is wrong.")


def _tuple(numbers) -> str:
    return "(" + ", ".join(f"{x:.4g}".replace("-", "−") for x in numbers) + ")"


# ---- log Σ exp in one reading


def _logsumexp_kernel(kernel):
    def run(x, block=4, grid=None):
        out = torch.full((len(x),), UNTOUCHED)
        watch = _launch(kernel, (len(x),), out, x, x.stride(0), x.shape[1], BLOCK_SIZE=block)
        return out, watch

    def right(x, block=4):
        return close(run(x, block)[0], torch.logsumexp(x, 1))

    x = RISING[:, :4].contiguous()
    got, high = run(x)[0], x.amax(1)
    if not close(got, torch.logsumexp(x, 1)):
        raise_first(got, [
            (high + torch.log2(torch.exp(x - high[:, None]).sum(1)), "对数要以 e 为底：tl.log，不是 tl.log2。", "The logarithm is to base e: tl.log, not tl.log2."),
            (torch.logsumexp(x, 1) - high, "少了最大值：log s 之后还要把 m 加回来。", "The maximum is missing: after log s, add m back."),
            (torch.exp(x).sum(1), "这是和，还差一个对数。", "This is the sum; the logarithm is missing."),
            (torch.exp(x - high[:, None]).sum(1), "这是 s；要的是 m + log s。", "This is s; m + log s is wanted."),
            (high, "这是最大值；要的是 m + log s。", "This is the maximum; m + log s is wanted."),
            (high + torch.exp(x - high[:, None]).sum(1), "少了对数：是 m + log s，不是 m + s。", "The logarithm is missing: m + log s, not m + s."),
        ])  # fmt: skip
        for shown, zh, en in [
            (got == UNTOUCHED, "有的行没有写：第 row 行写到 out_ptr + row。", "Some rows were not written: row `row` is stored to out_ptr + row."),
            (got.isnan(), *FIRST_FACTOR),
            (got == -INF, "得到的是 −inf：循环做到每一块了吗？m 更新了吗？", "It gives −inf: does the loop reach every block, and is m updated?"),
        ]:  # fmt: skip
            if shown.any():
                raise Wrong(zh, en)
        if close(got[:1], torch.logsumexp(x, 1)[:1]):
            raise Wrong(*LATER_ROWS)
        raise Wrong(
            "4 列、一块就算错了：先核对公式 m + log s。", "Wrong on 4 columns, a single block: check m + log s."
        )
    got = run(RISING)[0]
    if not close(got, torch.logsumexp(RISING, 1)):
        high, total = _not_repaired(RISING, 4)
        if close(got, high + torch.log(total)):
            raise Wrong(*REPAIR)
        for part, zh, en in ((_blocks(RISING, 4)[0], "第一块", "first"), (_blocks(RISING, 4)[-1], "最后一块", "last")):
            if close(got, torch.logsumexp(part, 1)):
                raise Wrong(
                    f"12 列、块长 4：结果只含{zh}。", f"12 columns in blocks of 4: the result has the {en} block alone."
                )
        raise Wrong("一块时对，12 列、三块时错了。", "Right with one block, wrong with three (12 columns).")
    if not right(RISING + 1000):
        raise Wrong(*TALL)
    if not right(FALLING):
        raise Wrong("最大值在第一块时错了。", "Wrong where the maximum is in the first block.")
    low = RISING[:, :10].contiguous() - 30
    got = run(low)[0]
    if not close(got, torch.logsumexp(low, 1)):
        raise Wrong(*(PADDING if close(got, torch.logsumexp(_padded(low, 4), 1)) else ("10 列、块长 4 时错了。", "Wrong on 10 columns in blocks of 4.")))  # fmt: skip
    if not right(RISING[:, :7]):
        raise Wrong(
            "输入是从 12 列里切出的 7 列时错了：换行要加 x_stride。",
            "Wrong on 7 columns cut out of 12: the next row is x_stride further on.",
        )
    if not right(FIRST_EMPTY):
        raise Wrong(*EMPTY)
    if run(torch.full((1, 6), -INF))[0].item() != -INF:
        raise Wrong("整行都是 −inf 时，结果应是 −inf。", "A row of nothing but −inf should give −inf.")
    special = torch.tensor([[1.0, 2.0, 0.0, 1.0, NAN, 3.0, 2.0, 1.0, 4.0]])
    if not right(special):
        raise Wrong("输入里有 NaN 时，结果应是 NaN。", "With NaN in the input the result should be NaN.")
    for n_cols, block in ((1, 4), (4, 1), (129, 32), (100, 128)):
        x = torch.randn(3, n_cols, generator=torch.Generator().manual_seed(n_cols))
        if not right(x, block):
            raise Wrong(f"{n_cols} 列、块长 {block} 时错了。", f"Wrong with {n_cols} columns in blocks of {block}.")
    half = RISING.half()
    if not torch.allclose(run(half)[0], torch.logsumexp(half.float(), 1), rtol=1e-3):
        raise Wrong(
            "float16 的输入错了：读进来先变成 float32。", "Wrong on float16 input: make it float32 once loaded."
        )
    x = torch.randn(2, 24, generator=torch.Generator().manual_seed(1))
    _, watch = run(x)
    loads = watch.loads.total()
    if loads != x.numel():
        raise Wrong(
            f"结果对，可是 2 行 24 列读了 {loads} 个元素，一遍只要 {x.numel()} 个。最大值与和要在同一遍里求。",
            f"The result is right, but 2 rows of 24 columns were read as {loads} elements, and one pass reads {x.numel()}. Find maximum and sum in the same pass.",
        )
    if watch.stores != 2:
        raise Wrong(
            f"结果对，可是 2 行写了 {watch.stores} 次：一行只在最后写一个数。",
            f"The result is right, but 2 rows took {watch.stores} stores: store one number a row, at the end.",
        )


# ---- two readings less one block


def _kept_kernel(kernel):
    def run(x, block=4, output=PLAIN):
        y = output.empty(x.shape, x.dtype)
        watch = _launch(kernel, (len(x),), y, x, y.stride(0), x.stride(0), x.shape[1], BLOCK_SIZE=block)
        return y, watch

    def right(x, block=4, output=PLAIN):
        return close(run(x, block, output)[0], torch.softmax(x, 1))

    x = RISING[:, :4].contiguous()
    got, high = run(x)[0], x.amax(1, keepdim=True)
    if not close(got, torch.softmax(x, 1)):
        weights = torch.exp(x - high)
        raise_first(got, [
            (weights * weights.sum(1, keepdim=True), "最后要除以 s，不是乘。", "In the end divide by s; don't multiply."),
            (weights, "最后还要除以 s。", "In the end it is still to be divided by s."),
            (torch.exp(x) / weights.sum(1, keepdim=True), "写结果时没有减去 m：是 exp(x − m) / s。", "m is not subtracted in the result: exp(x − m) / s."),
        ])  # fmt: skip
        if got.isnan().any():
            raise Wrong(*FIRST_FACTOR)
        if close(got[:1], torch.softmax(x, 1)[:1]):
            raise Wrong(*LATER_ROWS)
        raise Wrong("4 列、一块就算错了：先核对公式。", "Wrong on 4 columns, a single block: check the formula.")
    got = run(RISING)[0]
    if (missing := (got == UNTOUCHED).any(0)).any():
        first = missing.nonzero()[0].item()
        raise Wrong(
            f"12 列、块长 4：第 {first // 4} 块没有写。",
            f"12 columns in blocks of 4: block {first // 4} was not written.",
        )
    if not close(got, torch.softmax(RISING, 1)):
        high, total = _not_repaired(RISING, 4)
        if close(got, torch.exp(RISING - high[:, None]) / total[:, None]):
            raise Wrong(*REPAIR)
        if close(got, torch.cat([torch.softmax(part, 1) for part in _blocks(RISING, 4)], 1)):
            raise Wrong(
                "每一块各自成了 softmax：和要属于整行。",
                "Each block became a softmax of its own: the sum is the whole row's.",
            )
        if close(got[:, 8:], torch.softmax(RISING, 1)[:, 8:]):
            raise Wrong(
                "最后一块对，前面的块错了：它们要重新读进来，再减整行的 m。",
                "The last block is right, those before are wrong: load them again, and subtract the m of the whole row.",
            )
        if close(got[:, :8], torch.softmax(RISING, 1)[:, :8]):
            raise Wrong(
                "前面的块对，最后一块错了：留着的 x 要减整行的 m，除以整行的 s。",
                "The blocks before are right, the last is wrong: from the x you kept subtract the row's m, divide by the row's s.",
            )
        raise Wrong("一块时对，12 列、三块时错了。", "Right with one block, wrong with three (12 columns).")
    if not right(RISING + 1000):
        raise Wrong(*TALL)
    if not right(FALLING):
        raise Wrong("最大值在第一块时错了。", "Wrong where the maximum is in the first block.")
    low = RISING[:, :10].contiguous() - 30
    got = run(low)[0]
    if not close(got, torch.softmax(low, 1)):
        raise Wrong(
            *(
                PADDING
                if (got.sum(1) < 0.5).all()
                else ("10 列、块长 4 时错了。", "Wrong on 10 columns in blocks of 4.")
            )
        )
    if not right(RISING[:, :7]):
        raise Wrong(
            "输入是从 12 列里切出的 7 列时错了：换行要加 x_stride。",
            "Wrong on 7 columns cut out of 12: the next row is x_stride further on.",
        )
    if not right(RISING, output=Layout(spare=3)):
        raise Wrong(
            "输出的每行后面还有别人的元素时错了：换行要加 y_stride。",
            "With other elements behind each row of the output it is wrong: the next row is y_stride further on.",
        )
    if not right(FIRST_EMPTY):
        raise Wrong(*EMPTY)
    special = torch.tensor([[1.0, 2.0, 0.0, 1.0, NAN, 3.0, 2.0], [-INF] * 7, [1.0, INF, 2.0, 0.0, 1.0, 2.0, 3.0]])
    if not right(special):
        raise Wrong(
            "整行 −inf，或有 NaN、+inf 时，与 PyTorch 的结果不一致。",
            "For a row of −inf, or with NaN or +inf, it differs from what PyTorch gives.",
        )
    for n_cols, block in ((1, 4), (5, 1), (129, 32), (100, 128), (128, 32)):
        x = torch.randn(3, n_cols, generator=torch.Generator().manual_seed(n_cols))
        if not right(x, block):
            raise Wrong(f"{n_cols} 列、块长 {block} 时错了。", f"Wrong with {n_cols} columns in blocks of {block}.")
    half = RISING.half()
    if not torch.allclose(run(half)[0].float(), torch.softmax(half.float(), 1), rtol=2e-3, atol=1e-4):
        raise Wrong(
            "float16 的输入错了：读进来先变成 float32。", "Wrong on float16 input: make it float32 once loaded."
        )
    for n_cols in (24, 22, 4, 3):
        x = torch.randn(1, n_cols, generator=torch.Generator().manual_seed(n_cols))
        _, watch = run(x)
        last = n_cols - (-(-n_cols // 4) - 1) * 4
        want, loads = 2 * n_cols - last, watch.loads.total()
        if loads > want:
            how = {
                3 * n_cols: ("这是三遍：最大值与和要在同一遍里求。", "That is three passes: find maximum and sum in the same one."),
                2 * n_cols: ("最后一块又读了一遍；它还在寄存器里。", "The last block was read again; it is still in registers."),
            }.get(loads, ("", ""))  # fmt: skip
            raise Wrong(
                f"结果对，可是一行 {n_cols} 列、块长 4，读了 {loads} 个元素，{want} 个就够。{how[0]}",
                f"The result is right, but a row of {n_cols} in blocks of 4 was read as {loads} elements, where {want} would do. {how[1]}",
            )
        if watch.stores != n_cols:
            raise Wrong(
                f"结果对，可是一行 {n_cols} 列写了 {watch.stores} 个元素。",
                f"The result is right, but a row of {n_cols} took {watch.stores} stores.",
            )


# ---- a row split among programs


def _pairs_kernel(kernel):
    def run(x, parts, block=4):
        pairs = torch.full((len(x), parts, 2), UNTOUCHED)
        watch = _launch(kernel, (len(x), parts), pairs, x, x.stride(0), x.shape[1], BLOCK_SIZE=block)
        if (loads := watch.loads.total()) < x.numel():
            raise Wrong(
                f"{parts} 份、{len(x)} 行 {x.shape[1]} 列：只读了 {loads} 个元素，有的块没有程序去读。",
                f"{how_many(parts, 'part')}, {how_many(len(x), 'row')} of {x.shape[1]}: only {loads} elements were read, so some "
                "blocks are nobody's.",
            )
        if parts > 1 and loads > x.numel():
            raise Wrong(
                f"{parts} 份、{len(x)} 行 {x.shape[1]} 列：读了 {loads} 个元素，{x.numel()} 个就够。每一块只归一个程序，最大值与和在同一遍里求。",
                f"{parts} parts, {how_many(len(x), 'row')} of {x.shape[1]}: {loads} elements were read, where {x.numel()} would do. "
                "A block belongs to one program, and maximum and sum come out of one pass.",
            )
        if (pairs == UNTOUCHED).any():
            blocks = triton.cdiv(x.shape[1], block)
            zh, en = (
                f"{parts} 份、{blocks} 块：有的 (m, s) 没有写。",
                f"{how_many(parts, 'part')}, {how_many(blocks, 'block')}: some pairs were not written. ",
            )
            if blocks < parts:
                raise Wrong(
                    f"{zh}没分到块的程序也要写 (−inf, 0)。",
                    f"{en}A program that gets no block writes (−inf, 0) as well.",
                )
            raise Wrong(
                f"{zh}m 的位置是 (row * P + part) * 2，s 紧跟在后面。",
                f"{en}The place of m is (row * P + part) * 2, and s comes right after.",
            )
        return pairs, watch

    def whole(pairs):
        m, s = pairs[..., 0], pairs[..., 1]
        high = m.amax(1, keepdim=True)
        factor = torch.where(m == -INF, 0.0, torch.exp(m - torch.where(high == -INF, 0.0, high)))
        return high[:, 0] + torch.log((s * factor).sum(1))

    def right(x, parts, block=4):
        return close(whole(run(x, parts, block)[0]), torch.logsumexp(x, 1))

    x = RISING[:, :4].contiguous()
    pairs = run(x, 1)[0]
    if not close(whole(pairs), torch.logsumexp(x, 1)):
        if close(pairs[:, 0, 1], torch.logsumexp(x, 1)) or close(pairs[:, 0, 1], torch.exp(x).sum(1)):
            raise Wrong(
                "s 应是减去最大值以后的指数之和。", "s is the sum of the exponentials after the maximum is subtracted."
            )
        if close(pairs[:, 0, 1], torch.log(torch.exp(x - x.amax(1, keepdim=True)).sum(1))):
            raise Wrong(
                "存的是 log s；要存 s，取对数是合并以后的事。",
                "That is log s; store s, the logarithm comes after merging.",
            )
        if close(whole(pairs.flip(2)), torch.logsumexp(x, 1)):
            raise Wrong("顺序反了：先写 m，再写 s。", "The wrong way round: m comes first, then s.")
        raise Wrong("4 列、一块、一份就算错了。", "Wrong already with 4 columns, one block, one part.")
    pairs = run(RISING, 1)[0]
    if not close(whole(pairs), torch.logsumexp(RISING, 1)):
        high, total = _not_repaired(RISING, 4)
        if close(whole(pairs), high + torch.log(total)):
            raise Wrong(*REPAIR)
        raise Wrong("只有一份、共三块时错了。", "Wrong with one part of three blocks.")
    got = run(RISING, 3)[0]
    if not close(whole(got), torch.logsumexp(RISING, 1)):
        raise Wrong(
            "一份时对，三份时错了：看看每一份从哪一块开始、隔几块取一块，(m, s) 又写到了哪里。",
            "Right with one part, wrong with three: see at which block each part begins, how far on its next one is, and where its pair is stored.",
        )
    for x, parts, zh, en in [
        (RISING + 1000, 2, *TALL),
        (FALLING, 2, "最大值在前面的块里时错了。", "Wrong where the maximum is in an early block."),
        (RISING[:, :10].contiguous() - 30, 2, *PADDING),
        (RISING[:, :7], 2, "输入是从 12 列里切出的 7 列时错了：换行要加 x_stride。", "Wrong on 7 columns cut out of 12: the next row is x_stride further on."),
        (FIRST_EMPTY, 3, *EMPTY),
        (RISING[:, :6].contiguous(), 5, "份数比块数多时错了：没分到块的程序写 (−inf, 0)。", "Wrong with more parts than blocks: a program that gets no block writes (−inf, 0)."),
        (torch.tensor([[1.0, 2.0, 0.0, 1.0, NAN, 3.0, 2.0]]), 2, "输入里有 NaN 时，NaN 没有传到结果里。", "NaN in the input was not passed on."),
    ]:  # fmt: skip
        if not right(x, parts):
            raise Wrong(zh, en)
    half = RISING.half()
    if not torch.allclose(whole(run(half, 2)[0]), torch.logsumexp(half.float(), 1), rtol=1e-3):
        raise Wrong(
            "float16 的输入错了：读进来先变成 float32。", "Wrong on float16 input: make it float32 once loaded."
        )
    for n_cols, parts in ((128, 4), (72, 4), (50, 3), (7, 2)):
        x = torch.randn(2, n_cols, generator=torch.Generator().manual_seed(n_cols))
        pairs, watch = run(x, parts)
        if not close(whole(pairs), torch.logsumexp(x, 1)):
            raise Wrong(f"{n_cols} 列、{parts} 份时错了。", f"Wrong with {n_cols} columns in {parts} parts.")
        if watch.stores != pairs.numel():
            raise Wrong(
                "结果对，可是一个程序写了不止两个数：m 和 s 各写一次，写在循环之后。",
                "The result is right, but a program stores more than two numbers: store m and s once, after the loop.",
            )
        most, fair = max(watch.loads.values()), math.ceil(math.ceil(n_cols / 4) / parts) * 4
        if most > fair:
            raise Wrong(
                f"{n_cols} 列、{parts} 份、块长 4：最忙的程序读了 {most} 个元素，平分时最多 {fair} 个。",
                f"{n_cols} columns, {parts} parts, blocks of 4: the busiest program read {most} elements; evenly shared it is {fair} at most.",
            )


EXERCISES = {
    "merge_triples": Exercise(
        "merge_triples",
        _merge_triples,
        Text(
            "多带一个加权和，w / s 就是按概率加权的平均：注意力里的一步，正是这样分块算的。",
            "With a weighted sum carried along, w / s is the mean weighted by probability: attention computes just that, block by block.",
        ),
    ),
    "logsumexp_kernel": Exercise(
        "logsumexp_kernel",
        _logsumexp_kernel,
        Text(
            "读 MN，写 M：只要这一个数时，再长的行也只读一遍。交叉熵要的正是它。",
            "MN read, M written: where this one number is all that is wanted, a row of any length is read once. Cross-entropy needs just it.",
        ),
    ),
    "kept_kernel": Exercise(
        "kept_kernel",
        _kept_kernel,
        Text(
            "最后一块没有再读。一行只有一块时，它就读 MN、写 MN：两个 kernel 成了一个。",
            "The last block is not read again. With a single block it reads MN and writes MN: two kernels have become one.",
        ),
    ),
    "pairs_kernel": Exercise(
        "pairs_kernel",
        _pairs_kernel,
        Text(
            "每份只留下两个数，第二个 kernel 把它们合并，再写结果：一行由许多 program 分担，谁也不必等谁。",
            "Each part leaves two numbers; a second kernel merges them and writes the result: many programs share a row, and none waits for another.",
        ),
    ),
}

"""The reader's softmax held against the recorded one without a GPU: a cell is the reader's where nothing differs for the worse."""

from collections import defaultdict
from dataclasses import replace
from functools import partial

import torch

from ..compiler.compile import require_compiler
from ..figures.scoreboard import DTYPES, SHAPES
from ..figures.units import power_of_two
from ..language import Text
from ..measurements.bench import launched
from ..measurements.placing import softmax_by
from ..softmax import row_softmax
from ..softmax.choose import Gpu, Shape, alone
from ..softmax.two_passes import two_pass_softmax
from ..worker.errors import describe
from . import standings
from .watch import Launched, caught, moved, needs

SM, CACHE = 132, 50 << 20  # of the H100
WIDE = 131072  # columns: no program holds them


class Refused(Exception):
    """The function is no softmax that could stand on a board; says why, zh and en."""


def held_against(notebook: str, mine) -> tuple[set, Text]:
    """The cells that are the reader's, and a note that says what keeps the others from it."""
    require_compiler("H100", "nvidia")
    cells = [cell for cell in standings.late(notebook) if reference(notebook, *cell)]
    try:
        bytes_moved = {(dtype, n): _computed(mine, dtype, n) for dtype, n in {(d, n) for d, _, n in cells}}
        why = {cell: _differs(mine, notebook, cell, bytes_moved[cell[0], cell[2]]) for cell in cells}
    except Refused as error:
        return set(), Text(*error.args)
    return {cell for cell in cells if why[cell] is None}, _note(why)


def reference(notebook: str, dtype: str, rows: int, columns: int):
    """What was recorded for a cell, as a function of a matrix; None where only a GPU can tell."""
    if notebook >= standings.TEAMS and standings.shared_out(dtype, columns):
        return None
    if notebook >= "07" and columns != WIDE:
        return partial(_late, rows, columns, standings.SIZES[dtype])
    if columns == WIDE:
        return two_pass_softmax
    if notebook == "03":
        return row_softmax
    return partial(softmax_by, *standings.tile(notebook, dtype, rows, columns), 0, 0)


def _late(rows, columns, size, x):
    """What `softmax` launches on an H100 where a program holds a row, but for the early start."""
    gpu = Gpu(SM, cuda=True, cache=CACHE)
    return launched(replace(alone(Shape(rows, columns, size, columns), gpu), short=None))(x)


# ---- what is asked of the reader's function


def _run(function, *arguments):
    try:
        return function(*arguments)
    except Refused:
        raise
    except Exception as error:
        told = describe(error, {})
        words = f"{told['type']}: {told['message']}" if told["message"] else told["type"]
        raise Refused(f"你的函数抛出了异常 {words}", f"Your function raised {words}") from error


def _computed(mine, dtype, columns) -> float:
    """Bytes moved for each element, on a few rows; refuses what is not softmax."""
    x, y, book = _run(moved, mine, columns, dtype)
    zh, en = f"对 {dtype}、{len(x)} 行 {columns} 列的输入", f"for {len(x)} rows of {columns} columns in {dtype}"
    if not isinstance(y, torch.Tensor) or y.shape != x.shape or y.dtype != x.dtype:
        got = f"{y.dtype} {tuple(y.shape)}" if isinstance(y, torch.Tensor) else type(y).__name__
        raise Refused(
            f"{zh}，你的函数应返回同样形状、同样类型的张量，得到的是 {got}。",
            f"Your function should return a tensor of its input's shape and type; {en} it returned {got}.",
        )
    for stray in (each for launch in book.launches for each in launch.astray):
        raise Refused(
            f"{zh}，你的 kernel 访问了 {stray.tensor} 之外的地址：{stray.source}",
            f"Your kernel leaves {stray.tensor} {en}: {stray.source}",
        )
    error = (y.double() - torch.softmax(x.double(), -1)).abs().max().item()
    if not error <= (1e-6 if dtype == "float32" else 4e-3):
        raise Refused(
            f"{zh}，你的函数算错了：与 torch.softmax 最多相差 {error:.2g}。",
            f"The result of your function is wrong {en}: it is up to {error:.2g} away from torch.softmax.",
        )
    return book.totals.bytes / x.numel()


def _differs(mine, notebook, cell, bytes_moved) -> Text | None:
    """The first thing that the reader's launch does worse than the recorded one."""
    dtype, rows, columns = cell
    launches = _run(caught, mine, rows, columns, dtype)
    if (count := len(launches)) != 1:
        return Text(
            f"启动了 {count} 个 Triton kernel，录下的是 1 个",
            f"{count or 'no'} Triton kernel{'s' * (count != 1)} launched, where the recorded softmax launches 1",
        )
    (theirs,) = caught(reference(notebook, *cell), rows, columns, dtype)
    least = (3 if columns == WIDE else 2) * standings.SIZES[dtype]  # bytes of an element, times over memory
    return next((Text(zh, en) for worse, zh, en in _compared(*launches, theirs, bytes_moved, least) if worse), None)


def _compared(ours: Launched, theirs: Launched, bytes_moved: float, least: int):
    """(whether it is worse, zh, en): what is quickly known first, what takes the compiler last."""
    yield (
        bytes_moved > 1.001 * least,
        f"每个元素搬 {bytes_moved:.3g} 字节，录下的是 {least} 字节",
        f"{bytes_moved:.3g} bytes moved for each element, where the recorded kernel moves {least}",
    )
    yield (
        ours.programs != theirs.programs,
        f"启动 {ours.programs} 个 program，录下的是 {theirs.programs} 个",
        f"{ours.programs} programs launched, where {theirs.programs} were recorded",
    )
    yield (
        ours.warps != theirs.warps,
        f"每个 program {ours.warps} 个 warp，录下的是 {theirs.warps} 个",
        f"{ours.warps} warp{'s' * (ours.warps != 1)} a program, where {theirs.warps} were recorded",
    )
    mine, recorded = _run(needs, ours), needs(theirs)
    yield (
        mine.width < recorded.width,
        f"一条指令读 {mine.width} 字节，录下的是 {recorded.width} 字节",
        f"{mine.width} bytes a load, where the recorded kernel loads {recorded.width} at a time",
    )
    yield (
        mine.spills > recorded.spills,
        f"每个线程有 {mine.spills} 个寄存器溢出，录下的是 {recorded.spills} 个",
        f"{mine.spills} registers of a thread spill, where {recorded.spills} did in the recorded kernel",
    )
    yield (
        mine.fit < recorded.fit,
        f"一个 SM 驻留 {mine.fit} 个 program，录下的是 {recorded.fit} 个",
        f"{mine.fit} programs fit on an SM, where {recorded.fit} of the recorded kernel do",
    )


# ---- what the board says


def _note(why: dict) -> Text:
    mine = sum(each is None for each in why.values())
    groups = defaultdict(list)
    for cell, reason in why.items():
        if reason is not None:
            groups[reason].append(cell)
    same_zh = "字节、program 数、warp 数、读的宽度、溢出和驻留数都与录下的 kernel 一致"
    same_en = "Bytes, programs, warps, the width of loads, spills and how many fit are as recorded"
    zh = [f"{len(why)} 格中有 {mine} 格是你的。{same_zh}，或者更好。" if mine else "还没有一格是你的。"]
    en = [f"{mine} of {len(why)} cells are yours. {same_en}, or better." if mine else "No cell is yours yet."]
    for reason, cells in groups.items():
        zh.append(f"{_named(cells, '、')}：{reason.zh}。")
        en.append(f"{_named(cells, ', ')}: {reason.en}.")
    return Text(" ".join(zh), " ".join(en))


def _named(cells, comma) -> str:
    """Cells by number format, as they stand on the board."""
    usual = SHAPES[0][0]
    named = [(dtype, f"{n}" if rows == usual else f"{power_of_two(rows)}×{n}") for dtype, rows, n in cells]
    each = {dtype: [shape for d, shape in named if d == dtype] for dtype in DTYPES}
    return "; ".join(f"{dtype} {comma.join(shapes)}" for dtype, shapes in each.items() if shapes)

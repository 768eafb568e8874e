"""One step of a program as HTML: the source with its line, the variables as strips of lanes, the tensors.

Where styles are stripped (GitHub, a notebook that is not trusted yet) the same HTML still reads well: the source is
preformatted, strips are tables, and masked-off, read and written lanes are italic, underlined and bold.
"""

import html

import numpy as np

from ..language import Text, blocks, spans
from ..traffic.view import ranges
from .coloured import coloured
from .statements import Source
from .strips import CORNER, GAP, cell, chosen, full, numbers, shades, short
from .style import STYLE
from .trace import Held, Step, TensorBefore, Trace

DOT = '<span class="dot" title="刚刚改变 · just changed">●</span> '
LANES, ROWS, LINES = 16, 6, 24  # how many of each are drawn in full; of more, those where something happens


def render(trace: Trace, index: int) -> str:
    """The picture of one step."""
    step = trace.steps[index]
    return (
        f'{STYLE}<div class="course-step">{_head(trace, index)}{source(trace, step)}'
        f'<div class="cols">{memory(trace, index)}{variables(trace, index)}</div>{legend()}</div>'
    )


def program_name(trace: Trace) -> tuple[str, str]:
    """The number of the program and how many there are: 1 and 4, or (0, 1) and 2×4."""
    dimensions = max([1, *(axis + 1 for axis, size in enumerate(trace.grid) if size > 1)])
    program, grid = trace.program[:dimensions], trace.grid[:dimensions]
    return (str(program) if dimensions > 1 else str(program[0])), "×".join(map(str, grid))


def _head(trace: Trace, index: int) -> str:
    last = len(trace.steps) - 1
    program, count = program_name(trace)
    title = (
        f"<b>{html.escape(trace.kernel)}</b> "
        f"{spans(f'第 {program} 号 program（共 {count} 个）', f'program {program} (of {count})')} &nbsp; "
        f"{spans(f'第 {index} / {last} 步', f'step {index} / {last}')}"
    )
    lines = [f'<div class="head">{title}</div>']
    if trace.steps[index].kind == "raise":
        lines.append(
            f'<div class="bad"><b>{spans("这一行出错", "this line raised")}</b> {html.escape(trace.error)}</div>'
        )
    elif trace.error and index == last:
        lines.append(f'<div class="bad">{html.escape(trace.error)}</div>')
    if trace.stopped and index == last:
        lines.append(f'<div class="bad">{stopped(trace)._repr_html_()}</div>')
    return "".join(lines)


def stopped(trace: Trace) -> Text:
    """Why the trace ended before the program did."""
    count = f"{len(trace.steps):,}"
    zh, en = {
        "steps": ("步数到了上限", "that is the bound of steps"),
        "bytes": ("占用的内存到了上限", "its memory has reached its bound"),
        "seconds": ("用时到了上限", "its time has reached its bound"),
    }[trace.stopped]
    return Text(
        f"记录了 {count} 步就停下了：{zh}，而 program 还没有结束。",
        f"The recording stops after {count} steps: {en}, and the program had not ended.",
    )


def source(trace: Trace, step: Step) -> str:
    text = trace.sources[step.function]
    first, lines = text.first_line, text.lines
    shown = [
        f'<span class="caller">{html.escape(name)} {spans(f"第 {line} 行", f"line {line}")} ▸ '
        f"{html.escape(trace.sources[name].line(line).strip())}\n</span>"
        for name, line in step.callers
    ]
    start = 0
    if len(lines) > LINES:
        start = min(max(0, step.line - first - LINES // 2), len(lines) - LINES)
    shown += _listing(text, range(first + start, first + min(start + LINES, len(lines))), step.line)
    return f'<pre class="src">{"".join(shown)}</pre>'


def source_of_all(text: Source, steps: list[Step | None], now: int) -> str:
    """A kernel once, and before each line the programs that are there; who is inside a helper is at the line that called it."""
    at = [step and (step.callers[0][1] if step.callers else step.line) for step in steps]

    def who(number: int) -> str:
        return "".join(str(program) if line == number else " " for program, line in enumerate(at)) + " "

    numbers = range(text.first_line, text.first_line + len(text.lines))
    return f'<pre class="src">{"".join(_listing(text, numbers, at[now], who))}</pre>'


def _listing(text: Source, numbers: range, now: int, who=lambda number: ""):
    """These lines of a function with their numbers, the one that runs marked; `who` says what stands before a number."""
    lines = text.lines
    digits = len(str(text.first_line + len(lines)))
    for number in numbers:
        before = who(number)
        code = f"{before}{number:>{digits}}</span> {coloured(lines[number - text.first_line])}\n"
        if number == now:
            yield f'<b class="now" aria-current="step"><span class="no">▶ {code}</b>'
        else:
            kind = ' class="at"' * bool(before.strip())
            yield f'<span{kind}><span class="no">  {code}</span>'


def variables(trace: Trace, index: int) -> str:
    """Single values in a line that wraps, blocks of lanes below each other. What a later step brings is there, and hidden."""
    changed, values, later = trace.steps[index].changed, trace.values(index), trace.later(index)
    singles: list[str] = []
    tables: dict[int, list[str]] = {}  # by number of lanes: blocks of the same width share a table and its lane numbers
    columns = {lanes: chosen(lanes, marks, LANES) for lanes, marks in _edges(values | later).items()}
    for name, held in (values | later).items():
        kind = ' class="new"' if name in changed else ""
        hidden = " hidden" * (name in later)
        label = f"{DOT if name in changed else ''}<span>{html.escape(name)}</span>"
        if not np.ndim(held.value.data):
            if (held.value.kind, held.value.tensor, held.value.data) == ("pointer", name, 0):
                continue  # a tensor's own pointer says no more than the tensor
            tip = html.escape(_type(held))
            singles.append(f'<span{kind}{hidden} title="{tip}">{label} = {_single(held.value)}</span>')
            continue
        lanes = held.value.data.shape[-1]
        label += f" <small>{html.escape(_type(held))}</small>"
        tables.setdefault(lanes, []).append(f"<tbody{hidden}>{_block(held, columns[lanes], label, kind)}</tbody>")
    shown = {np.shape(held.value.data)[-1:] for held in values.values()}
    blocks_ = (
        f"<table{' hidden' * ((lanes,) not in shown)}>{numbers(columns[lanes])}{''.join(rows)}</table>"
        for lanes, rows in tables.items()
    )
    return f'<div class="vars"><div class="singles">{" &nbsp; ".join(singles)}</div>{"".join(blocks_)}</div>'


def _type(held: Held) -> str:
    value = held.value
    shape = f"[{'×'.join(map(str, np.shape(value.data)))}]" if np.ndim(value.data) else ""
    return f"*{value.dtype}{shape}" if value.kind == "pointer" else f"{value.dtype}{shape}"


def _edges(values: dict[str, Held]) -> dict[int, set[int]]:
    """For each number of lanes, where masks and padding begin or end: that is where long strips are shown."""
    marks: dict[int, set[int]] = {}
    for held in values.values():
        data = held.value.data
        if not np.ndim(data):
            continue
        found = marks.setdefault(data.shape[-1], set())
        for array in (held.padding, data if held.value.dtype == "bool" else None):
            if array is not None:
                rows = array.reshape(-1, array.shape[-1])
                changes = np.flatnonzero((rows[:, 1:] != rows[:, :-1]).any(axis=0)) + 1
                found.update(changes[:4].tolist())
    return marks


def _single(value) -> str:
    tensor = html.escape(value.tensor)
    if value.kind == "pointer":
        return f"{tensor} + {value.data}"
    if value.kind == "number":
        return short(value.data, 12)
    return f"{tensor} {html.escape(str(value.data))}".strip()


def _block(held: Held, columns, label: str, kind: str) -> str:
    """A row of a table for each row of the block; the name stands before the first."""
    value = held.value
    rows = value.data.reshape(-1, value.data.shape[-1])
    padding = np.zeros(rows.shape, dtype=bool) if held.padding is None else held.padding.reshape(rows.shape)
    shade, drawn = shades(rows), chosen(rows.shape[0], (), ROWS)
    if value.kind == "pointer":
        label += f" <small>{html.escape(value.tensor)} +</small>"
    lines = []
    for row in drawn:
        head = f'<th class="name" rowspan="{len(drawn)}">{label}</th>' if not lines else ""
        cells = (
            GAP
            if row is None or column is None
            else cell(rows[row, column], shade, "pad" if padding[row, column] else "")
            for column in columns
        )
        lines.append(f"<tr{kind}>{head}{''.join(cells)}</tr>")
    return "".join(lines)


def memory(trace: Trace, index: int) -> str:
    step = trace.steps[index]
    parts = [_tensor(trace, index, tensor, step) for tensor in trace.tensors]
    lost = [touch for touch in step.touches if touch.tensor == "?"]
    parts += [
        f'<div class="bad">{spans("指针不属于任何张量", "a pointer that belongs to no tensor")}</div>' for _ in lost
    ]
    return f'<div class="mem">{"".join(parts)}</div>'


def _tensor(trace: Trace, index: int, tensor: TensorBefore, step: Step) -> str:
    touches = [touch for touch in step.touches if touch.tensor == tensor.name]
    title = f"<b>{html.escape(tensor.name)}</b> <small>{tensor.dtype}[{'×'.join(map(str, tensor.shape))}]</small>"
    said = "".join(f"<div>{_said(touch, tensor)}</div>" for touch in touches) or "<div>&nbsp;</div>"
    if not tensor.data.size:
        return f'<div class="tensor">{title}{said}</div>'
    data = trace.contents(tensor, index)
    places = layout(tensor)
    marks = {"load": set(), "store": set(), "atomic": set()}
    for touch in touches:
        marks[touch.kind] |= set(touch.offsets[touch.inside].tolist())
    rows, columns = _window(trace, index, tensor, places)
    shade = shades(data[places.reshape(-1)])
    lines = [numbers(columns)]
    for row in rows:
        cells = []
        for column in columns:
            if row is None or column is None:
                cells.append(GAP)
                continue
            offset = int(places[row, column])
            wrote = offset in marks["store"] or offset in marks["atomic"]
            kind = "wr" if wrote else "rd" if offset in marks["load"] else ""
            tip = f"{tensor.name}[{row}, {column}] = {full(data[offset])} (+{offset})"
            cells.append(cell(data[offset], shade, kind, tip))
        head = CORNER if row is None else f"<th>{row}</th>"
        lines.append(f"<tr>{head}{''.join(cells)}</tr>")
    return f'<div class="tensor">{title}{said}<table>{"".join(lines)}</table></div>'


def layout(tensor: TensorBefore) -> np.ndarray:
    """Where each element lies, as a matrix of offsets: the last dimension across, all others down."""
    places = np.zeros((), dtype=np.int64)
    for size, stride in zip(tensor.shape, tensor.stride, strict=True):
        places = places[..., None] + np.arange(size) * stride
    return places.reshape(-1, tensor.shape[-1] if tensor.shape else 1)


def _window(trace: Trace, index: int, tensor: TensorBefore, places: np.ndarray):
    """Which rows and columns to draw: those that this step touched, else those touched last."""
    rows, columns = places.shape
    if rows <= ROWS and columns <= LANES:
        return list(range(rows)), list(range(columns))
    touched = trace.last_touched(tensor, index)
    at_rows, at_columns = np.nonzero(np.isin(places, touched))
    row_marks = sorted({*at_rows[:1].tolist(), *(at_rows[-1:] + 1).tolist()})
    column_marks = sorted({at_columns.min(), at_columns.max() + 1}) if at_columns.size else ()
    return chosen(rows, row_marks, ROWS), chosen(columns, column_marks, LANES)


_VERBS = {"load": ("读", "loads"), "store": ("写", "stores"), "atomic": ("原子更新", "updates")}


def _said(touch, tensor: TensorBefore) -> str:
    zh, en = _VERBS[touch.kind]
    kind, sample = ("rd", "<u>3</u>") if touch.kind == "load" else ("wr", "<b>3</b>")
    inside, astray = touch.offsets[touch.inside], touch.offsets[~touch.inside]
    hit = f"{inside.size} / {touch.lanes}"
    elements = ranges(inside.tolist())
    if touch.lanes == inside.size == 1:
        zh, en = f"{zh}元素 {elements}", f"{en} element {elements}"
    else:
        zh, en = f"{zh}块里的 {hit}", f"{en} {hit} of the block"
        zh, en = (f"{zh}，元素 {elements}", f"{en}, elements {elements}") if inside.size else (zh, en)
    said = f'<span class="chip {kind}">{sample}</span> {spans(zh, en)}'
    if astray.size:
        elements, last = ranges(astray.tolist()), tensor.data.size - 1
        zh = f"{astray.size} 个元素越界：要的是 {elements}，而有效的是 0–{last}"
        en = f"{astray.size} elements out of bounds: {elements} are asked for, but 0–{last} are valid"
        if astray.min() >= 0 and astray.max() <= last:
            zh = f"{astray.size} 个元素越界：{elements} 夹在张量的元素之间，却不是它的"
            en = f"{astray.size} elements out of bounds: {elements} lie between the tensor's own, where the view skips"
        said += f'<div class="bad">{blocks(zh, en)}</div>'
    return said


def legend() -> str:
    chips = (
        ("rd", "<u>3</u>", "这一步读", "read by this step"),
        ("wr", "<b>3</b>", "这一步写", "written by this step"),
        ("pad", "<i>3</i>", "掩码关掉的元素", "masked-off element"),
        ("inf", "−∞", "无穷", "infinite"),
        ("nan", "NaN", "不是数", "not a number"),
    )
    shown = [f'<span><span class="chip {kind}">{look}</span> {spans(zh, en)}</span>' for kind, look, zh, en in chips]
    low, high = (f'<span class="chip" style="--a:{shade}">3</span>' for shade in ("0.08", "0.68"))
    shown.append(f"<span>{low} … {high} {spans('从小到大', 'smallest to largest')}</span>")
    shown.append(f"<span>{DOT}{spans('这一步改变', 'changed by this step')}</span>")
    return f'<div class="legend">{"".join(shown)}</div>'

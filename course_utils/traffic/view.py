"""A ledger as people read it: a table in the notebook, aligned text in a terminal, and findings in sentences."""

import html

from ..language import BLANK, Text, blocks, both, spans
from ..table import aligned, width

_STYLE = (
    BLANK
    + """<style>
.course-ledger table { border-collapse: collapse; margin: 4px 0; font-size: 13px; color: var(--jp-ui-font-color1, #222); }
.course-ledger :is(th, td) { padding: 3px 8px; text-align: right; white-space: nowrap; border: 0; background: none;
  font-variant-numeric: tabular-nums; }
.course-ledger :is(th, td):first-child { text-align: left; }
.course-ledger thead th { font-weight: 600; white-space: normal; border-bottom: 1px solid var(--jp-border-color1, #bbb); vertical-align: bottom; }
.course-ledger tfoot td { font-weight: 600; border-top: 1px solid var(--jp-border-color1, #bbb); }
.course-ledger .read { border-left: 3px solid #56b4e9; } .course-ledger .written { border-left: 3px solid #e69f00; }
.course-ledger small { opacity: .75; font-weight: normal; }
.course-ledger code { background: none; }
.course-ledger .bad { border-left: 3px solid #d55e00; padding-left: 8px; margin: 4px 0; }
.course-ledger .note { border-left: 3px solid #7f838a; padding-left: 8px; margin: 4px 0; }
</style>"""
)

_HEADS = (
    Text("操作", "operation"),
    Text("读", "read"),
    Text("字节", "bytes"),
    Text("写", "written"),
    Text("字节", "bytes"),
    Text("累计字节", "running total"),
)
_TOTAL = Text("合计", "total")


def _cells(book, formulas):
    """The table: a row is (title in both languages, its name, then five cells of text)."""
    running = 0

    def count(side) -> str:
        if formulas:
            return formulas.of(side)
        dtypes = side.by_dtype
        main = max(book.totals.read.by_dtype, key=book.totals.read.by_dtype.get, default="") if len(dtypes) > 1 else ""
        named = [f"{n:,}" if dtype == main or len(dtypes) == 1 else f"{n:,} {dtype}" for dtype, n in dtypes.items()]
        return " + ".join(named) or "0"

    for row in book.rows:
        running += row.read.bytes + row.written.bytes
        sides = (count(row.read), f"{row.read.bytes:,}", count(row.written), f"{row.written.bytes:,}")
        yield Text(row.zh, row.en), row.name, (*sides, f"{running:,}")
    totals = book.totals
    sides = (count(totals.read), f"{totals.read.bytes:,}", count(totals.written), f"{totals.written.bytes:,}")
    yield _TOTAL, "", (*sides, f"{totals.bytes:,}")


def findings(book) -> list[tuple[bool, Text]]:
    """What the launches did that deserves a sentence: (is it an error, the sentence)."""
    found = []
    for launch in book.launches:
        for astray in launch.astray:
            found.append((True, _astray(launch, astray)))
        for repeat in launch.repeats:
            where_zh, where_en = _where(launch, repeat)
            count = repeat.elements
            zh = f"{where_zh}：{repeat.tensor} 有 {count:,} 个元素在这之前已经读过，这里又读了一遍。"
            en = f"{where_en}: {count:,} element{'s' * (count > 1)} of {repeat.tensor} had been loaded before and were loaded again."
            found.append((False, Text(zh, en)))
    return found


def _where(launch, item) -> tuple[str, str]:
    inside = "" if item.function == launch.name else f"{item.function} "
    return f"{inside}第 {item.line} 行 {item.source}", f"{inside}line {item.line}, {item.source}"


def _astray(launch, astray) -> Text:
    zh, en = _where(launch, astray)
    program = astray.program[0] if launch.grid[1:] == (1, 1) else astray.program
    elements, offsets = ranges(astray.lanes), ranges(astray.offsets)
    verb = {"load": ("读", "loads"), "store": ("写", "stores"), "atomic": ("原子操作", "updates")}[astray.kind]
    held_zh, held_en = f"它只有 0–{astray.size - 1}", f"it has 0–{astray.size - 1}"
    if not astray.size:
        held_zh, held_en = "它没有元素", "it has none"
    elif min(astray.offsets) >= 0 and max(astray.offsets) < astray.size:
        held_zh, held_en = "夹在它的元素之间，却不是它的", "between its own, in memory that the view skips"
    zh += f"：program {program} 的块里第 {elements} 个元素{verb[0]}到了 {astray.tensor} 之外（{astray.tensor} 的 {offsets}；{held_zh}）。"
    s = "s" if len(astray.lanes) > 1 else ""
    en += f": program {program} {verb[1]} outside {astray.tensor} with element{s} {elements} of its block (place{s} {offsets} of {astray.tensor}; {held_en})."
    if len(astray.programs) > 1:
        zh += f"共 {len(astray.programs)} 个 program、{astray.total:,} 个元素如此。"
        en += f" So do {astray.total:,} elements of {len(astray.programs)} programs in all."
    return Text(zh + "它们没有碰到内存。", en + " They touched no memory.")


def ranges(numbers) -> str:
    """0–3, 7 for [0, 1, 2, 3, 7]; at most five pieces."""
    pieces: list[list[int]] = []
    for number in sorted(set(numbers)):
        if pieces and number == pieces[-1][1] + 1:
            pieces[-1][1] = number
        else:
            pieces.append([number, number])
    texts = [str(a) if a == b else f"{a}–{b}" for a, b in pieces]
    return ", ".join(texts if len(texts) <= 5 else [*texts[:4], "…", texts[-1]])


def html_table(book, formulas=None) -> str:
    if not book.rows:
        return blocks("账本是空的：没有操作读写过内存。", "The ledger is empty: nothing read or wrote memory.")
    kinds = ("", "read", "", "written", "", "")
    heads = "".join(
        f'<th scope="col" class="{kind}">{spans(head.zh, head.en)}</th>'
        for kind, head in zip(kinds, _HEADS, strict=True)
    )
    lines = []
    for title, name, cells in _cells(book, formulas):
        label = spans(html.escape(title.zh), html.escape(title.en))
        first = f"{label} <small><code>{html.escape(name)}</code></small>" if name else label
        rest = "".join(
            f'<td class="{kind}">{html.escape(cell)}</td>' for kind, cell in zip(kinds[1:], cells, strict=True)
        )
        lines.append(f"<tr><td>{first}</td>{rest}</tr>")
    notes = "".join(
        f'<div class="{"bad" if bad else "note"}">{blocks(html.escape(text.zh), html.escape(text.en))}</div>'
        for bad, text in findings(book)
    )
    body, foot = "\n".join(lines[:-1]), lines[-1]
    return (
        f'{_STYLE}<div class="course-ledger"><table><thead><tr>{heads}</tr></thead>\n<tbody>{body}</tbody>\n'
        f"<tfoot>{foot}</tfoot></table>{notes}</div>"
    )


def text_table(book, formulas=None) -> str:
    if not book.rows:
        return both("账本是空的：没有操作读写过内存。", "The ledger is empty: nothing read or wrote memory.")
    rows = [[f"{head.zh} {head.en}" for head in _HEADS]]
    for title, name, cells in _cells(book, formulas):
        label = title.zh if title.zh == title.en else f"{title.zh} {title.en}"
        rows.append([f"{label}  {name}".rstrip(), *cells])
    lines = aligned(rows)
    rule = "─" * width(lines[0])
    text = "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])
    return "\n".join([text, *(f"{'!' if bad else '·'} {note.zh}\n  {note.en}" for bad, note in findings(book))])

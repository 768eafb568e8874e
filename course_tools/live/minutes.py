"""The page "The first three minutes": a kernel that goes wrong, mended by a tap; a step; its bytes; and where the climb leads."""

import html
from pathlib import Path

import torch
from bs4 import BeautifulSoup

from course_utils.board import NOTEBOOKS, standings
from course_utils.figures.scoreboard import DTYPES, SHAPES, level
from course_utils.language import Text, spans
from course_utils.traffic import ledger

from ..contents import Entry, entries
from ..player.live import launches_of, name_of
from ..site.shell import INDEX, Heading, Page, address, in_spans
from . import cell, own

FILE = "three_minutes.html"
TITLE = Text("前三分钟", "The first three minutes")
_ROWS, _COLUMNS = 64, 1024  # of the matrix whose bytes are counted


def _kernel(entry: Entry) -> tuple[str, dict]:
    """The kernel of 00 that goes wrong, and what it is launched on there. What it fills in, an argument, stands in its line."""
    found = cell.tasks(entry.notebook, launches_of(entry.notebook), name_of)
    task = next(iter(found.values()))["task"]
    text = task["text"].replace(", fill", "").replace("other=fill", "other=0.0")
    args = [[name, value] for name, value in task["args"] if name != "fill"]
    return text, task | {"id": "minutes", "text": text, "args": args, "begin": "run", "does": ["run", "step"]}


def _bytes(entry: Entry) -> tuple[str, str, str]:
    """What the calls of PyTorch in 00 read and write, in all and by symbols."""
    names = {"torch": torch}
    source = next(each.source for each in entry.notebook.cells if each.source.startswith("def naive_softmax"))
    exec(source, names)
    x = torch.zeros(_ROWS, _COLUMNS)
    with ledger() as book:
        names["naive_softmax"](x)
    symbols = book.as_symbols(M=_ROWS, N=_COLUMNS)
    return symbols.read, symbols.written, f"{book.totals.read.elements + book.totals.written.elements:,}"


_MARKS = {mark: f'<b class="{colour}">{mark}</b>' for mark, colour in {"○": "red", "◐": "amber", "●": "green"}.items()}


def _climb(found: dict[str, Entry]) -> str:
    """The scoreboard after 03, each cell with the first notebook that makes it as fast as a copy, or comes nearest."""

    def linked(notebook: str) -> str:
        return f'<a href="{address(found[notebook])}">{notebook}</a>' if notebook in found else notebook

    def best(where) -> tuple[float, str]:
        shares = [
            (round(max(standings.late(k).get(where, 0), (standings.early(k) or {}).get(where, 0)), 2), k)
            for k in NOTEBOOKS
        ]
        green = next((each for each in shares if level(each[0])[1] == "●"), None)
        return green or max(shares, key=lambda each: each[0])

    head = "".join(f'<th scope="colgroup" colspan="2">{dtype}</th>' for dtype in DTYPES)
    after = f'<th scope="col">{linked("03")}</th><th scope="col">{spans("后来", "later")}</th>' * len(DTYPES)
    rows, tall = [], None
    for rows_, columns in SHAPES:
        if rows_ != tall:
            tall, said = rows_, f"{rows_:,}"
            rows.append(f'<tr><th scope="rowgroup" colspan="5">{spans(f"{said} 行", f"{said} rows")}</th></tr>')
        cells = ""
        for dtype in DTYPES:
            where = (dtype, rows_, columns)
            before, (share, notebook) = standings.late("03").get(where), best(where)
            mark = "○" if before is None else level(before)[1]
            cells += f"<td>{_MARKS[mark]} {'–' if before is None else f'{before:.2f}'}</td>"
            cells += (
                "<td></td>" if mark == "●" else f"<td>{linked(notebook)} {_MARKS[level(share)[1]]} {share:.2f}</td>"
            )
        rows.append(f'<tr><th scope="row">{columns}</th>{cells}</tr>')
    corner = f'<th scope="col" rowspan="2">{spans("列", "columns")}</th>'
    return (
        f'<div class="wide"><table class="climb"><tr>{corner}{head}</tr><tr>{after}</tr>{"".join(rows)}</table></div>'
    )


def page(found: list[Entry], course: Path) -> Page:
    """`found` are the notebooks of the site; 00, whose kernel this is, need not be one of them."""
    first, linked = (
        next(entry for entry in entries(course) if entry.number == "00"),
        {entry.number: entry for entry in found},
    )
    text, task = _kernel(first)
    read, written, elements = _bytes(first)
    tap = "".join(
        f'<button type="button" data-minutes="{value}"><code>other={label}</code></button>'
        for value, label in (("zero", "0.0"), ("inf", "-inf"))
    )
    red, amber, green = _MARKS.values()
    next_ = Text(f"下一页：00 {first.title.zh}", f"Next: 00 {first.title.en}")
    parts = [
        f"<h1>{in_spans(TITLE)}</h1>",
        _said(
            "五个分数做 softmax，五个概率加起来应当是 1。这个 kernel 不报错，加起来却是：",
            "Softmax makes five probabilities of five scores, and they should add up to 1. This kernel raises no error, and they add "
            "up to:",
        ),
        '<p class="sum"><output data-minutes="sum">…</output></p>',
        f'<div class="taps controls" role="group" aria-label="other 填什么 · what other is">{tap}</div>',
        cell.markup(html.escape(text, quote=False), task),
        _heading("why", "为什么", "Why"),
        _said(
            "一块是 8 格，分数只有 5 个。多出来的 3 格不读，填的是 <code>other</code>。在 −10 上下的分数里，0 是最高分，拿走了几乎全部概率。填 −∞，它的指数就是 0。"
            '<button type="button" data-minutes="step">走到这一行</button>',
            "A block has 8 places, and there are 5 scores. The 3 places left over are not read; they hold <code>other</code>. Among "
            "scores near −10, a 0 is the highest, and takes nearly all the probability. The exponential of −∞ is 0. "
            '<button type="button" data-minutes="step">Step to that line</button>',
        ),
        _heading("bytes", "它搬多少字节", "The bytes it moves"),
        _said(
            f'M 行 N 列，五个 PyTorch 调用读 {read}、写 {written} 个元素：主要是 <b>8MN</b>，{_ROWS}×{_COLUMNS} 的矩阵合 {elements} 个。这个 kernel 读一遍、写一遍：<b>2MN</b>，刚才是 <output data-minutes="bytes">…</output> 个元素。'
            "GPU 算得快，搬得慢，时间主要就花在这上面。",
            f"For M rows of N, five calls of PyTorch read {read} and write {written} elements: <b>8MN</b> in the main, {elements} for "
            f'{_ROWS}×{_COLUMNS}. This kernel reads once and writes once: <b>2MN</b>, just now <output data-minutes="bytes">…</output> elements. '
            "A GPU computes fast and moves data slowly, so that is where the time goes.",
        ),
        _heading("climb", "从这里往上爬", "The climb from here"),
        _said(
            f"03 写出这样一个 kernel，在 H100 上实测它的速度，1 是和最好的复制一样快。{red} 红，{amber} 黄，{green} 绿。每一格旁边，是让它变绿的那一本，没有变绿的是最快的那一本：",
            f"03 writes such a kernel, and its speed was recorded on an H100; 1 is as fast as the best copy. {red} red, {amber} amber, {green} green. "
            "Beside each is the notebook that turns it green, or comes nearest:",
        ),
        _climb(linked),
        f'<p class="ways"><a href="{address(first) if "00" in linked else INDEX}">{in_spans(next_)}</a></p>'
        f'<p class="controls"><a href="{own.FILE}">{in_spans(own.TITLE)}</a>'
        f'<button type="button" data-minutes="share">{spans("把链接发给别人", "Copy a link to this")}</button></p>',
    ]
    main = BeautifulSoup(f'<main><div class="minutes">{"".join(parts)}</div></main>', "html.parser").main
    return Page(FILE, TITLE, main, headings=[Heading(1, "", TITLE)], live=True)


def _heading(id: str, zh: str, en: str) -> str:
    return f'<h2 id="{id}">{spans(zh, en)}</h2>'


def _said(zh: str, en: str) -> str:
    return f'<p class="text" lang="zh">{zh}</p><p class="text" lang="en">{en}</p>'

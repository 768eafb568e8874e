"""The first page: one sentence, a kernel to step, where to begin, what it arrives at, all lessons, and the way to JupyterLab."""

import inspect
import re
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

from course_utils.language import LANGUAGES, Text, spans
from course_utils.softmax.row_kernel import row_kernel

from ..contents import Entry
from ..gallery import on_a_page
from ..handout.pages import PageExporter, in_lines
from ..handout.select import two
from ..live import cell, minutes, own, progress
from ..marks import inside
from .shell import ARCHIVE, INDEX, Page, address, in_spans

_LEAD = Text(
    "十五本笔记的一门课：一个小算子 softmax，用 Triton 从五行 PyTorch 一步步做到显存带宽的极限。会用 PyTorch 的张量就够了；GPU 和安装都不需要，kernel 就在这一页里运行。",
    "A course in 15 lessons: one small operator, softmax, from five lines of PyTorch to the limit of a GPU’s memory, in Triton. You need to know PyTorch’s tensors, "
    "and no GPU: kernels run in this page, with nothing installed.",
)
_START = Text("从这里开始：三分钟", "Start: three minutes")
_WRITE = Text("现在就写一个 kernel", "Write a kernel now")
_ARRIVES = Text("走到哪里：和复制一样快", "Where it arrives: as fast as a copy")
_SPEED = Text(
    "softmax 每秒搬多少字节，越高越好：4096 行，越往右一行越长。蓝线是 PyTorch，绿线是这门课做到的；"
    "虚线是最好的复制，没有哪个 kernel 能比它多搬多少。别的库也在 06 里。",
    "How many bytes softmax moves in a second, higher is better: 4096 rows, which get longer to the right. Blue is PyTorch, "
    "green is where this course arrives; dashed is the best copy, which no kernel can beat by much. Other libraries are in 06, too.",
)
_MARKS = Text(
    "program 1 把 x 的第 1 行变成 softmax，写进 y。表格上面的数是列号；"
    '<span class="chip rd">3</span> 正在读，<span class="chip wr">3</span> 正在写，<span class="chip pad">3</span> 掩码关掉了。'
    "改一行，再按“运行”。",
    "Program 1 turns row 1 of x into its softmax, in y. The numbers above a table are those of its columns; "
    '<span class="chip rd">3</span> is being read, <span class="chip wr">3</span> written, <span class="chip pad">3</span> masked off. '
    "Change a line and press Run.",
)
_CONTENTS = Text("目录", "Contents")
_TAKE = Text(
    "把这些网页整个带走：一个 zip，解压就能用", "Take all these pages along: one zip, which works when unpacked"
)
_LAB = Text("在 JupyterLab 里运行", "Running it in JupyterLab")


def page(found: list[Entry], course: Path) -> Page:
    readme = (course / "README.md").read_text(encoding="utf-8")
    title = two(readme.partition("\n")[0].removeprefix("# "))
    first = "".join(
        f'<li><a href="{address(each)}"><b>{each.number}</b> {in_spans(each.title)}</a></li>' for each in found[:3]
    )
    rest = Text(f"全部 {len(found)} 本", f"All {len(found)} lessons")
    parts = [
        f'<div class="hero"><div><h1>{in_spans(title)}</h1>',
        f'<p class="lead">{in_spans(_LEAD)}</p>',
        f'<p class="ways"><a href="{minutes.FILE}">{in_spans(_START)}</a><a href="{own.FILE}">{in_spans(_WRITE)}</a></p>',
        f'<ul class="first">{first}<li><a href="#contents">{in_spans(rest)} ↓</a></li></ul></div>',
        f'<div class="shown">{_kernel()}<p class="course-step marks">{spans(_MARKS.zh, _MARKS.en)}</p></div></div>',
        f"<h2>{in_spans(_ARRIVES)}</h2>",
        f'<figure><div class="wide">{on_a_page("reached")}</div><figcaption>{in_spans(_SPEED)}</figcaption></figure>',
        f'<h2 id="contents">{in_spans(_CONTENTS)}</h2>',
        f'<ol class="lessons">{"".join(map(_lesson, found))}</ol>',
        progress.block(),
        f'<h2 id="jupyterlab">{in_spans(_LAB)}</h2>',
        *(_start(language, inside(readme, f"start {language}")) for language in LANGUAGES),
        f'<p class="take text"><a href="{ARCHIVE}" download>{in_spans(_TAKE)}</a></p>',
    ]
    main = BeautifulSoup(f"<main>{''.join(parts)}</main>", "html.parser").main
    in_lines(main)
    styles = [style.extract().get_text() for style in main.select("style")]
    return Page(INDEX, title, main, styles, live=True)


def _kernel() -> str:
    """The kernel of 03, on two rows of five: a row has just been read, what is made of it follows."""
    text = inspect.getsource(row_kernel.fn).strip()
    setting = {"kind": "normal", "rows": 2, "columns": 5, "seed": 1, "dtype": "float32"}
    task = {"text": text, "setting": setting, "grid": [2], "program": 1, "begin": "tl.load", "does": ["run", "step"]}
    return cell.markup(escape(text, quote=False), task)


def _lesson(entry: Entry) -> str:
    time = Text(f"{entry.minutes} 分钟", f"{entry.minutes} min")
    return (
        f'<li><a href="{address(entry)}"><b>{entry.number}</b><strong>{in_spans(entry.title)}</strong></a>'
        f"<p>{in_spans(entry.question)}</p><small>{in_spans(time)}</small>{progress.tally(entry)}</li>"
    )


def _start(language: str, markdown: str) -> str:
    """How to begin, as the README has it."""
    html = PageExporter(exclude_anchor_links=True).markdown2html(re.sub("<!--.*?-->\n?", "", markdown))
    return f'<div class="text" lang="{language}">{html}</div>'

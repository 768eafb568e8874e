"""The first page: one sentence, a kernel to step, where to begin, what it arrives at, all lessons, and the way to JupyterLab."""

import re
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

from course_utils.language import Text

from ..contents import Entry
from ..gallery import speed
from ..handout.pages import PageExporter
from ..handout.select import two
from ..live import minutes, own, progress
from .shell import INDEX, Page, address, in_spans

_LEAD = Text(
    "一个小算子 softmax，从五行 PyTorch 一步步做到显存带宽的极限。会用 PyTorch 的张量就够了；GPU 和安装都不需要，kernel 就在这一页里运行。",
    "One small operator, softmax, from five lines of PyTorch to the limit of a GPU’s memory. You need to know PyTorch’s tensors, "
    "and no GPU: kernels run in this page, with nothing installed.",
)
_START = Text("从这里开始：15 分钟", "Start: 15 minutes")
_WRITE = Text("现在就写一个 kernel", "Write a kernel now")
_SPEED = Text(
    "softmax 每秒搬多少字节，4096 行，列数不同（H100）。绿线是这门课做到的，虚线是最好的复制：没有哪个 kernel 能比它多搬多少。",
    "How many bytes softmax moves in a second, for 4096 rows of every width, on an H100. Green is where this course arrives; "
    "dashed is the best copy, which no kernel can beat by much.",
)
_CONTENTS = Text("目录", "Contents")
_LAB = Text("在 JupyterLab 里运行", "Running it in JupyterLab")


def page(found: list[Entry], course: Path) -> Page:
    readme = (course / "README.md").read_text(encoding="utf-8")
    title = two(readme.partition("\n")[0].removeprefix("# "))
    parts = [
        f"<h1>{in_spans(title)}</h1>",
        f'<p class="lead">{in_spans(_LEAD)}</p>',
        f'<p class="ways"><a href="{address(found[0])}">{in_spans(_START)}</a><a href="{own.FILE}">{in_spans(_WRITE)}</a><a href="{minutes.FILE}">{in_spans(minutes.TITLE)}</a></p>',
        f'<h2 id="contents">{in_spans(_CONTENTS)}</h2>',
        f'<ol class="lessons">{"".join(map(_lesson, found))}</ol>',
        progress.block(),
        f'<figure><div class="wide">{speed().html()}</div><figcaption>{in_spans(_SPEED)}</figcaption></figure>',
        f'<h2 id="jupyterlab">{in_spans(_LAB)}</h2>',
        *map(_text, _between(readme, "start").strip().split("\n\n")),
    ]
    main = BeautifulSoup(f"<main>{''.join(parts)}</main>", "html.parser").main
    styles = [style.extract().get_text() for style in main.select("style")]
    return Page(INDEX, title, main, styles, live=True)


def _lesson(entry: Entry) -> str:
    return (
        f'<li><a href="{address(entry)}"><b>{entry.number}</b><strong>{in_spans(entry.title)}</strong></a>'
        f"<p>{in_spans(entry.question)}</p><small>{entry.minutes} min</small>{progress.tally(entry)}</li>"
    )


def _between(text: str, mark: str) -> str:
    return re.search(rf"<!-- {mark} -->\n(.*?)<!-- /{mark} -->", text, re.DOTALL)[1]


def _text(block: str) -> str:
    """A paragraph of the README: its lines in Chinese, its lines in English, or code."""
    if block.startswith("```"):
        code = "\n".join(block.splitlines()[1:-1])
        return f'<div class="highlight"><pre>{escape(code, quote=False)}</pre></div>'
    lines = {"zh": [], "en": []}
    for line in filter(None, block.splitlines()):
        lines["zh" if re.search("[\u4e00-\u9fff]", line) else "en"].append(line)
    texts = {language: _html("\n".join(each)) for language, each in lines.items() if each}
    return "".join(f'<div class="text" lang="{language}">{text}</div>' for language, text in texts.items())


def _html(markdown: str) -> str:
    return PageExporter(exclude_anchor_links=True).markdown2html(markdown)

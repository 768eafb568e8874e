"""The page "Your own kernel": an editor, inputs, and what the engine says."""

from bs4 import BeautifulSoup

from course_utils.language import Text, spans

from ..site.shell import OWN, OWN_TITLE, Heading, Page, in_spans

FILE, TITLE = OWN, OWN_TITLE
_INTRO = Text(
    "这里写的 kernel 就在这一页里运行，什么都不用装，也不用联网。矩阵 x 的一行后面还空着三个元素，y 里的 · 是还没有写的位置。",
    "A kernel written here runs in this page, with nothing installed and no network. After each row of the matrix x three "
    "elements lie unused; · marks a place of y that was not written.",
)
_KEYS = Text(
    "在编辑框里，Ctrl+Enter 运行；Tab 缩进，先按 Esc 再按 Tab 就离开编辑框。写的东西留在地址里：把链接发给别人，他看到的就是这些。",
    "In the editor, Ctrl+Enter runs and Tab indents; Esc, then Tab leaves it. What you write stays in the address: whoever gets "
    "the link sees the same.",
)
_NAMES = Text(
    "参数按名字给：x_ptr、y_ptr（形状和 x 一样）、n_rows、n_cols、x_stride、y_stride、BLOCK_SIZE（不小于 n_cols 的 2 的幂）、total_ptr（一个 0.0）、"
    "flag_ptr（一个 int32 的 0）。每一行一个 program。",
    "Arguments go by name: x_ptr, y_ptr (of x's shape), n_rows, n_cols, x_stride, y_stride, BLOCK_SIZE (a power of 2, n_cols or "
    "more), total_ptr (one 0.0), flag_ptr (one int32, 0). There is a program for each row.",
)
_KINDS = {
    "normal": "正态 · normal",
    "low": "正态减 10 · normal − 10",
    "count": "0, 1, 2, …",
}
_STARTS = {
    "empty": "只有签名 · a signature alone",
    "broken": "有错的 softmax · a softmax with a mistake",
    "race": "互相竞争的 program · programs that race",
}


def _options(choices: dict[str, str]) -> str:
    return "".join(f'<option value="{value}">{text}</option>' for value, text in choices.items())


def _labelled(zh: str, en: str, control: str) -> str:
    return f"<label>{spans(zh, en)}{control}</label>"


def _number(name: str, value: int, most: int) -> str:
    return f'<input type="number" inputmode="numeric" data-own="{name}" value="{value}" min="1" max="{most}">'


def page() -> Page:
    types = {each: each for each in ("float32", "float16", "bfloat16")}
    controls = [
        _labelled(
            "从这里开始",
            "Begin with",
            f'<select data-own="start">{_options({"": "选一个… · choose…"} | _STARTS)}</select>',
        ),
        _labelled("x 的值", "Values of x", f'<select data-own="kind">{_options(_KINDS)}</select>'),
        _labelled("类型", "Type", f'<select data-own="dtype">{_options(types)}</select>'),
        _labelled("行", "Rows", _number("rows", 4, 64)),
        _labelled("列", "Columns", _number("columns", 5, 4096)),
        _labelled("种子", "Seed", _number("seed", 1, 999)),
    ]
    html = f"""<main><h1>{in_spans(TITLE)}</h1><p class="text">{in_spans(_INTRO)}</p>
<noscript><p>{spans("这一页要有 JavaScript。", "This page needs JavaScript.")}</p></noscript>
<div class="own">
<div class="controls">{"".join(controls)}</div>
<div class="kernel" data-own="cell"></div>
</div>
<p class="text">{in_spans(_NAMES)}</p><p class="text">{in_spans(_KEYS)}</p>
</main>"""
    return Page(FILE, TITLE, BeautifulSoup(html, "html.parser").main, headings=[Heading(1, "", TITLE)], live=True)

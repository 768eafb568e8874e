"""A table of numbers that a cell fills line by line: HTML that obeys the language switch, aligned text anywhere else."""

import html
import unicodedata

from .language import BLANK, both, spans

_STYLE = (
    BLANK
    + """<style>
.course-table { border-collapse: collapse; margin: 4px 0; font-size: 13px; color: var(--jp-ui-font-color1, #222); }
.course-table :is(th, td) { padding: 3px 8px; text-align: right; white-space: nowrap; border: 0; background: none;
  font-variant-numeric: tabular-nums; }
.course-table :is(th, td):first-child { text-align: left; }
.course-table thead th { font-weight: 600; white-space: normal; border-bottom: 1px solid var(--jp-border-color1, #bbb); vertical-align: bottom; }
</style>"""
)


class Table:
    """`Table("行 · rows", "µs")`, then `add` a line at a time. A text in both languages has " · " between them."""

    def __init__(self, *heads: str):
        self.heads = heads
        self.lines: list[tuple[str, ...]] = []

    def add(self, *cells) -> None:
        if len(cells) != len(self.heads):
            raise ValueError(
                both(
                    f"这张表有 {len(self.heads)} 列，这一行却有 {len(cells)} 格。",
                    f"The table has {len(self.heads)} columns, this line {len(cells)} cells.",
                )
            )
        self.lines.append(tuple(map(str, cells)))

    def __repr__(self) -> str:
        return "\n".join(aligned([self.heads, *self.lines]))

    def _repr_html_(self) -> str:
        columns = [[line[k] for line in self.lines] for k in range(len(self.heads))]
        sides = [' style="text-align: left"' * (k > 0 and _words(column)) for k, column in enumerate(columns)]
        heads = "".join(
            f'<th scope="col"{side}>{_marked(head)}</th>' if head else "<td></td>"
            for head, side in zip(self.heads, sides)
        )
        lines = ("".join(f"<td{side}>{_marked(cell)}</td>" for cell, side in zip(line, sides)) for line in self.lines)
        body = "\n".join(f"<tr>{line}</tr>" for line in lines)
        return f'{_STYLE}<table class="course-table"><thead><tr>{heads}</tr></thead>\n<tbody>{body}</tbody></table>'


def _words(column) -> bool:
    """Whether a column's cells are words, not numbers."""
    first = [cell[:1] for cell in column if cell]
    return any(map(str.isalpha, first)) and not any(each.isdigit() or each in "+−" for each in first)


def _marked(text: str) -> str:
    zh, _, en = html.escape(text).partition(" · ")
    return spans(zh, en or zh)


def aligned(rows) -> list[str]:
    """The rows as lines of text: the first column to the left, the others to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_pad(*each, right=i > 0) for i, each in enumerate(zip(row, widths, strict=True))) for row in rows]


def width(text: str) -> int:
    """Columns in a terminal: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _pad(text: str, to: int, right: bool) -> str:
    space = " " * (to - width(text))
    return space + text if right else text + space

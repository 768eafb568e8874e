"""What one kernel changes in another: the lines that go, the lines that come, and as much around them as places them."""

import ast
import difflib
import inspect
import textwrap
from dataclasses import dataclass
from html import escape

# For light pages and dark ones, and such as JupyterLab leaves alone in a notebook that it doesn't trust yet.
_COLOURS = {"-": "background:#e5534b2e", "+": "background:#2ea04333", " ": "opacity:.7"}

# A long line goes on below, set in from the margin: JupyterLab takes `tabindex` away from a block that would scroll.
_BLOCK = "white-space:normal;font-family:monospace;line-height:1.35;word-break:normal;overflow-wrap:normal"
_LINE = "display:block;white-space:pre-wrap;padding-left:10ch;text-indent:-10ch"


@dataclass(frozen=True)
class Changes:
    lines: tuple[str, ...]  # each begins with + or − or a space

    def __repr__(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines)

    def _repr_html_(self) -> str:
        shown = "".join(f'<span style="{_LINE};{_COLOURS[line[0]]}">{escape(line)}</span>\n' for line in self.lines)
        return f'<pre style="{_BLOCK}">{shown}</pre>'


def what_changed(before, after, around=1) -> Changes:
    """The body of the one kernel held against the body of the other, comments left out."""
    found = difflib.unified_diff(_body(before), _body(after), lineterm="", n=around)
    lines = ["      ⋯" if line.startswith("@@") else f"{line[0]} {line[1:]}" for line in list(found)[2:]]
    return Changes(tuple(lines[1:]))  # the first only says that lines were left out


def _body(kernel) -> list[str]:
    source = textwrap.dedent(inspect.getsource(kernel.fn))
    statements = ast.parse(source).body[0].body
    lines = [line.partition("  # ")[0] for line in source.splitlines()[statements[0].lineno - 1 :]]
    return [line[4:] for line in lines if line.strip() and not line.lstrip().startswith("# ")]

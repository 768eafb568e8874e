"""A line of Python as HTML with its keywords, names of functions, strings, numbers and comments apart."""

import html
import re

_PIECES = re.compile(
    r"(?P<comment>\#.*)|(?P<s>\"\"\".*?(?:\"\"\"|$)|'''.*?(?:'''|$)|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')|(?P<d>@[\w.]+)"
    r"|(?P<k>\b(?:and|or|not|if|else|elif|for|while|in|is|def|return|pass|break|continue|import|from|as|assert|lambda|with|None|True|False)\b)"
    r"|(?P<m>(?<![\w.])\d[\w.]*)"
)


def coloured(line: str) -> str:
    parts, end = [], 0
    for match in _PIECES.finditer(line):
        text, kind = html.escape(match[0]), match.lastgroup
        parts += [html.escape(line[end : match.start()])]
        parts += [f"<i>{text}</i>" if kind == "comment" else f'<span class="{kind}">{text}</span>']
        end = match.end()
    return "".join([*parts, html.escape(line[end:])])

"""A kernel in a page that can be edited, run and stepped: what page/cell.js makes one of. Without script it is its text."""

import ast
import json
import re

from bs4 import BeautifulSoup

from .launches import Log

_SHARED = re.compile(r"\b(?:step_together|find_races)\(\s*(\w+)")  # where programs meet


def markup(code: str, task: dict) -> str:
    """`code` is HTML: the same text in colours; `task` is what `Live.mount` takes."""
    told = json.dumps(task, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f'<div class="kernel"><div class="highlight"><pre>{code}</pre></div><script type="application/json" class="task">{told}</script></div>'


def kernels_of(source: str) -> list[ast.FunctionDef]:
    """The kernels that a cell defines."""
    return [
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and any("jit" in ast.unparse(each) for each in node.decorator_list)
    ]


def tasks(notebook, log: Log, name_of) -> dict[str, dict]:
    """For each cell with kernels that a page can launch, by its id: the lines that are theirs, and the task."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shared = {name for cell in code for name in _SHARED.findall(cell.source)}
    found = {}
    for cell in code:
        if "triton.jit" not in cell.source or "exercise" in cell.metadata.get("tags", []) or "tl.extra" in cell.source:
            continue
        kernels, launches = kernels_of(cell.source), log.of(name_of(cell.source))
        names = [node.name for node in kernels if node.name in launches]
        if not names:
            continue
        own = [name for name in names if launches[name].kernel == name] or names[-1:]
        does = ["run", "step"]
        if shared & set(own) or "tl.atomic" in cell.source:
            does += ["together", "races"]
        lines = [(node.decorator_list[0].lineno, node.end_lineno) for node in kernels]
        task = {"text": _text(cell.source, lines), "does": does}
        told = [{"name": name, **launches[name].told(name)} for name in reversed(own)]
        task["turns"] = "together" in does  # programs that may wait for each other
        task |= {"launches": told} if len(told) > 1 else told[0]
        found[cell.id] = {"lines": lines, "task": task}
    return found


def _text(source: str, lines: list[tuple[int, int]]) -> str:
    whole = source.splitlines()
    return "\n\n\n".join("\n".join(whole[first - 1 : last]) for first, last in lines)


def put_into(main: BeautifulSoup, identifier: str, lines: list[tuple[int, int]], task: dict) -> None:
    """Where the page shows the cell's code, its kernels become such a thing; what else the cell does stays below."""
    shown = main.find(id=f"cell-id={identifier}").select_one(".highlight")
    pieces = str(shown.pre.decode_contents()).strip("\n").split("\n")
    mine = {number for first, last in lines for number in range(first, last + 1)}
    kernels, rest = [], []
    for number, piece in enumerate(pieces, 1):
        (kernels if number in mine else rest).append(piece)
    below = "\n".join(rest).strip("\n")
    after = f'<div class="highlight hl-ipython3"><pre>{below}</pre></div>' if below else ""
    shown.replace_with(BeautifulSoup(markup("\n".join(kernels) + "\n", task) + after, "html.parser"))

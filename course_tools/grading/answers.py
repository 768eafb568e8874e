"""Finds a learner's answer in the cells of a notebook, with what it stands on and nothing else.

The whole notebook need not run, and should not: of all its statements only those are kept that the answer needs, in the
order in which they stand: imports, functions, and the names those use.
"""

import ast
import re

from course_utils.worker.source import outside_names

_MAGIC = re.compile(r"^[ \t]*[%!?].*$", re.MULTILINE)


class Unreadable(ValueError):
    """The cell that should define the answer is no Python: `line` is where it stops making sense."""

    def __init__(self, reason: str, line: str):
        super().__init__(reason)
        self.line = line


def _parse(cell: str, name: str) -> tuple[str, list[ast.stmt]]:
    text = _MAGIC.sub("", cell)
    try:
        return text, ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if re.search(rf"^def {name}\b", text, re.MULTILINE):
            line = (getattr(error, "text", None) or "").strip()
            raise Unreadable(getattr(error, "msg", type(error).__name__), line) from None
        return text, []  # another cell's trouble


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement defines at the top level of a notebook."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
    return set()


def _source(text: str, statement: ast.stmt) -> str:
    first = min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", []))])
    return "\n".join(text.splitlines()[first - 1 : statement.end_lineno])


def needed(cells: list[str], name: str) -> str | None:
    """The program that defines `name` as these cells do, one after another; None if they never define it."""
    statements = []  # (the names it binds, the names it uses, its source)
    for cell in cells:
        text, body = _parse(cell, name)
        for statement in body:
            uses = outside_names(ast.Module([statement], [])) if _bound(statement) else set()
            if isinstance(statement, ast.AugAssign):
                uses |= _bound(statement)
            statements.append((statement, _bound(statement), uses, _source(text, statement)))

    def last(wanted: str, before: int) -> int | None:
        star = next((k for k in range(before - 1, -1, -1) if "*" in statements[k][1]), None)
        return next((k for k in range(before - 1, -1, -1) if wanted in statements[k][1]), star)

    found = last(name, len(statements))
    if found is None or name not in statements[found][1]:
        return None
    kept, waiting = set(), [found]
    while waiting:
        k = waiting.pop()
        if k in kept:
            continue
        kept.add(k)
        statement, _, uses, _ = statements[k]
        # A function looks its names up when it is called, at the end; any other statement when it runs.
        before = len(statements) if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) else k
        waiting += [one for one in (last(use, before) for use in uses) if one is not None]
    return "\n\n\n".join(statements[k][3] for k in sorted(kept)) + "\n"

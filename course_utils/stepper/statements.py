"""The statements of a kernel: which lines belong together, and which variables a statement reads."""

import ast
import inspect
import linecache
import textwrap
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Statement:
    line: int
    last: int
    simple: bool  # no body of its own
    reads: frozenset[str]  # variables whose values it takes; those that only make up the address of a load are left out


@dataclass(frozen=True)
class Source:
    """The text of one function, from its `def` on."""

    name: str
    first_line: int
    text: str

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def line(self, number: int) -> str:
        index = number - self.first_line
        return self.lines[index] if 0 <= index < len(self.lines) else ""


@cache
def source_of(code) -> Source:
    """The source of a code object; empty where there is none to be had."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    block = inspect.getblock(lines) if lines else []
    return Source(code.co_name, code.co_firstlineno, textwrap.dedent("".join(block)))


@cache
def statements_of(code) -> dict[int, Statement]:
    """For each line of a function, the statement it belongs to."""
    source = source_of(code)
    try:
        tree = ast.parse(source.text)
    except SyntaxError:
        return {}
    ast.increment_lineno(tree, source.first_line - 1)
    found: dict[int, Statement] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno
            statement = Statement(node.lineno, max(node.lineno, last), not body, frozenset(_reads(node)))
            for line in range(statement.line, statement.last + 1):
                found[line] = statement
    return found


def _reads(node: ast.AST):
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load):
            yield child.id
        elif isinstance(child, ast.stmt) or (isinstance(child, ast.Call) and _is_load(child)):
            continue
        else:
            yield from _reads(child)


def _is_load(call: ast.Call) -> bool:
    return getattr(call.func, "attr", getattr(call.func, "id", "")) == "load"

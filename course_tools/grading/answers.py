"""Finds a learner's answer in the cells of a notebook: its definition, with the imports, definitions and constants it uses.

The whole notebook need not run, and should not. `needed` and `load` run locked in: what they parse and run is a learner's.
"""

import ast
import re

from IPython.core.inputtransformer2 import TransformerManager

from course_utils.exercises.locked import facts_of
from course_utils.exercises.written import untouched
from course_utils.worker.source import outside_names, remember

ANSWER = "<answer>"  # the name of the program that is judged

_RUN_AS_CODE = ("%%time", "%%timeit", "%%capture", "%%prun")  # whose cell is Python below its first line
_OUT_OF_SIGHT = re.compile(r"\b(exec|eval|globals|vars|setattr)\(|^[%!]", re.MULTILINE)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


class Unreadable(ValueError):
    """The cell that should define the answer is no Python: `line` is where it stops making sense."""

    def __init__(self, reason: str, line: str):
        super().__init__(reason)
        self.line = line


def load(looked_in: list[list[str]], name: str, endless: list[str]) -> tuple[object, dict]:
    """The answer, as a check wants it, and facts about it: its "status", and the "program" that defines it.

    `endless` are answers that did not end: what rests on code of theirs that may have been the reason is not waited for."""
    try:
        found = next((kept for cells in looked_in if (kept := _kept(cells, name))), [])
        shared = {part for each in endless for part, node in _kept(looked_in[-1], each) if _may_not_end(node)}
    except Unreadable as error:
        return None, {"status": "unreadable", "why": str(error), "line": error.line}
    if not found:
        return None, {"status": "missing"}
    text = _program(found)
    if shared & {part for part, _ in found}:
        return None, {"status": "endless", "program": text}
    remember(ANSWER, text)
    namespace = {"__name__": "__main__"}
    try:
        exec(compile(text, ANSWER, "exec"), namespace)
    except Exception as error:
        return None, {"status": "unable", "why": f"{type(error).__name__}: {error}"[:400], "program": text}
    answer = namespace.get(name)
    if not callable(answer) and not hasattr(answer, "fn"):
        return None, {"status": "no function", "why": type(answer).__name__, "program": text}
    if untouched(answer):
        return None, {"status": "stub"}
    return answer, {**facts_of(answer), "program": text, "defined": sorted(_defined(looked_in[-1]))}


def needed(cells: list[str], name: str) -> str | None:
    """The program that defines `name` as these cells do, one after another; None if they never define it."""
    kept = _kept(cells, name)
    return _program(kept) if kept else None


def _program(kept: list[tuple[str, ast.stmt]]) -> str:
    return "\n\n\n".join(source for source, _ in kept) + "\n"


def _kept(cells: list[str], name: str) -> list[tuple[str, ast.stmt]]:
    """Every statement at the top of a cell that gives something to a name that the answer needs, in their order."""
    statements = [statement for cell in cells for statement in _statements(cell, name)]
    binders: dict[str, list[int]] = {}
    for k, (_, node) in enumerate(statements):
        for bound in _bound(node):
            binders[bound] = [k] if isinstance(node, _DEFINITIONS) else [*binders.get(bound, []), k]
    kept, waiting = set(), {name, "*"} if name in binders else set()
    while new := {k for each in waiting for k in binders.get(each, [])} - kept:
        kept |= new
        waiting = outside_names(*(ast.Module([statements[k][1]], []) for k in new))
    return [statements[k] for k in sorted(kept)]


def _statements(cell: str, name: str) -> list[tuple[str, ast.stmt]]:
    """The statements of a cell and their text; cells are read as IPython reads them."""
    first, _, below = cell.partition("\n")
    text = cell if not first.startswith("%%") else below if first.split()[0] in _RUN_AS_CODE else ""
    try:
        try:
            tree = ast.parse(text)
        except SyntaxError:  # most cells are plain Python; IPython's reader takes its time
            text = TransformerManager().transform_cell(text)
            tree = ast.parse(text)
    except _UNREADABLE as error:
        if re.search(rf"^\s*def {name}\b", text, re.MULTILINE):
            line = (getattr(error, "text", None) or "").strip()
            raise Unreadable(getattr(error, "msg", type(error).__name__), line[:200]) from None
        return []  # another cell's trouble
    return [(_source(text, node), node) for node in tree.body]


def _source(text: str, node: ast.stmt) -> str:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    if first < node.lineno:
        return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return ast.get_source_segment(text, node)  # there may be others on its lines


def _bound(node: ast.AST) -> set[str]:
    """The names that a statement gives something to: `def f`, `import f`, `f = …`, `f[k] = …`, in blocks of `if` and `try` too."""
    if isinstance(node, _DEFINITIONS):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return set()
    if isinstance(getattr(node, "ctx", None), ast.Store):
        while isinstance(node, ast.Subscript | ast.Attribute):
            node = node.value
        if isinstance(node, ast.Name):
            return {node.id}
    return set().union(*map(_bound, ast.iter_child_nodes(node)))


def _may_not_end(node: ast.stmt) -> bool:
    """Whether it holds a loop, or calls something while it is read."""
    loops = ast.While | ast.For if isinstance(node, _DEFINITIONS) else ast.While | ast.For | ast.Call
    return any(isinstance(each, loops) for each in ast.walk(node))


def _defined(cells: list[str]) -> set[str]:
    """Every name that the notebook binds anywhere, and every word of a cell that may bind names out of sight."""
    found = set()
    for cell in cells:
        statements = _statements(cell, "")
        found = found.union(*(_bound(node) for _, node in statements))
        if _OUT_OF_SIGHT.search(cell) or not statements:
            found |= set(re.findall(r"\w+", cell)[:1000])
    return found

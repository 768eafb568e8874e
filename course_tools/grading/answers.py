"""Finds a learner's answer in the cells of a notebook, with what it stands on and nothing else.

The whole notebook need not run, and should not: of all its statements only those are kept that the answer needs, in the
order in which they stand. Cells are read as IPython reads them, so that a magic is a magic, and `% 10**30` inside brackets is
not. `needed` and `load` run locked in: what they parse and run is a learner's.
"""

import ast
import builtins
import re
from dataclasses import dataclass, field

from IPython.core.inputtransformer2 import TransformerManager

from course_utils.exercises.judging import facts_of
from course_utils.exercises.written import untouched
from course_utils.worker.source import outside_names, remember

ANSWER = "<answer>"  # the name of the program that is judged

_MUTATORS = [
    "append",
    "extend",
    "insert",
    "add",
    "update",
    "setdefault",
    "pop",
    "remove",
    "discard",
    "clear",
    "sort",
    "reverse",
    "register",
    "fill_",
    "copy_",
]
_RUN_AS_CODE = ("time", "timeit", "capture", "prun")  # cell magics whose body is Python, run as it stands
_OUT_OF_SIGHT = ("exec", "eval", "globals", "vars", "setattr")


class Unreadable(ValueError):
    """The cell that should define the answer is no Python: `line` is where it stops making sense."""

    def __init__(self, reason: str, line: str):
        super().__init__(reason)
        self.line = line


@dataclass
class Statement:
    """A statement at the top level of a cell: the names it binds, those whose objects it changes, those it uses."""

    source: str
    node: ast.stmt
    binds: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    maybe: bool = False  # whether what it binds may also stay what it was


def load(looked_in: list[list[str]], name: str) -> tuple[object, dict]:
    """The answer, as `worker.pupil` wants it, and facts about it: its "status", and the "program" that defines it."""
    try:
        text = next((text for cells in looked_in if (text := needed(cells, name)) is not None), None)
    except Unreadable as error:
        return None, {"status": "unreadable", "why": str(error), "line": error.line}
    if text is None:
        return None, {"status": "missing"}
    remember(ANSWER, text)
    namespace = {"__name__": "__main__", "get_ipython": _Nowhere}
    try:
        exec(compile(text, ANSWER, "exec"), namespace)
    except Exception as error:
        return None, {"status": "unable", "why": f"{type(error).__name__}: {error}"[:400], "program": text}
    answer = namespace.get(name)
    if not callable(answer) and not hasattr(answer, "fn"):
        return None, {"status": "no function", "why": type(answer).__name__, "program": text}
    if untouched(answer):
        return None, {"status": "stub"}
    return answer, {**facts_of(answer), "program": text, "defined": sorted(_named(looked_in))}


class _Nowhere:
    """Stands for IPython, which is not there."""

    def __getattr__(self, name):
        return lambda *_, **__: None


def needed(cells: list[str], name: str) -> str | None:
    """The program that defines `name` as these cells do, one after another; None if they never define it."""
    statements = [statement for cell in cells for statement in _statements(cell, name)]
    kept = _kept(statements, name)
    return "\n\n\n".join(statements[k].source for k in sorted(kept)) + "\n" if kept else None


def needed_of_each(cells: list[str], name: str) -> list[list[ast.stmt]]:
    """The same program cell by cell, as statements that know their lines."""
    statements = [(k, statement) for k, cell in enumerate(cells) for statement in _statements(cell, name)]
    kept = _kept([statement for _, statement in statements], name)
    return [
        [statement.node for at, (cell, statement) in enumerate(statements) if cell == k and at in kept]
        for k in range(len(cells))
    ]


def _kept(statements: list[Statement], name: str) -> set[int]:
    found = _binder(statements, name, len(statements))
    if found is None or name not in statements[found].binds:
        return set()
    kept, waiting = set(), [found, *_changers(statements, name, found, len(statements))]
    while waiting:
        k = waiting.pop()
        if k in kept:
            continue
        kept.add(k)
        statement = statements[k]
        # A function looks its names up when it is called, at the end; any other statement when it runs.
        before = len(statements) if isinstance(statement.node, (ast.FunctionDef, ast.AsyncFunctionDef)) else k
        wanted = statement.uses | (statement.binds if statement.maybe else set()) | statement.changes
        for use in wanted:
            at = _binder(statements, use, min(before, k) if use in statement.binds | statement.changes else before)
            if at is not None:
                waiting += [at, *_changers(statements, use, at, before)]
    return kept


def _binder(statements, name: str, before: int) -> int | None:
    """The last statement before that binds the name; a star import may."""
    stars = None
    for k in range(before - 1, -1, -1):
        if name in statements[k].binds:
            return k
        if stars is None and "*" in statements[k].binds:
            stars = k
    return None if hasattr(builtins, name) else stars


def _changers(statements, name: str, after: int, before: int) -> list[int]:
    return [k for k in range(after + 1, before) if name in statements[k].changes]


def _statements(cell: str, name: str) -> list[Statement]:
    text, body = _parse(cell, name)
    own = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    return [_statement(_source(text, node), node, own) for node in body]


def _parse(cell: str, name: str) -> tuple[str, list[ast.stmt]]:
    text = cell
    try:
        text, tree = _read(cell)
        if below := _below_a_magic(tree):
            return _parse(below, name)
        return text, tree.body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if re.search(rf"^\s*def {name}\b", text, re.MULTILINE):
            line = (getattr(error, "text", None) or "").strip()
            raise Unreadable(getattr(error, "msg", type(error).__name__), line[:200]) from None
        return text, []  # another cell's trouble


def _read(cell: str) -> tuple[str, ast.Module]:
    """Most cells are plain Python. For the others IPython's reader is asked; it takes its time."""
    try:
        return cell, ast.parse(cell)
    except SyntaxError:
        text = TransformerManager().transform_cell(cell)
        return text, ast.parse(text)


def _below_a_magic(tree: ast.Module) -> str:
    """The rest of a cell below `%%time` and its like."""
    call = tree.body[0].value if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) else None
    if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "run_cell_magic" and len(call.args) == 3:
        magic, _, body = (getattr(argument, "value", "") for argument in call.args)
        return body if magic in _RUN_AS_CODE else ""
    return ""


def _source(text: str, node: ast.stmt) -> str:
    decorators = getattr(node, "decorator_list", [])
    if decorators:
        first = min(decorator.lineno for decorator in decorators)
        return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return ast.get_source_segment(text, node)  # there may be others on its lines


def _statement(source: str, node: ast.stmt, own: set[str]) -> Statement:
    binds, changes = _bound(node), _changed(node, own)
    uses = outside_names(ast.Module([node], [])) if binds or changes else set()
    if isinstance(node, ast.AugAssign):
        uses |= binds
    maybe = not isinstance(node, (*_DEFINITIONS, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom))
    return Statement(source, node, binds, changes, uses, maybe)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _bound(node: ast.AST) -> set[str]:
    """The names that a statement defines at the top level of a notebook, in blocks of `if`, `for`, `with` and `try` too."""
    if isinstance(node, _DEFINITIONS):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Store) else set()
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return set()
    return set().union(*map(_bound, ast.iter_child_nodes(node)))


def _changed(node: ast.stmt, own: set[str]) -> set[str]:
    """The names whose objects a statement changes: `d[k] = …`, `obj.a = …`, `items.append(…)`, `fill(items)`."""
    changed = set()
    for inner in ast.walk(node) if not isinstance(node, _DEFINITIONS) else ():
        if isinstance(inner, ast.Subscript | ast.Attribute) and isinstance(inner.ctx, ast.Store | ast.Del):
            changed |= _root(inner)
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in _MUTATORS:
            changed |= _root(inner.func)
    call = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in own:
        changed |= {argument.id for argument in call.args if isinstance(argument, ast.Name)}
    return changed


def _root(node: ast.AST) -> set[str]:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _named(looked_in: list[list[str]]) -> set[str]:
    """Every name that the notebook binds anywhere, and a star where it may bind others out of sight."""
    found = set()
    for cell in looked_in[-1]:
        try:
            _, tree = _read(cell)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            found |= set(re.findall(r"\w+", cell)[:1000])  # no telling what it would have defined
            continue
        for node in ast.walk(tree):
            found |= _bound(node) if not isinstance(node, ast.Module) else set()
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _OUT_OF_SIGHT:
                found.add("*")
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("run_line_magic", "run_cell_magic"):
                found.add("*")
    return found

"""Where a function's source is, which names of the world outside it uses, and what is inside a kernel or a decorated function."""

import ast
import functools
import inspect
import linecache
import symtable
import sys
import types


class NoSource(LookupError):
    """No text, or more than one candidate, for a function."""


def place_of(function: types.FunctionType) -> tuple[str, str]:
    """The name and the text of the cell or file that `function` was defined in; the text is empty where there is none."""
    filename = function.__code__.co_filename
    text = "".join(linecache.getlines(filename, function.__globals__))
    if text:
        return filename, text
    for number, cell in reversed([*enumerate(function.__globals__.get("In", ()))]):
        body = _under_a_magic(cell)
        if body and function.__code__.co_name in body and _defines(body, function.__code__):
            return f"<cell {number}>", body
    return filename, ""


def _under_a_magic(cell: str) -> str:
    """What stands below `%%time` and its like, which run the text of the rest of their cell under no name."""
    try:
        call = ast.parse(cell).body[0].value
        magic, _, body = [argument.value for argument in call.args]
    except (AttributeError, IndexError, SyntaxError, TypeError, ValueError):
        return ""
    if getattr(call.func, "attr", "") != "run_cell_magic":
        return ""
    ipython = sys.modules.get("IPython.core.inputtransformer2")
    return ipython.TransformerManager().transform_cell(body) if ipython else body


def _defines(text: str, code: types.CodeType) -> bool:
    def inside(one: types.CodeType) -> bool:
        same = (one.co_name, one.co_firstlineno, one.co_code) == (code.co_name, code.co_firstlineno, code.co_code)
        return same or any(inside(inner) for inner in one.co_consts if isinstance(inner, types.CodeType))

    try:
        return inside(compile(text, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
    except (SyntaxError, ValueError):
        return False


def remember(filename: str, text: str) -> None:
    """Makes `inspect`, Triton and tracebacks see `text` as the content of `filename`, whatever is on disk."""
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)


def definition(text: str, name: str, first_line: int) -> ast.FunctionDef | ast.Lambda:
    """The definition in `text` that Python says starts on this line: at its `def`, or at one of its decorators."""
    kind = ast.Lambda if name == "<lambda>" else ast.FunctionDef
    found = [
        node
        for node in ast.walk(_parse(text))
        if isinstance(node, kind)
        and getattr(node, "name", name) == name
        and first_line in (node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", [])))
    ]
    if len(found) != 1:
        raise NoSource(name)
    return found[0]


@functools.lru_cache(maxsize=64)
def _parse(text: str) -> ast.Module:
    # A cell may hold a top-level `await`.
    return compile(text, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def bare(node: ast.FunctionDef | ast.Lambda) -> ast.Module:
    """The definition without its decorators, as a module of its own, line numbers kept."""
    if isinstance(node, ast.Lambda):
        statement = ast.Expr(node)
    else:
        statement = ast.FunctionDef(**{**dict(ast.iter_fields(node)), "decorator_list": []})
    return ast.Module([ast.copy_location(statement, node)], [])


def outside_names(*trees: ast.AST) -> set[str]:
    """The names that the code looks up outside itself: what it uses and does not bind."""

    def walk(table):
        top = table.get_type() == "module"
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (top or symbol.is_global()):
                yield symbol.get_name()
        for inner in table.get_children():
            yield from walk(inner)

    return {name for tree in trees for name in walk(symtable.symtable(ast.unparse(tree), "<names>", "exec"))}


def scope_of(function: types.FunctionType) -> dict:
    """What names mean inside `function`: its globals, hidden by what it closes over."""
    scope = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:  # a cell that nothing has filled yet
            scope.pop(name, None)
    return scope


def package(thing) -> str:
    return thing.__module__.partition(".")[0]


def unwrap(thing) -> tuple[types.FunctionType | None, int]:
    """The plain function inside `thing` and how many decorators are around it; (None, 0) for what is no function."""
    layers = 0
    while not isinstance(thing, type):
        inner = getattr(thing, "__wrapped__", None) if callable(thing) else None
        if inner is None and package(type(thing)) == "triton":
            inner = getattr(thing, "fn", None)  # JITFunction, InterpretedFunction, Autotuner, Heuristics
        if not callable(inner):
            break
        thing, layers = inner, layers + 1
    return (thing, layers) if isinstance(thing, types.FunctionType) else (None, 0)


def innermost(node, layers: int) -> list[ast.expr]:
    """The last decorators of a definition: those that are around the function at hand."""
    decorators = getattr(node, "decorator_list", [])
    return decorators[max(0, len(decorators) - layers) :]


def is_kernel(thing) -> bool:
    return package(type(thing)) == "triton" and hasattr(thing, "fn")


def signature_of(answer) -> tuple[bool, list[str]]:
    """Whether it is a kernel, and the names of its parameters."""
    function, _ = unwrap(answer)
    kernel = is_kernel(answer)
    try:
        return kernel, list(inspect.signature(function if kernel else answer).parameters)
    except (TypeError, ValueError):
        return kernel, []


def definition_of(answer) -> ast.AST | None:
    """The definition of a function, a kernel, or of what a callable object does; None where there is no text of it."""
    while isinstance(answer, functools.partial):
        answer = answer.func
    function, _ = unwrap(answer)
    function = function or vars(type(answer)).get("__call__")
    if not isinstance(function, types.FunctionType):
        return None
    try:
        return definition(place_of(function)[1], function.__code__.co_name, function.__code__.co_firstlineno)
    except (NoSource, SyntaxError):
        return None

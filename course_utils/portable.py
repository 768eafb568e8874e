"""Turns functions and kernels that a notebook defines into bytes, and back again in another process.

Pickle stores a function as "module and name", which means nothing in a process that never ran the notebook; and a compiled
function without its source is nothing to Triton, which reads a kernel's source text. So a function travels as the text of
its cell or file, its line number, and the globals it really uses; those travel by the same rules. The other process puts
the text into `linecache`, so that `inspect`, Triton and tracebacks there see the same lines with the same numbers.
"""

import ast
import functools
import importlib
import importlib.util
import io
import linecache
import pickle
import symtable
import sys
import sysconfig
import types

from .language import Text

_HOME = __name__.partition(".")[0]
_INSTALLED = tuple(sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib"))


class NotPortable(TypeError):
    """Something that cannot travel to another process; says what, and which global it hangs on."""

    def __init__(self, zh: str, en: str):
        super().__init__(zh, en)
        self.text = Text(zh, en)

    def __str__(self) -> str:
        return str(self.text)


def pack(thing) -> tuple[bytes, dict[str, str]]:
    """`thing` as bytes, and the text of every file or cell whose code is in it."""
    buffer = io.BytesIO()
    pickler = _Pickler(buffer)
    try:
        pickler.dump(thing)
    except Exception as error:
        raise _explain(pickler, thing, error) from error
    return buffer.getvalue(), pickler.texts


unpack = pickle.loads


class _Pickler(pickle.Pickler):
    def __init__(self, buffer):
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self.texts: dict[str, str] = {}
        self.functions: list = []

    def reducer_override(self, thing):
        if isinstance(thing, types.ModuleType):
            return _reduce_module(thing)
        function, layers = _unwrap(thing)
        if function is not None:
            # A kernel of the course travels as source too: the compiling process then needs neither its module nor torch.
            course_kernel = _package(type(thing)) == "triton" and _package(function) == _HOME
            if not course_kernel and _found_by_name(thing, function):
                if isinstance(thing, types.FunctionType):
                    return NotImplemented  # pickle's own way is by name
                return _look_up, (function.__module__, function.__qualname__)
            self.functions.append((thing, function))
            return self._reduce_function(function, layers)
        if isinstance(thing, type) and thing.__module__ == "__main__":
            raise NotPortable(
                f"类 {thing.__name__} 是在笔记本里定义的；请改用函数、数字、字典或张量",
                f"the class {thing.__name__} is defined in the notebook; use functions, numbers, dictionaries or tensors",
            )
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(thing, torch.Tensor) and thing.device.type != "cpu":
            return thing.detach().cpu().__reduce_ex__(pickle.HIGHEST_PROTOCOL)  # the other process may see no GPU
        return NotImplemented

    def _reduce_function(self, function, layers):
        code = function.__code__
        text = _text(function)
        self.texts[code.co_filename] = text
        node = _definition(text, code)
        kept = node.decorator_list[len(node.decorator_list) - layers :] if layers else []
        scope = _scope(function)
        now = {name: scope[name] for tree in kept for name in _names(ast.unparse(tree)) if name in scope}
        later = {name: scope[name] for name in _names(ast.unparse(node)) if name in scope}
        # Triton's interpreter looks for `triton.language` among a kernel's globals even where the kernel never names it.
        later |= {name: value for name, value in scope.items() if getattr(value, "__name__", "") == "triton.language"}
        annotated = function.__globals__.get("__annotations__", {})
        later["__annotations__"] = {name: annotated[name] for name in later if name in annotated}
        origin = (code.co_filename, text, code.co_firstlineno, code.co_name, function.__module__)
        values = (function.__defaults__, function.__kwdefaults__, function.__annotations__)
        # Pickle remembers the function before it saves the globals, so functions may name themselves and each other.
        return _make, (origin, layers, now, values), later, None, None, _fill


def _reduce_module(module):
    name = module.__name__
    try:
        known = name != "__main__" and importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        known = False
    if not known:
        raise NotPortable(f"模块 {name} 在那里导入不了", f"the module {name} cannot be imported there")
    return importlib.import_module, (name,)


def _package(thing) -> str:
    return thing.__module__.partition(".")[0]


def _unwrap(thing):
    """The plain function inside `thing` and how many decorators are around it; (None, 0) for what is no function."""
    layers = 0
    while not isinstance(thing, type):
        inner = getattr(thing, "__wrapped__", None) if callable(thing) else None
        if inner is None and _package(type(thing)) == "triton":
            inner = getattr(thing, "fn", None)  # JITFunction, InterpretedFunction, Autotuner, Heuristics
        if not callable(inner):
            break
        thing, layers = inner, layers + 1
    return (thing, layers) if isinstance(thing, types.FunctionType) else (None, 0)


def _found_by_name(thing, function) -> bool:
    """Whether a fresh process finds `thing` by importing an installed module, or one of the course."""
    module = sys.modules.get(function.__module__)
    if module is None or function.__module__ == "__main__":
        return False
    file = getattr(module, "__file__", None) or ""
    if not (file.startswith(_INSTALLED) or _package(function) == _HOME):
        return False
    try:
        return _look_up(function.__module__, function.__qualname__) is thing
    except AttributeError:
        return False


def _look_up(module: str, qualname: str):
    return functools.reduce(getattr, qualname.split("."), importlib.import_module(module))


def _scope(function) -> dict:
    """What names mean inside `function`: its globals, hidden by what it closes over."""
    scope = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:  # a cell not filled yet: the name is not bound there either
            scope.pop(name, None)
    return scope


def _names(source: str) -> set[str]:
    """The names that `source` looks up outside itself."""

    def walk(table):
        outside = table.get_type() == "module"
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (outside or symbol.is_global()):
                yield symbol.get_name()
        for child in table.get_children():
            yield from walk(child)

    return set(walk(symtable.symtable(source, "<names>", "exec")))


def _text(function) -> str:
    """The whole cell or file that `function` was defined in."""
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


@functools.lru_cache(maxsize=64)
def _parse(text: str) -> ast.Module:
    # A cell may hold a top-level `await`.
    return compile(text, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def _definition(text: str, code: types.CodeType):
    def starts(node):  # Python counts from the first decorator; what `_make` made has none
        return code.co_firstlineno in (node.lineno, *(d.lineno for d in getattr(node, "decorator_list", [])))

    lambdas = code.co_name == "<lambda>"
    kinds = ast.Lambda if lambdas else ast.FunctionDef
    found = [n for n in ast.walk(_parse(text)) if isinstance(n, kinds) and starts(n)]
    found = [n for n in found if lambdas or n.name == code.co_name]
    if len(found) != 1:
        raise NotPortable(
            f"找不到 {code.co_name} 的源代码（{code.co_filename} 第 {code.co_firstlineno} 行）；请在单元格或文件里用 def 定义它，每行一个",
            f"the source of {code.co_name} cannot be found ({code.co_filename}, line {code.co_firstlineno}); define it with "
            "def in a cell or a file, one to a line",
        )
    if lambdas:
        found[0].decorator_list = []
    return found[0]


def _make(origin, layers, now, values):
    """Builds a function from its file's text, with its decorators but not yet with its globals."""
    filename, text, first_line, name, module = origin
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    place = types.SimpleNamespace(co_filename=filename, co_firstlineno=first_line, co_name=name)
    node = _definition(text, place)
    code = next(
        constant
        for constant in compile(_undecorated(node), filename, "exec").co_consts
        if isinstance(constant, types.CodeType) and constant.co_name == name
    )
    namespace = {"__name__": module, "__builtins__": __builtins__, **now}
    function = types.FunctionType(code, namespace, name)
    function.__defaults__, function.__kwdefaults__, function.__annotations__ = values
    made = function
    for decorator in reversed(node.decorator_list[len(node.decorator_list) - layers :] if layers else []):
        made = eval(compile(ast.Expression(decorator), filename, "eval"), namespace)(made)
    return made


def _undecorated(node) -> ast.Module:
    """The definition alone: the values of its defaults and annotations travel, so their expressions need not run again."""
    if isinstance(node, ast.Lambda):
        body = ast.copy_location(ast.Expr(node), node)
    else:
        body = ast.copy_location(ast.FunctionDef(**{**dict(ast.iter_fields(node)), "decorator_list": []}), node)
    return ast.Module([body], [])


def _fill(made, names):
    function, _ = _unwrap(made)
    function.__globals__.update(names)


def _explain(pickler, thing, error) -> NotPortable:
    """Which global of which function could not travel, and why."""
    for _, function in pickler.functions:
        scope = _scope(function)
        for name in sorted(_names(ast.unparse(_definition(_text(function), function.__code__)))):
            if name not in scope or _unwrap(scope[name])[0] is not None:
                continue
            try:
                _Pickler(io.BytesIO()).dump(scope[name])
            except Exception as reason:
                why, kind = _reason(reason), type(scope[name]).__name__
                return NotPortable(
                    f"{function.__name__} 用到的 {name}（{kind}）不能送到另一个进程：{why.zh}。",
                    f"{name} ({kind}), which {function.__name__} uses, cannot travel to another process: {why.en}.",
                )
    why, kind = _reason(error), type(thing).__name__
    return NotPortable(
        f"{kind} 不能送到另一个进程：{why.zh}。", f"This {kind} cannot travel to another process: {why.en}."
    )


def _reason(error: Exception) -> Text:
    return error.text if isinstance(error, NotPortable) else Text(str(error), str(error))

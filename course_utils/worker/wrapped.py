"""What is inside a kernel, a decorated function or a callable object: the plain function, its definition, its signature."""

import ast
import functools
import inspect
import types

from ..language import Text
from .source import NoSource, definition, place_of


class NotPortable(TypeError):
    """Something that cannot travel to another process; says what, and which global it hangs on."""

    def __init__(self, zh: str, en: str):
        super().__init__(zh, en)
        self.text = Text(zh, en)

    def __str__(self) -> str:
        return str(self.text)


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


def written(text: str, code: types.CodeType):
    try:
        return definition(text, code.co_name, code.co_firstlineno)
    except NoSource:
        raise NotPortable(
            f"找不到 {code.co_name} 的源代码（{code.co_filename} 第 {code.co_firstlineno} 行）；请在单元格或文件里用 def 定义它，每行一个",
            f"the source of {code.co_name} cannot be found ({code.co_filename}, line {code.co_firstlineno}); define it with def in "
            "a cell or a file, one to a line",
        ) from None


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

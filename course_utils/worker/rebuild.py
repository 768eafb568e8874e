"""The other half of `portable`: makes functions and kernels again in the process that they were sent to."""

import ast
import functools
import importlib
import marshal
import types

from .source import bare, definition, remember
from .wrapped import innermost, unwrap


def look_up(module: str, qualname: str):
    return functools.reduce(getattr, qualname.split("."), importlib.import_module(module))


def to_device(tensor):
    from .. import backend

    return tensor if backend.device == "cpu" else moved(tensor, backend.device)


def moved(tensor, device):
    import torch

    storage = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(tensor.untyped_storage()).to(device)
    empty = torch.empty(0, dtype=tensor.dtype, device=storage.device)
    return empty.set_(storage.untyped_storage(), tensor.storage_offset(), tensor.size(), tensor.stride())


def new_cell():
    return types.CellType()


def _furnish(space: dict, module: str) -> None:
    space.setdefault("__name__", module)
    space.setdefault("__builtins__", __builtins__)


def make_plain(origin, space, cells):
    code, filename, text, module, qualname = origin
    if text:
        remember(filename, text)
    _furnish(space, module)
    code = marshal.loads(code)
    function = types.FunctionType(code, space, code.co_name, None, tuple(cells))
    function.__module__, function.__qualname__ = module, qualname
    return function


def fill_plain(function, state):
    names, values, contents, filled = state
    function.__globals__.update(names)
    function.__defaults__, function.__kwdefaults__, function.__annotations__, attributes = values
    vars(function).update(attributes)
    for cell, value in zip((cell for cell, full in zip(function.__closure__ or (), filled) if full), contents):
        cell.cell_contents = value


def make(origin, layers, now, values, space):
    """Builds a function from its file's text, with its decorators but not yet with its globals."""
    filename, text, first_line, name, module = origin
    remember(filename, text)
    node = definition(text, name, first_line)
    constants = compile(bare(node), filename, "exec").co_consts
    code = next(each for each in constants if isinstance(each, types.CodeType) and each.co_name == name)
    _furnish(space, module)
    space.update(now)
    made = function = types.FunctionType(code, space, name)
    # The values of defaults and annotations travel, so their expressions, which may name locals long gone, need not run.
    function.__defaults__, function.__kwdefaults__, function.__annotations__ = values
    for decorator in reversed(innermost(node, layers)):
        made = eval(compile(ast.Expression(decorator), filename, "eval"), space)(made)
    return made


def fill(made, names):
    function, _ = unwrap(made)
    annotated = names.pop("__annotations__")
    function.__globals__.update(names)
    function.__globals__.setdefault("__annotations__", {}).update(annotated)

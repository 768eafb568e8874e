"""Turns functions and kernels that a notebook defines into bytes, and back again in another process.

`cloudpickle` carries functions and classes as code. A kernel is more: a compiled function without its source is nothing to
Triton, which reads a kernel's text, and an interpreted kernel is another object than a compiled one. So a kernel travels as
the text of its cell or file, its line number, and the globals it uses. The other process puts the text into `linecache`, so
that `inspect`, Triton and tracebacks there see the same lines with the same numbers.
"""

import ast
import functools
import importlib
import io
import marshal
import pickle
import sys
import sysconfig
import types
from dataclasses import dataclass
from pathlib import Path

import cloudpickle

from ..language import Text
from .source import NoSource, bare, definition, innermost, outside_names, package, place_of, remember, scope_of, unwrap

_HOME = __name__.partition(".")[0]
_INSTALLED = tuple(sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib"))
# `pip install --user` and `--target` have places of their own.
_INSTALLED += (str(Path(cloudpickle.__file__).parents[1]),)
unpack = pickle.loads


class NotPortable(TypeError):
    """Something that cannot travel to another process; says what, and which global it hangs on."""

    def __init__(self, zh: str, en: str):
        super().__init__(zh, en)
        self.text = Text(zh, en)

    def __str__(self) -> str:
        return str(self.text)


@dataclass(frozen=True)
class Packed:
    """A thing as it was when it was packed, whatever a notebook defines anew under the names it uses."""

    data: bytes
    texts: dict[str, str]


def pack(thing) -> tuple[bytes, dict[str, str]]:
    """`thing` as bytes, and the text of every file or cell whose code is in it."""
    buffer = io.BytesIO()
    pickler = _Pickler(buffer)
    try:
        pickler.dump(thing)
    except Exception as error:
        raise _explain(pickler, thing, error) from error
    return buffer.getvalue(), pickler.texts


class _Pickler(cloudpickle.Pickler):
    def __init__(self, buffer):
        super().__init__(buffer)
        self.texts: dict[str, str] = {}
        self.functions: list[types.FunctionType] = []

    def reducer_override(self, thing):
        if isinstance(thing, Packed):
            self.texts |= thing.texts
            return NotImplemented
        if isinstance(thing, types.ModuleType) and not _importable(thing):
            name = thing.__name__
            raise NotPortable(f"模块 {name} 在那里导入不了", f"the module {name} cannot be imported there")
        if isinstance(thing, types.CodeType):  # cloudpickle would forget the file that it is from
            return marshal.loads, (marshal.dumps(thing),)
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(thing, torch.Tensor) and thing.device.type != "cpu":
            # By way of main memory, strides and all: the other process may interpret, and see no GPU.
            return _to_device, (_moved(thing, "cpu"),)
        # torch.compile changes no result, and writes files.
        if original := getattr(thing, "_torchdynamo_orig_callable", None):
            return _itself, (original,)
        function, layers = unwrap(thing)
        if function is None or isinstance(thing, staticmethod | classmethod):
            return super().reducer_override(thing)
        # A kernel of the course travels as source too: the compiling process then needs neither its module nor torch.
        course_kernel = package(type(thing)) == "triton" and package(function) == _HOME
        if not course_kernel and _found_by_name(thing, function):
            if isinstance(thing, types.FunctionType):
                return NotImplemented  # pickle's own way, too, is by name
            return _look_up, (function.__module__, function.__qualname__)
        self.functions.append(function)
        filename, text = place_of(function)
        if isinstance(thing, types.FunctionType):
            self.texts[function.__code__.co_filename] = text
            return self._dynamic_function_reduce(thing)
        self.texts[filename] = text
        return self._decorated(function, layers, filename, text)

    def _decorated(self, function, layers, filename, text):
        code, scope = function.__code__, scope_of(function)
        node = written(text, code)
        now = {name: scope[name] for name in outside_names(*innermost(node, layers)) if name in scope}
        later = {name: scope[name] for name in outside_names(node) if name in scope}
        # Triton's interpreter looks for `triton.language` among a kernel's globals even where the kernel never names it.
        later |= {name: value for name, value in scope.items() if getattr(value, "__name__", "") == "triton.language"}
        annotated = function.__globals__.get("__annotations__", {})
        later["__annotations__"] = {name: annotated[name] for name in later if name in annotated}
        origin = (filename, text, code.co_firstlineno, code.co_name, function.__module__)
        values = (function.__defaults__, function.__kwdefaults__, function.__annotations__)
        # Functions of one notebook share their globals; what it closes over stands among globals of its own over there.
        space = {} if code.co_freevars else self.globals_ref.setdefault(id(function.__globals__), {})
        # Pickle remembers the function before it saves the globals, so functions may name themselves and each other.
        return _make, (origin, layers, now, values, space), later, None, None, _fill


def written(text: str, code: types.CodeType):
    try:
        return definition(text, code.co_name, code.co_firstlineno)
    except NoSource:
        raise NotPortable(
            f"找不到 {code.co_name} 的源代码（{code.co_filename} 第 {code.co_firstlineno} 行）；请在单元格或文件里用 def 定义它，每行一个",
            f"the source of {code.co_name} cannot be found ({code.co_filename}, line {code.co_firstlineno}); define it with def in "
            "a cell or a file, one to a line",
        ) from None


def _importable(module) -> bool:
    try:
        return module.__name__ != "__main__" and importlib.util.find_spec(module.__name__) is not None
    except (ImportError, ValueError):
        return False


def _found_by_name(thing, function) -> bool:
    """Whether a fresh process finds `thing` by importing an installed module, or one of the course."""
    module = sys.modules.get(function.__module__)
    file = getattr(module, "__file__", None) or ""
    if (
        module is None
        or function.__module__ == "__main__"
        or not (file.startswith(_INSTALLED) or package(function) == _HOME)
    ):
        return False
    try:
        return _look_up(function.__module__, function.__qualname__) is thing
    except AttributeError:
        return False


def _explain(pickler, thing, error: Exception) -> NotPortable:
    """Which global of which function could not travel, and why."""
    for function in pickler.functions:
        scope = scope_of(function)
        used = {*function.__code__.co_names, *function.__code__.co_freevars}
        for name in sorted(used & scope.keys()):
            if unwrap(scope[name])[0] is not None:
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


# ---- over there


def _itself(thing):
    return thing


def _look_up(module: str, qualname: str):
    return functools.reduce(getattr, qualname.split("."), importlib.import_module(module))


def _to_device(tensor):
    from .. import backend

    return tensor if backend.device == "cpu" else _moved(tensor, backend.device)


def _moved(tensor, device):
    import torch

    storage = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(tensor.untyped_storage()).to(device)
    empty = torch.empty(0, dtype=tensor.dtype, device=storage.device)
    return empty.set_(storage.untyped_storage(), tensor.storage_offset(), tensor.size(), tensor.stride())


def _make(origin, layers, now, values, space):
    """Builds a function from its file's text, with its decorators but not yet with its globals."""
    filename, text, first_line, name, module = origin
    remember(filename, text)
    node = definition(text, name, first_line)
    constants = compile(bare(node), filename, "exec").co_consts
    code = next(each for each in constants if isinstance(each, types.CodeType) and each.co_name == name)
    space.setdefault("__name__", module)
    space.setdefault("__builtins__", __builtins__)
    space.update(now)
    made = function = types.FunctionType(code, space, name)
    # The values of defaults and annotations travel, so their expressions, which may name locals long gone, need not run.
    function.__defaults__, function.__kwdefaults__, function.__annotations__ = values
    for decorator in reversed(innermost(node, layers)):
        made = eval(compile(ast.Expression(decorator), filename, "eval"), space)(made)
    return made


def _fill(made, names):
    function, _ = unwrap(made)
    annotated = names.pop("__annotations__")
    function.__globals__.update(names)
    function.__globals__.setdefault("__annotations__", {}).update(annotated)

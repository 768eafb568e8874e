"""Turns functions and kernels that a notebook defines into bytes, and back again in another process.

Pickle stores a function as "module and name", which means nothing in a process that never ran the notebook; and a compiled
function without its source is nothing to Triton, which reads a kernel's source text. So a kernel travels as the text of its
cell or file, its line number, and the globals it really uses; those travel by the same rules. A plain function travels as
its code, since both processes are the same Python, with the same globals, which functions of one notebook go on sharing.
The other process puts the text into `linecache`, so that `inspect`, Triton and tracebacks there see the same lines with the
same numbers. Classes of a notebook travel too (`classes`).
"""

import dis
import functools
import importlib
import importlib.util
import io
import marshal
import pickle
import sys
import sysconfig
import types
from dataclasses import dataclass

from ..language import Text
from .classes import reduce_class, reduce_member
from .rebuild import fill, fill_plain, look_up, make, make_plain, moved, new_cell, to_device
from .source import outside_names, place_of, scope_of
from .wrapped import NotPortable, innermost, package, unwrap, written

_HOME = __name__.partition(".")[0]
_INSTALLED = tuple(sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib"))


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

__all__ = ["NotPortable", "Packed", "pack", "unpack"]


@dataclass(frozen=True)
class Packed:
    """A thing as it was when it was packed, whatever a notebook defines anew under the names it uses."""

    data: bytes
    texts: dict[str, str]


class _Pickler(pickle.Pickler):
    def __init__(self, buffer):
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self.texts: dict[str, str] = {}
        self.functions: list[types.FunctionType] = []
        self.spaces: dict[int, dict] = {}  # for each notebook or module: what its functions share

    def reducer_override(self, thing):
        if isinstance(thing, Packed):
            self.texts |= thing.texts
            return NotImplemented
        if isinstance(thing, types.ModuleType):
            return _reduce_module(thing)
        function, layers = unwrap(thing)
        if function is not None:
            # A kernel of the course travels as source too: the compiling process then needs neither its module nor torch.
            course_kernel = package(type(thing)) == "triton" and package(function) == _HOME
            if course_kernel or not _found_by_name(thing, function):
                self.functions.append(function)
                if not layers:
                    return self._reduce_plain(function)
                try:
                    return self._reduce_decorated(function, layers)
                except NotPortable:
                    if not isinstance(thing, types.FunctionType):
                        raise
                    return self._reduce_plain(thing)
            if isinstance(thing, types.FunctionType):
                return NotImplemented  # pickle's own way is by name
            return look_up, (function.__module__, function.__qualname__)
        if isinstance(thing, type) and _of_a_notebook(thing):
            return reduce_class(thing)
        if isinstance(thing, types.CellType):
            return new_cell, ()  # what is in it, the function brings along
        if isinstance(thing, property | staticmethod | classmethod | functools.cached_property):
            return reduce_member(thing)
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(thing, torch.Tensor) and thing.device.type != "cpu":
            return _reduce_tensor(thing)
        return NotImplemented

    def _reduce_plain(self, function):
        """A function as its code. Its closure is made of empty cells, filled when it exists: it may be in them itself."""
        filename, text = place_of(function)
        self.texts[filename] = text
        code, scope = _renamed(function.__code__, filename), function.__globals__
        names = {name: scope[name] for name in _global_names(code) if name in scope}
        cells = function.__closure__ or ()
        values = (function.__defaults__, function.__kwdefaults__, function.__annotations__, function.__dict__)
        origin = (marshal.dumps(code), filename, text, function.__module__, function.__qualname__)
        state = (names, values, [cell.cell_contents for cell in cells if _is_filled(cell)], [*map(_is_filled, cells)])
        return make_plain, (origin, self._space(function), cells), state, None, None, fill_plain

    def _space(self, function) -> dict:
        return self.spaces.setdefault(id(function.__globals__), {})

    def _reduce_decorated(self, function, layers):
        filename, text = place_of(function)
        code = function.__code__
        self.texts[filename] = text
        node = written(text, code)
        scope = scope_of(function)
        now = {name: scope[name] for name in outside_names(*innermost(node, layers)) if name in scope}
        later = {name: scope[name] for name in outside_names(node) if name in scope}
        # Triton's interpreter looks for `triton.language` among a kernel's globals even where the kernel never names it.
        later |= {name: value for name, value in scope.items() if getattr(value, "__name__", "") == "triton.language"}
        annotated = function.__globals__.get("__annotations__", {})
        later["__annotations__"] = {name: annotated[name] for name in later if name in annotated}
        origin = (filename, text, code.co_firstlineno, code.co_name, function.__module__)
        values = (function.__defaults__, function.__kwdefaults__, function.__annotations__)
        # What it closes over stands among its globals over there, which are then its own.
        space = {} if code.co_freevars else self._space(function)
        # Pickle remembers the function before it saves the globals, so functions may name themselves and each other.
        return make, (origin, layers, now, values, space), later, None, None, fill


def _renamed(code: types.CodeType, filename: str) -> types.CodeType:
    inner = tuple(_renamed(one, filename) if isinstance(one, types.CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=filename, co_consts=inner)


def _global_names(code: types.CodeType) -> set[str]:
    found = {one.argval for one in dis.get_instructions(code) if one.opname.endswith(("_GLOBAL", "_NAME"))}
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return found.union(*map(_global_names, inner))


def _is_filled(cell) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _of_a_notebook(cls: type) -> bool:
    return cls.__module__ == "__main__" or cls.__module__ not in sys.modules


def _reduce_module(module):
    name = module.__name__
    try:
        known = name != "__main__" and importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        known = False
    if not known:
        raise NotPortable(f"模块 {name} 在那里导入不了", f"the module {name} cannot be imported there")
    return importlib.import_module, (name,)


def _reduce_tensor(tensor):
    """A tensor on a GPU goes by way of main memory, strides and all: the other process may interpret, and see no GPU."""
    return to_device, (moved(tensor, "cpu"),)


def _found_by_name(thing, function) -> bool:
    """Whether a fresh process finds `thing` by importing an installed module, or one of the course."""
    module = sys.modules.get(function.__module__)
    if module is None or function.__module__ == "__main__":
        return False
    file = getattr(module, "__file__", None) or ""
    if not file.startswith(_INSTALLED) and package(function) != _HOME:
        return False
    try:
        return look_up(function.__module__, function.__qualname__) is thing
    except AttributeError:
        return False


def _explain(pickler, thing, error: Exception) -> NotPortable:
    """Which global of which function could not travel, and why."""
    for function in pickler.functions:
        scope = scope_of(function)
        for name in sorted((_global_names(function.__code__) | {*function.__code__.co_freevars}) & scope.keys()):
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

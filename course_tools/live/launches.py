"""What the kernels of a notebook are launched on, written down while its cells run: a page launches them again."""

import base64
import ctypes
import functools
import inspect
import re
import textwrap
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

import numpy as np
import torch

from course_utils.backend import mode, tl, triton
from course_utils.interpreter.interpreter import replaced

ROWS = 8  # of a launch with a program for each row, so many are kept
ELEMENTS = 12_000  # of all tensors of a launch together
BLANK = 2**22  # elements of a tensor that is wiped, so that what was never written can be told
_KINDS = (("b", bool), ("i", int), ("f", float), ("s", str))


class Unknown(Exception):
    """Something that a page cannot be given."""


@dataclass
class Launch:
    kernel: str
    grid: list[int]
    arguments: list[list]
    storages: list[dict]
    text: str
    helpers: dict[str, str] = field(default_factory=dict)  # by name: the text of what the kernel calls, constants too

    def told(self, name: str = "") -> dict:
        """For a page that defines `name`. What else the kernel needs stands in `before`: for a helper, the kernel too."""
        texts = [*self.helpers.values(), *([self.text] if name != self.kernel else [])]
        before = "\n".join(texts)
        return {"kernel": self.kernel, "grid": self.grid, "args": self.arguments, "storages": self.storages} | (
            {"before": before} if before else {}
        )


@dataclass
class Log:
    """The first launch of each kernel that is small enough, by the file and the line in which it is defined; and the kernels."""

    launches: dict[tuple[str, int], Launch] = field(default_factory=dict)
    kernels: dict[str, dict] = field(default_factory=dict)  # of each file, by name

    def defined(self, filename: str, namespace: dict) -> None:
        """What a cell has left behind."""
        found = {name: each for name, each in namespace.items() if _file_of(each) == filename}
        self.kernels.setdefault(filename, {}).update(found)

    def of(self, filename: str) -> dict[str, Launch]:
        """What the kernels of a file are launched on, by name; a helper on what the first to call it is."""
        found = {launch.kernel: launch for (name, _), launch in self.launches.items() if name == filename}
        for name, kernel in self.kernels.get(filename, {}).items():
            if launch := found.get(name) or made_up(kernel) or self.calling(name):
                found[name] = launch
        return found

    def calling(self, name: str) -> Launch | None:
        return next((launch for launch in self.launches.values() if name in launch.helpers), None)


def _file_of(value) -> str:
    function = getattr(value, "fn", None)
    return function.__code__.co_filename if inspect.isfunction(function) else ""


class _Blanks:
    """Storages that nobody has written: what `torch.empty` gives. It gives zeros meanwhile, the same each time."""

    def __init__(self):
        self.tensors: dict[int, torch.Tensor] = {}

    def watched(self, make):
        @functools.wraps(make)
        def made(*arguments, **named):
            tensor = make(*arguments, **named)
            # A board's rulers are asked for and never filled: no memory for them. What is traced has none.
            if torch.compiler.is_compiling() or tensor.device.type != "cpu" or tensor.numel() > BLANK:
                return tensor
            ctypes.memset(tensor.data_ptr(), 0, tensor.untyped_storage().nbytes())  # a ledger would count `zero_`
            self.tensors[tensor.untyped_storage()._cdata] = tensor  # kept, so that no other storage gets its number
            return tensor

        return made

    def __contains__(self, storage: int) -> bool:
        tensor = self.tensors.get(storage)
        return tensor is not None and tensor._version == 0

    def launched(self, values) -> None:
        for value in values:
            if isinstance(value, torch.Tensor):
                self.tensors.pop(value.untyped_storage()._cdata, None)


@contextmanager
def logged(log: Log):
    """Keeps launches in this block, compiled or interpreted."""
    from triton.runtime.interpreter import InterpretedFunction
    from triton.runtime.jit import JITFunction

    kind = InterpretedFunction if mode == "interpreter" else JITFunction
    run, blanks = kind.run, _Blanks()

    def watched(kernel, *positional, grid, warmup, **named):
        code = kernel.fn.__code__
        key = (code.co_filename, code.co_firstlineno)
        if not warmup and key not in log.launches and code.co_filename.startswith("<cell"):
            with suppress(Unknown):
                log.launches[key] = _launch(kernel, positional, grid, named, blanks)
        blanks.launched([*positional, *named.values()])
        return run(kernel, *positional, grid=grid, warmup=warmup, **named)

    with ExitStack() as stack:
        stack.enter_context(replaced(kind, "run", watched))
        for name in ("empty", "empty_like"):
            stack.enter_context(replaced(torch, name, blanks.watched(getattr(torch, name))))
        yield log


def _launch(kernel, positional, grid, named, blanks) -> Launch:
    signature = inspect.signature(kernel.fn)
    bound = signature.bind(*positional, **{name: each for name, each in named.items() if name in signature.parameters})
    bound.apply_defaults()
    arguments = dict(bound.arguments)
    grid = [int(size) for size in (grid(arguments) if callable(grid) else grid)]
    return _written(kernel.fn, *_fewer_rows(arguments, grid), blanks)


def made_up(kernel) -> Launch | None:
    """For a kernel that no cell launches small enough: a matrix of 4 rows of 5, if it asks for no more."""
    torch.manual_seed(0)
    known = {
        "x_ptr": torch.randn(4, 5),
        "y_ptr": torch.zeros(4, 5),
        "pairs_ptr": torch.zeros(4, 2),
        **{"n": 20, "n_rows": 4, "n_cols": 5, "x_stride": 5, "y_stride": 5},
        **{"BLOCK": 8, "BLOCK_SIZE": 8, "ROWS": 1, "STAGES": 1, "PIECES": 2, "PIECE": 4},
    }
    names = inspect.signature(kernel.fn).parameters
    if not set(names) <= set(known):
        return None
    blanks = [known[name].untyped_storage()._cdata for name in ("y_ptr", "pairs_ptr")]
    return _written(kernel.fn, {name: known[name] for name in names}, [3 if "n" in names else 4], blanks)


def _written(function, arguments: dict, grid: list[int], blanks) -> Launch:
    tensors = [each for each in arguments.values() if isinstance(each, torch.Tensor)]
    if sum(each.numel() for each in tensors) > ELEMENTS:
        raise Unknown
    storages: list[dict] = []
    places: dict[int, tuple[int, int, int]] = {}  # of a storage: its number, and which of its bytes are kept
    for tensor in tensors:
        storage, first = tensor.untyped_storage(), tensor.storage_offset() * tensor.element_size()
        last = first + tensor.element_size() * (1 + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride())))
        _, low, high = places.get(storage._cdata, (0, first, last))
        places[storage._cdata] = (0, min(low, first), max(high, last))
    for number, (key, (_, low, high)) in enumerate(list(places.items())):
        low -= low % 8
        places[key] = (number, low, high)
        holder, *others = (each for each in tensors if each.untyped_storage()._cdata == key)
        if any(each.dtype != holder.dtype for each in others):
            raise Unknown  # a page holds elements, not bytes
        storages.append(_contents(holder, low, high, key in blanks))
    told = [[name, _told(value, places)] for name, value in arguments.items()]
    return Launch(function.__name__, grid, told, storages, _text(function), _helpers(function))


def _fewer_rows(arguments: dict, grid: list[int]) -> tuple[dict, list[int]]:
    """A launch with a program for each row needs not all of them."""
    rows = grid[0]
    tensors = [each for each in arguments.values() if isinstance(each, torch.Tensor)]
    said = any(value == rows for name, value in arguments.items() if isinstance(value, int) and name != "n_rows")
    if said or len(grid) > 1 or not tensors or not all(each.ndim and len(each) == rows for each in tensors):
        return arguments, grid
    fewer = min(rows, ROWS, max(1, ELEMENTS // sum(each[0].numel() for each in tensors)))
    cut = {
        name: value[:fewer] if isinstance(value, torch.Tensor) else fewer if name == "n_rows" else value
        for name, value in arguments.items()
    }
    return cut, [fewer]


def _contents(holder, low: int, high: int, blank: bool) -> dict:
    """Bytes of a storage, floats of 16 bits as float32; of many times the same eight, those."""
    size = holder.element_size()
    held = (
        torch.tensor([], dtype=holder.dtype, device=holder.device)
        .set_(holder.untyped_storage())[low // size : -(-high // size)]
        .cpu()
    )
    if holder.is_floating_point() and size == 2:
        held = held.float()
    whole = held.numpy().view(np.uint8)
    told = {"dtype": _type_name(holder.dtype), "size": whole.size}
    if blank:
        return told | {"blank": True}
    if whole.size > 8 and not whole.size % 8 and (whole.reshape(-1, 8) == whole[:8]).all():
        whole = whole[:8]
    return told | {"data": base64.b64encode(whole.tobytes()).decode()}


def _type_name(dtype) -> str:
    return "int1" if dtype is torch.bool else str(dtype).removeprefix("torch.")


def _told(value, places):
    if isinstance(value, torch.Tensor):
        number, low, _ = places[value.untyped_storage()._cdata]
        start = value.storage_offset() - low // value.element_size()
        dtype = _type_name(value.dtype)
        view = {"shape": list(value.shape), "strides": list(value.stride()), "start": start}
        return {"tensor": {"dtype": dtype, "storage": number, **view}}
    value = getattr(value, "value", value)
    for kind, types in _KINDS:
        if isinstance(value, types):
            return {kind: value if kind in "bs" else str(value)}
    if value is None:
        return {"n": 1}
    raise Unknown


def _helpers(function, found: dict | None = None) -> dict[str, str]:
    """Texts of the kernels and constants that a kernel reaches by name, those first that others need."""
    found = {} if found is None else found
    for name in function.__code__.co_names:
        value = function.__globals__.get(name, inspect)
        if name in found or value is inspect or value in (tl, triton):
            continue
        if isinstance(value, (bool, int, float)) or isinstance(getattr(value, "value", None), (bool, int, float)):
            value = getattr(value, "value", value)
            found[name] = f"{name} = {value!r}" if np.isfinite(value) else f'{name} = float("{value}")'
        elif inspect.isfunction(inner := getattr(value, "fn", None)) and not inner.__module__.startswith("triton"):
            found[name] = ""  # it may call itself
            _helpers(inner, found)
            del found[name]
            found[name] = _text(inner)
    return found


def _text(function) -> str:
    return re.sub(r"\A(?:@.*\n)+", "@triton.jit\n", textwrap.dedent(inspect.getsource(function)))

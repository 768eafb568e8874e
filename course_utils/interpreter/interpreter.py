"""The insides of Triton's interpreter, which no other module touches. Tested with the oldest and the newest Triton supported.

`listening(listener)` tells a listener of every launch, program and memory access of the kernels that run meanwhile. Lanes
that fall outside the tensor they were computed from never reach real memory: they read NaN (0 for integers), and store
nothing. (`values` turns what a kernel's variables hold into plain numbers.)
"""

import importlib
import inspect
import os
import sys
from contextlib import ExitStack, contextmanager
from functools import cache, partial

import numpy as np
import torch

from ..backend import mode, tl, triton
from .addresses import Access, WatchedLaunch

interpreter = importlib.import_module("triton.runtime.interpreter")  # after `backend` has chosen how triton runs

TRITONS_OWN = os.path.dirname(triton.__file__) + os.sep  # files
# triton-ascend, a Triton 3.2, splats and reduces in other ways.
RECENT = "ret_ty" in inspect.signature(interpreter.InterpreterBuilder.create_splat).parameters
_ABSENT = object()


class Listener:
    """Hears what the interpreter does; a subclass overrides what it cares for."""

    def launch_started(self, launch: WatchedLaunch) -> None: ...
    def program_started(self, launch: WatchedLaunch) -> None: ...
    def accessed(self, launch: WatchedLaunch, access: Access) -> None: ...
    def barrier_passed(self, launch: WatchedLaunch) -> None: ...
    def launch_ended(self, launch: WatchedLaunch) -> None: ...


_listeners: list[Listener] = []
_running = 0
_conductor = None  # who runs the programs of a launch; without one, they run one after another


@contextmanager
def conducted(conductor):
    """Let `conductor` (see `turns`) run the programs of launches in this block."""
    with replaced(sys.modules[__name__], "_conductor", conductor):
        yield


@contextmanager
def listening(listener: Listener):
    """Tell `listener` of every launch in the interpreter until the block ends."""
    with ExitStack() as stack:
        if not _listeners:
            stack.enter_context(replaced(interpreter.GridExecutor, "__call__", _watched(interpreter.GridExecutor)))
            if RECENT:
                kind = interpreter.ReduceOps
                stack.enter_context(replaced(kind, "generic_reduce", _by_halves(kind)))
        _listeners.append(listener)
        try:
            yield listener
        finally:
            _listeners.remove(listener)


def _by_halves(kind):
    """A `tl.reduce` with a function of the kernel's own, neighbours merged with neighbours as blocks: one by one takes minutes."""
    one_by_one = kind.generic_reduce

    def reduce(self, parts):
        if self.axis is None:
            return one_by_one(self, parts)
        halves = [np.moveaxis(part.handle.data, self.axis, 0) for part in parts]
        while len(halves[0]) > 1:
            pairs = [self.to_tensor(half[k::2], part.dtype) for k in (0, 1) for half, part in zip(halves, parts)]
            merged = self.combine_fn.fn(*pairs)
            merged = merged if isinstance(merged, tuple) else (merged,)
            shape = (len(halves[0]) // 2, *halves[0].shape[1:])
            halves = [np.broadcast_to(getattr(getattr(each, "handle", None), "data", each), shape) for each in merged]
        found = [np.expand_dims(half[0], self.axis) if self.keep_dims else half[0] for half in halves]
        return [self.to_tensor(each if np.ndim(each) else each.item(), part.dtype) for each, part in zip(found, parts)]

    return reduce


def running() -> bool:
    """Whether a watched launch is going on right now, its preparation included."""
    return _running > 0


@contextmanager
def redirected(handler):
    """Hand every launch to `handler(kernel, grid, positional, named)` instead of running it, compiled or interpreted."""
    from triton.runtime.jit import JITFunction

    kind = interpreter.InterpretedFunction if mode == "interpreter" else JITFunction
    run = kind.run

    def instead(kernel, *positional, grid, warmup, **named):
        if warmup:
            return run(kernel, *positional, grid=grid, warmup=warmup, **named)
        if callable(grid):
            signature = inspect.signature(kernel.fn)
            known = {name: value for name, value in named.items() if name in signature.parameters}
            bound = signature.bind(*positional, **known)
            bound.apply_defaults()
            grid = grid(dict(bound.arguments))
        return handler(kernel, tuple(grid), positional, named)

    with replaced(kind, "run", instead):
        yield


@cache
def is_kernel(code) -> bool:
    """Whether a code object is the body of a @triton.jit function outside Triton itself."""
    kernels = {function.__code__ for function in interpreter.InterpretedFunction.rewritten_fn.values()}
    return code in kernels and not code.co_filename.startswith(TRITONS_OWN)


class _Memory:
    """Stands where the interpreter looks for its compiled half: between a kernel's addresses and real memory."""

    def __init__(self, real, launch: WatchedLaunch):
        self._real, self._launch = real, launch

    def __getattr__(self, name):
        return getattr(self._real, name)

    def load(self, pointers, mask, other, dtype):
        access, real = self._touch("load", pointers, mask, dtype.itemsize)
        values = self._real.load(real, access.inside, other, dtype)
        if access.astray.any():
            values = np.array(values)
            for owner in np.unique(access.owner[access.astray]):
                values[access.astray & (access.owner == owner)] = self._garbage(owner, dtype)
        access.seen, access.volatile = values, self._launch.volatile
        self._tell(access, values)
        return values

    def store(self, pointers, values, mask):
        access, real = self._touch("store", pointers, mask, values.itemsize)
        self._real.store(real, values, access.inside)
        access.changed = True
        self._tell(access, values)

    def atomic_rmw(self, operation, pointers, values, mask, order):
        access, real = self._touch("atomic", pointers, mask, values.itemsize)
        before = self._real.atomic_rmw(operation, real, values, access.inside, order)
        self._tell_atomic(access, values, before, real, order)
        return before

    def atomic_cas(self, pointers, expected, values, order):
        access, real = self._touch("atomic", pointers, True, values.itemsize)
        waste = np.zeros(8, dtype=np.uint8)  # compare-and-swap takes no mask: lanes astray swap here
        real = np.where(access.inside, real, np.uint64(waste.ctypes.data))
        before = self._real.atomic_cas(real, expected, values, order)
        self._tell_atomic(access, values, before, real, order)
        return before

    def _tell_atomic(self, access: Access, values, before, real, order) -> None:
        access.order, access.scope = order.name.lower(), self._launch.scope
        access.seen = np.array(before)
        after = self._real.load(real, access.inside, access.seen, access.seen.dtype)
        access.changed = bool((np.asarray(after)[access.inside] != access.seen[access.inside]).any())
        self._tell(access, values)

    def _touch(self, kind, pointers, mask, width):
        frame = _kernel_frame()
        where = (frame.f_code.co_name, frame.f_code.co_filename, frame.f_lineno) if frame else ("?", "?", 0)
        return self._launch.touch(kind, pointers, mask, width, where)

    def _garbage(self, owner: int, dtype: np.dtype):
        tensor = self._launch.arguments[owner].tensor if owner >= 0 else None
        if tensor is None or not tensor.is_floating_point() or tensor.element_size() != dtype.itemsize:
            return np.nan if dtype.kind == "f" else 0
        return torch.full((1,), torch.nan).to(tensor.dtype).view(torch.uint8).numpy().view(dtype)[0]

    def _tell(self, access: Access, values: np.ndarray) -> None:
        access.values = values
        for listener in _listeners:
            listener.accessed(self._launch, access)


def _kernel_frame():
    frame = sys._getframe(1)
    while frame is not None and not is_kernel(frame.f_code):
        frame = frame.f_back
    return frame


@contextmanager
def replaced(owner, name, value):
    before = owner.__dict__.get(name, _ABSENT)
    setattr(owner, name, value)
    try:
        yield
    finally:
        delattr(owner, name) if before is _ABSENT else setattr(owner, name, before)


@contextmanager
def _in_namespace(namespace: dict, name, value):
    """`name` means `value` there until the block ends, unless somebody has defined it."""
    if name in namespace:
        yield
        return
    namespace[name] = value
    try:
        yield
    finally:
        namespace.pop(name, None)


def _another(value, before):
    """The tensor itself, or a second view of it where it is there already: older interpreters pass `x, x` as one object."""
    return value.view(value.shape) if any(value is each for each in before) and hasattr(value, "data_ptr") else value


def _tensors(name, value):
    """The tensors inside one argument of a kernel, each with the name a reader knows it by."""
    if hasattr(value, "data_ptr"):
        yield name, value
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _tensors(f"{name}[{index}]", item)
    elif hasattr(value, "block_shape"):  # a tensor descriptor
        yield name, value.base


def _as_compiled_loops(patch):
    """Loops over `tl.range` as compiled ones are: their numbers are Triton's, as wide as the bounds. The interpreter's are
    Python's, and `row.to(tl.int64)` would fail."""

    def patched(language, *scope):
        patch(language, *scope)
        # Older interpreters (triton-ascend's) have no scope, and patch the language for good: at every launch anew.
        set_attribute = scope[0].set_attr if scope else setattr
        set_attribute(language, "range", _counting_in_triton(language.range))

    return patched


def _counting_in_triton(plain):
    def counted(*bounds, **options):
        wide = any(getattr(bound, "dtype", None) == tl.int64 for bound in (*bounds, *options.values()))
        return (tl.cast(number, tl.int64 if wide else tl.int32) for number in plain(*bounds, **options))

    return counted


def _range_of_a_kernel(*bounds):
    """What `range` means where kernels look it up: to a kernel the same as `tl.range`, to everybody else Python's own."""
    return (_counting_in_triton(range) if is_kernel(sys._getframe(1).f_code) else range)(*bounds)


def _watched(executor_class):
    """A launch, with the listeners told and the addresses made up."""
    builder, convert = interpreter.interpreter_builder, interpreter._implicit_cvt
    run, prepare = executor_class.__call__, executor_class._init_args_hst

    def watched(executor, *arguments, **options):
        global _running
        launch, started = WatchedLaunch(executor.fn.__name__), False
        load = builder.create_masked_load  # as it is by now: somebody may have put another one there
        names = {}  # id of a tensor → its name, and the tensor, which keeps the id from being used again

        def prepare_and_name(executor, arguments, options):
            arguments, options = prepare(executor, arguments, options)
            arguments = [_another(each, arguments[:i]) for i, each in enumerate(arguments)]
            for name, value in {**dict(zip(executor.arg_names, arguments, strict=False)), **options}.items():
                names.update({id(tensor): (each, tensor) for each, tensor in _tensors(name, value)})
            return arguments, options

        def convert_to_made_up_address(value):
            converted = convert(value)
            if hasattr(value, "data_ptr"):
                name, tensor = names[id(value)]
                tensor = getattr(tensor, "base", tensor)  # triton.reinterpret wraps a tensor
                converted.handle.data = np.array([launch.add(name, tensor)], dtype=np.uint64)
            return converted

        def set_grid_dim(*grid):
            nonlocal started
            type(builder).set_grid_dim(builder, *grid)
            launch.grid, started = tuple(int(size) for size in grid), True
            for listener in _listeners:
                listener.launch_started(launch)
            if _conductor is not None:
                set_index = partial(type(builder).set_grid_idx, builder)
                executor.fn = _conductor.collect(launch, executor.fn, set_index, tuple(_listeners))

        def set_grid_idx(*program):
            type(builder).set_grid_idx(builder, *program)
            launch.program = program
            for listener in _listeners if _conductor is None else ():
                listener.program_started(launch)

        def create_masked_load(*operands):
            launch.volatile = bool(operands[-1])
            return load(*operands)

        def noting_scope(atomic, *operands):
            launch.scope = getattr(operands[-1], "name", "").lower()
            return atomic(*operands)

        def create_barrier():
            for listener in _listeners:
                listener.barrier_passed(launch)

        with ExitStack() as stack:
            stack.enter_context(np.errstate(all="ignore"))  # a GPU divides by zero without a word, too
            for owner, name, value in (
                (interpreter, "_interpreter", _Memory(interpreter._interpreter, launch)),
                (interpreter, "_implicit_cvt", convert_to_made_up_address),
                (interpreter, "_patch_lang_core", _as_compiled_loops(interpreter._patch_lang_core)),
                (executor_class, "_init_args_hst", prepare_and_name),
                (builder, "set_grid_dim", set_grid_dim),
                (builder, "set_grid_idx", set_grid_idx),
                (builder, "create_masked_load", create_masked_load),
                (builder, "create_atomic_rmw", partial(noting_scope, builder.create_atomic_rmw)),
                (builder, "create_atomic_cas", partial(noting_scope, builder.create_atomic_cas)),
                (builder, "create_barrier", create_barrier),
            ):
                stack.enter_context(replaced(owner, name, value))
            stack.enter_context(_in_namespace(executor.fn.__globals__, "range", _range_of_a_kernel))
            _running += 1
            try:
                return run(executor, *arguments, **options)
            finally:
                _running -= 1
                if started:
                    for listener in _listeners:
                        listener.launch_ended(launch)

    return watched

"""What one launch of a Triton kernel reads and writes, counted lane by lane in the interpreter.

Lanes that the mask turns off don't count, and lanes of one load or store that share an address count once, as the hardware
joins them. A later load of the same address counts again; a cache may serve it, so the distinct elements are kept as well,
and the lines that load an address again are named. Lanes that fall outside their tensor are reported with the line that sent
them there, and never reach memory.
"""

import linecache
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod

import numpy as np

from .. import worker
from ..backend import mode
from ..interpreter import Listener, listening, redirected, running
from ..interpreter.addresses import Access, WatchedLaunch
from ..interpreter.arguments import Arguments
from ..softmax.finished import always_asking_triton
from .pytorch import Amount


@dataclass
class TensorTraffic:
    """What a launch did to one tensor argument: elements its loads and stores asked for."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    itemsize: int
    loads: int = 0
    stores: int = 0

    def amount(self, count: int) -> Amount:
        elements = prod(self.shape)
        if elements and count % elements == 0:
            return Amount(self.shape, self.dtype, self.itemsize, count // elements)
        return Amount((count,), self.dtype, self.itemsize)


@dataclass
class Repeat:
    """A line that loaded addresses which had been loaded before, in this program or another."""

    function: str
    line: int
    source: str
    tensor: str
    elements: int = 0


@dataclass
class Astray:
    """A line that left its tensor: the first program and its lanes, and how many did so in all."""

    kind: str
    function: str
    line: int
    source: str
    tensor: str
    size: int  # elements from the tensor's first to its last
    program: tuple[int, int, int]
    lanes: tuple[int, ...]  # of the first program, flattened
    offsets: tuple[int, ...]  # where they pointed, in elements
    programs: set = field(default_factory=set)
    total: int = 0


@dataclass
class LaunchTraffic:
    name: str
    grid: tuple[int, int, int]
    tensors: list[TensorTraffic] = field(default_factory=list)
    repeats: list[Repeat] = field(default_factory=list)
    astray: list[Astray] = field(default_factory=list)

    @property
    def read(self) -> tuple[Amount, ...]:
        return tuple(tensor.amount(tensor.loads) for tensor in self.tensors if tensor.loads)

    @property
    def written(self) -> tuple[Amount, ...]:
        return tuple(tensor.amount(tensor.stores) for tensor in self.tensors if tensor.stores)


@contextmanager
def counted_launches(heard):
    """Call `heard` with the traffic of every launch in the block. Gives a function: is a launch going on right now?"""
    if mode == "interpreter":
        with listening(_Counter(heard)):
            yield running
        return

    sending = False

    def count_elsewhere(kernel, grid, positional, named):
        nonlocal sending
        sending = True
        try:
            # Interpreted, no launch begins before the last has ended.
            early = {"EARLY": False} if "EARLY" in named else {}
            job = "course_utils.traffic.kernels:_launch", kernel, grid, Arguments.copy(positional, named | early)
            told = (LaunchTraffic, TensorTraffic, Repeat, Astray)
            traffics, memory, error = worker.run(*job, seconds=120, returns=told)
            Arguments(memory).write_back(positional, named)
        finally:
            sending = False
        for traffic in traffics:
            heard(traffic)
        if error:
            raise RuntimeError(error)

    with redirected(count_elsewhere), always_asking_triton():
        yield lambda: sending


def _launch(kernel, grid, arguments: Arguments) -> tuple[list[LaunchTraffic], list, str]:
    """The worker's half: this process interprets. A kernel that raises has moved bytes until then, so they come back too.

    Gives the traffic, the memory of the arguments as it is now, and what was raised."""
    traffics: list[LaunchTraffic] = []
    positional, named = arguments.tensors()
    try:
        with listening(_Counter(traffics.append)):
            kernel[grid](*positional, **named)
    except Exception as error:
        return traffics, arguments.storages, f"{type(error).__name__}: {error}"
    return traffics, arguments.storages, ""


class _Counter(Listener):
    def __init__(self, heard):
        self.heard = heard

    def launch_started(self, launch: WatchedLaunch) -> None:
        self.current = LaunchTraffic(launch.name, launch.grid)
        for argument in launch.arguments:
            tensor = argument.tensor
            dtype = str(tensor.dtype).removeprefix("torch.")
            self.current.tensors.append(TensorTraffic(argument.name, tuple(tensor.shape), dtype, tensor.element_size()))
        self.loaded = [np.zeros(argument.span, dtype=bool) for argument in launch.arguments]
        self.repeats: dict[tuple, Repeat] = {}
        self.astray: dict[tuple, Astray] = {}

    def accessed(self, launch: WatchedLaunch, access: Access) -> None:
        for owner in np.unique(access.owner[access.mask]):
            lanes = access.mask & (access.owner == owner)
            if owner >= 0:
                offsets = access.offset[lanes & access.inside]
                if access.kind != "atomic":
                    offsets = np.unique(offsets)
                if access.kind != "store":
                    self._load(access, owner, offsets)
                if access.kind != "load":
                    self.current.tensors[owner].stores += offsets.size
            if (lanes & ~access.inside).any():
                self._stray(launch, access, owner, lanes & ~access.inside)

    def _load(self, access: Access, owner: int, offsets: np.ndarray) -> None:
        new = self._first(owner, offsets)
        tensor = self.current.tensors[owner]
        tensor.loads += offsets.size
        if access.kind == "load" and offsets.size > new:
            key = (access.filename, access.line, tensor.name)
            blank = Repeat(access.function, access.line, _source(access), tensor.name)
            self.repeats.setdefault(key, blank).elements += offsets.size - new

    def _first(self, owner: int, offsets: np.ndarray) -> int:
        """How many of these elements are loaded for the first time."""
        loaded, distinct = self.loaded[owner], np.unique(offsets)
        new = int((~loaded[distinct]).sum())
        loaded[distinct] = True
        return new

    def _stray(self, launch: WatchedLaunch, access: Access, owner: int, lanes: np.ndarray) -> None:
        argument = launch.arguments[owner] if owner >= 0 else None
        key = (access.filename, access.line, access.kind, owner)
        if key not in self.astray:
            flat = np.flatnonzero(lanes)
            self.astray[key] = Astray(
                *(access.kind, access.function, access.line, _source(access)),
                tensor=argument.name if argument else "?",
                size=argument.span if argument else 0,
                program=access.program,
                lanes=tuple(flat.tolist()),
                offsets=tuple(access.offset.reshape(-1)[flat].tolist()),
            )
        found = self.astray[key]
        found.programs.add(access.program)
        found.total += int(lanes.sum())

    def launch_ended(self, launch: WatchedLaunch) -> None:
        self.current.repeats, self.current.astray = list(self.repeats.values()), list(self.astray.values())
        self.heard(self.current)


def _source(access: Access) -> str:
    return linecache.getline(access.filename, access.line).strip()

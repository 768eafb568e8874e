"""What a launch touches: the tensors that a kernel was given, and every access to them.

A watched kernel gets made-up addresses, each tensor argument in a range of its own. That buys three things: an address
tells which argument it was computed from (also when two arguments are the same tensor), an access out of bounds can't
touch foreign memory, and no run differs from another.
"""

from dataclasses import dataclass, field

import numpy as np
import torch

_RANGE = 44  # each argument has 2**44 made-up addresses, far more than an int32 offset can miss it by


@dataclass
class Argument:
    """A tensor that was passed to a kernel, and the made-up address it got."""

    name: str
    tensor: torch.Tensor
    base: int

    def __post_init__(self):
        sizes, strides = tuple(self.tensor.shape), self.tensor.stride()
        steps = zip(sizes, strides, strict=True)
        self.span = 0 if 0 in sizes else 1 + sum((size - 1) * stride for size, stride in steps)
        # A view may skip elements of its storage (x[:, :5]). Those lie between its elements and are not its own.
        self.owned = np.zeros(self.span, dtype=bool)
        if self.span:
            torch.from_numpy(self.owned).as_strided(sizes, strides).fill_(True)

    def holds(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Whether the elements from `first` to `last`, counted from the tensor's start, are the tensor's own."""
        fits = (first >= 0) & (last < self.span)
        fits[fits] = self.owned[first[fits]] & self.owned[last[fits]]
        return fits


@dataclass
class Access:
    """One tl.load, tl.store or atomic of one program. Every array has the shape of the block of pointers."""

    kind: str  # load, store, atomic
    program: tuple[int, int, int]
    function: str
    filename: str
    line: int
    owner: np.ndarray  # the number of the argument that each lane points into; -1: none of them
    offset: np.ndarray  # in elements of that argument
    mask: np.ndarray  # the lanes that asked …
    inside: np.ndarray  # … and hit an element of their argument
    width: int  # bytes a lane
    values: np.ndarray | None = None  # loaded or stored, in the interpreter's form (bfloat16 as uint16)
    seen: np.ndarray | None = None  # what a load or an atomic found there
    changed: bool = False  # whether memory may now hold something else: a store, or an atomic that made a difference
    volatile: bool = False  # a load that asks memory each time
    order: str = ""  # of an atomic: relaxed, acquire, release or acquire_release
    scope: str = ""  # of an atomic, who sees it as one step: cta, gpu or system

    @property
    def astray(self) -> np.ndarray:
        return self.mask & ~self.inside


@dataclass
class WatchedLaunch:
    """One launch of a kernel, and the made-up addresses of its arguments."""

    name: str
    grid: tuple[int, int, int] = (1, 1, 1)
    program: tuple[int, int, int] = (0, 0, 0)
    arguments: list[Argument] = field(default_factory=list)
    volatile: bool = False  # whether the load that is under way is
    scope: str = ""  # of the atomic that is under way

    def add(self, name: str, tensor: torch.Tensor) -> int:
        # The low bits stay true, so that whatever depends on alignment behaves as it would.
        base = (len(self.arguments) + 1 << _RANGE) | (tensor.data_ptr() & 0xFFF)
        self.arguments.append(Argument(name, tensor, base))
        return base

    def locate(self, addresses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which argument each address was computed from (-1: none), and how many bytes from its start."""
        addresses = addresses.astype(np.int64)
        owner = ((addresses + (1 << _RANGE - 1)) >> _RANGE) - 1
        owner = np.where(owner < len(self.arguments), owner, -1)
        bases = np.array([*(argument.base for argument in self.arguments), 0], dtype=np.int64)
        return owner, addresses - bases[owner]

    def touch(self, kind: str, addresses: np.ndarray, mask, width: int, where) -> tuple[Access, np.ndarray]:
        """What an access touches, and the real addresses of the lanes inside (0 for the others)."""
        mask = np.broadcast_to(np.asarray(mask, dtype=bool), addresses.shape)
        owner, offset = self.locate(addresses)
        inside, real = np.zeros(addresses.shape, dtype=bool), np.zeros(addresses.shape, dtype=np.uint64)
        element = offset.copy()
        for index in np.unique(owner[owner >= 0]):
            tensor, lanes = self.arguments[index].tensor, owner == index
            size = tensor.element_size()
            element[lanes] //= size
            asking = lanes & mask
            start = offset[asking]
            fits = self.arguments[index].holds(start // size, (start + width - 1) // size)
            inside[asking] = fits
            real[asking] = np.where(fits, tensor.data_ptr() + start, 0).astype(np.uint64)
        return Access(kind, self.program, *where, owner, element, mask, inside, width), real

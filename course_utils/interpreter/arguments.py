"""The arguments of a launch, copied: tensors that share memory still do, so they can be stepped through or sent away."""

import copy
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class _View:
    """A tensor without its memory: which storage it looks at, and how."""

    storage: int
    dtype: torch.dtype
    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int


@dataclass
class Arguments:
    """A copy on the CPU of what a kernel was called with: the memory, and the positional and named arguments that look at it."""

    storages: list[torch.Tensor]
    views: tuple = ()

    @classmethod
    def copy(cls, positional: tuple, named: dict) -> "Arguments":
        storages = _storages(positional, named)
        numbers = {key: number for number, key in enumerate(storages)}

        def strip(value):
            number = numbers[value.untyped_storage()._cdata]
            return _View(number, value.dtype, tuple(value.shape), value.stride(), value.storage_offset())

        memory = [_bytes(each).to("cpu", copy=True) for each in storages.values()]
        return cls(memory, _each(torch.Tensor, (tuple(positional), named), strip))

    def tensors(self) -> tuple[tuple, dict]:
        """The arguments again, looking at the copied memory."""

        def fill(view):
            memory = self.storages[view.storage].untyped_storage()
            return torch.empty(0, dtype=view.dtype).set_(memory, view.offset, view.size, view.stride)

        return _each(_View, self.views, fill)

    def write_back(self, positional: tuple, named: dict) -> None:
        """Copy the memory back to the tensors it came from."""
        for storage, memory in zip(_storages(positional, named).values(), self.storages, strict=True):
            _bytes(storage).copy_(memory)


def _storages(positional: tuple, named: dict) -> dict:
    """The memory of all tensors, once each, in the order that they come in."""
    found = {}

    def note(value):
        storage = value.untyped_storage()
        found.setdefault(storage._cdata, storage)
        return value

    _each(torch.Tensor, (tuple(positional), named), note)
    return found


def _bytes(storage) -> torch.Tensor:
    """A storage as a tensor of bytes on its own device."""
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)


def _each(kind: type, value, change):
    """`value` with `change` applied to all of this kind in it, in tuples, dictionaries and tensor descriptors too."""
    if isinstance(value, kind):
        return change(value)
    if isinstance(value, dict):
        return {name: _each(kind, item, change) for name, item in value.items()}
    if isinstance(value, tuple):
        items = [_each(kind, item, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if hasattr(value, "block_shape"):
        value = copy.copy(value)
        value.base = _each(kind, value.base, change)
    return value

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
    """A copy on the CPU of what a kernel was called with."""

    storages: list[torch.Tensor]
    positional: tuple
    named: dict

    @classmethod
    def copy(cls, positional: tuple, named: dict) -> "Arguments":
        numbers: dict[int, int] = {}
        storages: list[torch.Tensor] = []

        def strip(value):
            if isinstance(value, torch.Tensor):
                storage = value.untyped_storage()
                if storage._cdata not in numbers:
                    numbers[storage._cdata] = len(storages)
                    storages.append(_bytes(storage).to("cpu", copy=True))
                number = numbers[storage._cdata]
                return _View(number, value.dtype, tuple(value.shape), value.stride(), value.storage_offset())
            return _inside(value, strip)

        return cls(storages, strip(tuple(positional)), {name: strip(value) for name, value in named.items()})

    def tensors(self) -> tuple[tuple, dict]:
        """The arguments again, looking at the copied memory."""

        def fill(value):
            if isinstance(value, _View):
                memory = self.storages[value.storage].untyped_storage()
                tensor = torch.empty(0, dtype=value.dtype)
                return tensor.set_(memory, value.offset, value.size, value.stride)
            return _inside(value, fill)

        return fill(self.positional), {name: fill(value) for name, value in self.named.items()}

    def write_back(self, positional: tuple, named: dict) -> None:
        """Copy the memory back to the tensors it came from."""
        done: set[int] = set()

        def restore(value):
            if isinstance(value, torch.Tensor):
                storage = value.untyped_storage()
                if storage._cdata not in done:
                    _bytes(storage).copy_(self.storages[len(done)])
                    done.add(storage._cdata)
                return value
            return _inside(value, restore)

        restore(tuple(positional))
        for value in named.values():
            restore(value)


def _bytes(storage) -> torch.Tensor:
    """A storage as a tensor of bytes on its own device."""
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)


def _inside(value, change):
    """Apply `change` to what a tuple or a tensor descriptor holds."""
    if isinstance(value, tuple):
        items = [change(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if hasattr(value, "block_shape"):
        value = copy.copy(value)
        value.base = change(value.base)
    return value

"""One launch of a kernel, and what is seen of it."""

from contextlib import ExitStack

import torch

from ..interpreter import Listener, listening
from ..interpreter.undefined import undefined_as_nan
from ..traffic.kernels import counted_launches

UNTOUCHED = -4096.0  # what an output holds before the launch; every type has it exactly
_MOST = 8  # lanes of which it is told where they went


class Widths(Listener):
    """The most lanes that a load or store has, how far they reach, and the rows that each program stores, in its order."""

    def __init__(self, strides: list):
        """`strides`: how far apart the rows of each argument are said to be, where it is said."""
        self.widest, self.rows, self.reach, self._strides = 0, {}, {}, strides

    def accessed(self, launch, access):
        self.widest = max(self.widest, access.mask.size)
        for owner in set(access.owner[access.mask].flat):
            offsets = access.offset[access.mask & (access.owner == owner)]
            name = launch.arguments[owner].name if owner >= 0 else "?"
            least, most = self.reach.get(name, (0, 0))
            self.reach[name] = min(least, int(offsets.min())), max(most, int(offsets.max()))
        if access.kind == "store" and access.mask.any():
            owner = access.owner[access.mask].flat[0]
            tensor = launch.arguments[owner].tensor if owner >= 0 else None
            if tensor is not None and tensor.dim() == 2 and (stride := self._strides[owner] or tensor.stride(0)):
                rows = sorted({int(offset) // stride for offset in access.offset[access.mask].flat})
                done = self.rows.setdefault(access.program, [])
                done += [row for row in rows if row not in done[-1:]]


def observed(kernel, grid, arguments: dict, constants: dict, writes: list[str]) -> dict:
    first = [
        each.clone(memory_format=torch.preserve_format) if isinstance(each, torch.Tensor) else each
        for each in arguments.values()
    ]
    given = [_again(each) for each in arguments.values()]
    names = list(arguments)
    strides = [arguments.get(f"{name.removesuffix('_ptr')}_stride") for name in names]
    seen = _launch(kernel, grid, given, constants, strides, strict=False)
    seen["written"] = {name.removesuffix("_ptr"): given[names.index(name)] for name in writes}
    inputs = [k for k, name in enumerate(names) if name not in writes and isinstance(given[k], torch.Tensor)]
    seen["changed"] = [names[k] for k in inputs if not same(first[k], given[k])]
    if seen.pop("masked"):
        strict = [_again(each) for each in arguments.values()]
        _launch(kernel, grid, strict, constants, strides, strict=True)
        seen["undefined"] = any(not same(given[names.index(name)], strict[names.index(name)]) for name in writes)
    return seen


def _again(thing):
    """A tensor with the same content at the same distances, in memory of its own."""
    if not isinstance(thing, torch.Tensor):
        return thing
    span = 1 + sum((size - 1) * stride for size, stride in zip(thing.shape, thing.stride())) if thing.numel() else 0
    return thing.as_strided((span,), (1,)).clone().as_strided(thing.shape, thing.stride())


def _launch(kernel, grid, arguments, constants, strides, strict: bool) -> dict:
    launches, widths, masked = [], Widths(strides), []
    with ExitStack() as stack:
        stack.enter_context(counted_launches(launches.append))
        stack.enter_context(listening(widths))
        masked = stack.enter_context(undefined_as_nan(strict))
        kernel, own = _configured(kernel)
        kernel[grid](*arguments, **{**constants, **own})
    traffic = launches[0]
    seen = {
        "widest": widths.widest,
        "reach": {str(k): reach for k, reach in enumerate(widths.reach.values())},
        "rows": {str(program): rows for program, rows in widths.rows.items()},
        "masked": bool(masked),
    }
    seen["loads"] = {tensor.name: tensor.loads for tensor in traffic.tensors}
    seen["stores"] = {tensor.name: tensor.stores for tensor in traffic.tensors}
    if traffic.astray:
        one = traffic.astray[0]
        told = {"kind": one.kind, "line": one.line, "source": one.source[:200], "tensor": one.tensor[:40]}
        seen["astray"] = told | {"program": list(one.program), "offsets": list(one.offsets[:_MOST])}
    return seen


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Equal to the last bit, NaN included."""
    if a.shape != b.shape or a.dtype != b.dtype or not a.is_floating_point():
        return a.shape == b.shape and a.dtype == b.dtype and torch.equal(a, b)
    return torch.equal(a.isnan(), b.isnan()) and torch.equal(torch.nan_to_num(a, nan=0), torch.nan_to_num(b, nan=0))


def _configured(kernel) -> tuple:
    """What to launch, and what it sets itself: an autotuned kernel has no GPU to try its configurations on, and takes the first."""
    tuner = kernel
    while tuner is not None and not hasattr(tuner, "configs"):
        tuner = getattr(tuner, "fn", None)
    return (kernel, {}) if tuner is None else (tuner.fn, tuner.configs[0].kwargs)

"""What the graders of 07 share: a launch whose strays are refused, and mistakes told by what they result in."""

import torch

from ..traffic.view import ranges
from .judging import UNDEFINED
from .kernel_probes import UNTOUCHED
from .launching import counted
from .nb07_says import SAYS
from .probes import close
from .wrong import Wrong


def scores(rows: int, columns: int) -> torch.Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(100 * rows + columns))


def sliced(x: torch.Tensor) -> torch.Tensor:
    """The same values, with elements of somebody else's behind each row."""
    return torch.nn.functional.pad(x, (0, 3), value=7.0)[:, : x.shape[1]]


def agree(got: torch.Tensor, want: torch.Tensor) -> bool:
    if got.dtype == torch.float16:
        return torch.allclose(got.float(), want, rtol=2e-3, atol=1e-4)
    return close(got, want)


def launch(kernel, grid: int, *arguments, last: int | None = None, watch: str = "", **constants):
    """Runs the kernel into `arguments[0]`; its traffic, one entry a tensor, and what `watch` saw.

    `last`: the program whose rows are not all there."""
    traffic, seen = counted(kernel, (grid,), *arguments, watch=watch, **constants)
    for one in traffic.astray:
        at = SAYS.say("at", line=one.line, source=one.source, where=f"{one.tensor}[{ranges(one.offsets)}]")
        at_end = last is not None and min(program[0] for program in one.programs or {one.program}) >= last
        raise SAYS.wrong("astray at the end" if at_end else "astray", kind=one.kind, at=at)
    if (arguments[0] == UNTOUCHED).all():
        raise SAYS.wrong("nothing written")
    return {tensor.name: tensor for tensor in traffic.tensors}, seen


class Trial:
    """One kernel under trial. `run` gives (what it computed, what it should, its traffic)."""

    def __init__(self, kernel, run):
        self.kernel, self.run = kernel, run

    def holds(self, key: str, *arguments, said: dict | None = None, **options) -> None:
        """Raises the saying if a launch goes wrong."""
        got, want, _ = self.run(*arguments, **options)
        if not agree(got, want):
            self.refuse(key, **said or {})

    def refuse(self, key: str, **said):
        raise Wrong(*UNDEFINED) if self.kernel.undefined else SAYS.wrong(key, **said)

    def told_apart(self, got, want, mistakes: dict[str, list], otherwise: str, **said) -> None:
        """Where the result is wrong, raises the mistake that has this result, or else the saying `otherwise`."""
        if agree(got, want):
            return
        for key, results in mistakes.items():
            if any(agree(got, result) and not agree(result, want) for result in results):
                self.refuse(key)
        self.refuse(otherwise, **said)

    def moves(self, tensor: str, kind: str, most: int, hint: str, *arguments) -> None:
        """Refuses more loads or stores of a tensor than it takes."""
        got, _, traffic = self.run(*arguments)
        if (count := getattr(traffic[tensor], kind)) > most:
            rows, columns = got.shape
            said = {"tensor": tensor, "verb": SAYS[kind], "count": count, "most": most, "hint": SAYS[hint]}
            raise SAYS.wrong("moved", rows=rows, columns=columns, **said)

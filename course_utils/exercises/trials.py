"""A kernel on trial: inputs that set a trap each, and what is said of the first that it falls into."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from .probes import close
from .sayings import Sayings
from .wrong import Wrong

OURS = Sayings("""
first factor
第一块就得到 NaN，这时 m 还是 −inf。看看系数：它是 e^(旧 m − 新 m)，反过来就成了 e^(+∞)。
NaN in the first block already, where m is still −inf. See to the factor: it is e^(old m − new m); the other way round it would be e^(+∞).
""")


def noise(*shape, seed=0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def within(relative: float, absolute: float = 1e-8) -> Callable:
    """Whether a result is no further than that from the right one."""

    def agree(got, want) -> bool:
        return torch.allclose(got.float(), want.float(), rtol=relative, atol=absolute, equal_nan=True)

    return agree


@dataclass(frozen=True)
class Trial:
    run: Callable  # of inputs, and of how they are laid out or shared: what came out, and the traffic
    right: Callable  # of the same inputs: what should come out
    says: tuple[Sayings, ...]  # where a key stands in several, the first has it; what stands here comes last
    agree: Callable = close

    def __call__(self, *inputs, **how) -> torch.Tensor:
        return self.run(*inputs, **how)[0]

    def wrong(self, key: str, **values) -> Wrong:
        return next(table for table in (*self.says, OURS) if key in table).wrong(key, **values)

    def fits(self, *inputs, agree=None, **how) -> bool:
        return (agree or self.agree)(self(*inputs, **how), self.right(*inputs))

    def holds(self, key: str, *inputs, agree=None, **how) -> None:
        """Raises the mistake `key` unless the result fits. Its sentence may name rows, columns, and what stands in `how`."""
        if not self.fits(*inputs, agree=agree, **how):
            raise self.wrong(key, rows=len(inputs[0]), columns=inputs[0].shape[-1], **how)

    def known(self, got: torch.Tensor, mistakes: list[tuple[str, torch.Tensor]]) -> None:
        """Raises the first mistake whose result this is."""
        for key, result in mistakes:
            if close(got, result):
                raise self.wrong(key)

"""A kernel on trial: inputs that set a trap each, and what is said of the first that it falls into."""

from collections.abc import Callable

import torch

from .sayings import Sayings

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

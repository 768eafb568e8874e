"""Drag scores and arriving gradients and watch where they go; choose a vocabulary and see what its loss moves."""

from ..figures.gradient import _SIZES, softmax_gradient, vocabulary_bytes
from .base import Explorer, choice, dial, steps

_ROWS = [2**k for k in range(8, 18)]
_COLUMNS = [1024, 4096, 32000, 32768, 50257, 65536, 128256, 131072, 151936, 262144]


def explore_gradient(scores=(1.0, 2.0, 3.0), dy=(1.0, 0.0, 0.0)) -> Explorer:
    """Three scores, and the gradient that arrives for each of the three probabilities."""

    def draw(cat, dog, pig, d_cat, d_dog, d_pig):
        return softmax_gradient((cat, dog, pig), (d_cat, d_dog, d_pig))

    names = (("猫", "cat"), ("狗", "dog"), ("猪", "pig"))
    controls = {en: dial(f"{zh}的分数", f"score of {en}", x, -10, 10, 0.5) for (zh, en), x in zip(names, scores)}
    controls |= {f"d_{en}": dial(f"{zh}的 dy", f"dy of {en}", d, -2, 2, 0.25) for (zh, en), d in zip(names, dy)}
    return Explorer(draw, **controls)


def explore_vocabulary(rows=8192, columns=131072, dtype="bfloat16") -> Explorer:
    """The bytes of a cross-entropy, forwards and backwards, in three ways."""
    return Explorer(
        vocabulary_bytes,
        rows=steps("行数 M（token）", "rows M (tokens)", rows, sorted({*_ROWS, rows})),
        columns=steps("列数 N（词表）", "columns N (vocabulary)", columns, sorted({*_COLUMNS, columns})),
        dtype=choice("数的格式", "number format", dtype, list(_SIZES)),
    )

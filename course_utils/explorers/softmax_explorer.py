"""Drag the scores and watch the probabilities."""

from ..figures.softmax_pictures import ANIMALS, softmax_steps
from .base import Explorer, choice, dial, switch


def explore_softmax(scores=(10, 5, 20), temperature=1.0, constant=0.0, subtract_max=True, dtype="float32") -> Explorer:
    """Three scores, a temperature that divides them, a constant added to all, and the number format."""

    def draw(cat, dog, pig, temperature, constant, subtract_max, dtype):
        moved = [(score + constant) for score in (cat, dog, pig)]
        return softmax_steps(moved, ANIMALS, temperature=temperature, shift=subtract_max, dtype=dtype)

    cat, dog, pig = scores
    return Explorer(
        draw,
        cat=dial("猫的分数", "score of cat", cat, -30, 30, 0.5),
        dog=dial("狗的分数", "score of dog", dog, -30, 30, 0.5),
        pig=dial("猪的分数", "score of pig", pig, -30, 30, 0.5),
        temperature=dial("温度 T", "temperature T", temperature, 0.25, 10, 0.25),
        constant=dial("都加上 c", "add c to all", constant, -100, 100, 1),
        subtract_max=switch("先减去最大值", "subtract the maximum first", subtract_max),
        dtype=choice("数的格式", "number format", dtype, ["float16", "bfloat16", "float32"]),
    )

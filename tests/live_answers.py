"""Answers to exercises, and what the notebook's judge says of each: for the page's judge to be held to."""

import linecache

from kit import known

from course_tools.live import exercises
from course_utils.exercises import files, judging
from course_utils.exercises.locked import facts_of
from course_utils.exercises.observe import asked, observe
from course_utils.exercises.written import broken, has_dots, stub
from course_utils.worker.errors import Described, Ended, verdict
from course_utils.worker.source import definition_of

HERE = [files.read(name) for name in exercises.names() if exercises.exported(name)]


def right(exercise) -> list[str]:
    return [exercise.right, *exercise.also_right]


def wrong(exercise) -> list[str]:
    """The right program with each known mistake; then other spellings of it with each."""
    mistaken = {}
    for spelling in right(exercise):
        for diff in exercise.wrong:
            program = diff.of(spelling)
            if program and program not in right(exercise):
                mistaken[program] = None
    return [*mistaken]


def notebook(exercise, source: str) -> dict:
    """{status, zh, en}: "not yet", "right", "wrong", or "error" for what does not parse or raises."""
    if said := broken(exercise.name, [source]):
        return told("error", said.text)
    program = judging.define(source, exercise.name)
    if has_dots(definition_of(program)):
        return told("not yet", stub(exercise.name).text)
    ours, filename = known(exercise.name), definition_file(exercise, source)
    seen = observe(program, asked(exercise), {filename: source})
    result = judging.judge(exercise, seen, facts_of(program), ours)
    if "raised" in result:
        ended = Ended("ended", 0, fault="", stdout="", stderr="")
        return told("error", verdict(ended, Described(**result["raised"]), {filename: source}, 15, 2048).text)
    return told("right", exercise.praise) if "right" in result else told("wrong", result["wrong"])


def definition_file(exercise, source: str) -> str:
    name = f"<{exercise.name} {abs(hash(source))}>"
    assert name in linecache.cache
    return name


def told(status: str, text) -> dict:
    return {"status": status, "zh": text.zh, "en": text.en}


# ---- what somebody may write who has not understood, or has not finished

FORMULAS = {  # of 02's layer_norm_traffic(M, N)
    "nothing": "return",
    "none": "pass",
    "a text": 'return "5 M N"',
    "a number": "return 5 * M * N",
    "a list": "return [5 * M * N + 4 * M, 3 * M * N + 4 * M]",
    "three": "return 1, 2, 3",
    "a boolean": "return True",
    "a function": "return layer_norm_traffic",
    "a range": "return range(2)",
    "wrong name": "return 5 * m * N, 3 * M * N",
    "division by zero": "zero = M - M\nreturn M / zero, N",
    "no such item": "both = [M, N]\nreturn both[2], N",
    "no colon": "if M > 3\n    return M\nreturn N",
    "no bracket": "return (5 * M * N, 3 * M * N",
    "not indented": "if M > 3:\nreturn M, N",
    "guessed": "return 250112, 150208",
    "far off": "return 10**30, -1e-30",
}
KERNEL = """@triton.jit
def mended_kernel(y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * y_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)
"""
LOAD = 'tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf"))'
KERNELS = {  # of 03's mended_kernel: changes of a right one
    "narrow": [],
    "wide": [(LOAD, LOAD + ".to(tl.float32)")],
    "undefined": [(LOAD, LOAD.replace(', other=-float("inf")', "") + ".to(tl.float32)"), ("tl.max(x, axis=0)", "tl.max(tl.where(mask, x, -float('inf')), axis=0)")],
    "no decorator": [("@triton.jit\n", "")],
    "renamed": [("BLOCK_SIZE", "BLOCK")],
    "a block of its own": [(LOAD, LOAD + ".to(tl.float32)"), ("tl.arange(0, BLOCK_SIZE)", "tl.arange(0, 2048)")],
    "wrong name": [("tl.exp(x", "tl.exp(X")],
    "no such function": [("tl.arange", "tl.aragne")],
    "nothing stored": [("    tl.store", "    y_ptr + row  # tl.store")],
    "stored into x": [("tl.store(y_ptr + row * y_stride", "tl.store(x_ptr + row * x_stride")],
    "printed": [(LOAD, LOAD + ".to(tl.float32)"), ("    numerator =", '    tl.device_print("x", x)\n    numerator =')],
    "no bracket": [("axis=0))\n", "axis=0)\n")],
    "everything twice": [("numerator /", "2 * numerator /")],
}  # fmt: skip
STRANGE = [("layer_norm_traffic", name, "def layer_norm_traffic(M, N):\n" + "".join(f"    {line}\n" for line in body.splitlines()))
           for name, body in FORMULAS.items()]  # fmt: skip


def kernel(changes) -> str:
    text = KERNEL
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


STRANGE += [("mended_kernel", name, kernel(changes)) for name, changes in KERNELS.items()]

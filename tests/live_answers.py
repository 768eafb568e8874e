"""Answers to exercises, and what the notebook's judge says of each: for the page's judge to be held to."""

from contextlib import suppress

import torch
from kit import known

from course_tools.live import exercises
from course_utils.backend import tl
from course_utils.exercises import engine, files, judging
from course_utils.exercises.locked import facts_of
from course_utils.exercises.observe import observe
from course_utils.worker import explained

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


def judged(exercise, source: str) -> dict:
    """{status, zh, en} of an answer that runs; what the course's own programs do is found out once."""
    program = judging.define(source, exercise.name)
    seen = [observe(program, probe, exercise, {}) for probe in exercise.probes]
    result = judging.judge(exercise, seen, facts_of(program), known(exercise.name))
    if "raised" in result:
        return told("wrong", explained(result["raised"], None))
    return told("right", exercise.praise) if "right" in result else told("wrong", result["wrong"])


def checked(exercise, source: str) -> dict:
    """The same of any answer, by a notebook's whole check: a process that may not end, and the compiler."""
    cell = {"In": ["", source], "tl": tl, "torch": torch}
    with suppress(SyntaxError, KeyError):
        cell[exercise.name] = judging.define(source, exercise.name)
    verdict = engine.judge(exercise.identifier, cell)
    return told(verdict.status, verdict.text)


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
    "5 N": "return 5 M * N, 3 * M * N",
    "comma": "return 5 * M * N，3 * M * N",
    "open text": 'return "5MN, 3',
    "one equals sign": "if M = 3:\n    return M, N\nreturn N, M",
    "left of equals": "5 * M = reads\nreturn reads, N",
    "else alone": "else:\n    return M, N",
    "too many brackets": "return 5 * M * N), 3 * M * N",
    "odd indentation": "if M > 3:\n      M = 3\n   N = 3\nreturn M, N",
    "indented for nothing": "reads = 5 * M * N\n    writes = N\nreturn reads, writes",
    "a dollar": "return $M, N",
    "a keyword for a name": "for = 5\nreturn for, N",
    "a statement half done": "reads =\nreturn reads, N",
    "an unknown name": "return reads, writes",
    "an unknown function": "return sqrt(M), N",
    "defined later": "reads = reads + M\nreturn reads, N",
    "an attribute": "return M.size, N",
    "an item": "return M[0], N",
    "called": "return M(N), N",
    "times a text": 'return M + "N", N',
    "minus a text": 'return "M" - N, N',
    "a text as a number": 'return int("five"), N',
    "nothing plus": "return None + M, N",
    "length": "return len(M), N",
    "a tuple plus": "return (M, N) + 1",
    "unpacked": "reads, writes = M\nreturn reads, writes",
    "unpacked too few": "a, b, c = M, N\nreturn a, b",
    "unpacked too many": "a, b = M, N, 3\nreturn a, b",
    "an empty list": "return max([]), N",
    "popped": "return [].pop(), N",
    "a key": 'return {"reads": M}["writes"], N',
    "a dictionary": 'return {"reads": M, "writes": N}',
    "an assertion": "assert M > 10**6\nreturn M, N",
    "raised": 'raise ValueError("no")',
    "caught": "try:\n    return 5 * M * N + 4 * M, 3 * M * N\nexcept ZeroDivisionError:\n    return 0, 0",
    "itself": "return layer_norm_traffic(M, N)",
    "endless": "while True:\n    M += 1",
    "infinite": 'return float("inf"), float("nan")',
    "shift": "return M << -1, N",
    "a float shift": "return 2.0 << M, N",
    "over nothing": "for each in M:\n    N += each\nreturn M, N",
    "no such method": "both = [M]\nboth.add(N)\nreturn both",
    "an argument too many": "return abs(M, N), N",
    "an argument too few": "return round(), N",
    "an unknown argument": "return max(M, N, by=3), N",
    "half a tuple": "return (5 * M * N,)",
    "a set": "return {M, N}",
    "complex": "return 1j * M, N",
    "text times": 'return "M" * 2, N',
    "nested": "return [[M, N]]",
    "compared with a text": 'if M > "a":\n    return M, N\nreturn N, M',
    "module": "return math.foo(M), N",
    "imported": "import math\nreturn math.floor(5 * M * N + 4 * M), 3 * M * N",
    "root of a negative": "return math.sqrt(-M), N",
    "modulo": "return M % 0, N",
    "floor": "return M // 0, N",
    "a float by zero": "return M / 0.0, N",
    "large power": "return 2.0 ** 5000, N",
    "printed": 'print("M", M)\nreturn 5 * M * N + 4 * M, 3 * M * N',
    "round": "return round(5 * M * N + 4 * M), int(3 * M * N)",
}  # fmt: skip
DEFINED = {  # the same, whole
    "one parameter": "def layer_norm_traffic(M):\n    return M, M\n",
    "three parameters": "def layer_norm_traffic(M, N, K):\n    return M, N\n",
    "no parameters": "def layer_norm_traffic():\n    return 1, 2\n",
    "no def": "layer_norm_traffic(M, N):\n    return M, N\n",
    "def without a colon": "def layer_norm_traffic(M, N)\n    return M, N\n",
    "nothing in it": "def layer_norm_traffic(M, N):\n",
    "a stub": "def layer_norm_traffic(M, N):\n    return ..., 3 * M * N\n",
    "full-width": "def layer_norm_traffic（M, N）:\n    return M, N\n",
    "a helper": "def reads(M, N):\n    return 5 * M * N + 4 * M\n\n\ndef layer_norm_traffic(M, N):\n    return reads(M, N), 3 * M * N\n",
    "a helper misspelt": "def reads(M, N):\n    return 5 * M * N + 4 * M\n\n\ndef layer_norm_traffic(M, N):\n    return raeds(M, N), 3 * M * N\n",
    "a helper lacks": "def reads(M, N):\n    return 5 * M * N\n\n\ndef layer_norm_traffic(M, N):\n    return reads(M), 3 * M * N\n",
}  # fmt: skip
KERNEL = """@triton.jit
def mended_kernel(y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * y_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)
"""
LOAD = 'tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf"))'


def put(line: str) -> list[tuple[str, str]]:
    """One more line before the seventh."""
    return [("    numerator =", f"    {line}\n    numerator =")]


KERNELS = {  # of 03's mended_kernel: changes of a right one; what both parse alike stands above
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
    "everything twice": [("numerator /", "2 * numerator /")],
    "full-width comma": [("columns, mask=mask, other", "columns， mask=mask, other")],
    "too far in": [("    mask =", "        mask =")],
    "too far out": [("    mask =", "  mask =")],
    "no comma": [("mask=mask, other", "mask=mask other")],
    "named first": [("tl.load(x_ptr + row * x_stride + columns, mask=mask", "tl.load(mask=mask, x_ptr + row * x_stride + columns")],
    "two names": [("numerator = tl", "the numerator = tl")],
    "far from any": [("tl.exp(x -", "tl.softplus(x -")],
    "torch": [("tl.exp(x -", "torch.exp(x -")],
    "math": [("tl.exp(x -", "math.exp(x -")],
    "numpy": [("tl.exp(x -", "np.exp(x -")],
    "python's exp": [("tl.exp(x -", "exp(x -")],
    "a method": [("tl.max(x, axis=0)", "x.max(axis=0)")],
    "no such method": [("tl.max(x, axis=0)", "x.maxx(axis=0)")],
    "a mean": [("tl.max(x, axis=0)", "x.mean()")],
    "no end": [("tl.arange(0, BLOCK_SIZE)", "tl.arange(BLOCK_SIZE)")],
    "to n_cols": [("tl.arange(0, BLOCK_SIZE)", "tl.arange(0, n_cols)")],
    "seven": [("tl.arange(0, BLOCK_SIZE)", "tl.arange(0, 7)")],
    "one less": [("tl.arange(0, BLOCK_SIZE)", "tl.arange(0, BLOCK_SIZE - 1)")],
    "a step": [("tl.arange(0, BLOCK_SIZE)", "tl.arange(0, BLOCK_SIZE, 1)")],
    "backwards": [("tl.arange(0, BLOCK_SIZE)", "tl.arange(BLOCK_SIZE, 0)")],
    "huge": [("tl.arange(0, BLOCK_SIZE)", "tl.arange(0, 1 << 30)")],
    "a column for a mask": [("mask=mask, other", "mask=mask[:, None], other")],
    "nothing to load": put("z = tl.load()"),
    "nothing to store": put("tl.store(y_ptr)"),
    "half a where": put("x = tl.where(mask, x)"),
    "an unknown argument": [("mask=mask, other", "msk=mask, other")],
    "other alone": [("mask=mask, other", "other")],
    "a fraction of a row": [("x_ptr + row * x_stride", "x_ptr + row * 1.5")],
    "half a column": [("x_stride + columns", "x_stride + columns / 2")],
    "float pointers": [("x_stride + columns", "x_stride + columns.to(tl.float32)")],
    "twice the pointer": [("tl.load(x_ptr +", "tl.load(2 * x_ptr +")],
    "two pointers": [("tl.load(x_ptr +", "tl.load(x_ptr + y_ptr +")],
    "no pointer": [("tl.load(x_ptr +", "tl.load(")],
    "the exponential of a pointer": put("z = tl.exp(x_ptr)"),
    "the exponential of integers": put("z = tl.exp(columns)"),
    "if of a block": put("if mask:\n        x = x"),
    "while of a block": put("while mask:\n        x = x"),
    "an element": put("z = x[0]"),
    "an element changed": put("x[0] = 1.0"),
    "a part": put("z = x[0:4]"),
    "2-D": put("x = x[:, None]"),
    "3-D": [("tl.max(x, axis=0)", "tl.max(x[:, None, None], axis=0)")],
    "axis 1": [("tl.max(x, axis=0)", "tl.max(x, axis=1)")],
    "a list": put("z = [row, row]"),
    "a comprehension": put("z = [i for i in range(3)]"),
    "a dictionary": put("z = {}"),
    "a lambda": put("z = lambda a: a"),
    "try": put("try:\n        z = 1\n    except:\n        z = 2"),
    "with": put("with row:\n        z = 1"),
    "def": put("def z(a):\n        return a"),
    "import": put("import math"),
    "global": put("global z"),
    "yield": put("yield x"),
    "raise": put('raise ValueError("no")'),
    "f-string": put('z = f"{row}"'),
    "print": put("print(row)"),
    "assert": put("assert 1 == 2"),
    "static": put("tl.static_assert(BLOCK_SIZE == 3)"),
    "break": put("for i in range(2):\n        break"),
    "continue": put("for i in range(2):\n        continue"),
    "returned early": put("return"),
    "returned a value": [("axis=0), mask=mask)\n", "axis=0), mask=mask)\n    return x\n")],
    "chained": put("a = b = row"),
    "unpacked": put("a, b = x"),
    "unpacked too few": put("a, b, c = 1, 2"),
    "unpacked too many": put("a, b = 1, 2, 3"),
    "plus nothing": put("z = row + None"),
    "plus a text": put('z = row + "1"'),
    "by zero": put("z = BLOCK_SIZE // 0"),
    "called": put("z = row()"),
    "a number called": put("z = BLOCK_SIZE()"),
    "axis 3": [("tl.program_id(0)", "tl.program_id(3)")],
    "no axis": [("tl.program_id(0)", "tl.program_id()")],
    "another axis": [("tl.program_id(0)", "tl.program_id(1)")],
    "dot of rows": put("z = tl.dot(x, x)"),
    "reads y": [("tl.load(x_ptr", "tl.load(y_ptr")],
    "no mask in load": [("columns, mask=mask, other=-float(\"inf\"))", "columns)")],
    "no mask in store": [("axis=0), mask=mask)", "axis=0))")],
    "a large index": put("z = tl.load(x_ptr + (1 << 40))"),
    "named twice": put("z = tl.load(x_ptr, pointer=x_ptr)"),
    "positional after all": put("z = tl.sum(x, 0, False, tl.float32, 5)"),
    "a misspelt type": put("z = x.to(tl.float23)"),
    "to a number": put("z = x.to(32)"),
    "reshaped": put("z = tl.reshape(x, (3, 5))"),
    "sizes that don't meet": put("z = x + tl.arange(0, 2)"),
    "a negative shift": put("z = row >> x"),
    "floats and bits": put("z = x & 1"),
    "not of floats": put("z = ~x"),
    "an integer too large": put("z = columns + (1 << 70)"),
    "a power": put("z = x ** 2"),
    "matrix product": put("z = x @ x"),
    "in": put("z = row in x"),
    "itself": put("mended_kernel(y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE)"),
    "a loop over a block": put("for i in x:\n        z = i"),
    "a float range": put("for i in range(0, 2.5):\n        z = i"),
    "no step": put("for i in range(0, 8, 0):\n        z = i"),
    "endless": put("while row >= 0:\n        x = x + 1"),
    "a stub": put("..."),
    "a parameter less": [("x_stride, n_cols", "x_stride")],
    "a parameter more": [("n_cols, BLOCK", "n_cols, spare, BLOCK")],
    "another order": [("y_ptr, x_ptr, y_stride", "x_ptr, y_ptr, y_stride")],
    "a comment in Chinese": put("# 减去最大值"),
    "curly quotes": [('"inf"', "“inf”")],
    "the wrong function": [("tl.max(x", "tl.min(x")],
    "a sum too early": [("numerator / tl.sum(numerator", "numerator / tl.sum(x")],
}  # fmt: skip
STRANGE = [("layer_norm_traffic", name, "def layer_norm_traffic(M, N):\n" + "".join(f"    {line}\n" for line in body.splitlines()))
           for name, body in FORMULAS.items()] + [("layer_norm_traffic", name, source) for name, source in DEFINED.items()]  # fmt: skip


def kernel(changes) -> str:
    text = KERNEL
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


STRANGE += [("mended_kernel", name, kernel(changes)) for name, changes in KERNELS.items()]

"""Launches to record: the course's own kernels, those that notebooks define, and every operator on every pair of types."""

import ast
import itertools
import json

import test_races as races
import torch
from course import ROOT
from kernels import kernel_from

from course_utils import attention, softmax
from course_utils.races import run_together
from course_utils.softmax.blocked import blocked_kernel
from course_utils.softmax.split import split
from course_utils.softmax.steps import STEPS, run_step

F32, F16, BF16, I32 = torch.float32, torch.float16, torch.bfloat16, torch.int32


def rows(count, columns, dtype=F32):
    x = (torch.randn(count, columns) * 3).to(dtype)
    x[0, : columns // 2] = -float("inf")
    return x


def like(x, run):
    y = torch.empty_like(x)
    run(y, x)


def library(dtype):
    """The kernels of course_utils, by name, each with a function that launches it."""
    S, A = softmax, attention
    yield "row", lambda: S.row_softmax(rows(4, 781, dtype))
    yield "grid stride", lambda: S.grid_stride_softmax(rows(7, 300, dtype))
    yield "online", lambda: S.two_pass_softmax(rows(3, 1000, dtype), block=256)
    yield (
        "three pass",
        lambda: like(rows(3, 700, dtype), lambda y, x: S.three_pass_kernel[(3,)](y, x, 700, 700, 700, BLOCK_SIZE=256)),
    )
    yield (
        "blocked",
        lambda: like(rows(5, 700, dtype), lambda y, x: blocked_kernel[(2,)](y, x, 700, 700, 5, 700, BLOCK_SIZE=256)),
    )
    for step, (count, columns) in itertools.product(STEPS, ((5, 100), (2, 781))):
        x = rows(count, columns, dtype)
        yield (
            f"step {step} {columns}",
            lambda step=step, x=x: run_step(x, step),
        )
    yield "split", lambda: like(rows(2, 3000, dtype), split)
    y, dy = torch.softmax(torch.randn(4, 300), 1).to(dtype), torch.randn(4, 300).to(dtype)
    yield "backward", lambda: S.softmax_backward(dy, y)
    yield "log", lambda: S.log_softmax(rows(4, 781, dtype))
    yield "log backward", lambda: S.softmax_backward(dy, torch.log(y), log=True)
    for smoothing in (0.0, 0.1):
        yield f"cross entropy {smoothing}", lambda smoothing=smoothing: cross_entropy(dtype, smoothing)
    for causal in (False, True):
        q, k, v = (torch.randn(2, 40, 16).to(dtype) for _ in range(3))
        yield (
            f"attention {causal}",
            lambda q=q, k=k, v=v, causal=causal: A.attention(q, k, v, causal=causal, ROWS=16, COLUMNS=16),
        )


def cross_entropy(dtype, smoothing):
    x = torch.randn(4, 513).to(dtype).requires_grad_(True)
    target = torch.tensor([5, 512, -100, 77])
    softmax.cross_entropy(x, target, label_smoothing=smoothing, reduction="sum").backward()


def defined(number: str) -> dict:
    """The kernels that a notebook's cells define, by name."""
    path = next((ROOT / "notebooks").glob(f"{number}_*.ipynb"))
    cells = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    kept: list[str] = []
    for cell in cells:
        try:
            tree = ast.parse(cell)
        except SyntaxError:  # a line for IPython
            continue
        for node in tree.body:
            text = ast.unparse(node)
            kernel = isinstance(node, ast.FunctionDef) and "triton.jit" in map(ast.unparse, node.decorator_list)
            constant = isinstance(node, ast.Assign) and text.partition("= ")[2].startswith("tl.constexpr")
            if (kernel or constant) and "..." not in text:
                kept.append(text)
    head = "from course_utils.softmax.combine import LOG2_E, exponential, finite\nfrom course_utils.softmax.two_passes import merge"
    last = kernel_from("\n\n".join([head, *kept]) + "\n")
    return last.fn.__globals__


def notebooks():
    """The kernels of notebooks that no package holds, with the launches of their cells."""
    x, columns, flat, i32 = torch.randn(2, 5), 8, torch.randn(32), {"dtype": I32}
    target = torch.tensor([1, 299, 7])
    z = torch.zeros

    launches = {
        "03": {
            "copy_kernel": lambda k: k[(2,)](z(2, 8), torch.randn(2, 8), 8, 8, N=8),
            "read_one_kernel": lambda k: k[(1,)](z(1), flat, 9),
            "masked_copy_kernel": lambda k: k[(2,)](torch.full((2, 8), -1.0)[:, :5], x, columns, 5, 5, BLOCK_SIZE=8),
        },
        "04": {"greedy_kernel": lambda k: k[(3,)](z(7, 8), torch.randn(7, 8), 7, N=8)},
        "09": {
            "first_team_kernel": lambda k: run_together(k, (4,), z(32), flat, z(8), z(1, **i32), TEAM=4, BLOCK_SIZE=8),
            "block_kernel": lambda k: run_together(
                k, (2,), z(8), z(8), z(1, **i32), SEM="acq_rel", BARRIER=True, SIZE=8
            ),
            "twice_kernel": lambda k: run_together(k, (2,), z(4, **i32), z(4, **i32), z(1, **i32)),
        },
        "10": {
            "fused_row_kernel": lambda k: k[(3,)](
                z(3), z(3, 300), torch.randn(3, 300), target, 0.5, 300, 300, 300, BLOCK_SIZE=512
            ),
        },
    }
    for number, kernels in launches.items():
        found = defined(number)
        for name, launch in kernels.items():
            yield f"{number} {name}", lambda launch=launch, kernel=found[name]: launch(kernel)


HOW = [{"SEM": sem, "BARRIER": barrier} for sem in ("acq_rel", "relaxed") for barrier in (True, False)]


def teams():
    """Kernels whose programs wait for each other."""
    kernel = defined("09")["block_kernel"]
    for how in HOW:
        given = (torch.zeros(8), torch.zeros(8), torch.zeros(1, dtype=I32))
        yield f"block {how}", lambda given=given, how=how: run_together(kernel, (2,), *given, **how, SIZE=8)


def steps():
    """Programs to step through: (kernel, grid, program, arguments, constants)."""
    x, y = torch.randn(4, 12)[:, :10], torch.empty(4, 10)
    dy = torch.randn(4, 10)
    yield softmax.row_kernel, (4,), 2, (y, x, 10, 12, 10), {"BLOCK_SIZE": 16}
    yield softmax.three_pass_kernel, (4,), 1, (y, x, 10, 12, 10), {"BLOCK_SIZE": 4}
    yield softmax.two_pass_kernel, (4,), 3, (y, x, 10, 12, 10), {"BLOCK_SIZE": 4}
    yield blocked_kernel, (2,), 0, (y, x, 10, 12, 4, 10), {"BLOCK_SIZE": 4}
    backward = (torch.empty(4, 10), dy, torch.softmax(dy, 1), 10, 10, 10, 10)
    yield softmax.backward_kernel, (4,), 1, backward, {"BLOCK_SIZE": 16}
    found = defined("03")
    yield found["copy_kernel"], (2,), 1, (torch.zeros(2, 8), torch.randn(2, 8), 8, 8), {"N": 8}


def sharing():
    """Programs that share something, rightly and wrongly: (kernel, programs, places, arguments, constants)."""
    found, z, x = defined("09"), torch.zeros, torch.arange(32.0)
    for kernel in (races.lost, races.added):
        yield kernel, 4, None, (z(1), x), {"BLOCK": 8}
    for places in (None, 2):
        given = (z(32), x, z(8), z(1, dtype=I32))
        yield found["first_team_kernel"], 4, places, given, {"TEAM": 4, "BLOCK_SIZE": 8}
    yield races.meeting, 4, 2, (z(1, dtype=I32), z(4)), {"PARTS": 4}
    for how in HOW:
        yield found["block_kernel"], 2, None, (z(8), z(8), z(1, dtype=I32)), {**how, "SIZE": 8}
    yield races.half, 2, None, (z(1), z(1), z(1)), {"M_FIRST": True}
    for order in ("acq_rel", "acquire", "release", "relaxed"):
        yield races.flagged, 2, None, (z(1), z(1), z(1, dtype=I32)), {"WRITES": order, "READS": order}


# ---- operators

TYPES = {
    name: getattr(torch, "bool" if name == "int1" else name)
    for name in [
        "int1",
        "int8",
        "uint8",
        "int16",
        "int32",
        "uint32",
        "int64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
    ]
}
BINARY = ["a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a < b", "a == b", "a & b", "a | b", "a ^ b"]
BINARY += ["tl.maximum(a, b)", "tl.minimum(a, b)", "tl.where(a > b, a, b)", "tl.where(a < 2, b, 0)"]
UNARY = ["a << 2", "a >> 1", "-a", "~a", "tl.sum(a, axis=0)", "tl.max(a, axis=0)", "tl.argmax(a, axis=0)", "tl.abs(a)"]
UNARY += ["tl.cumsum(a, axis=0)", "tl.cdiv(a, 3)", "tl.exp(a)", "tl.sqrt(a)", "not a", "a and 1"]
SCALARS = ["2", "-3", "2.5", "True", "4000000000", "1e39", "0.0", "(1 << 40)"]


def first(dtype):
    if dtype.is_floating_point:
        return torch.tensor([1.5, -2.25, 0.0, 3.0, float("inf"), float("nan"), -7.5, 100.0]).to(dtype)
    if dtype is torch.bool:
        return torch.tensor([True, False, True, True, False, False, True, False])
    most, least = torch.iinfo(dtype).max, torch.iinfo(dtype).min
    return torch.tensor([1, 7, most, least, 3, 5, -7 if least else most - 1, 100], dtype=torch.int64).to(dtype)


def second(dtype):
    if dtype.is_floating_point:
        return torch.tensor([2.0, 0.5, -1.0, float("nan"), 2.0, 1.0, 2.0, -3.0]).to(dtype)
    if dtype is torch.bool:
        return torch.tensor([True, True, False, True, False, True, False, True])
    sign = -1 if torch.iinfo(dtype).min else 1
    return torch.tensor([3, 2 * sign, 2, 7, sign, 4, 2, 11 * sign], dtype=torch.int64).to(dtype)


def expressions():
    """(expression, type of a, type of b): every operator on every pair, with numbers known when it compiles, alone."""
    for a in TYPES:
        yield from ((operator, a, b) for b in TYPES for operator in BINARY)
        yield from ((operator.replace("b", number), a, a) for number in SCALARS for operator in BINARY[:6])
        yield from ((f"{number} {sign} a", a, a) for number in SCALARS for sign in ["+", "-", "*", "/", "//", "%", "<"])
        yield from ((operator, a, a) for operator in UNARY)
        yield from ((f"a.to(tl.{other})", a, a) for other in TYPES)


EVALUATE = """
@triton.jit
def evaluate(a_ptr, b_ptr):
    a = tl.load(a_ptr + tl.arange(0, 8))
    b = tl.load(b_ptr + tl.arange(0, 8))
    c = {expression}
"""

"""The steps up from a plain tile: each is right, compiles, is at most so long, and the recorder takes them all."""

import ast
import inspect

import pytest
import torch
from course import NOTEBOOKS, code_cells, read

from course_utils import explorers
from course_utils.compiler import compile_for
from course_utils.measurements import climb
from course_utils.softmax import choose, ragged_kernel, steps
from course_utils.softmax.choose import Gpu, Shape

H100 = Gpu(132, cuda=True, early=True, cache=50 << 20)
ALL = {name: (rows, n) for rows, n in climb.SHAPES if n <= 32768 for name in [f"{rows}x{n}"]}
FEW = [name for name, (rows, n) in ALL.items() if n in (256, 781, 4097, 12672, 32768)]


def launches(rows, columns, dtype):
    return steps.launches(Shape(rows, columns, dtype.itemsize, columns), H100)


@pytest.mark.parametrize(
    "n_rows, n_cols", [(33, 128), (6, 256), (5, 781), (3, 1000), (2, 4097), (2, 12671), (2, 32768)]
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_every_step_is_softmax(n_rows, n_cols, dtype):
    x = torch.randn(n_rows, n_cols, generator=torch.Generator().manual_seed(n_cols)).to(dtype)
    x[0, : n_cols // 2] = -float("inf")
    for launch in launches(n_rows, n_cols, dtype).values():
        y = torch.full_like(x, -1)
        launch(y, x)
        torch.testing.assert_close(y.float(), torch.softmax(x.float(), 1).to(dtype).float(), rtol=2e-2, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shape", FEW)
def test_every_step_compiles_and_spills_nothing(shape, dtype):
    for launch in launches(*ALL[shape], dtype).values():
        found = compile_for(launch.kernel, "H100", dtype, dtype, *launch.sizes, **launch.constants, **launch.options)
        assert not found.spills


def test_the_last_step_is_what_softmax_launches_but_late():
    for rows, columns in ALL.values():
        shape = Shape(rows, columns, 4, columns)
        last, launched = steps.launches(shape, H100)["powers"], choose.launch_for(shape, H100)
        assert (last.kernel, last.programs, last.sizes) == (launched.kernel, launched.programs, launched.sizes)
        assert last.constants == launched.constants | {"EARLY": False}


class Plain(ast.NodeTransformer):
    """Without the switches for logarithms and for the early start, and without the guard for rows of −inf."""

    def visit_arguments(self, node):
        node.args = [each for each in node.args if each.arg not in ("LOG", "EARLY")]
        return node

    def visit_Expr(self, node):
        return None if "wait_for_the_kernel_before" in ast.unparse(node) else self.generic_visit(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        called = getattr(node.func, "id", "")
        if called == "answer":
            _, numerator, _, s, _ = map(ast.unparse, node.args)
            return ast.parse(f"{numerator} * (1.0 / {s})", mode="eval").body
        return node.args[0] if called == "finite" else node


def test_the_kernel_that_07_ends_with_is_the_package_s_but_for_three_things():
    notebook = next(path for path in NOTEBOOKS if path.stem.startswith("07"))
    shown = next(cell.source for cell in code_cells(read(notebook)) if "def final_kernel" in cell.source)
    held = Plain().visit(ast.parse(inspect.getsource(ragged_kernel.fn)))
    held.body[0].name = "final_kernel"
    assert ast.unparse(held) == ast.unparse(ast.parse(shown))


def test_what_changed_is_what_comes_and_what_goes():
    told = str(explorers.what_changed(steps.wide_kernel, steps.hint_kernel)).splitlines()
    assert [line for line in told if line[0] == "+"] and all(
        "eviction_policy" in each for each in told if each[0] == "+"
    )
    assert not [line for line in told if "#" in line or line.strip() == "pieces = ()"]
    assert not explorers.what_changed(steps.wide_kernel, steps.wide_kernel).lines
    without = explorers.what_changed(steps.wide_kernel, steps.hint_kernel, off=("HINT",)).lines
    assert not [line for line in without if "HINT" in line]

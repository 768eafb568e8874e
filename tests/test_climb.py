"""The steps up from a plain tile: each is right, compiles, is at most so long, and the recorder takes them all."""

import pytest
import torch

from course_utils.backend import device
from course_utils.compiler import compile_for
from course_utils.measurements import climb
from course_utils.softmax import steps
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
    x = torch.randn(n_rows, n_cols, generator=torch.Generator().manual_seed(n_cols)).to(device, dtype)
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

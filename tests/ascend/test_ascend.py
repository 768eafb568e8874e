"""What triton-ascend makes of the course's kernels on a machine with no NPU: it runs them, and it lowers them to linalg."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from course import ROOT

from course_utils import backend, compiler, hardware, machine, softmax
from course_utils.backend import tl, triton
from course_utils.measurements.bench import recording
from course_utils.softmax.npu import choose_on_npu


def test_this_is_triton_ascend_alone():
    assert sorted(triton.backends.backends) == ["ascend"] and backend.mode == "interpreter"
    facts = machine.facts()
    assert facts["triton"] == triton.__version__ and not any("triton" in text.en for text in facts["problems"])


# --- The interpreter --------------------------------------------------------------------------------------------------------


SHAPES = [(5, 20), (3, 781), (2, 2048)]
WIDE = [(1, 12000), (1, 33000)]  # a row in pieces, and one in two launches


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize(
    ("function", "shape"),
    [(name, shape) for name in ("row_softmax", "grid_stride_softmax", "softmax") for shape in SHAPES]
    + [("softmax", shape) for shape in WIDE],
)
def test_the_softmaxes(function, shape, dtype):
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0)).to(dtype)
    expected = torch.softmax(x.float(), 1)
    tolerance = {torch.float32: 2e-5, torch.float16: 2**-10, torch.bfloat16: 2**-6}[dtype]
    torch.testing.assert_close(getattr(softmax, function)(x).float(), expected, rtol=tolerance, atol=1e-6)


@triton.jit
def numbers_its_stages(y_ptr, num_stages: tl.constexpr):
    tl.store(y_ptr, num_stages)


def test_an_argument_named_num_stages_is_dropped():
    """It is taken for a launch option; so no kernel of the course has one."""
    with pytest.raises(TypeError, match="missing.*num_stages"):
        numbers_its_stages[(1,)](torch.zeros(1), num_stages=2)


def test_launch_options_for_gpus_are_taken_but_not_all():
    """num_warps changes nothing unless it compiles for threads, which no kernel asks for; maxnreg would be an error."""
    target = triton.backends.compiler.GPUTarget("npu", "Ascend910B", 0)
    ascend = triton.backends.backends["ascend"].compiler(target)
    options = ascend.parse_options({"num_warps": 8, "maxnreg": 80})
    assert options.num_warps == 8 and not options.force_simt_only and not hasattr(options, "maxnreg")


@triton.jit
def store_one(y_ptr, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(y_ptr + lanes, lanes + 1, mask=lanes < n)


def test_a_mask_of_one_lane_is_not_obeyed():
    """An error of this interpreter: `if not mask` asks a mask of one lane for its value. So test_traffic leaves out such blocks."""
    for block, expected in ((1, [1, 0]), (2, [0, 0])):
        y = torch.zeros(2, dtype=torch.int32)
        store_one[(1,)](y, 0, BLOCK=block)
        assert y.tolist() == expected


# --- The compiler -----------------------------------------------------------------------------------------------------------

LOWERED = {"row_kernel", "grid_stride_kernel", "blocked_kernel", "three_pass_kernel", "two_pass_kernel"}
LOWERED |= {"backward_kernel", "backward_blocked_kernel", "fused_row_kernel"}
EARLY = {"rows_kernel", "team_kernel", "parts_kernel", "finish_kernel"}
EARLY |= {"backward_rows_kernel", "backward_team_kernel", "loss_kernel", "loss_backward_kernel"}


@pytest.fixture(scope="module")
def lowered():
    environment = {**os.environ, "COURSE_BACKEND": "npu", "TRITON_INTERPRET": "0"}
    command = [sys.executable, str(Path(__file__).with_name("lower.py"))]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_kernel_was_tried(lowered):
    assert set(lowered) == LOWERED | EARLY
    assert set(lowered) >= {name for name in vars(softmax) if name.endswith("_kernel")}


def test_what_an_npu_gets_is_lowered():
    chosen = {choose_on_npu(columns, npu)[0].__name__ for npu in hardware.NPUS for columns in (1, 1000, 10**6)}
    assert chosen == {"grid_stride_kernel", "blocked_kernel"} and chosen < LOWERED


@pytest.mark.parametrize("name", sorted(LOWERED))
def test_lowers_to_linalg_and_stops_for_want_of_the_toolkit(lowered, name):
    """What an NPU runs is among these. The next step is Huawei's own compiler, bishengir, which comes with CANN and on no index."""
    texts, error = lowered[name]["texts"], lowered[name]["error"]
    assert f"tt.func public @{name}" in texts["ttir"]
    linalg = texts["ttadapter"]
    assert f"func.func @{name}" in linalg and 'mix_mode = "aiv"' in linalg
    assert "linalg.reduce" in linalg
    assert "tt.load" not in linalg and "memref.copy" in linalg
    if os.environ.get("ASCEND_HOME_PATH"):
        assert not error, "with the toolkit it goes all the way"
    else:
        assert "[ConvertLinalgRToBinary]" in error and "ASCEND_HOME_PATH is not set" in error


def test_the_linalg_that_A1_shows_is_what_it_lowers_to(lowered):
    shown = (recording.FOLDER / "ascend910b-row_kernel.mlir").read_text()
    assert shown.partition("\n")[2] == lowered["row_kernel"]["texts"]["ttadapter"]


@pytest.mark.parametrize("name", sorted(EARLY))
def test_kernels_that_may_start_early_stop_there(lowered, name):
    """The compiler of triton-ascend 3.2 has no `tl.extra.cuda`, called or not; nor does it know the tuples that most keep a row in.

    When a later one does, this fails, and `softmax.npu` has more to choose from.
    """
    assert not lowered[name]["texts"] and "'triton.language.extra' has no attribute 'cuda'" in lowered[name]["error"]


def test_what_it_cannot_compile_for_is_said():
    with pytest.raises(LookupError, match="没有 nvidia 后端(.|\n)*cannot compile for H200"):
        compiler.compile_for(softmax.row_kernel, "H200", torch.float32, torch.float32, 8, 8, 8, BLOCK_SIZE=8)

"""What the compiler reads of a kernel, for GPUs that are not here, against Triton asked by hand and against real launches."""

import sys

import pytest
import torch
from kernels import kernel_from

from course_utils import backend, worker
from course_utils.backend import tl, triton
from course_utils.compiler import Pointer, compile_for
from course_utils.hardware import CHIPS

FP32 = Pointer("float32")
TRITON = tuple(map(int, triton.__version__.split(".")[:2]))


@triton.jit
def softmax(y_ptr, x_ptr, stride, n_cols, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n_cols
    start = tl.program_id(0) * stride
    x = tl.load(x_ptr + start + offsets, mask=mask, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + start + offsets, e / tl.sum(e, axis=0), mask=mask)


@pytest.mark.parametrize("chip", [name for name, chip in CHIPS.items() if chip.target[0] == "cuda"])
def test_every_nvidia_chip_of_the_table_compiles(chip, capfd):
    needs = compile_for(softmax, chip, FP32, FP32, 784, 781, BLOCK=1024, num_warps=4)
    _, arch, warp_size = CHIPS[chip].target
    assert needs.device.chip == chip and needs.name == "softmax"
    assert (needs.num_warps, needs.warp_size, needs.threads) == (4, warp_size, 4 * warp_size)
    assert 8 <= needs.registers <= 128 and needs.spills == 0
    assert 0 < needs.shared <= 1024, "four warps exchange their maxima and sums"
    assert f".target sm_{arch}" in needs.text("ptx") and needs.compilers_waves is None
    assert capfd.readouterr() == ("", "")


def by_hand(kernel, attributes):
    """The same kernel, compiled with a signature and attributes written out, in the worker."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    types = {"y_ptr": "*fp32", "x_ptr": "*fp32", "stride": "i32", "n_cols": "i32", "BLOCK": "constexpr"}
    source = ASTSource(kernel, types, {"BLOCK": 1024}, {(i,): [["tt.divisibility", 16]] for i in attributes})
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})
    return compiled.asm["ptx"], compiled.metadata.shared


@pytest.mark.parametrize(
    ("arguments", "divisible"),
    [((FP32, FP32, 784, 781), (0, 1, 2)), ((FP32, FP32, 781, 781), (0, 1)), ((FP32, FP32, 784, 784), (0, 1, 2, 3)),
     ((Pointer("float32", aligned=False), FP32, 784, 784), (1, 2, 3))],
)  # fmt: skip
def test_specialised_as_a_launch_would(arguments, divisible):
    needs = compile_for(softmax, "H200", *arguments, BLOCK=1024, num_warps=4)
    assert (needs.text("ptx"), needs.shared) == worker.run(by_hand, softmax, divisible, mode="compile", seconds=60)


def test_one_is_a_constant():
    needs = compile_for(softmax, "H200", FP32, FP32, 1, 784, BLOCK=1024, num_warps=4)
    with_stride = compile_for(softmax, "H200", FP32, FP32, 784, 784, BLOCK=1024, num_warps=4)
    assert "stride" not in needs.parameters
    assert with_stride.parameters["stride"] == "i32", "784 stays an argument"
    assert compile_for(softmax, "H200", FP32, FP32, 2**31, 784, BLOCK=1024, num_warps=4).parameters["stride"] == "i64"


def test_kernels_of_cells_are_told_apart_by_their_source_and_globals():
    source = """
        SCALE = tl.constexpr({scale})

        @triton.jit
        def scaled(x):
            return x * SCALE

        @triton.jit
        def kernel(x_ptr):
            tl.store(x_ptr, scaled(tl.load(x_ptr)))
    """
    ptx = [compile_for(kernel_from(source.format(scale=scale)), "H200", FP32).text("ptx") for scale in (3.0, 5.0)]
    assert "40400000" in ptx[0].lower() and "40a00000" in ptx[1].lower(), "3.0 and 5.0 in hexadecimal"


@pytest.mark.parametrize(
    ("options", "said", "code"),
    [
        ({"BLOCK": 1000}, "power of 2", "offsets = tl.arange(0, BLOCK)"),
        ({"BLOCK": 1024, "num_wraps": 4}, "num_wraps", ""),
        ({}, "BLOCK", ""),
    ],
)
def test_a_kernel_that_does_not_compile_says_why(options, said, code):
    with pytest.raises(worker.WorkerError, match=said) as caught:
        compile_for(softmax, "H200", FP32, FP32, 784, 784, **options)
    assert caught.value.code == code


@pytest.mark.skipif(TRITON < (3, 9), reason="this Triton imports torch to look at an argument")
@pytest.mark.parametrize("chip", ["sm_90", "gfx942"])
def test_compiling_needs_no_torch(chip):
    def compile_and_look(kernel, target, pointer):
        from course_utils.compiler.internals import compile_kernel

        compile_kernel(kernel, target, (pointer, pointer, 784, 784), {"BLOCK": 256})
        return "torch" in sys.modules

    assert not worker.run(compile_and_look, softmax, CHIPS[chip].target, FP32, mode="compile", seconds=60)


@pytest.mark.skipif(backend.mode != "cuda", reason="needs an NVIDIA GPU")
@pytest.mark.parametrize("n", [781, 784, 1])
def test_equals_what_a_real_launch_runs(n):
    from course_utils import hardware

    x = torch.empty(4, n, device="cuda")
    real = softmax.warmup(x, x, n, n, BLOCK=1024, num_warps=8, grid=(1,))
    real._init_handles()
    needs = compile_for(softmax, hardware.here(), x, x, n, n, BLOCK=1024, num_warps=8)
    assert (needs.registers, needs.shared, needs.spills) == (real.n_regs, real.metadata.shared, real.n_spills)
    assert needs.text("ptx") == real.asm["ptx"]

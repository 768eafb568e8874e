"""An exchange of pairs, made in four ways: whichever way, everybody learns what all the pairs of a row make."""

import pytest
import torch

from course_utils.backend import device
from course_utils.compiler import Pointer, compile_for
from course_utils.measurements import exchange as ways
from course_utils.races import run_together

HERE = {"device": device}
FLAGS, WORDS = {"dtype": torch.int32, **HERE}, {"dtype": torch.int64, **HERE}


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_everybody_learns_the_merged_pair(rounds):
    x = torch.randn(2, 8, generator=torch.Generator().manual_seed(rounds)).to(device)
    flat, pairs = x.view(-1), torch.empty(2, 16, 2, **HERE)
    ways.tell_kernel[(16,)](pairs[0], flat)
    for k in range(rounds):
        ways.next_kernel[(16,)](pairs[(k + 1) % 2], pairs[k % 2], TEAM=8, EARLY=False)
    ways.agree("two kernels", pairs[rounds % 2], x)
    by_letters, by_barrier = torch.empty(16, **HERE), torch.empty(16, **HERE)
    sizes = {"TEAM": 8, "WARPS": 4, "PATIENCE": 64}
    run_together(ways.mailbox_kernel, (16,), by_letters, torch.zeros(rounds, 16, **WORDS), flat, rounds, **sizes)
    ways.agree("mailbox", by_letters, x)
    run_together(
        ways.barrier_kernel,
        (16,),
        by_barrier,
        torch.empty(2, 16, 2, **HERE),
        torch.zeros(1, **FLAGS),
        flat,
        rounds,
        TEAM=8,
    )
    ways.agree("grid barrier", by_barrier, x)


def test_they_compile_for_the_gpu_that_they_are_recorded_on():
    f, words, flags = Pointer("float32"), Pointer("int64"), Pointer("int32")
    compile_for(ways.mailbox_kernel, "H100", f, words, f, 33, TEAM=32, WARPS=4, PATIENCE=64, num_warps=4)
    compile_for(ways.barrier_kernel, "H100", f, f, flags, f, 33, TEAM=32, num_warps=4, launch_cooperative_grid=True)
    compile_for(ways.next_kernel, "H100", f, f, TEAM=32, EARLY=True, num_warps=4, launch_pdl=True)

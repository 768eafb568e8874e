"""Pipelines: the pictures, what the exercise of stages claims against real compilations, wide loops."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils.backend import triton
from course_utils.compiler import compile_for
from course_utils.figures.schedules import pipeline_schedule
from course_utils.softmax import grid_stride_kernel


def staged_bytes(n_cols: int, itemsize: int, stages: int) -> int:
    """Shared memory of the pipelined kernel with 8 warps: one row fewer than stages, and a float32 of each warp."""
    return (stages - 1) * triton.next_power_of_2(n_cols) * itemsize + 4 * 8


# ---- the pictures


@settings(max_examples=60)
@given(rows=st.integers(1, 30), stages=st.integers(1, 8), load=st.floats(0.1, 9), compute=st.floats(0.1, 9))
def test_a_pipeline_keeps_its_promises(rows, stages, load, compute):
    plan = pipeline_schedule(rows, stages, load, compute)
    for before, after in zip(plan, plan[1:]):
        assert after.begun >= before.ended, "one row is computed at a time"
    for k, turn in enumerate(plan):
        assert turn.begun >= turn.arrived == turn.issued + load
        on_their_way = [other for other in plan if other.issued < turn.begun < other.ended and other.row > turn.row]
        assert len(on_their_way) <= max(stages - 2, 0), "no copy is issued before a slot is free"
        if k >= stages >= 2:
            assert turn.issued == plan[k - (stages - 1)].ended
    # Past its start, a row takes as long as computing does, or as its share of a trip to memory and back.
    period = max(compute, (load + compute) / max(stages - 1, 1))
    assert plan[-1].ended <= load + compute + period * (rows - 1) + load * (stages > 1) + 1e-6


# ---- what the notebook says of compiled kernels


@pytest.mark.parametrize(
    ("n_cols", "dtype", "itemsize"), [(781, "float32", 4), (4096, "bfloat16", 2), (16384, "float32", 4)]
)
@pytest.mark.parametrize("stages", [1, 2, 3, 4])
def test_staged_bytes_are_what_the_compiler_asks_for(n_cols, dtype, itemsize, stages):
    from course_utils.compiler import Pointer

    needs = compile_for(
        grid_stride_kernel, "H200", Pointer(dtype), Pointer(dtype), n_cols, n_cols, 4096, n_cols,
        BLOCK_SIZE=triton.next_power_of_2(n_cols), STAGES=stages, num_warps=8,
    )  # fmt: skip
    assert needs.shared == staged_bytes(n_cols, itemsize, stages)


# ---- loops count in the type of their bounds, in the interpreter as on a GPU


@given(stages=st.integers(2, 9), load=st.integers(1, 20), compute=st.integers(1, 20))
def test_computing_never_pauses_from_two_stages_and_load_over_compute_on(stages, load, compute):
    plan = pipeline_schedule(12, stages, load, compute)
    pauses = any(after.begun > before.ended for before, after in zip(plan, plan[1:]))
    assert pauses == (stages < 2 + load / compute)

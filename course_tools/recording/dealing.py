"""Measures how rows are dealt out: when every SM is done, and the time beforehand, on demand, and with a program a row.

Two ways between "grid stride" and "counter" tell what the counter costs: "zeroing" deals rows out beforehand, after setting a
counter to zero that nobody asks; "lone counter" too, but every program asks a counter of its own before each row.
"""

from collections import defaultdict
from statistics import mean

import torch

from course_utils import hardware, occupancy
from course_utils.backend import tl, triton
from course_utils.compiler import compile_for
from course_utils.softmax import grid_stride_kernel, row_kernel
from course_utils.softmax.counter import counter_kernel
from course_utils.timing.dealing import FINISHES, SHAPES, Dealt, Finish
from course_utils.timing.stopwatch import flush_for, inputs_for, measure

from .launches import warps_for

RUNS, SECONDS = 15, 0.2
NUM_WARPS = 8  # where it is noted when programs are done
COUNTER_STRIDE = tl.constexpr(32)  # 128 B: no two counters share a cache line


@triton.jit
def lone_counter_kernel(y_ptr, x_ptr, counters_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr):
    """The counter kernel where every program asks a counter of its own: it waits for the answer, but in no crowd."""
    counters_ptr += COUNTER_STRIDE * tl.program_id(0)
    before = tl.atomic_add(counters_ptr, 0, sem="relaxed")
    columns = tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    row = tl.program_id(0).to(tl.int64)
    while row < n_rows:
        x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
        taken = tl.atomic_add(counters_ptr, 1, sem="relaxed") - before
        numerator = tl.exp(x - tl.max(x, axis=0))
        y = numerator / tl.sum(numerator, axis=0)
        tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
        row = (tl.program_id(0) + tl.num_programs(0) * (1 + taken)).to(tl.int64)


@triton.jit
def clocked_kernel(
    y_ptr, x_ptr, marks_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr, STAGES: tl.constexpr
):
    """The grid-stride kernel; each program notes when it began, when it was done, and on which SM."""
    marks_ptr += 3 * tl.program_id(0)
    tl.store(marks_ptr, tl.extra.cuda.globaltimer())
    columns = tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    for row in tl.range(tl.program_id(0).to(tl.int64), n_rows, tl.num_programs(0), num_stages=STAGES):
        x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
        numerator = tl.exp(x - tl.max(x, axis=0))
        y = numerator / tl.sum(numerator, axis=0)
        tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
    tl.store(marks_ptr + 1, tl.extra.cuda.globaltimer())
    tl.store(marks_ptr + 2, tl.extra.cuda.smid().to(tl.int64))


def measure_finishes():
    """Of every launch the run of median length, each after the cache was emptied by writing."""
    for case in FINISHES:
        n_rows, n_cols, stages, programs = case
        x = torch.randn(n_rows, n_cols, device="cuda")
        y, grid = torch.empty_like(x), programs * hardware.here().multiprocessors
        marks = torch.zeros(grid, 3, dtype=torch.int64, device="cuda")
        constants = {"BLOCK_SIZE": triton.next_power_of_2(n_cols), "STAGES": stages, "num_warps": NUM_WARPS}
        runs = []
        for _ in range(RUNS):
            flush_for(x.device).zero_()
            clocked_kernel[(grid,)](y, x, marks, n_cols, n_cols, n_rows, n_cols, **constants)
            runs.append(marks.tolist())
        assert torch.allclose(y, torch.softmax(x, 1), atol=1e-6)
        yield from _by_sm(case, sorted(runs[1:], key=_length)[len(runs) // 2])


def _length(run) -> int:
    return max(end for _, end, _ in run) - min(begin for begin, _, _ in run)


def _by_sm(case, run):
    start, ends = min(begin for begin, _, _ in run), defaultdict(list)
    for _, end, sm in run:
        ends[sm].append((end - start) / 1e3)
    for sm, us in sorted(ends.items()):
        yield Finish(*case, sm, *(round(found(us), 2) for found in (min, mean, max)))


def measure_dealing():
    for n_rows, n_cols in SHAPES:
        inputs = inputs_for(n_rows, n_cols, torch.float32, "cuda")
        for num_warps in warps_for(n_cols):
            for who, launch, programs in _ways(inputs[0], num_warps):
                assert torch.allclose(launch(inputs[0]), torch.softmax(inputs[0], 1), atol=1e-6)
                timing = measure(launch, inputs, SECONDS)
                times = (round(seconds * 1e6, 3) for seconds in (timing.median, timing.low, timing.high))
                yield Dealt(who, n_rows, n_cols, num_warps, programs, *times)


def _ways(x, num_warps: int):
    n_rows, n_cols = x.shape
    sizes = n_cols, n_cols, n_rows, n_cols
    block = {"BLOCK_SIZE": triton.next_power_of_2(n_cols), "num_warps": num_warps}

    def fits(kernel, *arguments, **more):
        return occupancy.of(compile_for(kernel, hardware.here(), x, x, *arguments, *sizes, **block, **more))

    def row(x):
        y = torch.empty_like(x)
        row_kernel[(n_rows,)](y, x, n_cols, n_cols, n_cols, **block)
        return y

    beforehand = fits(grid_stride_kernel, STAGES=1)
    on_demand = fits(counter_kernel, torch.int32)

    def grid_stride(x):
        y = torch.empty_like(x)
        grid_stride_kernel[(beforehand.launch(n_rows),)](y, x, *sizes, STAGES=1, **block)
        return y

    def zeroing(x):
        torch.zeros(1, dtype=torch.int32, device=x.device)
        return grid_stride(x)

    def counter(x):
        y, taken = torch.empty_like(x), torch.zeros(1, dtype=torch.int32, device=x.device)
        counter_kernel[(on_demand.launch(n_rows),)](y, x, taken, *sizes, **block)
        return y

    counters = torch.zeros(COUNTER_STRIDE.value * on_demand.launch(n_rows), dtype=torch.int32, device=x.device)

    def lone_counter(x):
        y = torch.empty_like(x)
        lone_counter_kernel[(on_demand.launch(n_rows),)](y, x, counters, *sizes, **block)
        return y

    yield "row", row, 0
    yield "grid stride", grid_stride, beforehand.programs
    yield "zeroing", zeroing, beforehand.programs
    yield "lone counter", lone_counter, on_demand.programs
    yield "counter", counter, on_demand.programs

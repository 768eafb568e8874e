"""Measures the steps from the row kernel to `softmax`: every shape in rounds, the steps of a round in random order."""

import ctypes
import random
import statistics
import time

import torch

from course_utils.softmax import softmax
from course_utils.softmax.choose import WIDEST, Shape, gpu_of
from course_utils.softmax.ladder import STEPS, launch_on, same_launches
from course_utils.timing.floors import copy
from course_utils.timing.ladder import BESIDE, COLUMNS, DTYPES, ROWS, Rung
from course_utils.timing.stopwatch import inputs_for, measure

from .ahead import compile_ahead
from .occupancy import driver

ROUNDS, SECONDS = 3, 0.01
LIMIT = 75  # seconds, after which no further round is begun
STATES = ("sustained", "hot", "dirty")
DIRTY = {"copy", "wide", "hints", "softmax"}  # that state is shown for the hints alone
REGISTERS, LOCAL_BYTES = 4, 3  # CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES


def measure_ladder():
    cases = [(dtype, n) for n in reversed(COLUMNS) for dtype in DTYPES if n <= WIDEST[getattr(torch, dtype).itemsize]]
    begun = time.monotonic()
    compile_ahead(_compile, [(*case, step) for case in cases for step in STEPS])
    print(f"compiled, {time.monotonic() - begun:.0f} s", flush=True)
    begun, takes, times = time.monotonic(), {}, {}
    for count in range(ROUNDS):
        if count and time.monotonic() - begun > LIMIT * count / (count + 1):  # the next round would not end in time
            break
        for case in cases:
            _measure_case(*case, random.Random(count), takes, times)
    print(f"measured, {time.monotonic() - begun:.0f} s", flush=True)
    return sorted(_lines(takes, times), key=_place)


def _lines(takes, times):
    for (dtype, columns), first in takes.items():
        for name in (*BESIDE, *STEPS):
            same_as = first.get(name, (name, {}))
            for state in STATES:
                measured = times.get((dtype, columns, state, same_as[0]))
                if measured and (state != "dirty" or name in DIRTY):
                    numbers = (statistics.median(measured), min(measured), max(measured))
                    in_us = (round(seconds * 1e6, 3) for seconds in numbers)
                    yield Rung(dtype, columns, state, name, same_as[0], *in_us, len(measured), **same_as[1])


def _place(rung: Rung) -> tuple:
    order = (*BESIDE, *STEPS)
    return DTYPES.index(rung.dtype), rung.columns, STATES.index(rung.state), order.index(rung.step)


def _measure_case(dtype: str, columns: int, rng, takes: dict, times: dict) -> None:
    inputs = inputs_for(ROWS, columns, getattr(torch, dtype), "cuda")
    first = same_launches(shape_of(inputs[0]), gpu_of(inputs[0].device))
    if (dtype, columns) not in takes:
        needs = {step: _needs(step, inputs[0]) for step in dict.fromkeys(first.values())}
        takes[dtype, columns] = {step: (same_as, needs[same_as]) for step, same_as in first.items()}
    names = [*BESIDE, *dict.fromkeys(first.values())]
    rng.shuffle(names)
    wanted_dirty = {first.get(name, name) for name in DIRTY}
    for name in names:
        function = _function(name, inputs[0])
        for state in STATES:
            if state != "dirty" or name in wanted_dirty:
                taken = measure(function, inputs, SECONDS, state).median
                times.setdefault((dtype, columns, state, name), []).append(taken)
    del inputs
    torch.cuda.empty_cache()


def shape_of(x) -> Shape:
    return Shape(*x.shape, x.element_size(), x.stride(0), on_grid=True)


def _function(name: str, x):
    return {"copy": copy, "softmax": softmax}[name] if name in BESIDE else step_function(name, x)


def step_function(step: str, x):
    launch = launch_on(step, torch.empty_like(x), x)

    def run(x):
        y = torch.empty_like(x)
        run_launch(launch, y, x)
        return y

    return run


def run_launch(launch, y, x):
    return launch.kernel[(launch.programs,)](y, x, *launch.sizes, **launch.constants, **launch.options)


def _needs(step: str, x) -> dict:
    """What a step takes of the GPU, asked of the driver."""
    y = torch.empty_like(x)
    launch = launch_on(step, y, x)
    compiled = run_launch(launch, y, x)
    function, shared = ctypes.c_void_p(compiled.function), compiled.metadata.shared
    warps = launch.options.get("num_warps", 4)
    at_once = ctypes.c_int()
    count = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
    driver(count, ctypes.byref(at_once), function, 32 * warps, ctypes.c_size_t(shared))
    return {
        "programs": launch.programs,
        "warps": warps,
        "registers": _attribute(function, REGISTERS),
        "spills": _attribute(function, LOCAL_BYTES) // 4,
        "shared": shared,
        "barriers": compiled.asm["ptx"].count("bar.sync"),
        "at_once": at_once.value,
    }


def _attribute(function, which: int) -> int:
    value = ctypes.c_int()
    driver("cuFuncGetAttribute", ctypes.byref(value), which, function)
    return value.value


def _compile(job) -> None:
    dtype, columns, step = job
    x = torch.zeros(ROWS, columns, dtype=getattr(torch, dtype), device="cuda")
    y = torch.empty_like(x)
    run_launch(launch_on(step, y, x), y, x)
    torch.cuda.synchronize()

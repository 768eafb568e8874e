"""Measures what a hint to the cache means for the kernel that comes next: softmax and one more, both in one graph."""

import random
import statistics
from dataclasses import replace

import torch

from course_utils.softmax.choose import gpu_of, launch_for
from course_utils.timing.after import CASES, HINTS, READ_NEXT, ROWS, After
from course_utils.timing.floors import read
from course_utils.timing.stopwatch import inputs_for, measure

from .ladder import run_launch, shape_of

ROUNDS = 3


def measure_after():
    for dtype, columns in CASES:
        inputs = inputs_for(ROWS, columns, getattr(torch, dtype), "cuda")
        functions = {(hint, what): _function(hint, what, inputs[0]) for hint in HINTS for what in READ_NEXT}
        times = {}
        for count in range(ROUNDS):
            for key in random.Random(count).sample(sorted(functions), len(functions)):
                times.setdefault(key, []).append(measure(functions[key], inputs, state="sustained").median * 1e6)
        for (hint, what), measured in times.items():
            numbers = (round(f(measured), 3) for f in (statistics.median, min, max))
            yield After(dtype, columns, hint, what, *numbers)
        del inputs, functions
        torch.cuda.empty_cache()


def _function(hint: str, what: str, x):
    launch = launch_for(shape_of(x), gpu_of(x.device))
    launch = replace(launch, constants=launch.constants | {"HINT": hint})
    third = torch.randn(x.shape, device=x.device).to(x.dtype)

    def run(x):
        y = torch.empty_like(x)
        run_launch(launch, y, x)
        # the third matrix is always the same one, as weights are
        next_in = {"its result": y, "its input": x, "a third matrix": third}.get(what)
        return y, next_in if next_in is None else read(next_in)

    return run

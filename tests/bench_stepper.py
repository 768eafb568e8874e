"""How fast the stepper moves: in Python alone, and in JupyterLab from a key pressed to the new picture. `make bench`."""

import time

import pytest
import torch
from bench_explorers import _TIMED_PRESS, report
from kernels import softmax_rows
from test_browser_stepper import opened  # noqa: F401  the notebook open in a browser

from course_utils.stepper import step


@pytest.mark.parametrize(("n_cols", "block"), [(5, 8), (13, 16), (781, 1024)])
def test_move_in_python(n_cols, block):
    x = torch.randn(16, n_cols)
    steps = step(softmax_rows, (4,), 0, torch.zeros_like(x), x, n_cols, n_cols, 16, n_cols, BLOCK=block)
    slider = steps.widget().children[0].children[3]
    times = []
    for index in [*range(1, len(steps)), 0]:
        begin = time.perf_counter()
        slider.value = index
        times.append(time.perf_counter() - begin)
    report(f"stepper N = {n_cols}", "Python", times)


def test_move_in_the_browser(opened):  # noqa: F811
    view = opened.page.locator(".widget-html", has=opened.page.locator(".course-step")).element_handle()
    opened.page.locator(".noUi-handle").first.focus()
    keys = ["ArrowRight", "ArrowLeft"] * 12
    report("stepper", "JupyterLab", [opened.page.evaluate(_TIMED_PRESS, [view, key]) / 1000 for key in keys])

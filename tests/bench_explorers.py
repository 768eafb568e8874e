"""How fast the explorers redraw: in Python alone, and in JupyterLab from a key pressed to the new picture. `make bench`.

The promise is 150 ms a move; the medians are printed, and held to it.
"""

import statistics
import time

import pytest
from test_browser_explorers import NAMES, cell_of, opened  # noqa: F401  the notebook open in a browser
from test_explorers import EXPLORERS, start

LIMIT = 0.150

# After a press: the time until the picture is another one and the browser has painted it.
_TIMED_PRESS = """([area, key]) => new Promise(done => {
    const begin = performance.now();
    new MutationObserver((_, watch) => {
        watch.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
    }).observe(area, {childList: true, subtree: true});
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
})"""


@pytest.mark.parametrize("name", NAMES)
def test_redraw_in_python(name):
    explorer = start(name)
    times = []
    for control, value in EXPLORERS[name].items():
        first = explorer.controls[control].value
        for target in (value, first) * 5:
            begin = time.perf_counter()
            explorer.controls[control].value = target
            times.append(time.perf_counter() - begin)
    report(name, "Python", times)


@pytest.mark.parametrize("name", NAMES)
def test_redraw_in_the_browser(opened, name):  # noqa: F811
    area = cell_of(opened, name)
    view = area.locator(".widget-html", has=opened.page.locator("svg")).last.element_handle()
    area.locator(".noUi-handle").first.focus()
    keys = ["ArrowRight", "ArrowLeft"] * 12
    times = [opened.page.evaluate(_TIMED_PRESS, [view, key]) / 1000 for key in keys]
    report(name, "JupyterLab", times)


def report(name, where, times):
    median = statistics.median(times)
    print(
        f"\n{name:22} {where:10} median {1000 * median:6.1f} ms   slowest {1000 * max(times):6.1f} ms   moves {len(times)}"
    )
    assert median < LIMIT

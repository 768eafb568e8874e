"""How fast the site is: the first paint of each page, and each move of each player on it. `make bench`.

The promise is 1 s to the first paint and 50 ms a move; a folder made before can be named, `SITE=site make bench`.
"""

import os
import statistics
from pathlib import Path

import pytest
from browser import CHROMIUM, FLAGS

from course_tools.site.build import build

FIRST_PAINT, MOVE = 1000, 50  # ms

_PAINT = "() => performance.getEntriesByType('paint').find(each => each.name === 'first-contentful-paint')?.startTime"
# From an input moved to the picture drawn: every other control and position in turn.
_MOVES = """async box => {
    const times = [];
    for (let k = 0; k < 24; k++) {
        const inputs = [...box.querySelectorAll('input[type=range]')];
        const input = inputs[k % inputs.length];
        input.value = (+input.value + 1) % (+input.max + 1);
        const done = new Promise(done => box.addEventListener('moved', done, {once: true}));
        const begin = performance.now();
        input.dispatchEvent(new Event('input'));
        await done;
        box.getBoundingClientRect();  // laid out
        times.push(performance.now() - begin);
        await new Promise(requestAnimationFrame);
    }
    return times;
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if made := os.environ.get("SITE"):
        return Path(made).resolve()
    folder = tmp_path_factory.mktemp("site") / "site"
    list(build(folder))
    return folder


def test_first_paint_and_moves(site):
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        slowest = 0
        for path in sorted(site.glob("*.html")):
            page = browser.new_page(viewport={"width": 390, "height": 844})
            page.goto(path.as_uri())
            page.wait_for_function(f"() => ({_PAINT})() !== undefined")
            paint = page.evaluate(_PAINT)
            found = []
            for player in page.locator(".player:is(.steps, .explorer)").all():
                player.scroll_into_view_if_needed()
                page.wait_for_timeout(300)  # nobody moves what he has not seen
                first, *rest = player.evaluate(_MOVES)
                found.append(f"{first:.0f}, then {statistics.median(rest):.0f} (slowest {max(rest):.0f})")
                slowest = max(slowest, first, statistics.median(rest))
            print(
                f"\n{path.name:32} {path.stat().st_size / 1e3:5.0f} kB  first paint {paint:4.0f} ms  moves, ms: {'; '.join(found) or '-'}"
            )
            assert paint < FIRST_PAINT
            page.close()
        browser.close()
    assert slowest < MOVE

"""A browser for whoever looks at a page; and Hypothesis is not to fail a test because the machine is busy."""

import pytest
from browser import CHROMIUM, FLAGS
from hypothesis import HealthCheck, settings

settings.register_profile("course", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("course")


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium here: apt install chromium")
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module", autouse=True)
def few_positions(request):
    """Filming every position of an explorer is most of making a page. The whole site films all."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.stem in ("test_player", "test_site", "test_live_page", "test_handout", "test_slides"):
            patch.setattr("course_tools.player.positions.ROOM", 40)
        yield

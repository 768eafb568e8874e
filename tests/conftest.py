"""A browser for whoever looks at a page; and Hypothesis is not to fail a test because the machine is busy."""

import pytest
from browser import CHROMIUM, DESK, FLAGS
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


@pytest.fixture
def opened(browser):
    """Opens a page as a file, with the network cut, for a visitor who has a browser profile; what it asks of other hosts, and
    what goes wrong in it, is a failure.
    """
    contexts, asked, errors = {}, [], []

    def open_(path, size=DESK, language="zh", who=None, query="", **more):
        who = who or len(contexts)  # nobody in particular has never been here before
        if who not in contexts:
            contexts[who] = browser.new_context(viewport=dict(zip(("width", "height"), size)), offline=True, **more)
        page = contexts[who].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{path.as_uri()}?lang={language}{query}")
        return page

    yield open_
    for context in contexts.values():
        context.close()
    assert not errors
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


@pytest.fixture(scope="module", autouse=True)
def few_positions(request):
    """Filming every position of an explorer is most of making a page. The whole site films all."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.stem in ("test_player", "test_site", "test_live_page", "test_handout", "test_slides"):
            patch.setattr("course_tools.player.positions.ROOM", 40)
        yield

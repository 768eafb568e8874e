"""The language is chosen once: it holds in every notebook, through Run All, a restart, a reload and reopening."""

import nbformat
import pytest
from browser import CHROMIUM, FLAGS, NEEDS_BROWSER, Notebook, lab

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = NEEDS_BROWSER

PROSE = '<div lang="zh">\n\n中文\n\n</div>', '<div lang="en">\n\nEnglish\n\n</div>'
START = "from course_utils import notebook\n\nnotebook.start()"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with lab(tmp_path_factory.mktemp("lab")) as (address, course):
        for name, first in {"small": "1", "class": "import os\n\nos.environ['COURSE_LANG'] = 'zh'"}.items():
            cells = [*map(nbformat.v4.new_markdown_cell, PROSE), *map(nbformat.v4.new_code_cell, (first, START))]
            spec = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
            nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=spec), course / "notebooks" / f"{name}.ipynb")
        yield address, course / "notebooks"


@pytest.fixture
def learner(server):
    """Opens notebooks in one browser, a new page for each."""
    address, folder = server
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 1200, "height": 900})
        yield lambda name: Notebook(context.new_page(), address, folder / f"{name}.ipynb")
        browser.close()


def shown(notebook) -> str:
    """The languages of the prose that can be seen, once they stay the same for a second."""
    look = """() => ['zh', 'en'].filter(lang => [...document.querySelectorAll(`.jp-Notebook .jp-MarkdownCell [lang=${lang}]`)]
        .some(e => e.getClientRects().length)).join(' ')"""
    seen, now = None, notebook.page.evaluate(look)
    while now != seen or not now:
        notebook.page.wait_for_timeout(1000)
        seen, now = now, notebook.page.evaluate(look)
    return now


def test_an_untouched_notebook_shows_no_dead_buttons(learner):
    opened = learner("00_start_here")
    opened.page.get_by_text("Run this cell (Shift+Enter) to choose a language.").wait_for()
    assert not opened.page.locator(".course-switch").first.is_visible() and shown(opened) == "zh en"


def test_one_choice_holds_everywhere(learner):
    first = learner("small")
    first.run_all()
    assert first.page.locator(".course-switch").is_visible() and shown(first) == "zh en"
    assert not first.page.locator(".course-switch-untrusted").is_visible()
    first.choose("en")
    assert shown(first) == "en"
    first.run_all()
    assert shown(first) == "en", "Run All set it back"
    first.menu("Kernel", "Restart Kernel…")
    first.page.locator(".jp-Dialog button.jp-mod-accept").click()
    first.page.wait_for_timeout(1000)
    first.run_all()
    assert shown(first) == "en", "a restart set it back"
    first.save()
    again = learner("small")
    assert shown(again) == "en", "reopening set it back"

    other = learner("01_naive_softmax")
    other.page.locator(".jp-CodeCell").first.click()
    other.page.keyboard.press("Shift+Enter")
    other.page.locator(".course-switch").first.wait_for()
    assert shown(other) == "en", "another notebook does not know of it"
    other.choose("zh")
    assert shown(other) == shown(first) == shown(again) == "zh", "another page of the browser does not follow"
    other.choose("both")
    assert shown(first) == "zh en"


def test_the_class_s_language_wins(learner):
    own = learner("small")
    own.run_all()
    own.choose("en")
    common = learner("class")
    common.run_all()
    assert shown(common) == "zh"
    common.choose("en")
    assert shown(common) == "en", "whoever asks for the other still gets it"

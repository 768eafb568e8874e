"""Each notebook as a learner meets it: opened in JupyterLab, run from top to bottom, read in three ways."""

import re
import shutil

import pytest
from axe import faults_of_what_is_visible
from browser import CHROMIUM, FLAGS, NEEDS_BROWSER, Notebook, lab
from course import NOTEBOOKS, ROOT

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with lab(tmp_path_factory.mktemp("lab")) as served:
        yield served


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


# All of them in the deep tests. Every notebook is run by nbval as well; these have whatever a browser shows.
FIRST = ("00", "03", "09")
EVERY = [
    pytest.param(path, id=path.stem, marks=[] if path.stem.startswith(FIRST) else pytest.mark.deep)
    for path in NOTEBOOKS
]


@pytest.fixture(params=EVERY)
def opened(request, browser, server):
    address, course = server
    page = browser.new_page(viewport={"width": 1400, "height": 2200})
    yield Notebook(page, address, course / request.param.relative_to(ROOT))
    page.close()


def test_a_notebook_in_the_browser(opened):
    opened.run_all()
    opened.answer_all()
    seen = opened.read_through()
    assert min(seen.values()) > 50, seen

    outputs = [output for cell in opened.save()["cells"] for output in cell.get("outputs", [])]
    assert outputs and not [output for output in outputs if output["output_type"] == "error"]
    assert not [output for output in outputs if output.get("name") == "stderr"]

    for hidden, chosen in (("en", "zh"), ("zh", "en")):
        opened.choose(chosen)
        seen = opened.read_through()
        assert seen[hidden] == 0 and seen[chosen] > 50, seen
    opened.choose("both")
    assert min(opened.read_through().values()) > 50

    # A picture carries its letters as outlines: no font of this machine can turn them into hollow boxes.
    for source in opened.page.evaluate(
        "() => [...document.querySelectorAll('.jp-OutputArea svg')].map(e => e.outerHTML)"
    ):
        for text in re.findall(r"<text[^>]*>(.*?)</text>", source, flags=re.S):
            assert not re.search("[\u4e00-\u9fff]", text), text
    assert not opened.errors


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def as_stored(request, browser, server):
    """Under a name of its own, else JupyterLab goes on with the kernel and the widgets of a test before."""
    address, course = server
    path = course / "notebooks" / f"stored_{request.param.name}"
    shutil.copy(request.param, path)
    page = browser.new_page(viewport={"width": 1400, "height": 2200})
    yield Notebook(page, address, path)
    page.close()


@pytest.mark.deep
def test_stored_outputs_are_accessible(as_stored):
    """What the course puts under its cells, in both themes; the rest is JupyterLab's, live controls ipywidgets'."""
    opened = as_stored
    for theme in ("Dark", "Light"):  # which it began with and leaves behind
        opened.menu("Settings", "Theme", f"JupyterLab {theme}")
        opened.page.wait_for_selector(f"body[data-jp-theme-light={str(theme == 'Light').lower()}]", state="attached")
        for _ in opened.screens():
            assert not faults_of_what_is_visible(opened.page, ".jp-Notebook .jp-OutputArea-output"), theme


def test_a_prediction_is_answered_after_the_choice(browser, server):
    address, course = server
    page = browser.new_page(viewport={"width": 1400, "height": 2200})
    opened = Notebook(page, address, course / "notebooks" / "01_naive_softmax.ipynb")
    opened.run_all()
    question = page.locator(".course-question").first
    question.scroll_into_view_if_needed()
    behind = page.locator(".course-behind").count()
    assert behind and "答案是" not in question.inner_text()
    question.get_by_role("button", name=re.compile("^D: ")).click()
    for answer in ("答案是 D", "the answer is D"):
        question.get_by_text(answer).first.wait_for()
    page.wait_for_function("before => document.querySelectorAll('.course-behind').length < before", arg=behind)
    page.close()

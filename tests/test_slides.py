"""The slides of every notebook, in both languages: a heading, one idea and one picture each, and all of it on the screen."""

import nbformat
import pytest
from axe import faults
from bs4 import BeautifulSoup
from course import NOTEBOOKS, code_cells, read, tags

from course_tools.handout import mark as marks
from course_tools.handout import slides, talk

FEW = [path for path in NOTEBOOKS if path.stem.startswith(("03", "07", "12"))]  # what differs in kind
EVERY = [pytest.param(path, id=path.stem, marks=[] if path in FEW else pytest.mark.deep) for path in NOTEBOOKS]


def slides_of(notebook) -> list[list]:
    """The visible cells of each slide."""
    found = []
    for cell in notebook.cells:
        kind = marks.kind_of(cell)
        if kind in ("slide", "subslide"):
            found.append([])
        if kind not in ("skip", "notes"):
            found[-1].append(cell)
    return found


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_heading_one_idea_one_picture(path, language):
    source, made = read(path), talk.talk(read(path), language)
    nbformat.validate(made)
    sections = sum(cell.source.startswith("#") and cell.cell_type == "markdown" for cell in source.cells)
    assert len(slides_of(made)) > sections
    for slide in slides_of(made):
        headings = [cell for cell in slide if marks.is_heading(cell)]
        assert headings == slide[:1], "a slide begins with its heading, and has no other"
        assert " · " not in headings[0].source
        assert sum(map(marks.shows_picture, slide)) <= 1 or sum(map(marks.picture_lines, slide)) <= marks.LINES
        assert not [cell for cell in slide if "answer" in tags(cell) or cell.source.startswith("check(")]
        asked = [k for k, cell in enumerate(slide) if cell.source.startswith("predict(")]
        hidden = [k for k, cell in enumerate(slide) if cell.metadata.get("jupyter", {}).get("outputs_hidden")]
        assert len(asked) <= 1
        for cell in [slide[k + 1] for k in asked if slide[k + 1 :]] + [slide[k] for k in hidden if k > 1]:
            assert marks.kind_of(cell) == "fragment", "a result comes on the next slide, or at a click"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_talk_loses_nothing_and_still_runs(path, language):
    """Code is that of the course, in its order; a text cut short on its slide is whole in the notes."""
    source, made = read(path), talk.talk(read(path), language)
    assert [cell.source for cell in code_cells(made)][1:] == [cell.source for cell in code_cells(source)][1:]
    said = {cell.source for cell in made.cells}
    for cell in source.cells:
        if language in tags(cell) and "switch" not in tags(cell):
            assert cell.source in said


def test_the_committed_slides(path):
    """What RISE and `nbconvert --to slides` read: a text's two languages together, headings first, nothing said of answers."""
    notebook = read(path)
    for cell, following in zip(notebook.cells, notebook.cells[1:]):
        if "zh" in tags(cell) and marks.kind_of(cell) != "skip":
            assert marks.kind_of(following) == "-", (
                f"the English of a text stays with its Chinese: {following.source[:60]}"
            )
    for cell in notebook.cells:
        assert marks.kind_of(cell) in {"slide", "subslide", "fragment", "skip", "notes", "-"}
        if marks.is_heading(cell):
            assert marks.kind_of(cell) in {"slide", "subslide"}, cell.source
        if "answer" in tags(cell) or cell.source.startswith("check("):
            assert marks.kind_of(cell) == "skip", cell.source[:60]


@pytest.mark.parametrize("path", EVERY)
def test_every_slide_fits_the_screen_and_needs_no_network(browser, path, tmp_path):
    names = {each.name for each in NOTEBOOKS}
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    for language in ("zh", "en") if path in FEW else ("en",):  # the longer of the two
        html = slides.write(path, tmp_path, language, names)[0]
        page.goto(html.as_uri())
        page.wait_for_selector(".slides section[data-fits]", state="attached")
        shown = page.evaluate(
            "[...document.querySelectorAll('.slides > section > section')].map(e =>"
            " ({fits: e.dataset.fits, scale: +e.dataset.scale, text: e.innerText.slice(0, 80),"
            " code: Math.min(99, ...[...e.querySelectorAll('pre:not(.course-step *)')].map(p => parseFloat(getComputedStyle(p).fontSize) * p.currentCSSZoom))}))"
        )
        soup = BeautifulSoup(html.read_text(), "html.parser")
        assert len(shown) == len(soup.select(".slides > section > section")) >= 8
        assert [one for one in shown if one["fits"] != "true" or one["code"] < 18] == [], (path, language)
        assert soup.html["lang"] == language
        page.keyboard.press("End")
        assert page.evaluate("Reveal.getProgress()") > 0
    assert not errors
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
    page.close()


def test_what_a_question_refers_to_stays_on_its_slide():
    asked = (
        "It is a new idea. It matters. "
        + "Words are added here. " * 30
        + "\n\nTake 3, 1, 4 and 5. Nobody knows the rest. Predict: what is the sum?"
    )
    assert "Take 3, 1, 4 and 5." in talk.shorten(asked, 3)
    assert "Take 3" in talk.shorten(asked.replace("rest. Predict", "rest.\n\nPredict"), 3), (
        "nor what the paragraph above it says"
    )


def accessible(browser, html, theme):
    """Slide after slide, as somebody in the last row sees it."""
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme=theme)
    page.goto(html.as_uri())
    page.wait_for_selector(".slides section[data-fits]", state="attached")
    assert faults(page) == [], (html.name, theme)
    for _ in range(page.locator(".slides > section > section").count() - 1):
        page.keyboard.press("Space")
        assert faults(page, within="section.present > section.present") == [], (html.name, theme, page.url)
    page.close()


def test_slides_are_accessible_and_play(browser, tmp_path):
    path = min(NOTEBOOKS)
    html = slides.write(path, tmp_path, "en", {path.name})[0]
    accessible(browser, html, "dark")
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(html.as_uri())
    page.wait_for_selector(".slides section[data-fits]", state="attached")
    while not page.locator("section.present .player.steps").is_visible():
        page.keyboard.press("Space")
    before = page.url
    slider = page.locator("section.present .player.steps input")
    slider.focus()
    slider.press("End")
    page.wait_for_function("() => /tl.store/.test(document.querySelector('.player.steps .now').textContent)")
    assert page.url == before, "the arrow keys moved the stepper, not the talk"
    letters = page.locator("section.present .course-step .src").evaluate(
        "e => parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom * Reveal.getScale()"
    )
    assert letters >= 13.5, letters
    slide = page.locator("section.present > section.present").bounding_box()
    for arrow in page.locator(".controls button:visible").all():
        box = arrow.bounding_box()
        assert box["x"] + box["width"] <= slide["x"] or box["x"] >= slide["x"] + slide["width"], "no arrow over text"
    page.goto(f"{html.as_uri()}?print-pdf")
    page.wait_for_selector('.pdf-page section[data-fits="true"]', state="attached")

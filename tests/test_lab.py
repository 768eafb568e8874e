"""What a learner meets in JupyterLab: notebooks run and read in three ways, the stepper, the explorers, the one choice of language."""

import re
import shutil

import nbformat
import pytest
from axe import faults_of_what_is_visible
from browser import NEEDS_BROWSER, Notebook, lab
from course import NOTEBOOKS, ROOT

from course_utils import explorers

pytestmark = NEEDS_BROWSER

FEW = ("explore_softmax", "explore_reduction", "explore_contest")  # every kind of control
STEPS = """import torch
from course_utils.backend import tl, triton
from course_utils.stepper import step
from course_utils.traffic import ledger

@triton.jit
def double(y_ptr, x_ptr, n_cols, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + tl.program_id(0) * n_cols + cols, mask=mask, other=-float("inf"))
    tl.store(y_ptr + tl.program_id(0) * n_cols + cols, x * 2, mask=mask)

x = torch.arange(10.0).reshape(2, 5)
with ledger() as book:
    double[(2,)](torch.empty_like(x), x.exp(), 5, BLOCK=8)
book"""
START = "from course_utils import notebook\n\nnotebook.start()"
PROSE = '<div lang="zh">\n\n中文\n\n</div>', '<div lang="en">\n\nEnglish\n\n</div>'


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with lab(tmp_path_factory.mktemp("lab")) as (address, course):
        yield address, course / "notebooks"


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1400, "height": 2200})
    yield page
    page.close()


def write(path, *cells):
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=list(cells), metadata={"kernelspec": kernel}), path)


# ---- the course's own


def some(*everyday, deep=()) -> list:
    """nbval runs every notebook, and every page of the site is looked at: here are those that differ in kind."""
    found = [path for path in NOTEBOOKS if path.stem.startswith((*everyday, *deep))]
    deep = [[] if path.stem.startswith(everyday) else [pytest.mark.deep] for path in found]
    return [pytest.param(path, id=path.stem, marks=marks) for path, marks in zip(found, deep)]


@pytest.mark.parametrize("path", some("00", deep=("03", "12")))
def test_a_notebook_is_run_answered_and_read(path, page, server):
    address, folder = server
    opened = Notebook(page, address, folder / path.name)
    opened.run_all()
    question = page.locator(".course-question").first
    assert "答案是" not in question.inner_text() and page.locator(".course-behind").count()
    opened.answer_all()
    assert "答案是" in question.inner_text() and "the answer is" in question.inner_text()

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
    for source in page.evaluate("() => [...document.querySelectorAll('.jp-OutputArea svg')].map(e => e.outerHTML)"):
        for text in re.findall(r"<text[^>]*>(.*?)</text>", source, flags=re.S):
            assert not re.search("[\u4e00-\u9fff]", text), text
    assert not opened.errors


@pytest.mark.deep
@pytest.mark.parametrize("path", some(deep=("06",)))
def test_stored_outputs_are_accessible(path, page, server):
    """What the course puts under its cells, in both themes; the rest is JupyterLab's, live controls ipywidgets'."""
    address, folder = server
    copy = folder / f"stored_{path.name}"  # else JupyterLab goes on with the kernel and the widgets of a test before
    shutil.copy(ROOT / "notebooks" / path.name, copy)
    opened = Notebook(page, address, copy)
    for theme in ("Dark", "Light"):  # which it began with and leaves behind
        opened.menu("Settings", "Theme", f"JupyterLab {theme}")
        page.wait_for_selector(f"body[data-jp-theme-light={str(theme == 'Light').lower()}]", state="attached")
        for _ in opened.screens():
            assert not faults_of_what_is_visible(page, ".jp-Notebook .jp-OutputArea-output"), theme


# ---- explorers, stepper and ledger under a person's hand


@pytest.fixture(scope="module")
def opened(browser, server):
    """With the explorers' stills as stored outputs, as a reader of a fresh clone finds them."""
    address, folder = server
    cells = [nbformat.v4.new_code_cell(START)]
    for name in FEW:
        bundle = getattr(explorers, name)()._repr_mimebundle_()
        bundle.pop("application/vnd.jupyter.widget-view+json")
        output = nbformat.v4.new_output("execute_result", bundle, execution_count=1)
        cells.append(
            nbformat.v4.new_code_cell(f"from course_utils import explorers\nexplorers.{name}()", outputs=[output])
        )
    step = "step(double, (2,), 1, torch.zeros(2, 5), x, 5, BLOCK=8)"
    write(folder / "moved.ipynb", *cells, *map(nbformat.v4.new_code_cell, (STEPS, step)))
    page = browser.new_page(viewport={"width": 1300, "height": 1400})
    notebook = Notebook(page, address, folder / "moved.ipynb")
    page.wait_for_selector(".jp-OutputArea img")
    notebook.stills = page.evaluate(
        "() => [...document.querySelectorAll('.jp-OutputArea img')].map(e => e.naturalWidth)"
    )
    notebook.run_all()
    yield notebook
    page.close()
    assert not notebook.errors, notebook.errors


def output_of(opened, number):
    cell = opened.page.locator(".jp-CodeCell").nth(number)
    cell.scroll_into_view_if_needed()
    return cell.locator(".jp-OutputArea")


def explorer(opened, name):
    area = output_of(opened, 1 + FEW.index(name))
    area.locator("svg:visible").first.wait_for()
    return area


def picture(area):
    return area.locator("svg").first.evaluate("e => e.outerHTML")


def wait_for_another(opened, area, before):
    opened.page.wait_for_function(
        "([area, before]) => area.querySelector('svg').outerHTML !== before", arg=[area.element_handle(), before]
    )


def move(control):
    """As a hand would: one step of a slider, the next entry of a list, the other state of a box. Returns the way back."""
    kind = control.evaluate("e => e.type || 'slider'")
    if kind == "checkbox":
        control.click()
        return control.click
    if kind.startswith("select"):
        chosen = control.evaluate("e => e.selectedIndex")
        control.select_option(index=chosen + 1 if chosen == 0 else chosen - 1)
        return lambda: control.select_option(index=chosen)
    at_end = control.get_attribute("aria-valuenow") == control.get_attribute("aria-valuemax")
    keys = ("ArrowLeft", "ArrowRight") if at_end else ("ArrowRight", "ArrowLeft")
    control.focus()
    control.press(keys[0])
    return lambda: control.press(keys[1])


def test_the_stills_show_before_anything_is_run(opened):
    """JupyterLab trusts nothing in a fresh clone; it draws the cells that are in sight."""
    assert len(opened.stills) >= 2 and all(width > 300 for width in opened.stills)


@pytest.mark.parametrize("name", FEW)
def test_every_control_moves_the_picture(opened, name):
    area = explorer(opened, name)
    controls = area.locator(".noUi-handle, select, input[type=checkbox]")
    count = controls.count()
    assert count >= len(getattr(explorers, name)().controls)
    for index in range(count):
        before = picture(area)
        back = move(controls.nth(index))
        wait_for_another(opened, area, before)
        there = picture(area)
        back()  # so that every control is tried from the same start
        wait_for_another(opened, area, there)


def test_a_film_plays(opened):
    area = explorer(opened, "explore_reduction")
    slider = area.locator(".noUi-handle").last
    slider.focus()
    slider.press("Home")
    opened.page.wait_for_timeout(300)
    before = picture(area)
    area.locator(".widget-play button").first.click()
    wait_for_another(opened, area, before)


def where(opened) -> str:
    """The line that the stepper marks."""
    return output_of(opened, -1).locator(".course-step .now").inner_text().strip()


def wait_for(opened, text: str) -> None:
    opened.page.wait_for_function(
        "text => document.querySelector('.course-step .now').textContent.includes(text)", arg=text
    )


def test_the_stepper_moves_by_buttons_by_keys_and_by_itself(opened):
    area = output_of(opened, -1)
    assert "def double(" in where(opened)
    back, forth = (area.locator(f'button[title*="{name}"]') for name in ("previous", "next"))
    forth.click()
    wait_for(opened, "cols = ")
    forth.focus()
    opened.page.keyboard.press("Enter")
    wait_for(opened, "mask = ")
    area.locator(".noUi-handle").focus()
    opened.page.keyboard.press("ArrowRight")
    wait_for(opened, "tl.load(")
    assert area.locator("td.rd").count() == 5 and area.locator("td.pad.inf").count() == 3
    back.click()
    wait_for(opened, "mask = ")
    area.locator(".jupyter-widgets-play button, .widget-play button").first.click()
    wait_for(opened, "tl.store(")
    assert area.locator("td.wr").count() == 5


def test_nothing_is_wider_than_its_place(opened):
    for part in (".course-step", ".course-step .vars", ".course-ledger"):
        wide, place = opened.page.locator(part).first.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert wide <= place + 1, part
    clipped = "() => [...document.querySelectorAll('.course-step td')].filter(e => e.scrollWidth > e.clientWidth + 1)"
    assert opened.page.evaluate(f"{clipped}.length") == 0


def test_controls_pictures_stepper_and_ledger_obey_the_switch(opened):
    for shown, hidden in (("zh", "en"), ("en", "zh")):
        opened.choose(shown)
        for number, part in ((1, ".widget-html"), (-1, ".course-step"), (-2, ".course-ledger")):
            area = output_of(opened, number)
            assert area.locator(f'{part} [lang="{shown}"]').first.is_visible()
            assert not area.locator(f'{part} [lang="{hidden}"]').first.is_visible()
        area = explorer(opened, FEW[0])
        assert area.locator(f'[lang="{shown}"] > svg').is_visible()
        assert not area.locator(f'[lang="{hidden}"] > svg').is_visible()
    opened.choose("both")


def test_pictures_change_colours_with_the_theme(opened):
    area = explorer(opened, FEW[0])
    colours = {}
    for light in ("true", "false"):
        opened.page.evaluate("light => { document.body.dataset.jpThemeLight = light }", light)
        colours[light] = area.evaluate("e => getComputedStyle(e.querySelector('svg rect')).fill")
    assert colours == {"true": "rgb(255, 254, 251)", "false": "rgb(27, 29, 33)"}


# ---- the language is chosen once: it holds in every notebook, through Run All, a restart, a reload and reopening


@pytest.fixture
def learner(browser, server):
    """Opens notebooks as one learner does, a new page for each."""
    address, folder = server
    for name, first in {"small": "1", "class": "import os\n\nos.environ['COURSE_LANG'] = 'zh'"}.items():
        cells = [*map(nbformat.v4.new_markdown_cell, PROSE), *map(nbformat.v4.new_code_cell, (first, START))]
        write(folder / f"{name}.ipynb", *cells)
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield lambda name: Notebook(context.new_page(), address, folder / f"{name}.ipynb")
    context.close()


def shown(notebook) -> str:
    """The languages of the prose that can be seen, once they stay the same for a second."""
    look = """() => ['zh', 'en'].filter(lang => [...document.querySelectorAll(`.jp-Notebook .jp-MarkdownCell [lang=${lang}]`)]
        .some(e => e.getClientRects().length)).join(' ')"""
    seen, now = None, notebook.page.evaluate(look)
    while now != seen or not now:
        notebook.page.wait_for_timeout(1000)
        seen, now = now, notebook.page.evaluate(look)
    return now


def test_one_choice_holds_everywhere(learner):
    other = learner("01_naive_softmax")
    other.page.get_by_text("Run this cell (Shift+Enter) to choose a language.").wait_for()
    assert not other.page.locator(".course-switch").first.is_visible() and shown(other) == "zh en", "no dead buttons"
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

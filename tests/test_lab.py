"""What a learner meets in JupyterLab: a notebook run and read in three ways, stepper and explorers, the one choice of language."""

import nbformat
import pytest
from browser import NEEDS_BROWSER, Notebook, lab
from course import NOTEBOOKS

from course_utils import explorers

pytestmark = NEEDS_BROWSER

EXPLORES = "from course_utils import explorers\nexplorers.explore_softmax()"
STEPS = """import torch
from course_utils.backend import tl, triton
from course_utils.stepper import step

@triton.jit
def double(y_ptr, x_ptr, n_cols, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + tl.program_id(0) * n_cols + cols, mask=mask, other=-float("inf"))
    tl.store(y_ptr + tl.program_id(0) * n_cols + cols, x * 2, mask=mask)

step(double, (2,), 1, torch.zeros(2, 5), torch.arange(10.0).reshape(2, 5), 5, BLOCK=8)"""
START = "from course_utils import notebook\n\nnotebook.start()"
PROSE = '<div lang="zh">\n\n中文\n\n</div>', '<div lang="en">\n\nEnglish\n\n</div>'


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with lab(tmp_path_factory.mktemp("lab")) as (address, course):
        yield address, course / "notebooks"


def write(path, *cells):
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=list(cells), metadata={"kernelspec": kernel}), path)


# ---- the course's own: nbval runs every notebook, and every page of the site is looked at; here are those that differ in kind

RUN = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.deep] * (path.stem[:2] != "00"))
    for path in NOTEBOOKS
    if path.stem[:2] in ("00", "03", "12")
]


@pytest.mark.parametrize("path", RUN)
def test_a_notebook_is_run_answered_and_read(path, browser, server):
    address, folder = server
    page = browser.new_page(viewport={"width": 1400, "height": 2200})
    opened = Notebook(page, address, folder / path.name)
    opened.run_all()
    question = page.locator(".course-question").first
    assert "答案是" not in question.inner_text() and page.locator(".course-behind").count()
    opened.answer_all()
    question.scroll_into_view_if_needed()
    for language, said in (("zh", "答案是"), ("en", "the answer is")):
        opened.choose(language)
        question.get_by_text(said).first.wait_for()  # JupyterLab lays out what comes into sight a little later

    outputs = [output for cell in opened.save()["cells"] for output in cell.get("outputs", [])]
    assert outputs and not [output for output in outputs if output["output_type"] == "error"]
    assert not [output for output in outputs if output.get("name") == "stderr"]

    for hidden, chosen in (("en", "zh"), ("zh", "en")):
        opened.choose(chosen)
        seen = opened.read_through()
        assert seen[hidden] == 0 and seen[chosen] > 50, seen
    opened.choose("both")
    seen = opened.read_through()
    assert min(seen["zh"], seen["en"]) > 50
    assert not opened.errors
    page.close()


def test_an_exercise_waits_for_no_answer(browser, server):
    address, folder = server
    asks = "from course_utils import predict\npredict('01.overflow')"
    told = [
        nbformat.v4.new_markdown_cell(PROSE[1].replace("English", text))
        for text in ("The answer.", "**Exercise 1.** Write it.")
    ]
    write(folder / "waits.ipynb", *map(nbformat.v4.new_code_cell, (START, asks)), *told)
    opened = Notebook(browser.new_page(), address, folder / "waits.ipynb")
    opened.run_all()
    opened.page.locator(".course-question").wait_for()
    opened.page.locator(".course-behind", has_text="The answer.").wait_for(state="hidden")
    assert opened.page.locator(".jp-MarkdownCell", has_text="Exercise 1").is_visible()
    opened.page.close()


# ---- explorers and stepper under a person's hand


@pytest.fixture(scope="module")
def opened(browser, server):
    """With the explorer's still as a stored output, as a reader of a fresh clone finds it."""
    address, folder = server
    bundle = explorers.explore_softmax()._repr_mimebundle_()
    bundle.pop("application/vnd.jupyter.widget-view+json")
    still = nbformat.v4.new_output("execute_result", bundle, execution_count=1)
    explorer = nbformat.v4.new_code_cell(EXPLORES, outputs=[still])
    write(folder / "moved.ipynb", nbformat.v4.new_code_cell(START), explorer, nbformat.v4.new_code_cell(STEPS))
    page = browser.new_page(viewport={"width": 1300, "height": 1400})
    notebook = Notebook(page, address, folder / "moved.ipynb")
    page.wait_for_selector(".jp-OutputArea img")  # the still, before anything is run
    notebook.run_all()
    yield notebook
    page.close()
    assert not notebook.errors, notebook.errors


def output_of(opened, number):
    cell = opened.page.locator(".jp-CodeCell").nth(number)
    cell.scroll_into_view_if_needed()
    area = cell.locator(".jp-OutputArea")
    area.locator("svg:visible, .course-step:visible").first.wait_for()
    return area


def wait_for(opened, text: str) -> None:
    """Until the stepper marks a line with this in it."""
    marked = "text => document.querySelector('.course-step .now').textContent.includes(text)"
    opened.page.wait_for_function(marked, arg=text)


def test_the_stepper_moves_by_buttons_by_keys_and_by_itself(opened):
    area = output_of(opened, -1)
    wait_for(opened, "def double(")
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


def test_controls_pictures_and_stepper_obey_the_switch_and_the_theme(opened):
    for shown, hidden in (("zh", "en"), ("en", "zh")):
        opened.choose(shown)
        for number, part in ((1, ".widget-html"), (-1, ".course-step")):
            area = output_of(opened, number)
            assert area.locator(f'{part} [lang="{shown}"]').first.is_visible()
            assert not area.locator(f'{part} [lang="{hidden}"]').first.is_visible()
        area = output_of(opened, 1)
        assert area.locator(f'[lang="{shown}"] > svg').is_visible()
        assert not area.locator(f'[lang="{hidden}"] > svg').is_visible()
    opened.choose("both")
    colours = []
    for light in ("true", "false"):
        opened.page.evaluate("light => { document.body.dataset.jpThemeLight = light }", light)
        colours.append(area.evaluate("e => getComputedStyle(e.querySelector('svg rect')).fill"))
    assert colours == ["rgb(255, 254, 251)", "rgb(27, 29, 33)"]


# ---- the language is chosen once: it holds in every notebook, through Run All, a restart, a reload and reopening


@pytest.fixture
def learner(browser, server):
    """Opens notebooks as one learner does, a new page for each."""
    address, folder = server
    for name, first in {"small": "1", "class": "import os\n\nos.environ['COURSE_LANG'] = 'zh'"}.items():
        cells = [*map(nbformat.v4.new_markdown_cell, PROSE), *map(nbformat.v4.new_code_cell, (first, START))]
        write(folder / f"{name}.ipynb", *cells)
    context = browser.new_context(viewport={"width": 1200, "height": 900}, locale="zh-CN")
    yield lambda name: Notebook(context.new_page(), address, folder / f"{name}.ipynb")
    context.close()


def shown(notebook) -> str:
    """The languages of the prose that can be seen, once they stay the same for half a second."""
    look = """() => ['zh', 'en'].filter(lang => [...document.querySelectorAll(`.jp-Notebook .jp-MarkdownCell [lang=${lang}]`)]
        .some(e => e.getClientRects().length)).join(' ')"""
    seen, now = None, notebook.page.evaluate(look)
    while now != seen or not now:
        notebook.page.wait_for_timeout(500)
        seen, now = now, notebook.page.evaluate(look)
    return now


def test_one_choice_holds_everywhere(learner):
    other = learner("01_naive_softmax")
    other.page.get_by_text("Run this cell (Shift+Enter) to choose a language.").wait_for()
    assert not other.page.locator(".course-switch").first.is_visible() and shown(other) == "zh en", "no dead buttons"
    first = learner("small")
    first.run_all()
    assert first.page.locator(".course-switch").is_visible() and shown(first) == "zh", "not the browser's language"
    assert not first.page.locator(".course-switch-untrusted").is_visible()
    first.choose("en")
    assert shown(first) == "en"
    first.menu("Kernel", "Restart Kernel…")
    first.page.locator(".jp-Dialog button.jp-mod-accept").click()
    first.page.wait_for_timeout(1000)
    first.run_all()
    assert shown(first) == "en", "a restart or Run All set it back"
    first.save()
    again = learner("small")
    assert shown(again) == "en", "reopening set it back"

    other.page.locator(".jp-CodeCell").first.click()
    other.page.keyboard.press("Shift+Enter")
    other.page.locator(".course-switch").first.wait_for()
    assert shown(other) == "en", "another notebook does not know of it"
    other.choose("zh")
    assert shown(other) == shown(first) == shown(again) == "zh", "another page of the browser does not follow"

    common = learner("class")
    other.choose("en")
    common.run_all()
    assert shown(common) == "zh", "the class's language wins"
    common.choose("en")
    assert shown(common) == "en", "whoever asks for the other still gets it"

"""The stepper and the ledger under a person's hand, in JupyterLab: mouse, keyboard, play, the language switch, the theme."""

import nbformat
import pytest
from browser import CHROMIUM, FLAGS, NEEDS_BROWSER, Notebook, lab

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = NEEDS_BROWSER

CELLS = [
    "from course_utils import notebook\nnotebook.start()",
    """import torch
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
book""",
    "step(double, (2,), 1, torch.zeros(2, 5), x, 5, BLOCK=8)",
]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with lab(tmp_path_factory.mktemp("lab")) as (address, course), playwright.sync_playwright() as tool:
        path = course / "notebooks" / "stepper.ipynb"
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        notebook = Notebook(browser.new_page(viewport={"width": 1300, "height": 1400}), address, path)
        notebook.page.get_by_text("| Idle").wait_for()  # before that, running asks which kernel to use
        notebook.run_all()
        notebook.page.locator(".course-step").first.wait_for()
        yield notebook
        browser.close()


def where(opened) -> str:
    """The line that the picture marks."""
    return opened.page.locator(".course-step .now").inner_text().strip()


def wait_for(opened, text: str) -> None:
    opened.page.wait_for_function(
        "text => document.querySelector('.course-step .now').textContent.includes(text)", arg=text
    )


def test_buttons_and_keys_move_the_mark(opened):
    assert "def double(" in where(opened)
    back, forth = (opened.page.locator(f'button[title*="{name}"]') for name in ("previous", "next"))
    forth.click()
    wait_for(opened, "cols = ")
    forth.focus()
    opened.page.keyboard.press("Enter")
    wait_for(opened, "mask = ")
    opened.page.locator(".noUi-handle").focus()
    opened.page.keyboard.press("ArrowRight")
    wait_for(opened, "tl.load(")
    assert opened.page.locator(".course-step td.rd").count() == 5
    assert opened.page.locator(".course-step td.pad.inf").count() == 3
    back.click()
    wait_for(opened, "mask = ")
    assert not opened.errors, opened.errors


def test_play_runs_to_the_end(opened):
    opened.page.locator(".jupyter-widgets-play button, .widget-play button").first.click()
    wait_for(opened, "tl.store(")
    assert opened.page.locator(".course-step td.wr").count() == 5
    assert not opened.errors, opened.errors


def test_both_obey_the_switch(opened):
    for shown, hidden in (("zh", "en"), ("en", "zh")):
        opened.choose(shown)
        for part in (".course-step", ".course-ledger"):
            assert opened.page.locator(f'{part} [lang="{shown}"]').first.is_visible()
            assert not opened.page.locator(f'{part} [lang="{hidden}"]').first.is_visible()
    opened.choose("both")


def test_nothing_is_wider_than_its_place(opened):
    for part in (".course-step", ".course-step .vars", ".course-ledger"):
        wide, place = opened.page.locator(part).first.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert wide <= place + 1, part
    clipped = opened.page.evaluate(
        "() => [...document.querySelectorAll('.course-step td')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
    )
    assert clipped == 0

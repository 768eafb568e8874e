"""Each explorer under a person's hand: every control moved in JupyterLab, the picture watched, in both languages."""

import nbformat
import pytest
from browser import CHROMIUM, FLAGS, NEEDS_BROWSER, Notebook, lab
from test_explorers import start

from course_utils import explorers

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = NEEDS_BROWSER

NAMES = [name for name in dir(explorers) if name.startswith("explore_")]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with lab(tmp_path_factory.mktemp("lab")) as (address, course), playwright.sync_playwright() as tool:
        path = course / "notebooks" / "explorers.ipynb"
        nbformat.write(notebook_of_explorers(), path)
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        notebook = Notebook(page, address, path)
        page.wait_for_selector(".jp-OutputArea img")
        stills = page.evaluate("() => [...document.querySelectorAll('.jp-OutputArea img')].map(e => e.naturalWidth)")
        notebook.run_all()
        notebook.stills = stills
        yield notebook
        browser.close()


def notebook_of_explorers():
    """With the stills as stored outputs, as a reader of a fresh clone finds them."""
    cells = [nbformat.v4.new_code_cell("from course_utils import explorers, notebook\nnotebook.start()")]
    for name in NAMES:
        bundle = start(name)._repr_mimebundle_()
        bundle.pop("application/vnd.jupyter.widget-view+json")
        output = nbformat.v4.new_output("execute_result", bundle, execution_count=1)
        cells.append(nbformat.v4.new_code_cell(f"explorers.{name}()", outputs=[output]))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def test_the_stills_show_before_anything_is_run(opened):
    """JupyterLab trusts nothing in a fresh clone; it draws the cells that are in sight."""
    assert len(opened.stills) >= 2 and all(width > 300 for width in opened.stills)


@pytest.mark.parametrize("name", NAMES)
def test_every_control_moves_the_picture(opened, name):
    area = cell_of(opened, name)
    controls = area.locator(".noUi-handle, select, input[type=checkbox]")
    count = controls.count()
    assert count >= len(start(name).controls)
    for index in range(count):
        before = picture(area)
        back = move(controls.nth(index))
        wait_for_another(opened, area, before)
        there = picture(area)
        back()  # so that every control is tried from the same start
        wait_for_another(opened, area, there)
    assert not opened.errors, opened.errors


@pytest.mark.parametrize("name", ["explore_rounds", "explore_reduction"])
def test_a_film_plays(opened, name):
    area = cell_of(opened, name)
    slider = area.locator(".noUi-handle").last
    slider.focus()
    slider.press("Home")
    opened.page.wait_for_timeout(300)
    before = picture(area)
    area.locator(".widget-play button").first.click()
    wait_for_another(opened, area, before)
    assert not opened.errors, opened.errors


def test_names_of_controls_and_pictures_obey_the_switch(opened):
    for shown, hidden in (("zh", "en"), ("en", "zh")):
        opened.choose(shown)
        area = cell_of(opened, NAMES[0])
        assert area.locator(f'.widget-html [lang="{shown}"]').first.is_visible()
        assert not area.locator(f'.widget-html [lang="{hidden}"]').first.is_visible()
        assert area.locator(f'[lang="{shown}"] > svg').is_visible()
        assert not area.locator(f'[lang="{hidden}"] > svg').is_visible()
    opened.choose("both")


def test_pictures_change_colours_with_the_theme(opened):
    area = cell_of(opened, NAMES[0])
    colours = {}
    for light in ("true", "false"):
        opened.page.evaluate("light => { document.body.dataset.jpThemeLight = light }", light)
        colours[light] = area.evaluate("e => getComputedStyle(e.querySelector('svg rect')).fill")
    assert colours == {"true": "rgb(255, 254, 251)", "false": "rgb(27, 29, 33)"}


def cell_of(opened, name):
    cells = opened.page.locator(".jp-CodeCell")
    cell = cells.nth(1 + NAMES.index(name))
    cell.scroll_into_view_if_needed()
    area = cell.locator(".jp-OutputArea")
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

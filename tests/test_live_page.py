"""The page "Your own kernel", as a visitor meets it: opened as a file, with the network cut, on a phone and by keyboard alone."""

import time

import pytest
from axe import faults

from course_tools.live import own
from course_tools.site.build import build

pytestmark = pytest.mark.slow
PHONE, DESK = (390, 844), (1280, 900)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live") / "site"
    list(build(folder, only=["01"]))
    return (folder / own.FILE).as_uri()


@pytest.fixture
def opened(browser, address):
    contexts, asked, errors = [], [], []

    def open_(size=DESK, language="en", theme="light", hash=""):
        context = browser.new_context(viewport=dict(zip(("width", "height"), size)), offline=True)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}?lang={language}&theme={theme}{hash}")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors
    assert not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


def press(page, name):
    page.click(f'[data-own="{name}"]')
    return page.inner_text('[data-own="out"]')


def rewrite(page, old, new):
    text = page.input_value(".own textarea")
    assert old in text
    page.fill(".own textarea", text.replace(old, new))


def test_a_mistake_is_found_and_mended(opened):
    page = opened()
    assert "1.000000" not in press(page, "run")
    rewrite(page, "other=0.0", 'other=-float("inf")')
    said = press(page, "run")
    assert said.count("1.000000") == 4
    assert "y_ptr\t0\t80\t0" in said and "x_ptr\t80\t0\t0" in said  # 4 rows of 5 float32
    rewrite(page, ", mask=mask, other", ", other")
    assert "Line 6: `other` needs a mask." in press(page, "run")


def test_elements_outside_have_a_line_and_a_program(opened):
    page = opened()
    rewrite(page, "mask = cols < n_cols", "mask = cols < n_cols + 4")
    said = press(page, "run")
    assert "Line 8, store: 3 elements, first in program 3." in said


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("tl.arange", "tl.aragne", {"en": "tl.aragne: did you mean tl.arange?", "zh": "tl.aragne：是不是想写 tl.arange？"}),
        ("mask = cols", "mask = colz", {"en": "colz: did you mean cols?", "zh": "colz：是不是想写 cols？"}),
        ("    mask =", "    for _ in range(3):\n        break\n    mask =", {"en": "A kernel has no break", "zh": "不能用 break"}),
        ("n_cols, y", "n_kols, y", {"en": "does not know what to give n_kols", "zh": "不知道给 n_kols 什么"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_refusal_names_its_line_in_the_language_shown(opened, language, old, new, said):
    page = opened(language=language)
    rewrite(page, old, new)
    text = press(page, "run")
    assert said[language] in text
    assert ("第 " if language == "zh" else "Line ") in text
    assert page.locator(".own .numbers .wrong").count() == 1


def test_an_endless_loop_ends(opened):
    page = opened()
    rewrite(page, "    mask =", "    while True:\n        row += 1\n    mask =")
    begun = time.monotonic()
    for name in ("run", "races"):
        assert "does it ever end" in press(page, name) or "has not ended" in page.inner_text('[data-own="out"]')
    assert time.monotonic() - begun < 15


def test_every_line_shows_its_values(opened):
    page = opened()
    press(page, "step")
    assert page.inner_text('[data-own="where"]') == "0 / 6"
    for _ in range(4):
        press(page, "forth")
    assert page.inner_text(".own .numbers .now") == "6"
    row = page.locator(".own .variables .changed")
    assert row.locator("th").inner_text().startswith("x")
    assert row.locator("i").count() == 8 and row.locator(".padding").count() == 3


def test_races_are_found(opened):
    page = opened()
    page.select_option('[data-own="start"]', "race")
    assert "the store in line 7 (program 0) and the load in line 6 (program 1)" in press(page, "races")
    rewrite(
        page,
        "    so_far = tl.load(total_ptr)\n    tl.store(total_ptr, so_far + tl.sum(x, axis=0))",
        "    tl.atomic_add(total_ptr, tl.sum(x, axis=0))",
    )
    assert "no race" in press(page, "races")


def test_what_was_written_comes_back_and_a_link_carries_it(opened):
    page = opened()
    rewrite(page, "other=0.0", "other=7.0  # 七")
    page.fill('[data-own="columns"]', "9")
    press(page, "run")
    page.reload()
    assert "other=7.0  # 七" in page.input_value(".own textarea")
    assert page.input_value('[data-own="columns"]') == "9"
    friend = opened(language="zh", hash=page.evaluate("location.hash"))
    assert "other=7.0  # 七" in friend.input_value(".own textarea")
    page.goto(page.url.partition("#")[0].replace("lang=en", "lang=zh"))
    assert "other=7.0  # 七" in page.input_value(".own textarea")


def test_the_keyboard_suffices(opened):
    page = opened()
    field = page.locator(".own textarea")
    field.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("    if row > 0:\n")
    page.keyboard.type("row")
    page.keyboard.press("Tab")
    assert field.input_value().endswith("    if row > 0:\n        row ")
    page.keyboard.press("Control+Enter")
    assert "programs ran" in page.inner_text('[data-own="out"]')
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.own") == "run"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_on_a_phone_it_fits_and_is_accessible(opened, language, theme):
    page = opened(PHONE, language, theme)
    for name in ("run", "step"):
        press(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
        assert not faults(page)
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.own textarea')).fontSize)") >= 16

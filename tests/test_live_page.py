"""What a visitor of the site writes, runs, steps and solves: opened as a file, with the network cut, on a phone, by keyboard alone."""

import json
import time

import pytest
import torch
from axe import faults
from browser import DESK, PHONE, lift
from bs4 import BeautifulSoup
from kernels import kernel_from

from course_tools.live import launches, minutes, own
from course_tools.site.build import build
from course_utils.exercises import files
from course_utils.language import LANGUAGES
from course_utils.stepper import step

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live") / "site"
    list(build(folder, only=["03", "09"]))
    return folder


@pytest.fixture
def visitor(opened, site):
    """Opens pages in one browser profile, as one visitor does; a second visitor has another."""

    def open_(name, size=DESK, language="en", theme="light", hash="", who="me"):
        path = next(site.glob(name))
        return lift(opened(path, size, language, who, f"&theme={theme}{hash}", accept_downloads=True))

    return open_


class Kernel:
    """One of a page's editors, with its buttons and what they bring."""

    def __init__(self, page, contains: str = ""):
        self.page = page
        texts = page.locator(".kernel textarea").evaluate_all("all => all.map(each => each.value)")
        self.box = page.locator(".kernel").nth(next(k for k, text in enumerate(texts) if contains in text))

    @property
    def text(self) -> str:
        return self.box.locator("textarea").input_value()

    def rewrite(self, old: str, new: str) -> None:
        assert old in self.text
        self.box.locator("textarea").fill(self.text.replace(old, new))

    def press(self, name: str) -> str:
        self.box.locator(f'[data-live="{name}"]').click()
        return self.said()

    def said(self) -> str:
        self.box.locator(":is(.out, .film):not(:empty)").first.wait_for()
        self.box.page.wait_for_function("box => !box.ariaBusy", arg=self.box.element_handle())
        return self.box.locator(".out").inner_text()


# ---- lessons


def test_a_kernel_of_a_lesson_is_edited_stepped_and_found_again(visitor):
    page = visitor("03_*.html")
    kernel = Kernel(page, "def masked_copy_kernel")
    assert "Line 7, store: 6 elements, first in program 0." in kernel.press("run")  # the output is 5 columns of 8
    kernel.rewrite("columns, x)", "columns, x, mask=mask)")
    said = kernel.press("run")
    assert "no element out of bounds" in said
    assert "y_ptr\t0\t40\t0" in said and "x_ptr\t40\t0\t0" in said and "35.000000" in said  # two rows of five float32
    kernel.rewrite("columns < n_cols", "columns < n_cols + 1")
    assert "Line 7, store: 2 elements, first in program 0." in kernel.press("run")
    kernel.rewrite("tl.arange", "tl.aragne")
    assert "Line 4: tl.aragne: did you mean tl.arange?" in kernel.press("run")
    kernel.rewrite("tl.aragne", "tl.arange")
    kernel.press("step")
    for _ in range(4):
        kernel.box.get_by_label("next step").click()
    assert kernel.box.locator(".code .now .no").inner_text() == "6"
    assert kernel.box.locator(".film td.pad").count() == 2  # of eight lanes, six are let through
    page.reload()
    kernel = Kernel(lift(page), "def masked_copy_kernel")
    assert "n_cols + 1" in kernel.text
    kernel.box.locator('[data-live="reset"]').click()
    page.reload()
    assert "n_cols + 1" not in Kernel(page, "def masked_copy_kernel").text


def test_a_step_looks_as_in_the_notebook(visitor):
    text = """
        @triton.jit
        def halves(y_ptr, x_ptr, n_cols, SIZE: tl.constexpr):  # a "sum" and its mean
            row = tl.program_id(0)
            columns = tl.arange(0, SIZE)
            x = tl.load(x_ptr + row * n_cols + columns, mask=columns < n_cols, other=-float("inf"))
            y = x / 2
            for _ in range(2):
                y += tl.sum(y, axis=0)
            tl.store(y_ptr + row * n_cols + columns, y, mask=columns < n_cols)
    """
    kernel = kernel_from(text)
    x = torch.tensor([[1.0, -2.5, 1e-5], [3.0, 12345678.0, float("nan")]])
    given = (torch.zeros(2, 3), x, 3)
    task = launches._launch(kernel, given, (2,), {"SIZE": 4}, set()).told() | {
        "text": launches._text(kernel.fn),
        "program": 1,
    }
    mine = step(kernel, (2,), 1, *given, SIZE=4)
    page = visitor(own.FILE)
    page.evaluate(
        "async task => { const box = document.querySelector('main').appendChild(make('div', {id: 'new'})); window.cell = Live.mount(box, task); await window.cell.do('step'); }",
        task,
    )
    drawn = page.evaluate("count => Array.from({length: count}, (_, k) => window.cell.stepper.draw(k))", len(mine))
    for k, each in enumerate(drawn):
        assert words(each) == words(mine.at(k).still()), k


def words(picture: str) -> list[str]:
    """What a step's picture says; lines are counted from the text's beginning there, from the cell's here."""
    soup = BeautifulSoup(picture, "html.parser")
    for number in soup.select("style, .no"):
        number.extract()
    classes = [" ".join([*element.get("class", []), element.get("style", "")]) for element in soup.select("td, .chip")]
    return [*soup.get_text(" ").split(), *classes]


def test_a_race_is_found_and_programs_step_side_by_side(visitor):
    page = visitor("09_*.html")
    kernel = Kernel(page, "def block_kernel")
    assert "These programs race" in kernel.press("races")
    kernel = Kernel(page, "def first_team_kernel")
    assert "no race" in kernel.press("races")
    kernel.press("together")
    assert kernel.box.locator(".together .one").count() == 2 and kernel.box.locator(".film .src").count() == 1
    states = []
    for _ in range(int(kernel.box.locator("input[type=range]").get_attribute("max"))):
        kernel.box.get_by_label("next step").click()
        states.append(kernel.box.locator(".together .head").first.inner_text())
    assert any("waiting" in state for state in states) and "ended" in states[-1]
    assert kernel.box.locator('[data-live="step"]').is_visible()
    kernel.rewrite("tl.atomic_add(arrived_ptr, 1)", "pass")
    assert kernel.box.locator(".film.stale .together").is_visible(), "the picture stays, pale"
    assert "These programs deadlock" in kernel.press("races")
    assert kernel.box.locator(".film:not(.stale) .together").is_visible(), "it is drawn again, of the text that ran"
    kernel.box.locator("input[type=range]").press("End")
    assert "Deadlock" in kernel.box.locator(".film").inner_text()


# ---- exercises


def test_an_exercise_is_solved_in_the_page(visitor, tmp_path):
    exercise = files.read("causal_kernel")
    page = visitor("03_*.html", size=PHONE, language="zh")
    kernel = Kernel(page, "def causal_kernel")
    answer = page.locator('[data-answer="03.causal_kernel"] details')
    assert "还没有" in kernel.press("check") and answer.is_hidden()
    assert "还没有换成代码" in kernel.press("run"), "a stub computes nothing, and says so"
    field = kernel.box.locator("textarea")
    field.fill(exercise.right.replace("columns <= row", "columns < row"))
    assert "✗ 还不对" in kernel.press("check") and answer.is_visible()
    field.fill(exercise.right.replace("mask=seen", "mask=sean"))
    assert "seen" in kernel.press("check")
    field.fill(exercise.right)
    said = kernel.press("check")
    assert "✓ 对了" in said and exercise.praise.zh in said
    assert "不编译" in page.locator(".exercise:visible").first.inner_text(), "said once, at the page's first kernel"

    front = visitor("index.html", language="zh")
    tally = front.locator("[data-tally]:visible")
    assert "练习 1 / 5" in tally.inner_text()
    with front.expect_download() as download:
        front.click('[data-live="export"]')
    download.value.save_as(tmp_path / "mine.json")
    assert "solved.03.causal_kernel" in json.loads((tmp_path / "mine.json").read_text())["kept"]
    other = visitor("index.html", who="on another machine")
    other.set_input_files('.progress input[type="file"]', tmp_path / "mine.json")
    assert "exercises 1 / 5" in other.locator("[data-tally]:visible").inner_text()
    assert "columns <= row" in Kernel(visitor("03_*.html", who="on another machine"), "def causal_kernel").text


# ---- your own kernel, and the first three minutes


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("tl.arange", "tl.aragne", {"en": "tl.aragne: did you mean tl.arange?", "zh": "tl.aragne：是不是想写 tl.arange？"}),
        ("    mask =", "    for _ in range(3):\n        break\n    mask =", {"en": "A kernel has no break", "zh": "不能用 break"}),
        ("n_cols, y", "n_kols, y", {"en": "does not know what to give n_kols", "zh": "不知道给 n_kols 什么"}),
        ("tl.exp(x -", "tl.exp（x -", {"en": "（ is a full-width sign; type ( instead", "zh": "（ 是全角的，要写半角的 (。"}),
        ("(0, BLOCK_SIZE)", "(0, 1 << 30)", {"en": "at most 1048576 elements", "zh": "最多 1048576 个元素"}),
    ],
)  # fmt: skip
def test_a_refusal_names_its_line_in_the_language_shown(visitor, old, new, said):
    for language in LANGUAGES:
        kernel = Kernel(visitor(own.FILE, language=language, who=language))
        kernel.rewrite(old, new)
        text = kernel.press("run")
        assert said[language] in text
        assert {"zh": "第 ", "en": "Line "}[language] in text
        assert kernel.box.locator(".code .wrong .no").count() == 1


def test_a_kernel_of_ones_own(visitor):
    page = visitor(own.FILE)
    kernel = Kernel(page)
    assert "1.000000" not in kernel.press("run")
    kernel.rewrite("other=0.0", 'other=-float("inf")')
    assert kernel.press("run").count("1.000000") == 4
    kernel.rewrite("    mask =", "    while True:\n        row += 1\n    mask =")
    begun = time.monotonic()
    kernel.box.locator('[data-live="run"]').click()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert time.monotonic() - begun < 0.5, "the engine works apart from the page, which goes on"
    said = kernel.said()
    assert "does it ever end" in said or "has not ended" in said
    assert time.monotonic() - begun < 8
    page.select_option('[data-own="start"]', "race")
    assert "the store in line 7 (program 0) and the load in line 6 (program 1)" in kernel.press("races")
    page.fill('[data-own="columns"]', "9")
    kernel.rewrite("total_ptr, so_far", "total_ptr, 0.5 + so_far")
    kernel.press("run")
    friend = visitor(own.FILE, language="zh", hash=page.evaluate("location.hash"), who="a friend")
    assert "0.5 + so_far" in Kernel(friend).text
    page.goto(page.url.partition("#")[0])
    assert "0.5 + so_far" in Kernel(page).text
    assert page.input_value('[data-own="columns"]') == "9"


def test_a_click_and_the_keyboard_suffice(visitor):
    page = visitor(own.FILE)
    field = page.locator(".kernel textarea")
    field.click()  # the coloured text lies below it
    page.keyboard.press("Control+End")
    page.keyboard.type("    if row > 0:\n")
    page.keyboard.type("row")
    page.keyboard.press("Tab")
    assert field.input_value().endswith("    if row > 0:\n        row ")
    page.keyboard.press("Control+Enter")
    assert "programs ran" in Kernel(page).said()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.live") == "run"


def test_the_first_three_minutes(visitor):
    page = visitor(minutes.FILE, size=PHONE, language="zh")
    total = page.locator(".sum output")
    page.wait_for_function("document.querySelector('.sum output').textContent === '0.000033'")
    page.click('[data-minutes="inf"]')
    page.wait_for_function("document.querySelector('.sum output').textContent === '1.000000'")
    page.locator('[data-minutes="step"]:visible').click()
    page.locator(".code .now .no", has_text="6").wait_for()
    assert page.locator('[data-minutes="bytes"]:visible').inner_text() == "10"
    page.click('[data-minutes="share"]')
    friend = visitor(minutes.FILE, hash=page.evaluate("location.hash"), who="a friend")
    friend.wait_for_function("document.querySelector('.sum output').textContent === '1.000000'")
    page.goto(page.url.partition("#")[0])
    page.wait_for_function("document.querySelector('.sum output').textContent === '1.000000'")
    assert total.is_visible()


# ---- everywhere


@pytest.mark.parametrize("language, theme", [("zh", "dark"), ("en", "light")])
@pytest.mark.parametrize("name", [own.FILE, minutes.FILE, "03_*.html"])
def test_on_a_phone_it_fits_and_is_accessible(visitor, name, language, theme):
    page = visitor(name, PHONE, language, theme)
    kernel = Kernel(page, "def ")
    for button in ("run", "step"):
        kernel.press(button)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
        assert not faults(page, within=".kernel")
    sizes = "[...document.querySelectorAll('.kernel button, .kernel select, .own select')].flatMap(each => [...each.getClientRects()]).map(each => each.height)"
    assert min(page.evaluate(sizes)) >= 40
    # A phone would zoom in on smaller letters that one writes in.
    kernel.box.locator("textarea").focus()
    assert kernel.box.locator("textarea").evaluate("field => parseFloat(getComputedStyle(field).fontSize)") >= 16
    if not name.startswith("03"):
        assert not faults(page)


def test_the_line_and_what_it_writes_are_in_sight_on_a_phone(visitor):
    """A long line is scrolled to, where one writes as where one reads; the last step writes y."""
    page = visitor(own.FILE, PHONE)
    kernel = Kernel(page)
    assert "1.52e-05" in kernel.said()  # it opens with a result
    total = kernel.box.locator(".values .sum").last.bounding_box()
    assert total["x"] + total["width"] <= PHONE[0]
    kernel.press("step")
    kernel.box.locator("input[type=range]").press("End")
    for place in (".code .now", ".film td.wr"):
        at = kernel.box.locator(place).first.bounding_box()
        assert at["y"] >= 0 and at["y"] + at["height"] <= PHONE[1], place
    same = "({field, shown}) => Math.abs(field.scrollHeight - shown.scrollHeight) < 2 && field.scrollWidth === field.clientWidth"
    kernel.box.locator("textarea").fill("x = tl.load(" + " + ".join(["x_ptr"] * 40) + ")\n\n")
    assert page.evaluate(
        f"({same})({{field: document.querySelector('.kernel textarea'), shown: document.querySelector('.kernel .code pre')}})"
    )

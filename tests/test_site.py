"""The site as a learner meets it: from a file, with no network, on a phone, in either language."""

import fcntl
import os
import re
from urllib.parse import unquote

import pytest
from axe import CONTRAST, USE_ALL, faults, sound
from browser import DESK, PHONE, lift
from bs4 import BeautifulSoup

from course_tools.contents import entries
from course_tools.handout.select import two
from course_tools.handout.write import Refused
from course_tools.live import minutes, own
from course_tools.player import positions
from course_tools.site import words
from course_tools.site.build import build

PAGE, ALL = 1_500_000, 20_000_000  # bytes
ROOM = positions.ROOM  # of the site that is published
FEW = ["01", "03"]  # a short one, and the one with everything


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "site"
    list(build(folder, only=FEW))
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Every notebook: for the deep tests. Built by whichever process comes first; the others wait."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "whole"
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "index.html").exists():
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(positions, "ROOM", ROOM)
                list(build(folder))
    return folder


def check_pages(folder):
    pages = {path.name: sound(path.read_text()) for path in folder.glob("*.html")}
    shared = sum((folder / "assets" / name).stat().st_size for name in ("course.css", "course.js"))
    for name, soup in pages.items():
        assert (folder / name).stat().st_size + shared <= PAGE, name
        assert not soup.select("ol[start]"), f"{name}: a text that begins with a number and a full stop is no list"
        for link in soup.select("a[href]:not([href^='https:'])"):
            file, _, place = link["href"].partition("#")
            target = pages.get(file or name)
            assert target or (folder / file).is_file() and not file.endswith(".ipynb"), (name, link["href"])
            if place and target:
                assert target.find(id=lambda id: id and unquote(id) == unquote(place)), (name, link["href"])  # noqa: B023
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) <= ALL
    return pages


def test_pages_are_valid_and_lead_somewhere(site):
    pages = check_pages(site)
    found = [entry for entry in entries() if entry.number in FEW]
    lessons = {f"{entry.path.stem}.html" for entry in found}
    assert lessons | {"index.html", "glossary.html", own.FILE, minutes.FILE} == set(pages)
    for entry in found:
        soup = pages[f"{entry.path.stem}.html"]
        told = [said.get_text() for said in soup.select(".exercise")]
        assert 0 < len(told) == len(set(told)) <= entry.exercises
        assert soup.select("details pre") and not soup.select(".course-switch")
        for heading in soup.select("main :is(h1, h2, h3)"):
            assert two(heading.get_text().removesuffix("¶")).zh, heading
    links = pages[f"{found[-1].path.stem}.html"].select("a.term")
    assert {link.find_parent(attrs={"lang": True})["lang"] for link in links} == {"zh", "en"}


def test_a_learner_on_a_phone(site, opened):
    """Reads, steps a kernel to its end, answers two predictions, moves an explorer, finds "occupancy"; in Chinese, for the
    other tests read English.
    """
    lesson = next(path for path in site.glob("03_*.html"))
    page = opened(site / "index.html", PHONE, "zh")
    page.locator(f'.lessons a[href^="{lesson.name}"]').click()
    page.wait_for_url("**/03_*")
    assert "lang=zh" in page.url and page.locator("html").get_attribute("lang") == "zh"
    assert page.locator('main div[lang="zh"]').first.is_visible()
    assert not page.locator('main [lang="en"]:visible').count()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]

    lift(page)
    stepper = page.locator(".player.steps").first
    forth = stepper.locator("button").nth(1)
    steps = int(stepper.locator("input").get_attribute("max"))
    for _ in range(steps):
        forth.click()
    page.wait_for_function("() => /tl.store/.test(document.querySelector('.player.steps .now').textContent)")
    assert stepper.locator("td.wr").count() and stepper.locator("output").inner_text() == f"{steps} / {steps}"

    for number in range(2):
        field = page.locator("fieldset").nth(number)
        field.locator(".card").nth(1).click()
        said = field.locator(".answer").inner_text()
        assert field.locator(".card.right").count() == 1 and field.locator(".card:enabled").count() == 0
        assert "你选了 B" in said

    page.goto(f"{next(site.glob('01_*.html')).as_uri()}?lang=zh")
    lift(page)
    move_explorer(page)

    field = page.get_by_role("searchbox")
    field.fill("占用率")
    page.locator(".found li").first.wait_for()
    assert "占用率" in page.locator(".found").inner_text()
    field.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_url("**lang=zh**#term-occupancy")
    assert page.locator("#term-occupancy").is_visible()


def move_explorer(page):
    """A control of the first, with the keyboard; the picture becomes another one."""
    explorer = page.locator(".player.explorer").first
    before = explorer.locator(".still").inner_html()
    slider = explorer.locator("input[type=range]").first
    slider.focus()
    slider.press("End")
    page.wait_for_function(
        "([box, before]) => box.querySelector('.still').innerHTML !== before",
        arg=[explorer.element_handle(), before],
    )
    assert explorer.locator(".still > [lang] > svg").count() == 2


def test_language_and_theme_are_kept(site, opened):
    page = opened(site / "index.html", color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    system = page.evaluate(paper)
    page.get_by_role("button", name="English").click()
    page.locator("[data-paint]").click()
    assert page.evaluate(paper) != system
    page.locator(".lessons a").first.click()
    page.wait_for_url("**lang=en**")
    assert "theme=light" in page.url and page.evaluate(paper) != system
    assert page.title() == page.locator("h1").inner_text().removesuffix("¶").strip()


def test_keyboard_alone(site, opened):
    """Each thing to use can be reached by Tab, shows that it is, and does what it does."""
    page = opened(next(site.glob("03_*.html")), language="en")
    seen, last = set(), None
    lift(page)
    for _ in range(900):
        page.keyboard.press("Escape")  # in an editor Tab indents, but for this
        page.keyboard.press("Tab")
        kind, outline, place = page.evaluate(
            "() => { const e = document.activeElement, s = getComputedStyle(e);"
            " return [e.closest('.player, .bar, nav')?.className ?? e.localName, s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2,"
            " [...document.querySelectorAll('*')].indexOf(e)] }"
        )
        if kind == "body" or place == last:
            break
        assert outline, kind
        seen.add(kind.split()[1] if kind.startswith("player") else kind)
        last = place
    assert {"bar", "contents", "prediction", "steps", "near"} <= {each.split()[0] for each in seen} | seen
    field = page.locator("fieldset").first
    field.locator("button").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert "You chose B" in field.locator(".answer").inner_text()
    assert page.evaluate("document.activeElement.className").startswith("answer")


def test_what_gives_an_answer_away_waits_and_an_answer_is_kept(site, opened):
    page = opened(next(site.glob("03_*.html")), language="en")
    cell = page.locator(".jp-Cell:has(.prediction)").first
    behind = cell.locator("xpath=following-sibling::*[contains(@class, 'jp-Cell')][1]")
    assert not behind.is_visible() and page.locator(".veil").first.is_visible()
    cell.locator(".card").first.click()
    assert behind.is_visible() and not page.locator(".veil").first.is_visible()
    page.reload()
    assert cell.locator(".answer").inner_text() and behind.is_visible()
    cell.locator(".again").click()
    assert not behind.is_visible() and cell.locator(".card:enabled").count() == 4
    assert page.locator(".veil:visible").count() > 1, "each question of its own"


def test_a_second_question_of_a_section_waits_for_the_first(site, opened):
    page = opened(next(site.glob("03_*.html")), language="en")
    cells = page.locator(".jp-Cell:has(.prediction)")
    together = page.evaluate(
        "() => { let last, found; for (const cell of document.querySelectorAll('.jp-Cell')) { if (cell.querySelector('h2, h3')) last = null;"
        " if (cell.prediction) { if (last && !found) found = [last.name, cell.prediction.name]; last = cell.prediction; } } return found; }"
    )
    first, second = (page.locator(f'.jp-Cell:has([data-question="{name}"])') for name in together)
    assert first.is_visible() and not second.is_visible() and cells.count() > 2
    first.locator(".card").first.click()
    assert second.is_visible() and second.locator("xpath=following-sibling::*[1]").is_visible(), "its own veil"
    asks = second.locator("xpath=preceding-sibling::*[contains(@class, 'jp-MarkdownCell')][1]")
    assert asks.is_visible() and "redict" in asks.inner_text()
    first.locator(".again").click()
    assert not second.is_visible()


def test_nothing_below_a_question_shows_before_it_is_answered(site, opened):
    for lesson in sorted(site.glob("0*.html")):
        page = opened(lesson, language="en")
        shown = page.evaluate(
            "[...document.querySelectorAll('.jp-Cell[hidden]')].filter(cell => cell.offsetHeight).map(cell => cell.textContent)"
        )
        assert page.locator(".veil").count() and not shown, lesson.name
        asked = page.locator('.jp-MarkdownCell:has(p:first-child > strong:first-child:text-matches("^Exercise"))')
        tasks = page.locator(".celltag_exercise")
        assert asked.count() >= tasks.count() > 0 and all(each.is_visible() for each in asked.all()), lesson.name


def test_with_no_script_everything_is_there_and_nothing_moves_for_whoever_wants_that(site, opened):
    lesson = next(site.glob("03_*.html"))
    page = opened(lesson, java_script_enabled=False)
    assert all(page.locator(f'main div[lang="{language}"]').first.is_visible() for language in ("zh", "en"))
    assert page.locator(".player .still").first.is_visible() and page.locator(".player details").count()
    page = opened(lesson, reduced_motion="reduce")
    assert not page.get_by_role("button", name="播放").count()
    lift(page)
    assert page.locator(".player.steps button").first.is_visible()


def test_nothing_is_revealed_in_print(site, opened):
    """Answers and what one is to guess are not there, even where somebody has looked."""
    page = opened(next(site.glob("03_*.html")), language="en")
    page.locator("fieldset button").first.click()
    page.emulate_media(media="print")
    printed = page.locator("main").inner_text()
    assert "You chose" not in printed and "; the answer is" not in printed
    assert page.locator(".player.prediction .still").first.is_visible()
    assert not page.locator(".celltag_answer pre, .folded.result .jp-OutputArea").first.is_visible()


@pytest.mark.parametrize(
    "language, text, linked",
    [
        ("zh", "在一块 GPU 上拖动滑块，方块分成碎块，CUDA 叫线程块。整块地读第 3 块", ""),
        ("zh", "块的长度是 2 的幂，再启动一个 kernel", "块 启动 kernel"),
        ("zh", "点 <b>Kernel → Restart Kernel</b>，再启动 Jupyter；05 的启动器", ""),
        ("en", "The whole program in PTX; a Python program, Liger Kernel", "PTX"),
        ("en", "Warp specialization, then specialization", "Warp specialization"),
    ],
)
def test_only_the_terms_themselves_lead_to_the_glossary(language, text, linked):
    main = BeautifulSoup(
        f'<main><div class="jp-MarkdownCell"><div lang="{language}"><p>{text}</p></div></div></main>', "html.parser"
    ).main
    read = main.get_text()
    words.link(main)
    assert " ".join(link.get_text() for link in main.select("a.term")) == linked
    assert main.get_text() == read


def test_what_is_not_a_site_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(Refused):
        list(build(tmp_path))
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_accessible(site, opened):
    """One page, everything on it used; the rest in the deep test."""
    page = opened(next(site.glob("03_*.html")), PHONE, "en", color_scheme="dark")
    page.evaluate("document.querySelector('div[lang=en] p').style.color = '#444'")
    assert any("color-contrast" in fault for fault in faults(page)), "axe looks"
    page.evaluate("document.querySelector('div[lang=en] p').style.color = ''")
    page.evaluate(USE_ALL)
    assert faults(page) == []


@pytest.mark.deep
@pytest.mark.timeout(900)  # whoever comes first writes the site
def test_the_whole_site_is_valid(whole):
    check_pages(whole)


@pytest.mark.deep
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", [*(entry.path.stem for entry in entries()), "index", "glossary"])
def test_every_page_is_accessible(name, whole, opened):
    """In Chinese by day, in English by night, on a phone and on a desk, with everything on it used."""
    for language, theme, rules in (("zh", "light", None), ("en", "dark", CONTRAST)):
        page = opened(whole / f"{name}.html", PHONE, language, color_scheme=theme)
        hidden = "all => all.filter(each => each.closest('.jp-Cell').hidden).map(each => each.textContent)"
        tasks = page.locator(
            ".jp-RenderedMarkdown p:first-child > strong:first-child", has_text=re.compile("^(练习|Exercise)")
        )
        assert tasks.evaluate_all(hidden) == [] and bool(tasks.count()) == name[1:2].isdigit(), (
            "an exercise waits for nothing"
        )
        page.evaluate(USE_ALL)
        assert faults(page, only=rules) == [], (language, theme)
        for width, height in (PHONE, DESK):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()

"""Handouts in each language, with and without answers: made, run, read on a phone; and nothing of the course destroyed on the way."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pypdfium2
import pytest
from axe import USE_ALL, faults, sound
from bs4 import BeautifulSoup
from course import NOTEBOOKS, ROOT, code_cells, read, tags

from course_tools.handout import hosted, paper, select, write
from course_tools.handout.__main__ import main

CJK = "\u4e00-\u9fff"
THREE = [("zh", True), ("en", False), ("both", True)]  # the language and the answers are chosen apart
NAMES = {path.name for path in NOTEBOOKS}
FEW = [path for path in NOTEBOOKS if path.stem.startswith(("03", "A1"))]  # the site is made of the same notebooks
HELD = [  # answers are judged before they are handed out: that takes its time
    pytest.param(path, *how, id=f"{path.stem} {how[0]}")
    for path in NOTEBOOKS
    for how in THREE
    if path in FEW or not how[1]
]


def answers(notebook) -> list[str]:
    return [cell.source for cell in notebook.cells if "answer" in tags(cell)]


def code_of(answer: str) -> str:
    return re.search(r"```python\n(.*?)\n```", answer, flags=re.S)[1]


def chosen(path, language: str, with_answers: bool):
    notebook = select.in_language(read(path), language)
    return select.with_answers(notebook)[0] if with_answers else select.without_answers(notebook)


@pytest.mark.parametrize(("path", "language", "with_answers"), HELD)
def test_what_a_handout_holds(path, language, with_answers):
    source, made = read(path), chosen(path, language, with_answers)
    nbformat.validate(made)
    text = "\n".join(cell.source for cell in made.cells)
    for other in {"zh", "en"} - {language} if language != "both" else ():
        assert not [cell for cell in made.cells if other in tags(cell)]
        assert f'<div lang="{other}">' not in text
    headings = [cell.source for cell in made.cells if cell.source.startswith("#") and cell.cell_type == "markdown"]
    assert headings
    for heading in headings:
        assert (" · " in heading) == (language == "both"), heading
        assert language != "en" or not re.search(f"[{CJK}]", heading), heading
    assert f"notebook.start({'' if language == 'both' else repr(language)})".replace("'", '"') in text

    assert not answers(made)
    verdicts = [str(o.data["text/plain"]) for c in code_cells(made) if c.source.startswith("check(") for o in c.outputs]
    assert len(verdicts) == len(answers(source)) > 0
    assert all(verdict.startswith("✓" if with_answers else "…") for verdict in verdicts), verdicts
    for answer in answers(source):
        stub = code_of(answer).partition("\n")[0]
        assert stub in text and (code_of(answer) in text) == with_answers, stub

    # nbval compares the course's own notebooks; a handout's cells are those, but for the first and for the exercises
    kept = {cell.id: cell for cell in code_cells(source)}
    changed = [
        cell
        for cell in code_cells(made)
        if (cell.source, cell.outputs) != (kept[cell.id].source, kept[cell.id].outputs)
    ]
    for cell in changed:
        assert cell.source.startswith(("from course_utils import notebook", "check(")) or "exercise" in tags(cell)
    assert len(changed) == (language != "both") + 2 * len(answers(source)) * with_answers


def test_a_notebook_whose_answers_are_used_elsewhere_is_run():
    notebook = read(min(NOTEBOOKS, key=lambda path: path.stat().st_size))
    name = re.match(r"def (\w+)", next(cell.source for cell in code_cells(notebook) if "exercise" in tags(cell)))[1]
    assert not select.with_answers(notebook)[1]
    notebook.cells.append(nbformat.v4.new_code_cell(f"print({name})"))
    assert select.with_answers(notebook)[1]


SHORT = next(path for path in NOTEBOOKS if path.name.startswith("00_"))


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Handouts of 00 alone."""
    folder = tmp_path_factory.mktemp("handouts")
    for language, with_answers in THREE:
        target = folder / f"{language}-{with_answers}"
        target.mkdir()
        write.write(SHORT, target, language, with_answers, {SHORT.name}, ROOT)
        paper.write_glossary(target, language, {SHORT.name})
    return folder


def test_one_runs_and_passes_its_own_nbval(three):
    """Named, the backend need not be looked for."""
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q", "-p", "no:cacheprovider"]
    how = {"cwd": three / "zh-True", "env": os.environ | {"COURSE_BACKEND": "interpreter"}, "timeout": 240}
    ran = subprocess.run([*command, f"--rootdir={three}", SHORT.name], capture_output=True, text=True, **how)
    cells = len(code_cells(read(three / "zh-True" / SHORT.name)))
    assert f"{cells} passed" in ran.stdout and ran.returncode == 0, ran.stdout[-3000:]


@pytest.mark.parametrize(("language", "with_answers"), THREE)
def test_links_and_pictures_lead_somewhere(three, language, with_answers):
    folder = three / f"{language}-{with_answers}"
    soup = check_page((folder / f"{SHORT.stem}.html").read_text(), language)
    assert bool(soup.select(".course-switch")) == (language == "both")
    targets = [e[name] for e in soup.select("main :is([src], [href])") for name in ("src", "href") if name in e.attrs]
    prose = "".join(cell.source for cell in read(folder / SHORT.name).cells if cell.cell_type == "markdown")
    targets += re.findall(r"\]\(([^)]+)\)", prose)
    assert soup.select_one(".jp-MarkdownOutput img.course-picture"), "the picture itself, not a link alone"
    for target in targets:
        file, _, place = target.partition("#")
        assert file.startswith(("data:image/", "https:")) or not file or (folder / file).is_file(), target
        if place and (not file or file.endswith(".html")):
            assert soup.find(id=lambda id: id and unquote(id) == unquote(place)), target  # noqa: B023
    terms = check_page((folder / "glossary.html").read_text(), language)
    assert len(terms.select("tbody tr")) > 40 and not soup.select('a[href$=".md"]')
    assert not (folder / "course_utils").exists(), "it would hide the package from the notebooks"


def check_page(html: str, language: str):
    soup = sound(html)
    assert soup.html["lang"] == ("en" if language == "en" else "zh")
    assert soup.select_one('meta[name="viewport"]')["content"].startswith("width=device-width")
    assert soup.title.string == soup.h1.find(string=True)
    assert not soup.select("script[src], link, iframe, main style, form")
    prose = " ".join(e.get_text() for e in soup.select(".jp-MarkdownOutput") if not e.select("pre"))
    assert "$" not in prose, "a formula was left as it was"
    if language != "both":
        assert not soup.select(f'[lang="{"en" if language == "zh" else "zh"}"]:not(html), .course-both, .course-switch')
    return soup


def test_what_cannot_be_done_is_said(tmp_path, capsys):
    course = tmp_path / "course"  # a copy: the originals are nothing to try this on
    course.mkdir()
    before = {course / path.name: path.read_bytes() for path in NOTEBOOKS}
    for path, content in before.items():
        path.write_bytes(content)
    (tmp_path / "file").write_text("")
    nowhere = str(tmp_path / "x")
    for wrong, said in {
        ("--lang", "fr", "--answers", nowhere): "参数不对",
        ("--lang", "zh", "--answers", "--slides", nowhere): "no answers",
        ("--only", "99", "--answers", nowhere): "99",
        ("--no-answers", str(course)): "--overwrite",
        ("--no-answers", str(course), "--overwrite"): "is no handout",
        ("--no-answers", str(tmp_path / "file")): "是一个文件",
    }.items():
        try:
            code = main(list(wrong))
        except SystemExit as exit:
            code = exit.code
        shown = capsys.readouterr().err
        assert code in (1, 2) and said in shown and "Traceback" not in shown, (wrong, shown)
        assert re.search(f"[{CJK}]", shown), shown
    assert not (tmp_path / "x").exists()
    assert all(path.read_bytes() == content for path, content in before.items())


def test_a_handout_plays(three, browser):
    """In a browser it steps, moves and asks, like the site; and axe finds nothing on it."""
    (three / "plays.html").write_text(paper.page(chosen(SHORT, "en", True), "en", True))
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page.goto((three / "plays.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".player.steps button").nth(1).click()
    page.wait_for_function("() => !/def double/.test(document.querySelector('.course-step .now').textContent)")
    page.evaluate(USE_ALL)
    assert "You chose A" in page.locator(".answer").first.inner_text()
    page.evaluate("Promise.all(document.getAnimations().map(each => each.finished))")  # the answer fades in
    assert faults(page) == []


def printed(browser, html, file):
    """The sheets of a page as a browser prints it, told what each says."""
    page = browser.new_page(color_scheme="dark")
    page.goto(html.as_uri() + "?theme=dark")
    page.pdf(path=file, prefer_css_page_size=True)
    page.close()
    with pypdfium2.PdfDocument(file) as document:
        return [re.sub(r"\s", "", sheet.get_textpage().get_text_bounded()) for sheet in document]


def test_paper_keeps_the_answers_to_itself(browser, tmp_path, monkeypatch):
    """What a learner gets on paper asks and leaves room; what a teacher gets answers. Both have a title and page numbers."""
    monkeypatch.setattr("course_tools.player.positions.ROOM", 1)  # nothing moves on paper
    path = next(path for path in NOTEBOOKS if path.name.startswith("03_"))
    notebook = read(path)
    for name, with_answers in (("asks", False), ("answers", True)):
        html = tmp_path / f"{name}.html"
        lengths = select.answer_lengths(notebook)
        html.write_text(paper.page(chosen(path, "en", with_answers), "en", with_answers, lengths))
        sheets = printed(browser, html, tmp_path / f"{name}.pdf")
        text = "".join(sheets)
        for number, sheet in enumerate(sheets, start=1):
            assert "Themaskedrowkernel" in sheet and f"{number}/{len(sheets)}" in sheet
        assert "Youchose" not in text and "firstthreeofthenextrow" in text, "the choices are there, and nobody chose"
        assert ("TheanswerisA." in text) == with_answers
        assert ("x_stride=5:0.33" in text) == with_answers, "what gives a prediction away"
        for answer in answers(notebook):
            last = re.sub(r"\s", "", code_of(answer).splitlines()[-1])
            assert (last in text) or not with_answers, last
        assert ("Whathappened" in text) != with_answers
        for told in ("onlyrow0right", "Theusualtestcatches"):  # below a question, and in the recap
            assert (told in text) == with_answers, told
        for number, answer in enumerate(answers(notebook), start=1):
            stub = re.sub(r"\s", "", code_of(answer).partition("(")[0])
            assert with_answers or any(f"Exercise{number}" in sheet and stub in sheet for sheet in sheets), number
        page = browser.new_page()
        page.goto(html.as_uri())
        page.emulate_media(media="print", color_scheme="dark")
        exact = "e => getComputedStyle(e).printColorAdjust"
        assert page.locator(".course-step td.pad").first.evaluate(exact) == "exact", "hatching is printed"
        rooms = page.locator(".celltag_exercise + .room").evaluate_all("all => all.map(e => e.clientHeight)")
        assert len(rooms) == (0 if with_answers else len(lengths)) and all(height > 120 for height in rooms)
        page.close()


def test_every_exercise_is_told_on_paper(path, monkeypatch):
    """In both languages, and before the frame to write in."""
    monkeypatch.setattr("course_tools.player.positions.ROOM", 1)
    made = BeautifulSoup(
        paper.page(chosen(path, "both", False), "both", False, select.answer_lengths(read(path))), "html.parser"
    )
    frames, before, told = made.select(".celltag_exercise"), [], []
    assert len(frames) == len(answers(read(path))) > 0
    for element in made.select("main :is(.celltag_exercise, .jp-MarkdownCell)"):
        if "celltag_exercise" in element["class"]:
            told.append(before)
            before = []
        elif not element.find_parent(class_="behind") and "behind" not in element["class"]:
            before += [
                part.get_text() for part in element.select("p:not(.behind)") if not part.find_parent(class_="behind")
            ]
    for texts in told:
        assert all(any(text.startswith(word) for text in texts) for word in ("练习", "Exercise")), texts


# Ways in that need nothing installed.


def test_notebooks_for_colab(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("colab").mkdir()
    written = hosted.write(path, Path("colab"), "https://github.com/OWNER/NAME.git", NAMES)
    made, source = nbformat.read(written[0], as_version=4), read(path)
    nbformat.validate(made)
    install, *cells = code_cells(made)
    assert "%pip install" in install.source and "git+https://github.com/OWNER/NAME" in install.source
    assert [(cell.source, cell.outputs) for cell in cells] == [
        (cell.source, cell.outputs) for cell in code_cells(source)
    ]
    prose, shown = (
        "\n".join(cell.source for cell in each.cells if cell.cell_type == "markdown") for each in (made, source)
    )
    own = "data:image/", "https://colab.research.google.com/github/OWNER/NAME/blob/HEAD/colab/"
    for target in re.findall(r"\]\(([^)]+)\)", prose):  # a source that the notebook itself links to stays
        assert target.startswith(own) or target.startswith("https://") and f"]({target})" in shown, target
    assert {"zh", "en"} <= {tag for cell in made.cells for tag in tags(cell)}


def test_one_command_fills_in_every_link(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(write, "sources", lambda: NOTEBOOKS[:1])
    before = (ROOT / "README.md").read_text()
    Path("README.md").write_text(before)
    for owner, more in (("somebody", []), ("somebody-else", ["--overwrite"])):
        assert main(["--colab", f"https://github.com/{owner}/course", "colab", *more]) == 0
        after = Path("README.md").read_text()
        links = re.findall(r"\]\((https://(?:colab|mybinder|codespaces)[^)]+)\)", after)
        assert len(links) == 3 and all(f"{owner}/course" in link for link in links), links
        assert Path(links[0].partition("/blob/HEAD/")[2]).is_file()
        assert (
            f"https://{owner}.github.io/course/" in after and f"git clone https://github.com/{owner}/course " in after
        )
    marks = r"(?<=<!-- online -->)[\s\S]*?(?=<!-- /online -->)|git clone .*\ncd softmax-course\n"
    assert re.sub(marks, "", before) == re.sub(marks, "", after), "the rest is left alone"


def test_containers_are_set_up_by_the_one_installer():
    container = (ROOT / ".devcontainer" / "devcontainer.json").read_text()
    target = re.search(r'"postCreateCommand": "make (\S+)', container)[1]
    planned = subprocess.run(["make", "-n", "-B", target], cwd=ROOT, capture_output=True, text=True)
    assert "course_tools/install.py .venv" in planned.stdout, planned.stderr
    post_build = ROOT / ".binder" / "postBuild"
    assert os.access(post_build, os.X_OK) and "course_tools/install.py" in post_build.read_text()

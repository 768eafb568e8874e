"""What is derived from the notebooks and the recordings is up to date, and follows when they change."""

import shutil

import pytest
from course import NOTEBOOKS, ROOT, code_cells, read, tags

from course_tools import derive
from course_tools.contents import NEEDS, entries, readme_table
from course_tools.gallery import draw_all

FOUND = entries()


def test_every_notebook_is_in_it_in_order():
    assert sorted(entry.path for entry in FOUND) == NOTEBOOKS
    numbers = [entry.number for entry in FOUND]
    assert numbers == sorted(set(numbers), key=lambda number: (number[0] == "A", number))


@pytest.mark.parametrize("entry", FOUND, ids=lambda entry: entry.number)
def test_a_notebook_says_what_it_is(entry):
    for text in (entry.title, entry.question):
        assert text.zh and text.en and text.zh != text.en
    assert entry.needs <= NEEDS and entry.question.en.endswith("?") and entry.question.zh.endswith("？")
    assert 5 <= entry.minutes <= 60, "longer than anyone stays"
    assert entry.exercises == sum("exercise" in tags(cell) for cell in code_cells(read(entry.path)))


@pytest.mark.parametrize("entry", FOUND, ids=lambda entry: entry.number)
def test_what_a_notebook_shows_of_it_is_current(entry):
    sources = [cell.source for cell in entry.notebook.cells]
    assert derive.cells(entry, FOUND) == sources, "run `make derive`"
    for language in ("zh", "en"):
        assert any(getattr(entry.duration, language) in source for source in sources[:3]), "how long does it take?"


def test_the_readme_is_current():
    text = (ROOT / "README.md").read_text()
    assert derive.readme(text, FOUND) == text, "run `make derive`"
    assert readme_table(FOUND) in text
    text = (ROOT / "HARDWARE.md").read_text()
    assert derive.hardware(text, FOUND) == text, "run `make derive`"


def test_the_pictures_are_current(tmp_path):
    draw_all(tmp_path, FOUND)
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in (ROOT / "images").glob("*.svg")}
    assert sorted(drawn) == sorted(kept), "run `make derive`"
    assert [name for name in drawn if drawn[name] != kept[name]] == [], "run `make derive`"


def test_a_changed_title_changes_everything_that_shows_it(tmp_path):
    for name in ("notebooks", "images"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    for name in ("README.md", "HARDWARE.md", "GLOSSARY.md"):
        shutil.copy(ROOT / name, tmp_path)
    assert derive.derive(tmp_path) == []
    path = tmp_path / "notebooks" / NOTEBOOKS[1].name
    path.write_text(path.read_text().replace(f"# {FOUND[1].title.zh} · ", "# 新题目 · "))
    changed = {each.relative_to(tmp_path).as_posix() for each in derive.derive(tmp_path)}
    assert changed == {"README.md", f"notebooks/{NOTEBOOKS[0].name}", "images/course_map.svg"}
    assert "新题目" in (tmp_path / "README.md").read_text()

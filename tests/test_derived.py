"""What is derived from the notebooks, the glossary and the recordings is up to date, and follows when they change."""

import re
import shutil

import pytest
from course import NOTEBOOKS, ROOT, code_cells, read, tags

from course_tools import derive
from course_tools.contents import NEEDS, entries
from course_utils.glossary import GLOSSARY

FOUND = entries()


def test_every_notebook_is_in_it_in_order():
    assert sorted(entry.path for entry in FOUND) == NOTEBOOKS
    numbers = [entry.number for entry in FOUND]
    assert numbers == sorted(set(numbers), key=lambda number: (number[0] == "A", number))


@pytest.mark.parametrize("entry", FOUND, ids=lambda entry: entry.number)
def test_a_notebook_says_what_it_is_how_long_it_takes_and_where_words_are_explained(entry):
    for text in (entry.title, entry.question):
        assert text.zh and text.en and text.zh != text.en
    assert entry.needs <= NEEDS and entry.question.en.endswith("?") and entry.question.zh.endswith("？")
    assert 5 <= entry.minutes <= 60, "longer than anyone stays"
    assert entry.exercises == sum("exercise" in tags(cell) for cell in code_cells(read(entry.path)))
    for language in ("zh", "en"):
        sources = [cell.source for cell in entry.notebook.cells]
        assert any(getattr(entry.duration, language) in source for source in sources[:4]), "how long does it take?"
        told = [cell.source for cell in entry.notebook.cells if language in tags(cell)]
        assert any("](../GLOSSARY.md)" in source for source in told)


def test_a_term_is_named_once_and_explained_in_both_languages():
    terms = [term for group in GLOSSARY.values() for term in group]
    for language in ("zh", "en"):
        names = [getattr(term.name, language) for term in terms]
        assert len(set(names)) == len(names) > 40
    for term in terms:
        assert re.search("[\u4e00-\u9fff]", term.says.zh) and term.says.en.endswith(".") and term.cuda
        assert term.taught in {entry.number for entry in FOUND}


def test_all_is_current_and_a_changed_title_changes_everything_that_shows_it(tmp_path):
    for name in ("notebooks", "images"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    for name in ("README.md", "HARDWARE.md", "GLOSSARY.md"):
        shutil.copy(ROOT / name, tmp_path)
    assert derive.derive(tmp_path) == [], "run `make derive`"
    path = tmp_path / "notebooks" / NOTEBOOKS[1].name
    path.write_text(path.read_text().replace(f"# {FOUND[1].title.zh} · ", "# 新题目 · "))
    changed = {each.relative_to(tmp_path).as_posix() for each in derive.derive(tmp_path)}
    assert changed == {"README.md", f"notebooks/{NOTEBOOKS[0].name}"}
    assert "新题目" in (tmp_path / "README.md").read_text()


def test_stubs_and_answers_come_from_the_exercises_files():
    notebook = read(NOTEBOOKS[3])
    shown = [cell.source for cell in notebook.cells]
    assert not derive.ask(notebook)
    notebook.cells = [cell for cell in notebook.cells if not {"exercise", "answer"} & {*tags(cell)}]
    assert derive.ask(notebook) and [cell.source for cell in notebook.cells] == shown
    next(cell for cell in notebook.cells if "answer" in tags(cell)).source = "another"
    assert derive.ask(notebook) and [cell.source for cell in notebook.cells] == shown

"""Writes again whatever is derived: tables and durations in README, HARDWARE and notebooks, the switch that they show, their exercises' stubs
and answers, GLOSSARY.md, the pictures in images/.

python -m course_tools.derive        says which files it changed
"""

import re
from pathlib import Path

import nbformat

from course_utils.exercises.files import find
from course_utils.language import LANGUAGES
from course_utils.switch import Switch

from . import glossary, support
from .contents import COURSE, Entry, entries, notebook_table, readme_table
from .gallery import draw_all
from .handout import hosted
from .marks import between

# The last sentence of the second cell: how long the notebook takes.
_DURATION = {"zh": re.compile(r"大约 \d+ 分钟[^\n]*"), "en": re.compile(r"About \d+ minutes[^\n]*")}
_CHECK = re.compile(r'check\("(.+?)"\)$')
_NO_SLIDE = {"slideshow": {"slide_type": "skip"}}
_ANSWER = "<details><summary>答案 · Answer</summary>\n\n```python\n{}\n```\n\n</details>"
_TABLE = re.compile(r"^\|.*\|$(?:\n^\|.*\|$)*", re.MULTILINE)


def readme(text: str, found: list[Entry]) -> str:
    for language in LANGUAGES:
        text = between(text, f"contents {language}", readme_table(found, language))
    return hosted.with_commands(text)


def hardware(text: str, found: list[Entry]) -> str:
    return between(text, "support", support.table())


def cells(entry: Entry, found: list[Entry]) -> list[str]:
    """The sources of a notebook's cells, with its duration and, where it has one, its table of contents made anew."""
    sources = []
    for cell in entry.notebook.cells:
        tags, source = _tags(cell), cell.source
        language = next((each for each in ("zh", "en") if each in tags), None)
        if language:
            source = _DURATION[language].sub(getattr(entry.duration, language), source)
        if language and "contents" in tags:
            source = _TABLE.sub(lambda _, language=language: notebook_table(found, language, entry.number), source)
        sources.append(source)
    return sources


def ask(notebook) -> bool:
    """Puts an exercise's stub before each `check("NN.name")`, and its folded answer behind, as its file has them. Says whether it
    had to."""
    before, made = [cell.source for cell in notebook.cells], []
    for cell in notebook.cells:
        if asked := _CHECK.match(cell.source):
            exercise = find(asked[1])
            if not (made and "exercise" in _tags(made[-1])):
                made.append(nbformat.v4.new_code_cell(metadata=_NO_SLIDE | {"tags": ["exercise"]}))
            made[-1].source = exercise.stub.strip()
            cell.metadata = _NO_SLIDE | cell.metadata
            answer = _ANSWER.format(exercise.right.strip())
            made += [cell, nbformat.v4.new_markdown_cell(answer, metadata=_NO_SLIDE | {"tags": ["answer"]})]
        elif "answer" in _tags(cell):
            cell.source, made[-1] = made[-1].source, cell  # the cell that was there, with what the file says now
        else:
            made.append(cell)
    notebook.cells = made
    return before != [cell.source for cell in made]


def _tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def show_switch(notebook) -> bool:
    """Stores the language switch as the code draws it now, where the first code cell shows it. Says whether it was another."""
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
    shown = {"text/html": Switch()._repr_html_(), "text/plain": repr(Switch())}
    if "notebook.start()" not in cell.source or [output.get("data") for output in cell.outputs] == [shown]:
        return False
    cell.outputs = [nbformat.v4.new_output("execute_result", shown, execution_count=cell.execution_count)]
    return True


def derive(course: Path = COURSE) -> list[Path]:
    """The files that were not up to date; they are now."""
    found, changed = entries(course), []
    for entry in found:
        asked, sources = ask(entry.notebook), cells(entry, found)
        if show_switch(entry.notebook) or asked or sources != [cell.source for cell in entry.notebook.cells]:
            for cell, source in zip(entry.notebook.cells, sources, strict=True):
                cell.source = source
            nbformat.write(entry.notebook, entry.path)
            changed.append(entry.path)
    for path, made_anew in ((course / "README.md", readme), (course / "HARDWARE.md", hardware)):
        before = path.read_text(encoding="utf-8")
        if (new := made_anew(before, found)) != before:
            path.write_text(new, encoding="utf-8")
            changed.append(path)
    path = course / "GLOSSARY.md"
    if not path.exists() or path.read_text(encoding="utf-8") != glossary.page(found):
        path.write_text(glossary.page(found), encoding="utf-8")
        changed.append(path)
    return changed + draw_all(course / "images")


if __name__ == "__main__":
    print(*(path.relative_to(COURSE) for path in derive()), sep="\n")

"""Writes a handout: notebooks and pages side by side, with the files that they show or link to."""

import re
import shutil
from pathlib import Path

import nbformat

from course_utils.language import both

from ..contents import COURSE, entries
from ..execute import execute
from . import paper, select

MARK = "handout"  # in the metadata of every notebook written here: it may be written over
_TARGET = re.compile(r"""\]\((?P<link>[^)\s]+)\)|(?:src|href)="(?P<attribute>[^"]+)\"""")

_NOTEBOOK = re.compile(r"(?<!!)\[(?P<text>[^\]\n]*)\]\((?P<file>[^)#\s/]+\.ipynb)(?:#[^)\s]*)?\)")


class Refused(Exception):
    """A handout that cannot be written as asked; says why, in both languages."""

    def __init__(self, zh: str, en: str):
        super().__init__(both(zh, en))


def sources(course: Path = COURSE) -> list[Path]:
    found = [entry.path for entry in entries(course)]
    if not found:
        raise Refused(
            f"{course} 里没有课程的笔记本。请在课程的文件夹里运行，或用 make 建好的环境。",
            f"There are no notebooks of the course in {course}. Run this from the course's folder, in the environment that make sets up.",
        )
    return found


def prepare(folder: Path, names: set[str] = frozenset(), overwrite: bool = False) -> None:
    """Makes sure that writing notebooks of these names into `folder` destroys nothing that is not a handout."""
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{folder} 是一个文件，不是文件夹。", f"{folder} is a file, not a folder.")
    if folder.exists() and any(folder.iterdir()) and not overwrite:
        raise Refused(
            f"{folder} 不是空的。换一个文件夹，或加上 --overwrite：旧讲义会被盖掉，其余的不动。",
            f"{folder} is not empty. Choose another, or add --overwrite: older handouts are replaced, the rest is left.",
        )
    for path in sorted(folder / name for name in names):
        if path.exists() and MARK not in nbformat.read(path, as_version=4).metadata:
            raise Refused(
                f"{path} 不是讲义，盖掉它会丢东西。换一个文件夹。",
                f"{path} is no handout; writing over it would lose something. Choose another folder.",
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"建不了 {folder}：{error}。", f"{folder} cannot be made: {error}.") from None


def bring(notebook, home: Path, folder: Path, names: set[str], course: Path = COURSE) -> None:
    """Copies what the text shows or links to into `folder`, and points the text there.

    Pictures lie in images/, anything else in linked/: a copy of the package itself must not be importable from there. A
    link to a notebook that is not among `names`, those of this handout, becomes plain text.
    """

    def linked(match) -> str:
        return match[0] if match["file"] in names else match["text"]

    def brought(match) -> str:
        target = match["link"] or match["attribute"]
        name, hash, place = target.partition("#")
        path = (home / name).resolve()
        if not name or ":" in name or path.parent == home.resolve() or not path.is_relative_to(course.resolve()):
            return match[0]
        if path.suffix == ".ipynb" or not path.is_file():
            return match[0]
        if path == course.resolve() / "GLOSSARY.md":
            return match[0].replace(name, paper.GLOSSARY)
        inside = path.relative_to(course.resolve())
        copied = inside if inside.parts[0] == "images" else Path("linked") / inside
        (folder / copied).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / copied)
        return match[0].replace(target, f"{copied.as_posix()}{hash}{place}")

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _TARGET.sub(brought, _NOTEBOOK.sub(linked, cell.source))


def write(path: Path, folder: Path, language: str, answers: bool, names: set[str], course: Path = COURSE) -> list[Path]:
    """One notebook of the course into `folder`, as a notebook and as a page. `names` are all that come to lie there."""
    notebook, must_run = select.in_language(nbformat.read(path, as_version=4), language), False
    lengths = select.answer_lengths(notebook)
    if answers:
        notebook, must_run = select.with_answers(notebook)
    else:
        notebook = select.without_answers(notebook)
    bring(notebook, path.parent, folder, names, course)
    target = folder / path.name
    if must_run:
        nbformat.write(notebook, target)
        execute(target)
        notebook = nbformat.read(target, as_version=4)
    notebook.metadata[MARK] = {"language": language, "answers": answers}
    nbformat.write(notebook, target)
    page = target.with_suffix(".html")
    page.write_text(paper.page(notebook, language, answers, lengths, path.stem[:2]), encoding="utf-8")
    return [target, page]

"""Writes a handout: notebooks and pages side by side, with the files that they show or link to."""

import re
import shutil
from pathlib import Path

import nbformat

from ..language import both
from . import pages, select

COURSE = Path(__file__).resolve().parents[2]
_TARGET = re.compile(r"""\]\((?P<link>[^)\s]+)\)|(?:src|href)="(?P<attribute>[^"]+)\"""")


class Refused(Exception):
    """A handout that cannot be written as asked; says why, in both languages."""

    def __init__(self, zh: str, en: str):
        super().__init__(both(zh, en))


def sources(course: Path = COURSE) -> list[Path]:
    found = sorted((course / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    if not found:
        raise Refused(
            f"{course} 里没有课程的笔记本。请在课程的文件夹里运行，或用 make 建好的环境。",
            f"There are no notebooks of the course in {course}. Run this from the course's folder, in the environment that make sets up.",
        )
    return found


def prepare(folder: Path, course: Path = COURSE, overwrite: bool = False) -> None:
    """Makes sure that writing into `folder` destroys nothing."""
    inside = folder.resolve()
    if inside == course.resolve() or (course / "notebooks").resolve() in (inside, *inside.parents):
        raise Refused(
            f"{folder} 是课程自己的文件夹，讲义会盖掉原件。换一个文件夹。",
            f"{folder} is the course's own folder; a handout would overwrite the originals. Choose another.",
        )
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{folder} 是一个文件，不是文件夹。", f"{folder} is a file, not a folder.")
    if folder.exists() and any(folder.iterdir()) and not overwrite:
        raise Refused(
            f"{folder} 不是空的。换一个文件夹，或加上 --overwrite：同名的文件会被盖掉，其余的不动。",
            f"{folder} is not empty. Choose another, or add --overwrite: files of the same names are replaced, others are left.",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"建不了 {folder}：{error}。", f"{folder} cannot be made: {error}.") from None


def bring(notebook, home: Path, folder: Path, course: Path = COURSE) -> None:
    """Copies what the text shows or links to into `folder`, and points the text there.

    Pictures lie in images/, anything else in files/: a copy of the package itself must not be importable from there.
    """

    def brought(match) -> str:
        target = match["link"] or match["attribute"]
        name, hash, place = target.partition("#")
        path = (home / name).resolve()
        if not name or ":" in name or path.parent == home.resolve() or not path.is_relative_to(course.resolve()):
            return match[0]
        if path.suffix == ".ipynb" or not path.is_file():
            return match[0]
        inside = path.relative_to(course.resolve())
        copied = inside if inside.parts[0] == "images" else Path("files") / inside
        (folder / copied).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / copied)
        return match[0].replace(target, f"{copied.as_posix()}{hash}{place}")

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _TARGET.sub(brought, cell.source)


def write(path: Path, folder: Path, language: str, answers: bool, course: Path = COURSE) -> list[Path]:
    """One notebook of the course into `folder`, as a notebook and as a page."""
    notebook = select.in_language(nbformat.read(path, as_version=4), language)
    must_run = False
    if answers:
        notebook, must_run = select.with_answers(notebook)
    else:
        notebook = select.without_answers(notebook)
    bring(notebook, path.parent, folder, course)
    target = folder / path.name
    nbformat.write(notebook, target)
    if must_run:
        from ..notebook import execute

        execute(target)
        notebook = nbformat.read(target, as_version=4)
    page = target.with_suffix(".html")
    page.write_text(pages.page(notebook, language), encoding="utf-8")
    return [target, page]

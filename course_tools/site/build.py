"""Writes the whole site into a folder."""

import shutil
import zipfile
from pathlib import Path

from course_utils.language import Text

from .. import look
from ..contents import COURSE, Entry, entries
from ..handout.write import Refused
from ..live import assets as live
from ..live import minutes, own
from . import front, lesson, search, words
from .shell import ARCHIVE, GLOSSARY, INDEX, Page, address, shell

HERE = Path(__file__).parent
MINE = ".softmax-course-site"  # in a folder written here: it may be written over


def build(folder: Path, course: Path = COURSE, only: list[str] | None = None):
    """Yields each page as it is written, and its size."""
    found = [entry for entry in entries(course) if not only or entry.number in only]
    if not found:
        raise Refused(f"{course} 里没有这样的笔记本。", f"There are no such notebooks in {course}.")
    prepare(folder)
    assets(folder / "assets")
    live.write(folder / "assets")
    documents: list[search.Document] = []
    for position, entry in enumerate(found):
        before, after = (found[k] if 0 <= k < len(found) else None for k in (position - 1, position + 1))
        page = lesson.page(entry, {each.path.name for each in found}, folder, course)
        documents += search.documents(page)
        yield write(folder, page, before, after)
    for page in (own.page(), minutes.page(found, course), words.page(found), front.page(found, course)):
        documents += search.documents(page)
        yield write(folder, page)
    path = folder / "assets" / "index.js"
    path.write_text(f"COURSE_INDEX = {search.index(documents)};\n", encoding="utf-8")
    yield path, path.stat().st_size
    yield archive(folder)


def archive(folder: Path):
    """The whole site in one file, for whoever takes it along; of the same pages, the same bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with zipfile.ZipFile(folder / ARCHIVE, "w", zipfile.ZIP_DEFLATED) as made:
        for path in files:
            made.writestr(
                zipfile.ZipInfo(f"softmax-course/{path.relative_to(folder).as_posix()}"),
                path.read_bytes(),
                zipfile.ZIP_DEFLATED,
            )
    return folder / ARCHIVE, (folder / ARCHIVE).stat().st_size


def prepare(folder: Path) -> None:
    """An empty folder; an older site in it is taken away, anything else is left alone."""
    if folder.is_dir() and (folder / MINE).is_file():
        shutil.rmtree(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(
            f"{folder} 里有别的东西。换一个文件夹。", f"{folder} holds something else. Choose another folder."
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MINE).touch()
    (folder / ".nojekyll").touch()  # GitHub Pages shall serve it as it is


def assets(folder: Path) -> None:
    folder.mkdir()
    own = HERE / "assets"
    for name, shared in (("css", look.style()), ("js", look.script())):
        text = (own / f"site.{name}").read_text(encoding="utf-8")
        (folder / f"course.{name}").write_text(f"{shared}\n{text}", encoding="utf-8")
    for name in ("minisearch.js", "source-serif-4.woff2"):
        shutil.copyfile(own / name, folder / name)


def write(folder: Path, page: Page, before: Entry | None = None, after: Entry | None = None):
    near = {"before": before and (address(before), before.title), "after": after and (address(after), after.title)}
    if page.file == GLOSSARY:
        near["before"] = (INDEX, Text("目录", "Contents"))
    path = folder / page.file
    path.write_text(shell(page, **near), encoding="utf-8")
    return path, path.stat().st_size

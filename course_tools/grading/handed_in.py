"""The notebooks that learners handed in, read with nothing about them taken for granted. Nothing of them is run here."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from course_utils.language import Text

from ..contents import NUMBER, entries

MOST_BYTES = 50_000_000  # of a notebook
ASKED = re.compile(rf"""\bcheck\(\s*["']({NUMBER})\.(\w+)["']""")
NAMED = re.compile(rf"(?<![0-9])({NUMBER})_")  # in a file's name: "01_naive_softmax", "kim A1_amd_and_ascend"


@dataclass
class Notebook:
    """A learner's copy of one notebook of the course."""

    path: Path
    number: str = ""  # of the course's notebook, such as "01"
    cells: list[str] = field(default_factory=list)  # the source of its code cells
    trouble: Text | None = None  # why it could not be read
    endless: list[str] = field(default_factory=list)  # the answers that did not end in time


@cache
def exercises(number: str) -> list[str]:
    """The exercises of the course's notebook with this number, in the order in which it asks them."""
    for entry in entries():
        if entry.number == number:
            cells = (cell.source for cell in entry.notebook.cells if cell.cell_type == "code")
            return [name for cell in cells for asked, name in ASKED.findall(cell) if asked == number]
    return []


def read(path: Path) -> Notebook:
    """What a file holds, taking nothing about it for granted."""
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return Notebook(path, trouble=Text("不是普通文件，或者太大", "no plain file, or too large"))
        parsed = json.loads(path.read_bytes())
        cells = [cell for cell in parsed["cells"] if cell.get("cell_type") == "code"]
        sources = ["".join(cell["source"]) for cell in cells]
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"[:120]
        return Notebook(path, trouble=Text(f"不是笔记本（{what}）", f"not a notebook ({what})"))
    asked = Counter(number for source in sources for number, _ in ASKED.findall(source))
    named = NAMED.search(path.name)
    number = asked.most_common(1)[0][0] if asked else named[1] if named else ""
    if not exercises(number):
        return Notebook(path, trouble=Text("看不出是课程的哪一本", "not recognisable as a notebook of the course"))
    return Notebook(path, number, sources)


def plain(text: str, most: int = 400) -> str:
    """Text from a learner's code, made safe for a teacher's terminal: no control characters, no endless message."""
    text = "".join(c if c.isprintable() or c == "\n" else "�" for c in text)
    return text if len(text) <= most else f"{text[:most]}…"


def find(folder: Path) -> list[Notebook]:
    paths = sorted(
        path for path in folder.rglob("*.ipynb") if not any(p.startswith(".") for p in path.relative_to(folder).parts)
    )
    return [read(path) for path in paths]


def _spelt(path: Path) -> str:
    """A path's letters, also where the terminal's language makes Python read file names as ASCII."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@cache
def _titles() -> re.Pattern:
    """What a file's name says of the notebook, not of who handed it in: `03_masked_row_kernel`, or `03` alone."""
    whole = "|".join(re.escape(entry.path.stem) for entry in entries())
    return re.compile(rf"{whole}|(?<![0-9A-Za-z]){NUMBER}(?![0-9A-Za-z])")


def _without_title(stem: str) -> str:
    """`王小明` of `00_start_here_王小明` and of `王小明-00_start_here (1)`; a name that says nothing else stays as it is."""
    left = re.sub(r"\(\d+\)$", "", _titles().sub(" ", stem, count=1))
    return re.sub(r"[\s_.-]*\s[\s_.-]*", " ", left).strip(" _.-") or stem


def learners(folder: Path, notebooks: list[Notebook]) -> dict[Path, str]:
    """A name for each notebook: its folder where that says whose it is, else what its file's name says besides the title."""
    parents = Counter((n.path.parent, n.number) for n in notebooks if not n.trouble)
    names, taken = {}, set()
    for n in notebooks:
        home = n.path.parent.relative_to(folder)
        whole = n.path.relative_to(folder).with_suffix("")
        if parents[n.path.parent, n.number] == 1 and home != Path():
            name = home
        else:
            name = whole.with_name(_without_title(_spelt(Path(whole.name))))
            name = whole if (name, n.number) in taken else name  # handed in twice: both are shown
        taken.add((name, n.number))
        names[n.path] = plain(_spelt(name), 60)
    return names

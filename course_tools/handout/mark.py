"""Where each slide of a notebook begins, in the metadata that RISE and `nbconvert --to slides` read.

python -m course_tools.handout.mark NOTEBOOK …    marks anew, over whatever was chosen before
"""

import ast
import re
import sys
from math import inf

import nbformat

from .select import ASKS, leads_on, tags

LINES = 14  # that fit on a slide under its heading
MOST = 18  # with everything drawn smaller
SHORT = 4  # of a text beside something to show; the whole is in the speaker's notes
PICTURE = 12  # lines that a picture takes, unless it is flatter: room for a sentence is left
LONG = 22  # lines of code on a slide; what is longer goes on on the next one
ROWS = 16  # of a table; one that has more stands there as two halves, side by side
STEPPER = 13  # with its source and every variable, and as big as can be
_PROSE = re.compile(r'<div lang="\w+">\n\n(.*)\n\n</div>', re.DOTALL)


def set_kind(cell, kind: str) -> None:
    if kind == "-":  # goes on with the slide
        cell.metadata.pop("slideshow", None)
    else:
        cell.metadata["slideshow"] = {"slide_type": kind}


def kind_of(cell) -> str:
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def is_heading(cell) -> bool:
    return cell.cell_type == "markdown" and cell.source.startswith("#")


def is_prose(cell) -> bool:
    return bool({"zh", "en"} & set(tags(cell)))


def is_list(cell) -> bool:
    """Whether a text is a table, a list or a formula, which a slide carries whole."""
    return bool(re.search(r"^(?:\||[-*] |1\. |\$\$)", unfolded(bare(cell)), re.MULTILINE))


def _html(cell) -> list[str]:
    return [str(output.get("data", {}).get("text/html", "")) for output in cell.get("outputs", [])]


def shows_picture(cell) -> bool:
    data = _html(cell) + ["<img" for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    return any("<img" in html or "<svg" in html for html in data) or shows_stepper(cell) or cell.source.startswith("![")


def shows_stepper(cell, kind: str = "course-step") -> bool:
    """A program line by line; "together": several side by side."""
    return any("course-step" in html and kind in html for html in _html(cell))


def picture_lines(cell) -> int:
    """Lines that a picture takes: few if it is flat, all if it needs a slide's whole height to be read."""
    if not shows_picture(cell):
        return 0
    if shows_stepper(cell):
        return LINES if shows_stepper(cell, "together") else STEPPER
    size = re.search(r"viewBox=.0 0 ([\d.]+) ([\d.]+)", "".join(_html(cell)))
    whole = 31 * float(size[2]) / float(size[1]) if size else PICTURE  # as wide as the slide
    return LINES if whole > 17 else round(min(whole, PICTURE))


def is_silent(cell) -> bool:
    """Whether a cell has no place in a talk: set-up such as imports, what shows nothing, checks, answers and folded listings; stubs,
    for people type elsewhere."""
    if {"answer", "exercise"} & set(tags(cell)) or cell.source.startswith(("check(", "<details><summary>")):
        return True
    if cell.cell_type != "code":
        return False
    if cell.metadata.get("jupyter", {}).get("source_hidden") and not cell.outputs:
        return True  # nothing to see of it
    body = ast.parse(cell.source).body
    agrees = cell.outputs and all(map(says_true, cell.outputs))
    if agrees and not any(isinstance(each, ast.FunctionDef) for each in body):
        return True
    return all(isinstance(each, ast.Import | ast.ImportFrom) for each in body)


def says_true(output) -> bool:
    """That two results agree is said; a bare True says nothing to a room."""
    return printed(output).strip() == "True"


def text_lines(text: str) -> int:
    """How many lines of a slide a text takes: 42 Chinese characters or 84 Latin ones to a line."""
    return sum(1 + sum(2 if ord(c) > 0x2E7F else 1 for c in line) // 84 for line in text.splitlines() if line.strip())


def html_lines(html: str) -> float:
    """A row of a table is a little more than a line; what stands below it, in one of its two languages, is text."""
    below = re.sub(r"<(style|table|details)\b.*?</\1>", "", html, flags=re.DOTALL)
    said = re.sub(r"<[^>]+>", "", re.sub(r"</div>|<br>", "\n", below))
    rows = html.count("<tr")
    return (rows if rows <= ROWS else rows / 2) * 1.2 + text_lines(said) / 2


def printed(output) -> str:
    return str(output.get("text") or output.get("data", {}).get("text/plain", ""))


def lines(cell) -> int:
    if shows_picture(cell):
        return picture_lines(cell)
    said = [printed(output) for output in cell.get("outputs", [])]
    rows = [
        html_lines(str(o["data"]["text/html"])) for o in cell.get("outputs", []) if "text/html" in o.get("data", {})
    ]
    shown = 0 if cell.cell_type == "code" and hides_code(cell) else len(cell.source.splitlines())
    if shown > LONG + 2:  # it goes on on the next slide: on its first a sentence has room above
        shown = LONG - 6
    shown = min(shown, LONG - 2)
    if cell.cell_type == "markdown":
        shown = text_lines(unfolded(bare(cell)))
        shown = min(shown, SHORT) if is_prose(cell) and not is_list(cell) else shown
    return round(shown * 0.75 + 0.5 + (max(rows) if rows else sum(text.count("\n") + 1 for text in said) * 0.75))


def unfolded(text: str) -> str:
    """What of a text a slide has room for: what a reader may unfold is for readers."""
    return re.sub(r"<details>.*?</details>\n*", "", text, flags=re.DOTALL).strip()


def bare(cell) -> str:
    prose = _PROSE.fullmatch(cell.source)
    return prose[1] if prose else cell.source


def hides_code(cell) -> bool:
    """A call whose picture, table or question says it all, and long code beside a picture, stay out of sight."""
    code = [line for line in cell.source.splitlines() if line.strip()]
    if not any("text/html" in output.get("data", {}) for output in cell.get("outputs", [])):
        return False
    statements = [line for line in code if line[0] not in " )]}"]
    if shows_stepper(cell):  # it shows the code that matters, line by line
        return True
    only_a_call = len(statements) == 1 and code[-1].endswith(")")
    return (
        only_a_call or shows_picture(cell) and (len(code) > 6 or statements[-1].startswith(("figures.", "explorers.")))
    )


def _asks(cell) -> bool:
    return cell.source.startswith("predict(")


def tells(section: list, position: int) -> bool:
    """Whether a cell shows what is asked before it: in a talk it comes when the class has guessed."""
    cell, before = section[position], section[max(0, position - 1) : position]
    if any(map(_asks, before)):
        return True
    if cell.cell_type != "code" or not cell.outputs or any(map(_asks, section[position : position + 2])):
        return False
    asked = bool(before) and is_prose(before[0]) and bool(ASKS.search(bare(before[0]).split("\n\n")[-1]))
    return asked or bool(cell.metadata.get("jupyter", {}).get("outputs_hidden"))


def mark(notebook) -> None:
    """Says where each slide begins: at a heading, and below it where slides come out best (`_cost`)."""
    for cell in notebook.cells:
        set_kind(cell, "skip")
    sections = []
    for cell in notebook.cells:
        if is_silent(cell):
            continue
        set_kind(cell, "slide" if is_heading(cell) else "-")
        if is_heading(cell) or not sections:
            sections.append([] if is_heading(cell) else [cell])
        elif not (sections[-1] and _partners(sections[-1][-1], cell)):
            sections[-1].append(cell)
    for section in sections:
        begins = _begins(section)
        for position, cell in enumerate(section):
            if position in begins:
                set_kind(cell, "subslide")
            elif tells(section, position):
                set_kind(cell, "fragment")


def _begins(section: list) -> list[int]:
    """Where, after the first, the slides of a section begin: of all ways to cut it, the one that costs least."""
    best = [(0.0, [])]  # of the first so many cells
    for end in range(1, len(section) + 1):
        ways = ((best[start], start, _cost(section, start, end)) for start in range(end))
        best.append(min((spent + cost, [*begins, start]) for (spent, begins), start, cost in ways))
    return best[-1][1][1:]


def _cost(section: list, start: int, end: int) -> float:
    """What is wrong with these cells as one slide: too much for it, too little, or parted from what they introduce."""
    slide, following = section[start:end], section[end : end + 1]
    if any(map(_asks, slide[:-1])) and not all(map(is_prose, slide[[*map(_asks, slide)].index(True) + 1 :])):
        return inf  # what is shown of the answer has a slide of its own
    if sum(map(shows_picture, slide)) > 1 and sum(map(picture_lines, slide)) > PICTURE:
        return inf
    used = sum(map(lines, slide))
    too_much = 3 * max(0, used - LINES) + (100 if used > MOST and len(slide) > 1 else 0)
    asked = bare(slide[-1]).startswith(("**练习", "**Exercise"))  # it may well stand alone while a class works
    alone = 10 if all(map(is_prose, slide)) and used <= SHORT and not asked else 0
    alone += 10 if not any(map(is_prose, slide)) and used < 8 and not any(map(_asks, slide)) else 0
    parted = 8 if is_prose(slide[-1]) and following and not is_prose(following[0]) else 0
    parted *= 5 if leads_on(bare(slide[-1])) else 1
    parted += 18 if _asks(slide[0]) else 0  # options without their question
    return 2 + too_much + alone + parted + used**2 / 100  # of ways alike, the one with slides of a size


def _partners(cell, other) -> bool:
    """Whether two cells next to each other are one text in both languages."""
    return "zh" in tags(cell) and "en" in tags(other)


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    for name in arguments:
        notebook = nbformat.read(name, as_version=4)
        mark(notebook)
        nbformat.write(notebook, name)
        print(f"{name}: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

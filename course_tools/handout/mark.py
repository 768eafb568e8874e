"""Where each slide of a notebook begins, in the metadata that RISE and `nbconvert --to slides` read.

python -m course_tools.handout.mark NOTEBOOK …    marks anew, over whatever was chosen before
"""

import ast
import re
import sys

import nbformat

from .select import tags

LINES = 14  # that fit on a slide under its heading
SHORT = 4  # of a text beside something to show; the whole is in the speaker's notes
PICTURE = 9  # lines that a picture takes at least; it grows into what is left
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
    return bool(re.search(r"^(?:\||[-*] |1\. |\$\$)", bare(cell), re.MULTILINE))


def _html(cell) -> list[str]:
    return [str(output.get("data", {}).get("text/html", "")) for output in cell.get("outputs", [])]


def shows_picture(cell) -> bool:
    data = _html(cell) + ["<img" for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    return any("<img" in html or "<svg" in html for html in data) or shows_stepper(cell) or cell.source.startswith("![")


def shows_stepper(cell, kind: str = "course-step") -> bool:
    """A program line by line; "together": several side by side."""
    return any("course-step" in html and kind in html for html in _html(cell))


def _is_tall(cell) -> bool:
    """A picture that needs a slide's whole height to be read."""
    size = re.search(r"viewBox=.0 0 ([\d.]+) ([\d.]+)", "".join(_html(cell)))
    return bool(size) and float(size[2]) > 0.55 * float(size[1])


def is_silent(cell) -> bool:
    """Whether a cell has no place in a talk: set-up such as imports, what shows nothing, checks, answers and folded listings; stubs,
    for people type elsewhere."""
    if {"answer", "exercise"} & set(tags(cell)) or cell.source.startswith(("check(", "<details><summary>")):
        return True
    if cell.cell_type != "code":
        return False
    if cell.metadata.get("jupyter", {}).get("source_hidden") and not cell.outputs:
        return True  # nothing to see of it
    return all(isinstance(each, ast.Import | ast.ImportFrom) for each in ast.parse(cell.source).body)


def text_lines(text: str) -> int:
    """How many lines of a slide a text takes: 42 Chinese characters or 84 Latin ones to a line."""
    return sum(1 + sum(2 if ord(c) > 0x2E7F else 1 for c in line) // 84 for line in text.splitlines() if line.strip())


def html_lines(html: str) -> float:
    """A row of a table is a little more than a line; what stands below it, in one of its two languages, is text."""
    below = re.sub(r"<(style|table|details)\b.*?</\1>", "", html, flags=re.DOTALL)
    said = re.sub(r"<[^>]+>", "", re.sub(r"</div>|<br>", "\n", below))
    return html.count("<tr") * 1.2 + text_lines(said) / 2


def lines(cell) -> int:
    if shows_picture(cell):
        alone = shows_stepper(cell, "together") or _is_tall(cell)
        return LINES if alone else STEPPER if shows_stepper(cell) else PICTURE
    printed = [str(o.get("text") or o.get("data", {}).get("text/plain", "")) for o in cell.get("outputs", [])]
    rows = [
        html_lines(str(o["data"]["text/html"])) for o in cell.get("outputs", []) if "text/html" in o.get("data", {})
    ]
    shown = 0 if cell.cell_type == "code" and hides_code(cell) else len(cell.source.splitlines())
    if cell.cell_type == "markdown":
        shown = min(text_lines(bare(cell)), SHORT) if is_prose(cell) and not is_list(cell) else text_lines(bare(cell))
    line = 0.9 if cell.cell_type == "code" and shown > 16 else 0.75  # a long kernel stands alone
    return round(shown * line + 0.5 + (max(rows) if rows else sum(text.count("\n") + 1 for text in printed) * 0.75))


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


def mark(notebook) -> None:
    """Says where each slide begins: at a heading, at a text with something to show, after a question, and at whatever no
    longer fits."""
    shown = [cell for cell in notebook.cells if not is_silent(cell)]
    for cell in notebook.cells:
        set_kind(cell, "skip")
    used, pictures = 0.0, 0
    for position, cell in enumerate(shown):
        before = shown[position - 1] if position else None
        after = next(
            (c for c in shown[position + 1 :] if not (is_prose(cell) and is_prose(c) and _partners(cell, c))), None
        )
        partner = before is not None and _partners(before, cell)
        concludes = is_prose(cell) and (after is None or is_prose(after) or is_heading(after))
        full = used + lines(cell) > LINES or (shows_picture(cell) and pictures)
        new = full or before is not None and (_asks(before) or is_prose(cell) and not concludes)
        if is_heading(cell):
            set_kind(cell, "slide")
            used, pictures = 0.0, 0
            continue
        if new and not partner and before is not None and not is_heading(before):
            set_kind(cell, "subslide")
            used, pictures = 0.0, 0
        else:
            set_kind(cell, "-")
        used += 0 if partner else lines(cell)
        pictures += shows_picture(cell)


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

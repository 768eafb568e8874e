"""A talk out of a notebook: a heading, one idea and one picture a slide, in one language.

`mark` says where each slide begins, in the metadata that RISE and `nbconvert --to slides` read. `talk` goes further: it
repeats the heading on every slide, keeps of a long text what a slide can carry (the whole stays in the speaker's notes),
and hides code whose picture says it all.
"""

import copy
import re

import nbformat

from . import select

LINES = 13  # that fit on a slide under its heading
PICTURE = 9  # lines that a picture takes
_ENDS = re.compile(r"(?<=[。！？])(?=.)|(?<=[.!?”])\s+(?=[A-Z“*`$])")
_PROSE = re.compile(r'<div lang="\w+">\n\n(.*)\n\n</div>', re.DOTALL)


def _type(cell, kind: str) -> None:
    if kind == "-":  # goes on with the slide
        cell.metadata.pop("slideshow", None)
    else:
        cell.metadata["slideshow"] = {"slide_type": kind}


def kind_of(cell) -> str:
    return cell.metadata.get("slideshow", {}).get("slide_type", "-")


def is_heading(cell) -> bool:
    return cell.cell_type == "markdown" and cell.source.startswith("#")


def is_prose(cell) -> bool:
    return bool({"zh", "en"} & set(select.tags(cell)))


def shows_picture(cell) -> bool:
    data = [str(output.get("data", {}).get("text/html", "")) for output in cell.get("outputs", [])]
    data += ["<img" for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    return any("<img" in html or "<svg" in html for html in data) or cell.source.startswith("![")


def is_silent(cell) -> bool:
    """Whether a cell has no place in a talk: imports and other set-up, checks, answers."""
    if "answer" in select.tags(cell) or cell.source.startswith("check("):
        return True
    lines = [line for line in cell.source.splitlines() if line.strip()]
    return cell.cell_type == "code" and all(line.startswith(("import ", "from ")) for line in lines)


def text_lines(text: str) -> int:
    """How many lines of a slide a text takes: 42 Chinese characters or 84 Latin ones to a line."""
    return sum(1 + sum(2 if ord(c) > 0x2E7F else 1 for c in line) // 84 for line in text.splitlines() if line.strip())


def lines(cell) -> int:
    if shows_picture(cell):
        return PICTURE
    printed = [str(o.get("text") or o.get("data", {}).get("text/plain", "")) for o in cell.get("outputs", [])]
    rows = [
        html.count("<tr") * 1.2
        for o in cell.get("outputs", [])
        if (html := str(o.get("data", {}).get("text/html", "")))
    ]
    shown = 0 if cell.cell_type == "code" and _hides_code(cell) else len(cell.source.splitlines())
    if cell.cell_type == "markdown":
        shown = text_lines(_bare(cell))
    return round(shown * 0.75 + 0.5 + (max(rows) if rows else sum(text.count("\n") + 1 for text in printed) * 0.75))


def _bare(cell) -> str:
    prose = _PROSE.fullmatch(cell.source)
    return prose[1] if prose else cell.source


def _hides_code(cell) -> bool:
    """A call whose picture, table or question says it all, and long code beside a picture, stay out of sight."""
    code = [line for line in cell.source.splitlines() if line.strip()]
    if not any("text/html" in output.get("data", {}) for output in cell.get("outputs", [])):
        return False
    statements = [line for line in code if line[0] not in " )]}"]
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
        _type(cell, "skip")
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
            _type(cell, "slide")
            used, pictures = 0.0, 0
            continue
        if new and not partner and before is not None and not is_heading(before):
            _type(cell, "subslide")
            used, pictures = 0.0, 0
        else:
            _type(cell, "-")
        used += 0 if partner else lines(cell)
        pictures += shows_picture(cell)


def _partners(cell, other) -> bool:
    """Whether two cells next to each other are one text in both languages."""
    return "zh" in select.tags(cell) and "en" in select.tags(other)


def shorten(text: str, most: int) -> str:
    """What a slide carries of a text: formulas, tables and lists whole; of running text the sentences that fit, those
    with something **bold** first."""
    blocks, kept = re.split(r"\n{2,}", text), []
    room = most - sum(2 for block in blocks if block.startswith("$$"))
    for block in blocks:
        if block.startswith(("$$", "|", "- ", "* ", "1. ", "```")):
            kept.append(block)
            continue
        sentences = _ENDS.split(block)
        wanted = sorted(range(len(sentences)), key=lambda k: ("**" not in sentences[k] and k > 0, k))
        chosen = set()
        for k in wanted:
            if room - text_lines(sentences[k]) >= 0 or not kept and not chosen:
                chosen.add(k)
                room -= max(0.5, sum(2 if ord(c) > 0x2E7F else 1 for c in sentences[k]) / 84)
        glue = "" if re.search("[\u4e00-\u9fff]", block) else " "
        if chosen:
            kept.append(glue.join(sentences[k] for k in sorted(chosen)))
    return "\n\n".join(kept)


def _pieces(notebook, language: str):
    """The cells of the talk: as marked, with the heading again on each slide and long texts cut to what it carries."""
    heading = None
    for position, cell in enumerate(notebook.cells):
        if is_heading(cell):
            heading = cell.source
        if kind_of(cell) == "subslide" and heading:
            again = nbformat.v4.new_markdown_cell("## " + heading.lstrip("# "))
            _type(again, "subslide")
            yield again
            _type(cell, "-")
        if is_prose(cell):
            whole = _bare(cell)
            followers = []
            for later in notebook.cells[position + 1 :]:
                if kind_of(later) in ("slide", "subslide"):
                    break
                followers += [] if is_silent(later) else [lines(later)]
            short = shorten(whole, max(3, LINES - sum(followers)))
            if short != whole:
                cell.source = f'<div lang="{language}">\n\n{short}\n\n</div>'
                yield cell
                notes = nbformat.v4.new_markdown_cell(f'<div lang="{language}">\n\n{whole}\n\n</div>')
                _type(notes, "notes")
                yield notes
                continue
        if cell.cell_type == "code" and _hides_code(cell):
            cell.metadata["jupyter"] = {"source_hidden": True}
        yield cell


def talk(notebook, language: str):
    """The slides of a notebook, as a notebook in one language that RISE shows and that still runs from top to bottom."""
    notebook = select.without_answers(select.in_language(notebook, language))
    for cell in notebook.cells:
        if cell.cell_type == "code" and "notebook.start(" in cell.source:
            cell.metadata["tags"] = ["start"]
    mark(notebook)
    for cell in notebook.cells:
        if "start" in select.tags(cell):
            _type(cell, "skip")
    made = copy.deepcopy(notebook)
    made.cells = list(_pieces(made, language))
    for number, cell in enumerate(made.cells):
        cell["id"] = f"slide-{number}"
    return made

"""A talk out of a notebook: a heading, one idea and one picture a slide, in one language.

It repeats the heading, small, on every slide, keeps of a long text what a slide can carry (the whole stays in the speaker's notes),
and hides code whose picture says it all.
"""

import re

import nbformat

from . import select
from .mark import (
    LINES,
    SHORT,
    bare,
    hides_code,
    is_heading,
    is_prose,
    is_silent,
    kind_of,
    lines,
    mark,
    says_true,
    set_kind,
    text_lines,
    unfolded,
)

_ENDS = re.compile(r"(?<=[。！？])(?=[^*”])|(?<=[.!?”])\s+(?=[A-Z“*`$])")


def shorten(text: str, most: int) -> str:
    """What a slide carries of a text: formulas, tables and lists whole; of running text the sentences that fit, those
    with something **bold** first, and always the paragraph that says what the audience is to guess."""
    blocks, kept = re.split(r"\n{2,}", unfolded(text)), []
    room = most - sum(2 for block in blocks if block.startswith("$$"))
    asked = {k for k, block in enumerate(blocks) if select.ASKS.search(block)}
    lone = {k for k in asked if k and len(_ENDS.split(blocks[k])) == 1}  # it asks of what is said before it
    asked |= {k - 1 for k in lone}
    room -= sum(text_lines(blocks[k]) for k in asked)
    for position, block in enumerate(blocks):
        if position in asked or block.startswith(("$$", "|", "- ", "* ", "1. ", "```")):
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


def _without_lead(text: str) -> str:
    """A text without its last paragraph, or sentence if it has but one, which leads to code that the talk leaves out."""
    before, _, last = text.rpartition("\n\n")
    return before or last.removesuffix(_ENDS.split(last)[-1]).strip() or text


def _pieces(notebook, language: str):
    """The cells of the talk: as marked, with the heading again on each slide and long texts cut to what it carries."""
    heading = None
    for position, cell in enumerate(notebook.cells):
        if is_heading(cell):
            heading = cell.source.lstrip("# ")
            cell.source = f"{'#' if cell.source.startswith('# ') else '##'} {heading}"
        if kind_of(cell) == "subslide" and heading:
            again = nbformat.v4.new_markdown_cell(f"### {heading}")
            set_kind(again, "subslide")
            yield again
            set_kind(cell, "-")
        if is_prose(cell):
            whole = bare(cell)
            followers = []
            for later in notebook.cells[position + 1 :]:
                if kind_of(later) in ("slide", "subslide"):
                    break
                followers += [] if is_silent(later) else [lines(later)]
            leads = select.leads_on(whole) and is_silent(notebook.cells[position + 1])
            room = max(3, min(SHORT if any(followers) else 8, LINES - sum(followers)))
            short = shorten(_without_lead(whole) if leads else whole, room)
            if short != whole:
                cell.source = f'<div lang="{language}">\n\n{short}\n\n</div>'
                yield cell
                notes = nbformat.v4.new_markdown_cell(f'<div lang="{language}">\n\n{whole}\n\n</div>')
                set_kind(notes, "notes")
                yield notes
                continue
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if not says_true(out)]
        if cell.cell_type == "code" and hides_code(cell):
            cell.metadata["jupyter"] = {"source_hidden": True}
        yield cell


def talk(notebook, language: str):
    """The slides of a notebook, as a notebook in one language that RISE shows and that still runs from top to bottom."""
    notebook = select.without_answers(select.in_language(notebook, language))
    mark(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code" and "notebook.start(" in cell.source:
            set_kind(cell, "skip")
    notebook.cells = list(_pieces(notebook, language))
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"slide-{number}"
    return notebook

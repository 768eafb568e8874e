"""What a visitor has solved and predicted: beside each lesson on the front page, and in a file to take along."""

import json
import re
from html import escape

from course_utils.language import spans

from ..contents import Entry
from . import exercises

_CALL = re.compile(r'^(check|predict)\("(\w+)\.(\w+)"', re.MULTILINE)


def tally(entry: Entry) -> str:
    """Filled by page/kept.js, from what is kept; nothing before anything is."""
    calls = [found for cell in entry.notebook.cells for found in _CALL.findall(cell.source) if cell.cell_type == "code"]
    counted = {
        "exercises": [
            f"{number}.{name}"
            for call, number, name in calls
            if call == "check" and exercises.exported(name) is not None
        ],
        "questions": [f"{number}.{name}" for call, number, name in calls if call == "predict"],
    }
    return f'<small data-tally="{escape(json.dumps(counted))}" hidden></small>'


def block() -> str:
    said = spans(
        "写的代码、解出的练习和预测都存在这个浏览器里。",
        "Your code, solved exercises and predictions are kept in this browser.",
    )
    save, read = spans("存成文件", "Save to a file"), spans("从文件读回", "Read from a file")
    return (
        f'<div class="progress"><span>{said}</span><button type="button" data-live="export">{save}</button>'
        f'<button type="button" data-live="import">{read}</button>'
        '<input type="file" accept="application/json,.json" aria-label="存下的文件 · The saved file" hidden>'
        '<span data-live="told" role="status"></span></div>'
    )

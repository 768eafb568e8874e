"""What a report leaves behind: a CSV file for the teacher's own tables, and a page for each learner to be handed back."""

import csv
import re
from pathlib import Path

from .report import NOTHING, Report

_HEADS = ("learner", "notebook", "exercise", "status", "zh", "en")
_SAYS = {
    "right": ("对", "right"),
    "wrong": ("还不对", "not right yet"),
    "not yet": ("还没写", "not yet"),
    "missing": ("没有", "missing"),
    "unjudged": ("没能判断，老师会看", "could not be judged; your teacher will look"),
}


def write_csv(report: Report, path: Path) -> None:
    """A row for each learner and exercise; with a mark at its start that tells Excel it is UTF-8."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(_HEADS)
        for number, who, name, result in report.each():
            cells = (who, number, name, result.status, result.text.zh, result.text.en)
            rows.writerow(map(no_formula, cells))
        for who in report.absent:
            rows.writerow(map(no_formula, (who, "", "", "missing", NOTHING.zh, NOTHING.en)))
        for who, why in report.trouble:
            rows.writerow(map(no_formula, (who, "", "", "unjudged", why.zh, why.en)))


def no_formula(text: str) -> str:
    """A spreadsheet would compute a cell that begins like this, and a learner chose some of the words."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def write_feedback(report: Report, folder: Path) -> None:
    """A Markdown file for each learner, in both languages."""
    folder.mkdir(parents=True, exist_ok=True)
    for who in report.who:
        (folder / f"{_file_name(who)}.md").write_text("\n".join(_page(report, who)), encoding="utf-8")


def _file_name(who: str) -> str:
    return re.sub(r"[^\w.-]+", "_", who).strip("._") or "_"


def _page(report: Report, who: str) -> list[str]:
    lines = [f"# {_quoted(who)}", ""]
    if who in report.absent:
        return [*lines, NOTHING.zh, NOTHING.en, ""]
    for number, _, name, result in (one for one in report.each() if one[1] == who):
        zh, en = _SAYS[result.status]
        lines += [f"## {number}.{name}: {zh} · {en}", ""]
        if result.status in ("right", "wrong", "unjudged"):
            lines += [_quoted(result.text.zh), "", _quoted(result.text.en), ""]
    for why in (why for name, why in report.trouble if name == who):
        lines += [_quoted(why.zh), "", _quoted(why.en), ""]
    return lines


def _quoted(text: str) -> str:
    """Text that shows as it is: no link, picture or heading that a learner's code wrote."""
    return re.sub(r"([\\`*_\[\]<>#|!])", r"\\\1", text).replace("\n", "  \n")

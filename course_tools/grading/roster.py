"""Who is in the class: a plain list of names, or what a grade book exports, so that its numbers can go back into it.

Canvas exports `Student, ID, SIS User ID, SIS Login ID, Section, …`; Moodle `First name, Last name, ID number, Email address, …`.
A learner is found in it by any of these that the folder or file handed in carries.
"""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

# The columns that say who somebody is; in each, who comes first is what a person reads.
IDENTITY = {
    "canvas": ("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
    "moodle": ("First name", "Last name", "ID number", "Email address"),
}


@dataclass(frozen=True)
class Roster:
    kind: str = ""  # of IDENTITY, or "" for a plain list
    rows: list[dict[str, str]] = field(default_factory=list)  # the columns of that kind

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(map(self.name, self.rows)))

    def name(self, row: dict[str, str]) -> str:
        if self.kind == "moodle":
            return f"{row['First name']} {row['Last name']}".strip()
        return next(iter(row.values()))

    def row(self, name: str) -> dict[str, str] | None:
        return next((row for row in self.rows if self.name(row) == name), None)

    def listed(self, handed_in: str) -> str:
        """The name in the list of whoever handed this in: the one that the folder's or file's name is, or holds."""
        held = {key: self.name(row) for row in self.rows for key in self._keys(row) if _holds(handed_in, key)}
        if handed_in in held:
            return held[handed_in]
        longest = max(held, key=len, default=None)
        # Of several, one must hold the others: “Lin” is in “Linda”, and “Ann” is not.
        return (
            held[longest]
            if longest and all(key in longest or held[key] == held[longest] for key in held)
            else handed_in
        )

    def _keys(self, row: dict[str, str]) -> set[str]:
        kept = {"Section": "", "First name": "", "Last name": ""}
        return {self.name(row), *({**row, **kept}.values())} - {""}


def _holds(text: str, key: str) -> bool:
    """A number is held as a whole: 12 is not in 3124."""
    return bool(re.search(rf"(?<!\d){re.escape(key)}(?!\d)", text)) if key.isdigit() else key in text


def read(path: Path) -> Roster:
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = [[cell.strip() for cell in line] for line in csv.reader(file) if any(cell.strip() for cell in line)]
    for kind, columns in IDENTITY.items():
        if lines and set(columns[:2]) <= set(lines[0]):
            rows = [{column: dict(zip(lines[0], line)).get(column, "") for column in columns} for line in lines[1:]]
            # Canvas puts a row of the points that can be had between, and a student for trying things out at the end.
            return Roster(kind, [row for row in rows if row.get("ID", "x") or row.get("SIS Login ID")])
    return Roster("", [{"name": line[0]} for line in lines if line[0]])

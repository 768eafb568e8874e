"""Recordings: CSV files, each with its provenance in the lines that start with #."""

import csv
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "recorded"


def matrix_bytes(rows: int, columns: int, dtype: str) -> int:
    return rows * columns * {"float32": 4, "float64": 8}.get(dtype, 2)


@dataclass(frozen=True)
class Recording:
    """Where, with what and when something was recorded; and its lines, as they stand in the file."""

    provenance: dict[str, str]
    lines: tuple[dict[str, str], ...]

    def typed(self, kind: type) -> list:
        """The lines as instances of a dataclass, whose fields are the columns. A column that is not there keeps its default."""
        return [kind(**{f.name: f.type(line[f.name]) for f in fields(kind) if f.name in line}) for line in self.lines]


def path_of(name: str, device: str, folder: Path = FOLDER) -> Path:
    return Path(folder) / f"{device}-{name.replace('_', '-')}.csv"


@cache
def read(name: str, device: str) -> Recording:
    return load(path_of(name, device))


def load(path: Path) -> Recording:
    lines = path.read_text(encoding="utf-8").splitlines()
    head = [line[1:].partition(":") for line in lines if line.startswith("#")]
    body = csv.DictReader(line for line in lines if not line.startswith("#"))
    return Recording({key.strip(): value.strip() for key, _, value in head}, tuple(body))


def write(path: Path, provenance: dict[str, str], lines: list) -> None:
    """All at once: whoever is stopped while writing leaves the last whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", newline="", encoding="utf-8") as file:
        file.writelines(f"# {key}: {value}\n" for key, value in provenance.items())
        writer = csv.DictWriter(file, [field.name for field in fields(lines[0])], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, lines))
    unfinished.replace(path)

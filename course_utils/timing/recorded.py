"""Reading what was recorded: CSV files, each with its provenance in the lines that start with #."""

import csv
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "recorded"
DEVICE = "h200"  # whose figures stand in the text
TOOLKITS = {"cuda": "cuda", "hip": "hip", "npu": "cann"}  # the line of the provenance that tells the backend


def matrix_bytes(rows: int, columns: int, dtype: str) -> int:
    return rows * columns * {"float32": 4, "float64": 8}.get(dtype, 2)


@dataclass(frozen=True)
class Measurement:
    """One line of a recording. Times are in microseconds."""

    dtype: str
    rows: int
    columns: int
    provider: str
    median: float
    low: float
    high: float
    kernel: str = ""  # of the course's softmax: the one it chose
    apart: float = 0.0  # between the medians of the two halves, see `measure`

    @property
    def bandwidth(self) -> float:
        """GB/s over the fewest bytes a softmax moves: 2·M·N elements."""
        return 2 * matrix_bytes(self.rows, self.columns, self.dtype) / self.median / 1e3


@dataclass(frozen=True)
class Recorded:
    """A recording: where, with what and when; and its lines, as dictionaries or as measurements."""

    provenance: dict[str, str]
    lines: tuple[dict[str, str], ...]

    @cached_property
    def measurements(self) -> tuple[Measurement, ...]:
        return tuple(
            Measurement(
                line["dtype"],
                int(line["rows"]),
                int(line["columns"]),
                line["provider"],
                float(line["median_us"]),
                float(line["low_us"]),
                float(line["high_us"]),
                line.get("kernel", ""),
                float(line.get("apart_us", 0)),
            )
            for line in self.lines
        )

    def curves(self, dtype: str = "float32", rows: int = 4096) -> dict[str, dict[int, float]]:
        """{provider: {columns: GB/s}}: what `figures.bandwidth_curves` draws."""
        found: dict[str, dict[int, float]] = {}
        for line in self.measurements:
            if (line.dtype, line.rows) == (dtype, rows):
                found.setdefault(line.provider, {})[line.columns] = line.bandwidth
        return found

    def one(self, provider: str, columns: int, dtype: str = "float32", rows: int = 4096) -> Measurement:
        try:
            return self._index[provider, columns, dtype, rows]
        except KeyError:
            raise LookupError(f"{provider}, {dtype}, {rows}×{columns}") from None

    @cached_property
    def _index(self) -> dict:
        return {(line.provider, line.columns, line.dtype, line.rows): line for line in self.measurements}


def devices(state: str = "sustained") -> list[str]:
    """The devices that times were recorded on in this state of the cache, the one that the text speaks of first."""
    found = (path.stem.removesuffix(f"-times-{state}") for path in FOLDER.glob(f"*-times-{state}.csv"))
    return sorted(found, key=lambda name: (name != DEVICE, name))


def times(state: str, device: str = DEVICE) -> Recorded:
    """How long every shape took, in one state of the cache: "sustained", "clean", "dirty" or "hot" (see `stopwatch`)."""
    return read(f"times-{state}", device)


@cache
def read(what: str, device: str = DEVICE) -> Recorded:
    """`what`: "host" time of a call; "dram", bytes counted by the hardware; …: the file of this device and name."""
    return load(FOLDER / f"{device}-{what}.csv")


def load(path: Path) -> Recorded:
    lines = path.read_text(encoding="utf-8").splitlines()
    head = [line[1:].partition(":") for line in lines if line.startswith("#")]
    body = csv.DictReader(line for line in lines if not line.startswith("#"))
    return Recorded({key.strip(): value.strip() for key, _, value in head}, tuple(body))


def rows(kind: type, what: str, device: str = DEVICE) -> list:
    """The lines of a recording as instances of a dataclass, whose fields are its columns."""
    return [kind(**{f.name: f.type(line[f.name]) for f in fields(kind)}) for line in read(what, device).lines]


def write(what: str, device: str, provenance: dict[str, str], lines: list[dict], folder: Path = FOLDER) -> Path:
    path = Path(folder) / f"{device}-{what}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        for key, value in provenance.items():
            file.write(f"# {key}: {value}\n")
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    return path

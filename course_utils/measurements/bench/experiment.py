"""An experiment is a module of `course_utils.measurements`, known by its name:

Line             the columns of its recording: `line_of` them, or a `timed_line`
CASES            what is measured, what can least be spared first: dictionaries of some of these columns
measure(**case)  measures one case and yields its lines, and notes for the head of the file
COMPILES         optional, True: there is so much to compile that every core takes a share of it first
COPY             optional: which lines time the best copy on the same buffers

One that has no `measure` is only read.
"""

import importlib
import itertools
import os
import pkgutil
from dataclasses import dataclass, make_dataclass
from functools import cache

from ... import backend
from .provenance import short_name
from .recording import FOLDER, path_of, read

PACKAGE = __name__.split(".bench.")[0]
SPOKEN_OF = ("h100-80gb-hbm3", "h200")  # whose recording the text speaks of: of the first that has one


def line_of(**columns: type) -> type:
    """A line of a recording with columns of these types."""
    return make_dataclass("Line", columns.items(), frozen=True)


def timed_line(**columns: type) -> type:
    """A line of what was timed: in microseconds the median, and the lowest and the highest, come last."""
    return line_of(**columns, median_us=float, low_us=float, high_us=float)


@dataclass(frozen=True)
class Note:
    """What a recording says in its head beside where it is from: who refused which case, what a search chose."""

    about: str
    value: str


def every(**values) -> list[dict]:
    """The cases of all combinations of the values of these columns."""
    return [dict(zip(values, each)) for each in itertools.product(*values.values())]


def experiments() -> list[str]:
    """The names of all experiments."""
    package = importlib.import_module(PACKAGE)
    return [module.name for module in pkgutil.iter_modules(package.__path__) if not module.ispkg]


def experiment(name: str):
    return importlib.import_module(f"{PACKAGE}.{name}")


def recorded(name: str, device: str = "", **columns) -> list:
    """The recorded lines of an experiment; where `columns` are given, those that have these values."""
    lines = read(name, device or spoken_of(name)).typed(experiment(name).Line)
    return [line for line in lines if _agrees(vars(line), columns)]


def provenance(name: str, device: str = "") -> dict[str, str]:
    return read(name, device or spoken_of(name)).provenance


def devices(name: str) -> list[str]:
    """The devices that an experiment was recorded on, the one that the text speaks of first."""
    ending = path_of(name, "").name
    found = [path.name.removesuffix(ending) for path in FOLDER.glob(f"*{ending}")]
    # The end of a longer name is another experiment's.
    found = [device for device in found if device == short_name(provenance(name, device))]
    return sorted(found, key=lambda device: (*(device != each for each in SPOKEN_OF), device))


@cache
def spoken_of(name: str) -> str:
    return devices(name)[0]


def _agrees(values: dict, wanted: dict) -> bool:
    """Whether these columns have the wanted values, or one of those in a tuple."""
    return all(values[name] in (each if isinstance(each, tuple) else (each,)) for name, each in wanted.items())


def measures_here() -> bool:
    return os.environ.get("COURSE_MEASURE") != "recorded" and backend.mode in ("cuda", "hip")

"""An experiment is a module of `course_utils.measurements`, known by its name:

Line             a dataclass: the columns of its recording
cases()          what is measured, what can least be spared first: dictionaries of some of these columns
measure(**case)  measures one case and yields its lines, and notes for the head of the file
COMPILES         optional, True: there is so much to compile that every core takes a share of it first

One that has no `measure`, or no module any more, was recorded once and is only read.
"""

import importlib
import os
import pkgutil
from dataclasses import dataclass

from .recording import DEVICE, FOLDER, path_of, read

PACKAGE = __name__.split(".bench.")[0]


@dataclass(frozen=True)
class Note:
    """What a recording says in its head beside where it is from: who refused which case, what a search chose."""

    about: str
    value: str


def experiments() -> list[str]:
    """The names of all experiments."""
    package = importlib.import_module(PACKAGE)
    return [module.name for module in pkgutil.iter_modules(package.__path__) if not module.ispkg]


def experiment(name: str):
    return importlib.import_module(f"{PACKAGE}.{name.replace('-', '_')}")


def recorded(name: str, device: str = DEVICE, **columns) -> list:
    """The recorded lines of an experiment; where `columns` are given, those that have these values."""
    recording = read(name, device)
    kind = getattr(experiment(name), "Line", None) if name.replace("-", "_") in experiments() else None
    lines = recording.typed(kind) if kind else recording.plain()
    return [line for line in lines if agrees(vars(line), columns)]


def provenance(name: str, device: str = DEVICE) -> dict[str, str]:
    return read(name, device).provenance


def devices(name: str) -> list[str]:
    """The devices that an experiment was recorded on, the one that the text speaks of first."""
    ending = path_of(name, "").name
    longer = [
        end for end in (path_of(other, "").name for other in experiments()) if end != ending and end.endswith(ending)
    ]
    paths = (path for path in FOLDER.glob(f"*{ending}") if not any(path.name.endswith(end) for end in longer))
    return sorted((path.name.removesuffix(ending) for path in paths), key=lambda device: (device != DEVICE, device))


def agrees(values: dict, wanted: dict) -> bool:
    """Whether these columns have the wanted values, or one of those in a tuple."""
    return all(values[name] in (each if isinstance(each, tuple) else (each,)) for name, each in wanted.items())


def measures_here() -> bool:
    if os.environ.get("COURSE_MEASURE") == "recorded":
        return False
    from ...backend import mode

    return mode in ("cuda", "hip")

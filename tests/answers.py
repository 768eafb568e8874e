"""The exercises as the notebooks ask them, right and wrong answers to each, and a cell that defines one."""

import importlib
import linecache
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from course import NOTEBOOKS, read, tags

from course_utils.exercises.exercise import gone

PREAMBLE = """
import math
from statistics import median
import torch
from course_utils.backend import tl, triton
from course_utils.softmax.combine import finite  # 08 defines it, and merge, above its exercises
from course_utils.softmax import merge
from course_utils.softmax.ragged import body_of, ends_of  # 07 defines these
"""


@dataclass(frozen=True)
class Asked:
    """An exercise as its notebook shows it: what `check` is given, the stub, the folded answer."""

    identifier: str
    stub: str
    answer: str

    @property
    def name(self) -> str:
        return self.identifier.partition(".")[2]

    def whole(self, body: str) -> str:
        """A cell with this answer: a body goes under the signature of the stub."""
        if re.match(r"(?:from [^\n]+\n+)*(?:@|def )", body):
            return body
        signature = re.search(r"^def .*?:\n(?=    )", self.stub, flags=re.M | re.S)[0]
        return signature + textwrap.indent(body, "    ") + "\n"


def define(source: str) -> dict:
    """What a notebook's namespace holds after a cell with this source has run."""
    filename = f"<cell {abs(hash(source))}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace = {"__name__": "__main__"}
    exec(PREAMBLE, namespace)
    exec(compile(source, filename, "exec"), namespace)
    return namespace


def _asked():
    for path in NOTEBOOKS:
        cells = read(path).cells
        for position, cell in enumerate(cells):
            if cell.cell_type == "code" and "exercise" in tags(cell):
                identifier = re.search(r'check\("(.*?)"\)', cells[position + 1].source)[1]
                answer = re.search(r"```python\n(.*?)\n```", cells[position + 2].source, flags=re.S)[1]
                if not gone(identifier):
                    yield Asked(identifier, cell.source, answer)


def _table(package: str, name: str) -> dict:
    """What stands in right_answers/nb*.py or wrong_answers/nb*.py, by the identifiers of the exercises."""
    found = {}
    for file in sorted((Path(__file__).parent / package).glob("nb*.py")):
        module, number = importlib.import_module(f"{package}.{file.stem}"), file.stem.removeprefix("nb")
        found |= {f"{number}.{exercise}": answers for exercise, answers in getattr(module, name).items()}
    return found


EXERCISES = list(_asked())
IDS = [asked.identifier for asked in EXERCISES]
RIGHT = _table("right_answers", "RIGHT")
WRONG = _table("wrong_answers", "WRONG")


def right_answers():
    """Every right answer beside the notebook's own, as a cell."""
    for asked in EXERCISES:
        for body in RIGHT.get(asked.identifier, []):
            yield asked.identifier, asked.whole(body)


def wrong_answers():
    """Every wrong answer as a cell, and what the check must say of it in Chinese and in English."""
    for asked in EXERCISES:
        for body, said in WRONG.get(asked.identifier, {}).items():
            yield asked.identifier, asked.whole(body), said

"""The exercises as the notebooks ask them, and a cell that defines an answer."""

import re
from dataclasses import dataclass

from course import NOTEBOOKS, read, tags
from kernels import cell

PREAMBLE = """
import math
from statistics import median
import torch
from course_utils.backend import tl, triton
from course_utils.softmax.combine import finite  # 08 defines it, and merge, above its exercises
from course_utils.softmax import merge
from course_utils.softmax.ragged import body_of, ends_of  # 07 defines these
from course_utils.exercises.equal_keys import told  # A2's
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


def define(source: str) -> dict:
    """What a notebook's namespace holds after a cell with this source has run."""
    namespace = {}
    exec(PREAMBLE, namespace)
    return cell(source, namespace=namespace)


def _asked():
    for path in NOTEBOOKS:
        cells = read(path).cells
        for position, stub in enumerate(cells):
            if stub.cell_type == "code" and "exercise" in tags(stub):
                identifier = re.search(r'check\("(.*?)"\)', cells[position + 1].source)[1]
                answer = re.search(r"```python\n(.*?)\n```", cells[position + 2].source, flags=re.S)[1]
                yield Asked(identifier, stub.source, answer)


EXERCISES = list(_asked())
IDS = [asked.identifier for asked in EXERCISES]

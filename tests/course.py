"""The notebooks, as the tests see them; and another Python."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path: Path):
    return nbformat.read(path, as_version=4)


def python(code: str, **environment: str) -> subprocess.CompletedProcess:
    """What a fresh Python makes of this code. It chooses its backend anew, unless told."""
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"} | environment
    how = {"cwd": ROOT, "env": environment, "timeout": 120}
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, **how)


def tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def code_cells(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def is_compared(cell) -> bool:
    """Whether nbval compares some text of this cell's stored output."""
    if {"nbval-ignore-output", "nbval-skip"} & set(tags(cell)):
        return False
    return any(output.output_type == "stream" or set(output.data) - {"image/png"} for output in cell.outputs)


def compared_share(notebook) -> tuple[int, int]:
    """How many of the code cells with an output are really compared, and how many there are."""
    cells = [cell for cell in code_cells(notebook) if cell.outputs]
    return sum(map(is_compared, cells)), len(cells)

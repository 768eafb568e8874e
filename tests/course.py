"""The notebooks, as the tests see them."""

from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path: Path):
    return nbformat.read(path, as_version=4)


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

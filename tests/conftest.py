"""What every test shares: the notebooks, and the report of what nbval compared and how much memory each kernel took."""

import os
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
_peaks: dict[str, float] = {}

os.environ.pop("COURSE_LANG", None)  # a teacher's own choice of language is no part of the stored outputs


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


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return read(path)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    """Before nbval stops a notebook's kernel, ask the system how much memory it took at most."""
    kernel = getattr(item.parent, "kernel", None)
    if kernel is None or (nextitem is not None and nextitem.parent is item.parent):
        return
    try:
        status = Path(f"/proc/{kernel.km.provisioner.pid}/status").read_text()
        _peaks[item.parent.path.name] = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024
    except (OSError, AttributeError, TypeError):
        pass


def pytest_terminal_summary(terminalreporter):
    if not _peaks:
        return
    terminalreporter.section("notebooks")
    for path in NOTEBOOKS:
        compared, outputs = compared_share(read(path))
        peak = f"{_peaks[path.name]:.0f} MB" if path.name in _peaks else "not run"
        terminalreporter.write_line(
            f"{path.name:32} outputs compared: {compared}/{outputs} ({compared / outputs:.0%})   peak memory: {peak}"
        )

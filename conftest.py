"""What every test shares, and the report of what nbval compared and how much memory each kernel took."""

import os
import re
from pathlib import Path

import pytest
from course import NOTEBOOKS, compared_share, read

_peaks: dict[str, float] = {}
# A file is one process's. The longest begin first, so that none is left with one when the others have ended.
LONGEST = ["test_lab", "test_site", "test_live_page", "test_softmax", "test_training", "test_slides", "test_sandbox",
           "test_sharded", "test_handout", "test_exercises", "test_live", "test_live_judge", "test_kit_mistakes", "test_kit",
           "test_report", "test_worker", "test_amd", "test_attention", "test_climb", "test_stopwatch"]  # fmt: skip

# What is the caller's own: a teacher's language is no part of the stored outputs, and a make that a test starts shall not
# take after the make that started the tests.
for name in ("COURSE_LANG", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VENV", "TRITON", "ARGS"):
    os.environ.pop(name, None)
os.environ["COURSE_MEASURE"] = "recorded"  # so that outputs agree on every machine


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return read(path)


def pytest_collection_modifyitems(items):
    place = {name: number for number, name in enumerate(LONGEST)}  # notebooks come next, then the other tests
    items.sort(key=lambda item: place.get(item.path.stem, len(place) + (item.path.suffix == ".py")))


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


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # one of several processes: what it saw goes to the one that reports
        session.config.workeroutput["peaks"] = _peaks


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    _peaks.update(getattr(node, "workeroutput", {}).get("peaks", {}))


def pytest_terminal_summary(terminalreporter):
    if not _peaks:
        return
    terminalreporter.section("notebooks")
    for path in NOTEBOOKS:
        compared, outputs = compared_share(read(path))
        peak = f"{_peaks[path.name]:.0f} MB" if path.name in _peaks else "not run"
        terminalreporter.write_line(
            f"{path.name:32} outputs compared: {compared}/{outputs} ({compared / max(outputs, 1):.0%})   peak memory: {peak}"
        )

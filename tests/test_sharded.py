"""Rows split over real processes (what they do stands in `sharded_ranks`), and the kernel of the exchange as a GPU gets it."""

import contextlib
import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys

import pytest
from course import ROOT

from course_utils.compiler import Pointer, compile_for
from course_utils.softmax import tiles
from course_utils.softmax.sharded.across import across_kernel, team_of

SIZES = (2, *(pytest.param(ranks, marks=pytest.mark.deep) for ranks in (3, 4, 8)))


def run_ranks(size: int, what: str, seconds: float) -> None:
    """Runs the script, which starts so many ranks. Nobody outlives the time limit."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    shared = os.environ | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "OMP_NUM_THREADS": "1",
                           "COURSE_BACKEND": "interpreter", "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}  # fmt: skip
    ranks = subprocess.Popen([sys.executable, str(ROOT / "tests/sharded_ranks.py"), what, str(size)], env=shared, text=True, start_new_session=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
    try:
        said, _ = ranks.communicate(timeout=seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(ranks.pid, signal.SIGKILL)
        ranks.wait()
    assert ranks.returncode == 0, said[-6000:]


@pytest.mark.parametrize("size", SIZES)
def test_ranks(size):
    run_ranks(size, "everything", 240)


def test_a_rank_that_dies():
    run_ranks(3, "one_dies", 60)


# ---- the kernel that exchanges, as a GPU gets it ---------------------------------------------------------------------------


@pytest.mark.skipif(
    importlib.util.find_spec("triton.backends.nvidia") is None, reason="this triton has no NVIDIA compiler"
)
@pytest.mark.parametrize("ranks, width, dtype", [(2, 65536, "bfloat16"), (2, 16384, "float32"), (8, 524288, "float32")])
def test_the_exchange_on_a_gpu(ranks, width, dtype):
    """One word to every rank, for the whole system to see, and nothing stored before it that it could overtake."""
    size = 2 if dtype == "bfloat16" else 4
    team, vector = team_of(width, size), 16 // size
    constants = {"ALIGN": vector, "RANK": 1, "RANKS": ranks, "HINT": tiles.HINT, "LOG": False, "EARLY": True}
    sizes = 1 << 40, 16, *[width // vector] * 3, 10_000_000
    pointers = Pointer(dtype), Pointer(dtype), Pointer("int64"), Pointer("int32")
    needs = compile_for(across_kernel, "H100", *pointers, *sizes, **team, **constants, num_warps=team["WARPS"])
    assert needs.spills == 0, needs
    assert needs.registers * 32 * team["WARPS"] <= 65536
    lines = [line.strip() for line in needs.text("ptx").splitlines()]
    posted = [i for i, line in enumerate(lines) if re.search(r"atom\.global\.sys\.relaxed\.exch\.b64", line)]
    stored = [i for i, line in enumerate(lines) if re.search(r"st\.global", line)]
    looked = [i for i, line in enumerate(lines) if re.search(r"ld\.volatile\.global\.(v2\.)?b64", line)]
    assert len(posted) == ranks and max(posted) < min(stored) and max(posted) < min(looked)

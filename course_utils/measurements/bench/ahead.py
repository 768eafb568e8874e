"""Compiling before measuring: every core takes a share of the cases, and leaves what it compiled in the caches on disk."""

import multiprocessing
import os
import sys

from .experiment import experiment
from .stopwatch import ONLY_COMPILES


def compile_ahead(name: str, cases: list[dict]) -> None:
    """Goes through the cases in processes of their own, and times nothing. What fails here fails again where it is recorded."""
    cases = list({tuple((key, case[key]) for key in case if key != "state"): case for case in cases}.values())
    workers = max(1, min(16, (os.cpu_count() or 2) - 1))
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=_each, args=(name, cases[i::workers])) for i in range(min(workers, len(cases)))]
    for child in children:
        child.start()
    for child in children:
        child.join()


def _each(name: str, cases: list[dict]) -> None:
    os.environ |= {ONLY_COMPILES: "1", "TORCHINDUCTOR_COMPILE_THREADS": "1"}  # or each child starts as many again
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    for case in cases:
        try:
            list(experiment(name).measure(**case))
        except Exception:
            continue

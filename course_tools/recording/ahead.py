"""Compiling is most of the work of a recording, so every core does a part of it first."""

import multiprocessing
import os
import sys


def compile_ahead(compile_share, jobs: list, *arguments) -> None:
    """Calls `compile_share(share, *arguments)` in as many processes as there are cores; Triton's cache on disk keeps the results."""
    workers = max(1, min(16, (os.cpu_count() or 2) - 1))
    context = multiprocessing.get_context("spawn")
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # or every child starts as many again
    shares = [jobs[i::workers] for i in range(workers)]
    children = [context.Process(target=_quietly, args=(compile_share, share, *arguments)) for share in shares if share]
    for child in children:
        child.start()
    for child in children:
        child.join()


def _quietly(compile_share, *arguments) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # what fails here fails again where it is recorded
    compile_share(*arguments)

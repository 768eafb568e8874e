"""Compiling before measuring: every core takes a share, and leaves what it compiled in the caches on disk."""

import multiprocessing
import os
import sys


def compile_ahead(work, items: list) -> None:
    """Calls `work(item)` for each in processes of their own. What fails here fails again where it is recorded."""
    workers = max(1, min(16, (os.cpu_count() or 2) - 1))
    context = multiprocessing.get_context("spawn")
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # or every child starts as many again
    shares = [items[i::workers] for i in range(workers)]
    children = [context.Process(target=_each, args=(work, share)) for share in shares if share]
    for child in children:
        child.start()
    for child in children:
        child.join()


def _each(work, share: list) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    for item in share:
        try:
            work(item)
        except Exception:
            continue

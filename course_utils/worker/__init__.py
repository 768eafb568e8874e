"""Runs code in another process: in the other of Triton's two modes, or in the same one where it can do no harm.

Triton decides at import whether it interprets or compiles, so what needs the other mode runs elsewhere. And a learner's
kernel that indexes out of bounds, or never ends, must not take the notebook with it: it takes a worker's child instead.

    run("course_utils.compiler.internals:compile_kernel", kernel, target, args, options, mode="compile")
    run(learners_function, x, mode="same", seconds=5)
"""

from .errors import WorkerError, explained
from .portable import NotPortable
from .worker import attempt, first, run, start, stop

__all__ = ["NotPortable", "WorkerError", "attempt", "explained", "first", "run", "start", "stop"]

"""Sends a job to the worker process of a mode, and says what became of it."""

import atexit
import os
import sys
import threading
from dataclasses import dataclass

from .errors import Described, Ended, WorkerError, meddled, not_started, verdict
from .line import Line
from .message import COURSE, JUDGED, Garbled, decode
from .portable import pack


@dataclass(frozen=True)
class Outcome:
    """What a job came to: its value, or the error that says why there is none."""

    value: object = None
    error: WorkerError | None = None


def run(function, *args, **how):
    """Calls `function` in a worker process and returns its value; raises a `WorkerError` if there is none. `how` as in `attempt`."""
    outcome = attempt(function, *args, **how)
    if outcome.error:
        raise outcome.error
    return outcome.value


def attempt(
    function, *args, mode="interpreter", seconds=20.0, memory_mb=2048, lock=None, returns=(), **kwargs
) -> Outcome:
    """Like `run`, but returns what went wrong. Raises nothing but `NotPortable`.

    `function` is a learner's function, or "course_utils.module:function". `mode` is "interpreter", "compile" or "same". The
    function and its arguments travel as `portable` describes. The value comes back as a `message`, never as a pickle: the
    job may have run a learner's kernel. `returns` are the course's own dataclasses that may be in it. `memory_mb` is what the
    job may allocate, None for no limit; `lock` ("none", "try", "must") is whether it is locked in, see `sandbox`.
    """
    call, texts = pack((function, args, kwargs))
    interprets = mode == "interpreter"
    job = {
        "function": function if isinstance(function, str) else None,
        "call": call,
        "texts": texts,
        "seconds": seconds,
        "memory_mb": memory_mb,
        # The compiler writes files and starts programs; interpreting does neither.
        "lock": lock or ("try" if interprets else "none"),
        "files": lock == "none" or (not interprets and lock is None),
        # What was locked in on purpose is a learner's, and answers in few words.
        "limits": JUDGED if lock in ("try", "must") else COURSE,
        "path": sys.path,
        "folder": os.getcwd(),
    }
    try:
        ended = start(mode).send(job)
    except OSError as error:  # no room for another process, or for its pipes
        return Outcome(error=not_started(error))
    return _outcome(job, ended, returns)


def start(mode="interpreter") -> Line:
    """The line to this mode's worker, started if need be. It loads its libraries while the notebook goes on."""
    if mode == "same":
        from .. import backend

        mode = "interpreter" if backend.mode == "interpreter" else "compile"
    with _starting:
        line = _lines.get(mode)
        if line is None or not line.alive():
            line = _lines[mode] = Line(_PRELOAD[mode], _first.get(mode), _environment(mode))
        return line


@atexit.register
def stop() -> None:
    """Ends every worker. The next job starts a fresh one."""
    for line in _lines.values():
        line.end()
    _lines.clear()


_lines: dict[str, Line] = {}
_starting = threading.Lock()

_BACKEND = "course_utils.backend"
# What a worker imports before it takes jobs. Compiling needs no torch (unless triton is older than 3.9), and triton alone
# loads ten times faster.
_PRELOAD = {"interpreter": ("torch", _BACKEND), "compile": (_BACKEND,)}
_first: dict[str, str] = {}


def first(mode: str, function: str) -> None:
    """Has a mode's worker call `function`, named "module:function", once, before it takes jobs."""
    _first[mode] = function


def _environment(mode: str) -> dict[str, str]:
    backend = sys.modules.get(_BACKEND)
    here = getattr(backend, "mode", "interpreter")
    # A backend that is named is not looked for: so compiling imports no torch, and needs no GPU.
    compiling = "cuda" if here == "interpreter" else here
    return {
        **os.environ,
        "COURSE_BACKEND": compiling if mode == "compile" else "interpreter",
        "TRITON_INTERPRET": "0" if mode == "compile" else "1",
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",  # what the course computes is small; a forked process cannot use its parent's threads
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",
    }


def _outcome(job: dict, ended: Ended, returns) -> Outcome:
    """What became of a job."""
    raised = None
    if ended.how == "ended" and ended.reply:
        try:
            fine, value = decode(ended.reply, job["limits"], returns)
            if fine is True:
                return Outcome(value)
            raised = Described(**value)
        except (Garbled, TypeError, ValueError):
            return Outcome(error=meddled())
    return Outcome(error=verdict(ended, raised, job["texts"], job["memory_mb"]))

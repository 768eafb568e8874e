"""Nothing outlives a job: whatever it started is found and ended, a child in a session of its own included.

A process whose parent has ended is handed to the nearest ancestor that asked for such orphans (`adopt`). So all that a job
starts stays below the worker, however it forks, and `sweep` finds it there.
"""

import contextlib
import ctypes
import os
import signal
import time

_SUBREAPER, _DEATH_SIGNAL, _DUMPABLE = 36, 1, 4  # of prctl


def adopt() -> None:
    """Lets the calling process be given the orphans among its descendants."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1)


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def keep_out() -> None:
    """No other process of this user may look into the calling one, or take a file from it."""
    ctypes.CDLL(None).prctl(_DUMPABLE, 0)


def descendants(pid: int) -> list[int]:
    """The processes below `pid` that still run."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat") as file:
            state, parent = file.read().rpartition(")")[2].split()[:2]
            children.setdefault(int(parent), []).append((int(name), state))
    found, waiting = [], [pid]
    while waiting:
        for child, state in children.get(waiting.pop(), []):
            waiting.append(child)
            if state not in "ZX":
                found.append(child)
    return found


def sweep(pid: int, seconds: float = 2.0) -> bool:
    """Ends everything below `pid`; says whether it could. First it holds them all: what is stopped can't fork faster than it
    is killed."""
    until, held = time.monotonic() + seconds, set()
    while left := descendants(pid):
        new = [each for each in left if each not in held]
        _send(signal.SIGSTOP, new)
        held |= set(new)
        if not new:
            _send(signal.SIGKILL, left)
            time.sleep(0.001)
        if time.monotonic() > until:
            _send(signal.SIGKILL, left)
            return False
    return True


def _send(what: int, pids) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, what)


def bury() -> None:
    """Takes note of every child of the calling process that has ended, so that none stays as a zombie."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass

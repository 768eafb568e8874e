"""Nothing outlives a job: whatever it started is found and ended, a child in a session of its own included.

A process whose parent has ended is handed to the nearest ancestor that asked for such orphans (`adopt`). So all that a job
starts stays below the worker, however it forks, and `sweep` finds it there.
"""

import contextlib
import ctypes
import os
import signal
import time

_SUBREAPER, _DUMPABLE = 36, 4  # of prctl


def adopt() -> None:
    """Lets the calling process be given the orphans among its descendants."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1)


def keep_out() -> None:
    """No other process of this user may look into the calling one, or take a file from it."""
    ctypes.CDLL(None).prctl(_DUMPABLE, 0)


def descendants(pid: int) -> list[int]:
    """The processes below `pid` that still run."""
    children, ended = {}, set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{name}/stat") as file:
            state, parent = file.read().rpartition(")")[2].split()[:2]
            children.setdefault(int(parent), []).append(int(name))
            if state in "ZX":
                ended.add(int(name))
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        waiting += below
        found += [child for child in below if child not in ended]
    return found


def sweep(pid: int, seconds: float = 2.0) -> bool:
    """Ends everything below `pid`; says whether it could. First it holds them all: what is stopped can't fork faster than it
    is killed. Of itself, a process knows for certain when nothing is left, and at once."""
    until, held, own = time.monotonic() + seconds, set(), pid == os.getpid()
    while not (own and bury()):
        left = descendants(pid)
        if not (left or own):
            break
        new = [each for each in left if each not in held]
        _send(signal.SIGSTOP, new)
        held |= set(new)
        if not new:
            _send(signal.SIGKILL, left)
            time.sleep(0.0005)
        if time.monotonic() > until:
            _send(signal.SIGKILL, left)
            return False
    return True


def _send(what: int, pids) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, what)


def bury() -> bool:
    """Takes note of every child of the calling process that has ended; says whether there is no other."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False

"""Runs locked in before every report: what a learner's code must not be able to do, tried on this very system."""

import os
import signal
import socket
import tempfile


def what_succeeds() -> list[str]:
    """The names of what the lock failed to stop."""
    here = tempfile.gettempprefix()
    attempts = {
        "network": (socket.socket,),
        "writing": (open, f"/tmp/{here}-never", "w"),
        "deletion": (os.rmdir, f"/tmp/{here}-never"),
        "process": (os.fork,),
        "signals": (os.kill, os.getppid(), signal.SIGCONT),
    }
    return [name for name, attempt in attempts.items() if _succeeds(*attempt)]


def _succeeds(action, *arguments) -> bool:
    try:
        done = action(*arguments)
    except PermissionError:
        return False
    except OSError:  # it was let through, and failed of itself
        return True
    if action is os.fork and done == 0:
        os._exit(0)
    return True

"""The line from the notebook to a worker, `child`: sends a job, and waits no longer than it should for how it went.

What the worker itself says is JSON, and what a job answers is handed on as bytes, for `message` to read."""

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from multiprocessing import Pipe

from . import leftovers
from .errors import Ended

START_SECONDS = 120.0  # loading torch from a cold disk
GRACE_SECONDS = 6.0  # the worker stops what is late; this long after, the worker itself is stopped

_BOOT = f"import json, sys; sys.path[:] = json.loads(sys.argv[2]); from {__package__}.child import main; main()"


class Line:
    def __init__(self, preload: tuple[str, ...], prepare: str | None, environment: dict[str, str]):
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._ready = False
        self._connection, far_end = Pipe()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  what the worker says when it cannot start
        setup = {"connection": far_end.fileno(), "preload": preload, "prepare": prepare}
        # A fresh interpreter, not a fork of the notebook: that one may have a GPU open, and threads.
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, json.dumps(setup), json.dumps(sys.path)],
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=self._said,
            pass_fds=(far_end.fileno(),),
            env=environment,
            start_new_session=True,  # the notebook's Ctrl-C is not for it
        )
        far_end.close()

    def alive(self) -> bool:
        return self._owner == os.getpid() and self._process.poll() is None

    def end(self) -> None:
        if self._owner != os.getpid():
            return  # a fork of the notebook inherits the line, not the worker
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGSTOP)  # so that it forks nothing any more
            leftovers.sweep(self._process.pid, seconds=0.5)
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._connection.close()
        self._said.close()

    def send(self, job: dict) -> Ended:
        with self._lock:
            try:
                return self._send(job)
            except BaseException:  # the notebook's stop button, for one: what is on the line now is nobody's
                self.end()
                raise

    def _send(self, job: dict) -> Ended:
        try:
            self._ready = self._ready or self._receive(START_SECONDS) == b"ready"
            self._connection.send_bytes(pickle.dumps(job))
            told = json.loads(self._receive(job["seconds"] + GRACE_SECONDS))
            return Ended(**told, reply=self._receive(START_SECONDS))
        except TimeoutError:
            return self._gone(Ended("late"))
        except (EOFError, OSError):
            return self._gone(Ended("ended", -signal.SIGKILL))

    def _receive(self, seconds: float) -> bytes:
        if not self._connection.poll(seconds):
            raise TimeoutError
        return self._connection.recv_bytes()

    def _gone(self, ended: Ended) -> Ended:
        """With this worker there is nothing more to be done."""
        self._said.seek(0)
        last_words = self._said.read()[-2000:].decode(errors="replace")
        self.end()
        return ended if self._ready else Ended("never started", printed=last_words)

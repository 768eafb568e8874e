"""The line from the notebook to a worker, `child`: sends a job, waits no longer than it should, reads what was printed.

What the worker itself says is JSON, and what a job answers is handed on as bytes, for `message` to read."""

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import Pipe
from multiprocessing.connection import wait

from . import leftovers
from .errors import Ended

KEPT_OUTPUT = 20_000  # bytes of each stream that are kept
MOST_OUTPUT = 5_000_000  # bytes of all streams after which a job is stopped
START_SECONDS = 120.0  # loading torch from a cold disk
GRACE_SECONDS = 6.0  # the worker stops what is late; this long after, the worker itself is stopped

_BOOT = f"import json, sys; sys.path[:] = json.loads(sys.argv[2]); from {__package__}.child import main; main()"


class Line:
    def __init__(self, preload: tuple[str, ...], prepare: str | None, environment: dict[str, str]):
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._ready = False
        self._connection, far_end = Pipe()
        fault, far_fault = os.pipe()
        setup = {"connection": far_end.fileno(), "fault": far_fault, "preload": preload, "prepare": prepare}
        # A fresh interpreter, not a fork of the notebook: that one may have a GPU open, and threads.
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, json.dumps(setup), json.dumps(sys.path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(far_end.fileno(), far_fault),
            env=environment,
            start_new_session=True,  # the notebook's Ctrl-C is not for it
        )
        far_end.close()
        os.close(far_fault)
        files = {"stdout": self._process.stdout, "stderr": self._process.stderr, "fault": os.fdopen(fault, "rb")}
        self._streams = {name: _Stream(file) for name, file in files.items()}

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
        for stream in self._streams.values():
            stream.file.close()

    def send(self, job: dict) -> Ended:
        with self._lock:
            try:
                return self._send(job)
            except BaseException:  # the notebook's stop button, for one: what is on the line now is nobody's
                self.end()
                raise

    def _send(self, job: dict) -> Ended:
        try:
            if not self._ready:
                self._ready = json.loads(self._receive(START_SECONDS)) == "ready"
            for stream in self._streams.values():
                stream.clear()
            self._connection.send_bytes(pickle.dumps(job))
            child = json.loads(self._receive(START_SECONDS))
        except (EOFError, OSError, TimeoutError):
            return self._gone("never started")
        if not isinstance(child, int):  # why there is none
            return Ended("never started", stderr=str(child))
        try:
            how, status = json.loads(self._receive(job["seconds"] + GRACE_SECONDS, child))
            reply = self._receive(START_SECONDS)
        except TimeoutError:
            return self._gone("late")
        except (EOFError, OSError):
            return self._gone("ended", -signal.SIGKILL)
        how = "flood" if self._size() > MOST_OUTPUT else how
        return Ended(how, status, reply, **{name: stream.text() for name, stream in self._streams.items()})

    def _receive(self, seconds: float, child: int | None = None) -> bytes:
        """The worker's next message; what is printed meanwhile is read along, and a `child` that prints too much is ended."""
        until = time.monotonic() + seconds
        while True:
            listened = {stream.file: stream for stream in self._streams.values() if not stream.closed}
            heard = wait([self._connection, *listened], max(0.0, until - time.monotonic()))
            if not heard:
                raise TimeoutError
            message = self._connection.recv_bytes() if self._connection in heard else None
            for stream in listened.values():
                stream.read()
            if message is not None:
                return message
            if child and self._size() > MOST_OUTPUT:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child, signal.SIGKILL)

    def _size(self) -> int:
        return sum(stream.size for stream in self._streams.values())

    def _gone(self, how: str, status: int = 0) -> Ended:
        """With this worker there is nothing more to be done."""
        for stream in self._streams.values():
            stream.read()
        texts = {name: stream.text() for name, stream in self._streams.items()}
        self.end()
        return Ended(how, status, **texts)


class _Stream:
    """One pipe from the worker: keeps the first bytes, counts the rest."""

    def __init__(self, file):
        self.file = file
        self.kept = bytearray()
        self.size = 0
        self.closed = False
        os.set_blocking(file.fileno(), False)

    def read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(64):  # a job may print faster than this reads
                data = os.read(self.file.fileno(), 65536)
                if not data:
                    self.closed = True
                    return
                self.size += len(data)
                self.kept += data[: KEPT_OUTPUT - len(self.kept)]

    def clear(self) -> None:
        self.read()
        self.kept.clear()
        self.size = 0

    def text(self) -> str:
        text = self.kept.decode(errors="replace")
        return text if self.size <= KEPT_OUTPUT else f"{text}\n… (+{self.size - KEPT_OUTPUT} B)"

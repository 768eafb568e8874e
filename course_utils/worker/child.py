"""The other end of the `line`: a process that forks a child for each job, and has its libraries loaded before it does.

A fresh Python with torch and triton takes seconds to start, a fork takes milliseconds. So this process only waits: it never
runs a job, unpickles nothing but the notebook's requests, holds no state that a job could spoil, and starts no thread. What
a job breaks dies with its child, and what a job started is ended before its answer is passed on (`leftovers`). The answer
itself is not read here: it goes to the notebook as the bytes that it is.
"""

import contextlib
import importlib
import json
import os
import pickle
import select
import signal
import sys
import tempfile
import time
import warnings
from multiprocessing.connection import Connection

from . import leftovers, limits, sandbox
from .errors import describe
from .message import encode
from .portable import unpack
from .source import remember

# A job stops itself when its time is up, and says at which line; this long after, it is stopped from here.
GRACE_SECONDS = 3.0
_HARMLESS = ("TRITON_INTERPRET", "COURSE_BACKEND", "OMP_NUM_THREADS", "PATH", "LANG", "LC_ALL", "PYTHONIOENCODING")


def main() -> None:
    setup = json.loads(sys.argv[1])
    line = Connection(setup["connection"])
    for name in setup["preload"]:
        importlib.import_module(name)
    if setup["prepare"]:
        find(setup["prepare"])()
    # Only this thread exists as far as Python is concerned; those that numpy's libraries started expect to be forked.
    warnings.filterwarnings("ignore", message=".*multi-threaded.*fork.*", category=DeprecationWarning)
    tempfile.gettempdir()  # looked for once, by writing a file; libraries ask even where they write nothing
    leftovers.adopt()
    leftovers.keep_out()
    line.send_bytes(b'"ready"')
    with contextlib.suppress(EOFError, ConnectionError):  # the notebook has gone
        while True:
            _serve(line, pickle.loads(line.recv_bytes()), setup["fault"])


def find(function: str):
    """The function that "module:function" names."""
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)


def _serve(line: Connection, job: dict, fault: int) -> None:
    if job["function"]:
        with contextlib.suppress(Exception):  # the job itself will say what is wrong
            find(job["function"])  # a course module imported here is there for every later job too
    try:
        lock = sandbox.prepared(job["lock"])
        read, write = os.pipe()
        child = os.fork()
    except (OSError, sandbox.NoSandbox) as error:
        line.send_bytes(json.dumps(str(error)).encode())
        return
    if child == 0:
        code = 1
        try:
            os.close(read)
            line.close()
            os.setsid()
            _run(job, lock, fault, write)
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    line.send_bytes(json.dumps(child).encode())
    how, reply = collect(read, child, job["limits"].text + job["limits"].raw, job["seconds"] + GRACE_SECONDS)
    os.close(read)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    leftovers.sweep(os.getpid())
    line.send_bytes(json.dumps([how, os.waitstatus_to_exitcode(status)]).encode())
    line.send_bytes(reply)


def collect(pipe: int, child: int, most: int, seconds: float) -> tuple[str, bytes]:
    """How a job went ("ended", "late", "too much"), and what `child` wrote into `pipe` until it ended.

    Not until the pipe is closed: a process that the child left behind may hold it for ever."""
    os.set_blocking(pipe, False)
    said, until, listened, ended = bytearray(), time.monotonic() + seconds, [pipe], False
    while True:
        with contextlib.suppress(BlockingIOError):
            while listened:
                said += (data := os.read(pipe, 1 << 20))
                if not data:
                    listened = []
                if len(said) > most:
                    return "too much", b""
        if ended:
            return "ended", bytes(said)
        if time.monotonic() > until:
            return "late", b""
        ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        if not ended:
            select.select(listened, [], [], 0.02 if listened else 0.0005)


def _run(job: dict, lock, fault: int, answer: int) -> None:
    limits.start_clock(job["seconds"], fault)
    try:
        sys.path[:] = job["path"]
        os.chdir(job["folder"])
        if job["lock"] == "must":
            _forget_the_owner(fault, answer)
        limits.limit(job["seconds"], job["memory_mb"], files=job["files"])
        lock()
        for filename, text in job["texts"].items():
            remember(filename, text)
        function, args, kwargs = unpack(job["call"])
        if isinstance(function, str):
            function = find(function)
        reply = encode([True, function(*args, **kwargs)], job["limits"])
    except BaseException as error:
        reply = encode([False, describe(error, job["texts"])])
    signal.setitimer(signal.ITIMER_REAL, 0)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    while reply:
        reply = reply[os.write(answer, reply) :]


def _forget_the_owner(*kept: int) -> None:
    """Whoever grades has tokens in the environment and files in the folder; neither is the learner's business."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in kept:
            with contextlib.suppress(OSError):
                os.close(int(name))
    environment = {name: os.environ[name] for name in _HARMLESS if name in os.environ}
    os.environ.clear()
    os.environ.update(environment, HOME=tempfile.gettempdir(), TMPDIR=tempfile.gettempdir())
    os.chdir("/")

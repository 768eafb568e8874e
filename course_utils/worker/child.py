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
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from . import leftovers, limits, sandbox
from .errors import describe
from .message import encode
from .portable import unpack
from .source import remember

# A job stops itself when its time is up, and says at which line; this long after, it is stopped from here.
GRACE_SECONDS = 3.0
KEPT_OUTPUT = 20_000  # bytes of what it prints that are kept
MOST_OUTPUT = 5_000_000  # after which it is stopped
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
    line.send_bytes(b"ready")
    with contextlib.suppress(EOFError, ConnectionError):  # the notebook has gone
        while True:
            _serve(line, pickle.loads(line.recv_bytes()))


def find(function: str):
    """The function that "module:function" names."""
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)


def _serve(line: Connection, job: dict) -> None:
    if job["function"]:
        with contextlib.suppress(Exception):  # the job itself will say what is wrong
            find(job["function"])  # a course module imported here is there for every later job too
    try:
        lock = sandbox.prepared(job["lock"])
        pipes = answer, printed, fault = [Pipe(duplex=False) for _ in range(3)]
        child = os.fork()
    except (OSError, sandbox.NoSandbox) as error:
        _tell(line, b"", how="never started", printed=str(error))
        return
    if child == 0:
        code = 1
        try:
            line.close()
            os.setsid()
            for read, _ in pipes:
                read.close()
            for stream in (1, 2):
                os.dup2(printed[1].fileno(), stream)
            _run(job, lock, fault[1].fileno(), answer[1].fileno())
            code = 0
        finally:
            os._exit(code)
    for _, write in pipes:
        write.close()
    largest = job["limits"].text + job["limits"].raw
    most = {answer[0]: (largest, "too much"), printed[0]: (MOST_OUTPUT, "flood"), fault[0]: (MOST_OUTPUT, "flood")}
    how, (reply, said, place) = collect(most, child, job["seconds"] + GRACE_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    leftovers.sweep(os.getpid())
    said, place = (text[:KEPT_OUTPUT].decode(errors="replace") for text in (said, place))
    status = os.waitstatus_to_exitcode(status)
    _tell(line, reply if how == "ended" else b"", how=how, status=status, printed=said, fault=place)


def _tell(line: Connection, reply: bytes, **ended) -> None:
    """How a job went, as `errors.Ended` has it, and its answer."""
    line.send_bytes(json.dumps(ended).encode())
    line.send_bytes(reply)


def collect(most: dict[Connection, tuple[int, str]], child: int, seconds: float) -> tuple[str, list[bytes]]:
    """How a job went, and what `child` wrote into each pipe until it ended: so many bytes at `most`, or the job went so.

    Not until the pipes are closed: a process that the child left behind may hold them for ever."""
    heard, listened = {pipe: bytearray() for pipe in most}, [*most]
    until, ended = time.monotonic() + seconds, False
    for pipe in most:
        os.set_blocking(pipe.fileno(), False)
    while True:
        for pipe in [*listened]:
            with contextlib.suppress(BlockingIOError):
                while data := os.read(pipe.fileno(), 1 << 20):
                    heard[pipe] += data
                    if len(heard[pipe]) > most[pipe][0]:
                        return most[pipe][1], [*heard.values()]
                listened.remove(pipe)
        if ended:
            return "ended", [*heard.values()]
        if time.monotonic() > until:
            return "late", [*heard.values()]
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

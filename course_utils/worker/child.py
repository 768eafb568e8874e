"""The other end of `worker`: a process that forks a child for each job, and has its libraries loaded before it does.

A fresh Python with torch and triton takes seconds to start, a fork takes milliseconds. So this process only waits: it never
runs a job, unpickles nothing but the notebook's requests, holds no state that a job could spoil, and starts no thread. What
a job breaks dies with its child, and what a job started is ended before its answer is passed on (`leftovers`). The answer
itself is not read here: it goes to the notebook as the bytes that it is.
"""

import contextlib
import faulthandler
import importlib
import json
import os
import pickle
import select
import signal
import sys
import time
import warnings
from multiprocessing.connection import Connection

from . import jail, leftovers
from .describe import describe
from .plain import encode
from .portable import unpack

_LAST_WORDS = 0.2  # seconds for a child to end once its answer is complete


def main() -> None:
    setup = json.loads(sys.argv[1])
    line = Connection(setup["connection"])
    for name in setup["preload"]:
        importlib.import_module(name)
    if setup["prepare"]:
        find(setup["prepare"])()
    # Only this thread exists as far as Python is concerned; those that numpy's libraries started expect to be forked.
    warnings.filterwarnings("ignore", message=".*multi-threaded.*fork.*", category=DeprecationWarning)
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
        read, write = os.pipe()
        child = os.fork()
    except OSError as error:
        line.send_bytes(json.dumps(str(error)).encode())
        return
    if child == 0:
        code = 1
        try:
            os.close(read)
            line.close()
            os.setsid()
            _run(job, fault, write)
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    line.send_bytes(json.dumps(child).encode())
    reply, whole = collect(read, child, job["most"])
    os.close(read)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    leftovers.sweep(os.getpid())
    line.send_bytes(json.dumps([os.waitstatus_to_exitcode(status), whole]).encode())
    line.send_bytes(reply if whole else b"")


def collect(pipe: int, child: int, most: int) -> tuple[bytes, bool]:
    """What `child` writes into `pipe` until it ends; and whether that was no more than `most`.

    Not until the pipe is closed: a process that the child left behind may hold it for ever."""
    os.set_blocking(pipe, False)
    said, open_end, ended, until = bytearray(), True, False, None
    while len(said) <= most:
        if open_end:
            with contextlib.suppress(BlockingIOError):
                while len(said) <= most:
                    data = os.read(pipe, 1 << 20)
                    if not data:
                        open_end, until = False, time.monotonic() + _LAST_WORDS
                        break
                    said += data
        if ended or (until and time.monotonic() > until):
            return bytes(said), True
        # With nothing more to hear, or nothing now: has it ended?
        ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        if not ended:
            select.select([pipe] if open_end else [], [], [], 0.02 if open_end else 0.0005)
    return b"", False


def _run(job: dict, fault: int, answer: int) -> None:
    start_clock(job["seconds"], fault)
    try:
        sys.path[:] = job["path"]
        os.chdir(job["folder"])
        jail.limit(job["seconds"], job["memory_mb"], files=job["files"])
        jail.lock(job["lock"])
        function, args, kwargs = unpack(job["call"])
        if isinstance(function, str):
            function = find(function)
        reply = encode([True, function(*args, **kwargs)])
    except BaseException as error:
        reply = encode([False, describe(error, job["texts"])])
    signal.setitimer(signal.ITIMER_REAL, 0)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    while reply:
        reply = reply[os.write(answer, reply) :]


def start_clock(seconds: float, fault: int) -> None:
    """The job's own clock: SIGALRM writes where Python stands and kills, with no help from Python or the notebook, so it also
    stops a job that sits in C, and one whose notebook is gone. (`dump_traceback_later` reads frames while they move.)"""
    faulthandler.enable(fault)
    faulthandler.register(signal.SIGALRM, fault, all_threads=False, chain=True)
    signal.setitimer(signal.ITIMER_REAL, seconds)

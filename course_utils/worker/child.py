"""The other end of `worker`: a process that forks a child for each job, and has its libraries loaded before it does.

A fresh Python with torch and triton takes seconds to start, a fork takes milliseconds. So this process only waits: it never
runs a job, holds no state that a job could spoil, and starts no thread. What a job breaks dies with its child.
"""

import contextlib
import faulthandler
import importlib
import json
import linecache
import os
import pickle
import resource
import signal
import sys
import traceback
import warnings
from multiprocessing.connection import Connection

from .portable import pack, unpack


def main() -> None:
    setup = json.loads(sys.argv[1])
    line = Connection(setup["connection"])
    for name in setup["preload"]:
        importlib.import_module(name)
    if setup["prepare"]:
        _find(setup["prepare"])()
    # Only this thread exists as far as Python is concerned; those that numpy's libraries started expect to be forked.
    warnings.filterwarnings("ignore", message=".*multi-threaded.*fork.*", category=DeprecationWarning)
    line.send("ready")
    with contextlib.suppress(EOFError, ConnectionError):  # the notebook has gone
        while True:
            _serve(line, pickle.loads(line.recv_bytes()), setup["fault"])


def _serve(line: Connection, job: dict, fault: int) -> None:
    if job["function"]:
        with contextlib.suppress(Exception):  # the job itself will say what is wrong
            _find(job["function"])  # a course module imported here is there for every later job too
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            line.close()
            os.setsid()
            with open(write, "wb") as answer:
                answer.write(_run(job, fault))
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    line.send(child)
    with open(read, "rb") as answer:
        reply = answer.read()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # whatever the job started and left behind
    _, status = os.waitpid(child, 0)
    line.send_bytes(pickle.dumps((os.waitstatus_to_exitcode(status), reply)))


def _find(function: str):
    """The function that "module:function" names."""
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)


def _run(job: dict, fault: int) -> bytes:
    faulthandler.enable(fault)
    # The job's own clock: SIGALRM writes where Python stands and kills, with no help from Python or the notebook, so it also
    # stops a job that sits in C, and one whose notebook is gone. (`dump_traceback_later` reads frames while they move.)
    faulthandler.register(signal.SIGALRM, fault, all_threads=False, chain=True)
    signal.setitimer(signal.ITIMER_REAL, job["seconds"])
    try:
        sys.path[:] = job["path"]
        os.chdir(job["folder"])
        _limit(job["memory_mb"])
        function, args, kwargs = unpack(job["call"])
        if isinstance(function, str):
            function = _find(function)
        reply = pack((True, function(*args, **kwargs)))[0]
    except BaseException as error:
        reply = pickle.dumps((False, _describe(error, job["texts"])))
    signal.setitimer(signal.ITIMER_REAL, 0)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    return reply


def _limit(memory_mb: int | None) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory_mb is None:
        return
    with open("/proc/self/status") as status:
        used_kb = next(int(text.split()[1]) for text in status if text.startswith("VmData"))
    # RLIMIT_DATA counts what is allocated, not the gigabytes of address space that libraries reserve.
    resource.setrlimit(resource.RLIMIT_DATA, (used_kb * 1024 + memory_mb * 2**20,) * 2)


def _describe(error: BaseException, texts: dict[str, str]) -> dict:
    while type(error).__name__ == "InterpreterError" and error.__cause__ is not None:
        error = error.__cause__  # Triton's interpreter wraps what the kernel raised
    filename = line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename in texts:
            filename, line = frame.f_code.co_filename, number
    compiled, node = getattr(error, "src", None), getattr(error, "node", None)
    if compiled and hasattr(node, "lineno"):  # Triton's compiler counts lines from the `def` of the kernel
        for name, text in texts.items():
            if (start := text.find(compiled.strip())) >= 0:
                filename, line = name, text.count("\n", 0, start) + node.lineno
    code = linecache.getline(filename, line).strip() if line else ""
    return {"type": type(error).__name__, "message": str(error), "filename": filename, "line": line, "code": code}

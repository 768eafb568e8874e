"""Runs a function in a locked child process, and takes back plain data: never a pickle, which could run code here."""

import contextlib
import ctypes
import json
import os
import select
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from .jail import Filter, limit

MOST_PRINTED = 5_000_000  # bytes after which a child is stopped
MOST_ANSWERED = 60_000  # bytes of its answer


@dataclass(frozen=True)
class Ended:
    """How a child ended: "answered", "late", "flood" or "died"; with its answer, or the signal or exit code it died of."""

    how: str
    value: object = None
    status: int = 0


def run(function: Callable, *arguments, seconds: float, memory_mb: int, filter: Filter) -> Ended:
    """Calls `function` in a child of this process, locked in before anything of the learner's runs."""
    answer, answer_end = os.pipe()
    printed, printed_end = os.pipe()
    with tempfile.TemporaryDirectory() as empty:
        child = os.fork()
        if child == 0:
            try:
                _enter(answer_end, printed_end, empty, seconds, memory_mb, filter)
                with open(answer_end, "w", encoding="utf-8") as file:
                    file.write(json.dumps(function(*arguments)))
            except BaseException:
                os._exit(1)
            os._exit(0)
        os.close(answer_end)
        os.close(printed_end)
        try:
            how, text = _listen(answer, printed, time.monotonic() + seconds)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)  # it has no children: it could start none
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            os.close(answer)
            os.close(printed)
    if how == "ended":
        with contextlib.suppress(ValueError, RecursionError):
            return Ended("answered", json.loads(text))
        how = "died"
    return Ended(how, status=status)


def _enter(answer: int, printed: int, empty: str, seconds: float, memory_mb: int, filter: Filter) -> None:
    os.setsid()
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: no child outlives the report
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in ((0, nothing), (1, printed), (2, printed)):
        os.dup2(source, target)
    os.closerange(3, answer)
    os.closerange(answer + 1, min(os.sysconf("SC_OPEN_MAX"), 65536))
    os.chdir(empty)
    kept = {name: os.environ[name] for name in ("TRITON_INTERPRET", "COURSE_BACKEND") if name in os.environ}
    os.environ.clear()  # a teacher's tokens are none of the learner's business
    os.environ.update(kept, HOME=empty, TMPDIR=empty)
    os.nice(5)
    limit(seconds, memory_mb)
    filter.lock()


def _listen(answer: int, printed: int, until: float) -> tuple[str, bytes]:
    """Reads both pipes to the answer's end; what is printed is counted and thrown away."""
    said, flood, listening = bytearray(), 0, [answer, printed]
    while answer in listening:
        ready, _, _ = select.select(listening, [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return "late", b""
        for pipe in ready:
            data = os.read(pipe, 65536)
            if not data:
                listening.remove(pipe)
            elif pipe == printed:
                flood += len(data)
            else:
                said += data
        if flood > MOST_PRINTED or len(said) > MOST_ANSWERED:
            return "flood", b""
        if time.monotonic() > until:
            return "late", b""
    return "ended", bytes(said)

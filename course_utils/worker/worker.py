"""Sends a job to the worker process of a mode, and says what became of it."""

import atexit
import os
import pickle
import re
import signal
import sys
import threading
from dataclasses import dataclass

from ..language import Text
from .pipe import Ended, Line
from .portable import pack


@dataclass(eq=False)
class WorkerError(RuntimeError):
    """A job that gave no result. `text` says why in both languages; the rest is for code."""

    text: Text
    type: str = ""  # the exception's type, where there was one
    message: str = ""
    filename: str | None = None  # where in the code that was sent; None if it never got there
    line: int | None = None
    code: str = ""  # that line's text
    stdout: str = ""
    stderr: str = ""

    def __str__(self) -> str:
        return str(self.text)

    def __reduce__(self):
        return type(self), tuple(vars(self).values())


class Raised(WorkerError):
    """The code raised an exception."""


class TimedOut(WorkerError):
    """The code did not end in the time it was given."""


class Crashed(WorkerError):
    """The process died: a segmentation fault, an abort, os._exit()."""


class OutOfMemory(WorkerError):
    """The code asked for more memory than it was given."""


class TooMuchOutput(WorkerError):
    """The code printed without end."""


@dataclass(frozen=True)
class Outcome:
    """What a job came to: its value, or the error that says why there is none; and what it printed."""

    value: object = None
    error: WorkerError | None = None
    stdout: str = ""
    stderr: str = ""


def run(function, *args, mode="interpreter", seconds=20.0, memory_mb=2048, **kwargs):
    """Calls `function` in a worker process and returns its value; raises a `WorkerError` if there is none.

    `function` is a learner's function, or "course_utils.module:function". `mode` is "interpreter", "compile" or "same". The
    function and its arguments travel as `portable` describes, and so does the value. `memory_mb` is what the job may
    allocate, None for no limit.
    """
    outcome = attempt(function, *args, mode=mode, seconds=seconds, memory_mb=memory_mb, **kwargs)
    if outcome.error:
        raise outcome.error
    return outcome.value


def attempt(function, *args, mode="interpreter", seconds=20.0, memory_mb=2048, **kwargs) -> Outcome:
    """Like `run`, but returns what went wrong, and what was printed. Raises nothing but `NotPortable`."""
    call, texts = pack((function, args, kwargs))
    job = {
        "function": function if isinstance(function, str) else None,
        "call": call,
        "texts": texts,
        "seconds": seconds,
        "memory_mb": memory_mb,
        "path": sys.path,
        "folder": os.getcwd(),
    }
    return _judge(job, start(mode).send(job))


def start(mode="interpreter") -> Line:
    """The line to this mode's worker, started if need be. It loads its libraries while the notebook goes on."""
    if mode == "same":
        from .. import backend

        mode = "interpreter" if backend.mode == "interpreter" else "compile"
    if mode not in _PRELOAD:
        raise ValueError(f"mode is 'interpreter', 'compile' or 'same', not {mode!r}")
    with _starting:
        line = _lines.get(mode)
        if line is None or not line.alive():
            line = _lines[mode] = Line(_PRELOAD[mode], _first.get(mode), _environment(mode))
        return line


@atexit.register
def stop() -> None:
    """Ends every worker. The next job starts a fresh one."""
    for line in _lines.values():
        line.end()
    _lines.clear()


_lines: dict[str, Line] = {}
_starting = threading.Lock()

_BACKEND = "course_utils.backend"
# What a worker imports before it takes jobs. Compiling needs no torch (unless triton is older than 3.9), and triton alone
# loads ten times faster.
_PRELOAD = {"interpreter": ("torch", _BACKEND), "compile": (_BACKEND,)}
_first: dict[str, str] = {}


def first(mode: str, function: str) -> None:
    """Has a mode's worker call `function`, named "module:function", once, before it takes jobs."""
    _first[mode] = function


def _environment(mode: str) -> dict[str, str]:
    backend = sys.modules.get(_BACKEND)
    here = getattr(backend, "mode", "interpreter")
    # A backend that is named is not looked for: so compiling imports no torch, and needs no GPU.
    compiling = "cuda" if here == "interpreter" else here
    return {
        **os.environ,
        "COURSE_BACKEND": compiling if mode == "compile" else "interpreter",
        "TRITON_INTERPRET": "0" if mode == "compile" else "1",
        "MPLBACKEND": "Agg",
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",
    }


def _judge(job: dict, ended: Ended) -> Outcome:
    """Says what became of a job."""
    printed = {"stdout": ended.stdout, "stderr": ended.stderr}
    fine, value = pickle.loads(ended.reply) if ended.reply else (False, None)
    if fine:
        return Outcome(value, **printed)
    kind, text = _verdict(job, ended, value)
    place = value or _place(ended.fault, job["texts"])
    if place.get("line"):
        line, code = place["line"], place["code"]
        text = Text(f"{text.zh}\n  第 {line} 行：{code}", f"{text.en}\n  line {line}: {code}")
    return Outcome(error=kind(text, **place, **printed), **printed)


def _verdict(job: dict, ended: Ended, raised: dict | None) -> tuple[type[WorkerError], Text]:
    if ended.how == "never started":
        why = ended.stderr.strip().splitlines()[-1:]  # of Python's last words, the very last: the error itself
        zh, en = "运行代码的进程没能启动", "The process that runs the code did not start"
        return Crashed, Text(f"{zh}：{why[0]}", f"{en}: {why[0]}") if why else Text(f"{zh}。", f"{en}.")
    if ended.how == "flood":
        return TooMuchOutput, Text(
            "代码打印个不停，已被停止。循环里是不是有 print？",
            "The code printed without end and was stopped. Is there a print in a loop?",
        )
    if ended.how == "late" or ended.status == -signal.SIGALRM:
        seconds = f"{job['seconds']:g}"
        return TimedOut, Text(
            f"代码运行了 {seconds} 秒还没有结束，已被停止。是不是有循环停不下来？",
            f"The code had not ended after {seconds} s and was stopped. Is there a loop that never ends?",
        )
    refused = raised and (raised["type"] == "MemoryError" or "allocate memory" in raised["message"])
    if refused or (not raised and "bad_alloc" in ended.stderr):
        return OutOfMemory, Text(
            f"代码要的内存超过了 {job['memory_mb']} MB 的上限。张量或块是不是太大了？",
            f"The code asked for more than its {job['memory_mb']} MB of memory. Is a tensor or a block too large?",
        )
    if raised:
        what = f"{raised['type']}: {raised['message']}"
        return Raised, Text(f"代码出错了：{what}", f"The code raised an error: {what}")
    name = signal.Signals(-ended.status).name if ended.status < 0 else f"exit code {ended.status}"
    if ended.status in (-signal.SIGSEGV, -signal.SIGBUS):
        return Crashed, Text(
            f"代码访问了不属于它的内存，进程崩溃了（{name}）。常见原因：指针越界，或者 load、store 少了 mask。",
            f"The code touched memory that is not its own, and its process crashed ({name}). The usual cause: a pointer out of "
            "bounds, or a load or store without a mask.",
        )
    return Crashed, Text(
        f"运行代码的进程中途退出了（{name}），没有给出结果。",
        f"The process that ran the code ended early ({name}) and gave no result.",
    )


def _place(fault: str, texts: dict[str, str]) -> dict:
    """The innermost line of the sent code in what `faulthandler` wrote as the process died."""
    for filename, number in re.findall(r'File "(.*)", line (\d+)', fault):
        if filename in texts:
            line = int(number)
            code = texts[filename].splitlines()[line - 1].strip()
            return {"filename": filename, "line": line, "code": code}
    return {}

"""Runs code in another process: in the other of Triton's two modes, or in the same one where it can do no harm.

Triton decides at import whether it interprets or compiles, so what needs the other mode runs elsewhere. And a learner's
kernel that indexes out of bounds, or never ends, must not take the notebook with it: it takes a worker's child instead.

    run("course_utils.compiler:_compile", kernel, ..., mode="compile")
    run(learners_function, x, mode="interpreter", seconds=5)
"""

import atexit
import contextlib
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import wait

from .language import Text
from .portable import NotPortable, pack

__all__ = [
    "Crashed",
    "NotPortable",
    "OutOfMemory",
    "Outcome",
    "Raised",
    "TimedOut",
    "TooMuchOutput",
    "WorkerError",
    "attempt",
    "run",
    "start",
    "stop",
]

KEPT_OUTPUT = 20_000  # bytes of each stream that are kept and shown
MOST_OUTPUT = 5_000_000  # bytes of both streams after which a job is stopped
_GRACE = 3.0  # seconds after which a job that outlived its own clock is killed from here


@dataclass
class WorkerError(RuntimeError):
    """A job that gave no result. `text` says why in both languages; the rest is for code."""

    text: Text
    type: str = ""  # the exception's type, where there was one
    message: str = ""
    filename: str | None = None  # where in the code that was sent; None if it did not get there
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

    `function` is a learner's function, or "course_utils.module:function". `mode` is "interpreter", "compile" or "same". It
    and its arguments travel as `portable` describes, the value comes back pickled.
    """
    outcome = attempt(function, *args, mode=mode, seconds=seconds, memory_mb=memory_mb, **kwargs)
    if outcome.error:
        raise outcome.error
    return outcome.value


def attempt(function, *args, mode="interpreter", seconds=20.0, memory_mb=2048, **kwargs) -> Outcome:
    """Like `run`, but returns the error too, with whatever was printed. Only `NotPortable` is raised."""
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
    return start(mode).attempt(job)


def start(mode="interpreter") -> "Worker":
    """The worker of this mode, started if need be. It loads its libraries while the notebook goes on."""
    if mode == "same":
        from . import backend

        mode = "interpreter" if backend.mode == "interpreter" else "compile"
    with _starting:
        worker = _workers.get(mode)
        if worker is None or worker.owner != os.getpid() or worker.process.poll() is not None:
            worker = _workers[mode] = Worker(mode)
        return worker


@atexit.register
def stop() -> None:
    """Ends every worker. The next job starts a fresh one."""
    for worker in _workers.values():
        if worker.owner == os.getpid():
            worker.kill()
    _workers.clear()


_workers: dict[str, "Worker"] = {}
_starting = threading.Lock()


class Worker:
    """One `worker_process` and the line to it."""

    PRELOAD = {"interpreter": ("torch", "course_utils.backend"), "compile": ("course_utils.backend",)}

    def __init__(self, mode: str):
        if mode not in self.PRELOAD:
            raise ValueError(f"mode is 'interpreter', 'compile' or 'same', not {mode!r}")
        self.owner = os.getpid()
        self.lock = threading.Lock()
        self.ready = False
        self.line, far_end = Pipe()
        self.fault, fault = os.pipe()
        setup = {"connection": far_end.fileno(), "fault": fault, "preload": self.PRELOAD[mode]}
        boot = "import json, sys; sys.path[:] = json.loads(sys.argv[2]); from course_utils.worker_process import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", boot, json.dumps(setup), json.dumps(sys.path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(far_end.fileno(), fault),
            env=_environment(mode),
            start_new_session=True,  # the notebook's Ctrl-C is not for it
        )
        far_end.close()
        os.close(fault)
        self.streams = {name: _Stream(fd) for name, fd in self._outputs().items()}

    def _outputs(self) -> dict[str, int]:
        return {"stdout": self.process.stdout.fileno(), "stderr": self.process.stderr.fileno(), "fault": self.fault}

    def attempt(self, job: dict) -> Outcome:
        with self.lock:
            try:
                return self._attempt(job)
            except BaseException:  # the notebook's stop button, among others: what is on the line now is nobody's
                self.kill()
                raise

    def _attempt(self, job: dict) -> Outcome:
        try:
            if not self.ready:
                self.ready = self._receive(time.monotonic() + 120) == "ready"
            for stream in self.streams.values():
                stream.clear()
            self.line.send_bytes(pickle.dumps(job))
            child = self._receive(time.monotonic() + 60)
        except (EOFError, OSError, TimeoutError):
            self.kill()
            return self._failed(
                Crashed, job, Text("运行代码的进程没能启动。", "The process that runs the code did not start.")
            )
        stopped = None
        try:
            status, reply = pickle.loads(self._receive(time.monotonic() + job["seconds"] + _GRACE, raw=True))
        except (TimeoutError, _Flood) as error:
            stopped = TimedOut if isinstance(error, TimeoutError) else TooMuchOutput
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            self._receive(time.monotonic() + 10, raw=True, flood=False)
        except (EOFError, OSError):
            self.kill()
            status, reply = -signal.SIGKILL, b""
        return self._judge(job, stopped, 0 if stopped else status, b"" if stopped else reply)

    def _receive(self, until: float, raw=False, flood=True):
        """The next message, while reading along what the job prints."""
        while True:
            waiting = [self.line, *(s.fd for s in self.streams.values() if s.open)]
            ready = wait(waiting, max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError
            for stream in self.streams.values():
                if stream.fd in ready:
                    stream.read()
            if flood and sum(stream.size for stream in self.streams.values()) > MOST_OUTPUT:
                raise _Flood
            if self.line in ready:
                message = self.line.recv_bytes() if raw else self.line.recv()
                for stream in self.streams.values():
                    stream.read()
                return message

    def _judge(self, job: dict, stopped, status: int, reply: bytes) -> Outcome:
        if stopped is TimedOut or status == -signal.SIGALRM:
            seconds = f"{job['seconds']:g}"
            text = Text(
                f"代码运行了 {seconds} 秒还没有结束，已被停止。是不是有循环停不下来？",
                f"The code had not ended after {seconds} seconds and was stopped. Is there a loop that never ends?",
            )
            return self._failed(TimedOut, job, text)
        if stopped is TooMuchOutput:
            text = Text(
                "代码打印个不停，已被停止。循环里是不是有 print？",
                "The code printed without end and was stopped. Is there a print in a loop?",
            )
            return self._failed(TooMuchOutput, job, text)
        if not reply:
            return self._dead(job, status)
        fine, value = pickle.loads(reply)
        if fine:
            return Outcome(value, stdout=self.streams["stdout"].text(), stderr=self.streams["stderr"].text())
        return self._raised(job, value)

    def _dead(self, job: dict, status: int) -> Outcome:
        if "bad_alloc" in self.streams["stderr"].text():
            return self._failed(OutOfMemory, job, _memory_text(job))
        name = signal.Signals(-status).name if status < 0 else f"exit code {status}"
        if status in (-signal.SIGSEGV, -signal.SIGBUS):
            text = Text(
                f"代码访问了不属于它的内存，进程崩溃了（{name}）。常见原因：指针越界，或者 load、store 少了 mask。",
                f"The code touched memory that is not its own, and its process crashed ({name}). The usual cause: a pointer out "
                "of bounds, or a load or store without a mask.",
            )
        else:
            text = Text(
                f"运行代码的进程中途退出了（{name}），没有给出结果。",
                f"The process that ran the code ended early ({name}) and gave no result.",
            )
        return self._failed(Crashed, job, text)

    def _raised(self, job: dict, raised: dict) -> Outcome:
        lacks_memory = raised["type"] == "MemoryError" or "allocate memory" in raised["message"]
        if lacks_memory:
            return self._failed(OutOfMemory, job, _memory_text(job), **raised)
        what = f"{raised['type']}: {raised['message']}"
        return self._failed(Raised, job, Text(f"代码出错了：{what}", f"The code raised an error: {what}"), **raised)

    def _failed(self, kind: type[WorkerError], job: dict, text: Text, **raised) -> Outcome:
        place = raised or _place(self.streams["fault"].text(), job["texts"])
        if place.get("line"):
            line, code = place["line"], place["code"]
            text = Text(f"{text.zh}\n  第 {line} 行：{code}", f"{text.en}\n  line {line}: {code}")
        printed = {name: self.streams[name].text() for name in ("stdout", "stderr")}
        return Outcome(error=kind(text, **place, **printed), **printed)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class _Flood(Exception):
    """More output than any job has a reason to print."""


@dataclass
class _Stream:
    """One pipe from the worker: keeps the first bytes, counts the rest."""

    fd: int
    kept: bytearray = field(default_factory=bytearray)
    size: int = 0
    open: bool = True

    def __post_init__(self):
        os.set_blocking(self.fd, False)

    def read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(64):  # a job that prints faster than this reads must not keep us here
                data = os.read(self.fd, 65536)
                if not data:
                    self.open = False
                    return
                self.size += len(data)
                self.kept += data[: KEPT_OUTPUT - len(self.kept)]

    def clear(self) -> None:
        self.read()
        self.kept.clear()
        self.size = 0

    def text(self) -> str:
        text = self.kept.decode(errors="replace")
        return text if self.size <= KEPT_OUTPUT else f"{text}\n… ({self.size - KEPT_OUTPUT} bytes more)"


def _environment(mode: str) -> dict[str, str]:
    # "compile" names a compiling backend so that none is looked for: no torch is imported, and no GPU is needed.
    backend = sys.modules.get(f"{__package__}.backend")
    here = getattr(backend, "mode", "interpreter")
    compiling = here if here != "interpreter" else "cuda"
    return {
        **os.environ,
        "COURSE_BACKEND": compiling if mode == "compile" else "interpreter",
        "TRITON_INTERPRET": "0" if mode == "compile" else "1",
        "MPLBACKEND": "Agg",
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",
    }


def _memory_text(job: dict) -> Text:
    return Text(
        f"代码要的内存超过了 {job['memory_mb']} MB 的上限。张量或块是不是太大了？",
        f"The code asked for more than its {job['memory_mb']} MB of memory. Is a tensor or a block too large?",
    )


def _place(fault: str, texts: dict[str, str]) -> dict:
    """The innermost line of the sent code in what `faulthandler` wrote when the process died or ran out of time."""
    for filename, line in re.findall(r'File "(.*)", line (\d+)', fault):
        if filename in texts:
            lines = texts[filename].splitlines()
            code = lines[int(line) - 1].strip() if int(line) <= len(lines) else ""
            return {"filename": filename, "line": int(line), "code": code}
    return {}

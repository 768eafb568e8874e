"""What was tried against the sandbox that learners' code runs in, and what came of it."""

import contextlib
import os
import pickle
import signal
import time
from pathlib import Path

import pytest
from answers import define
from course import python

from course_utils import worker
from course_utils.exercises import engine
from course_utils.worker import leftovers, sandbox
from course_utils.worker.portable import Packed

pytestmark = pytest.mark.slow

REFUSED = "PermissionError"

# What is tried, one of each kind of system call: the code, and how it ends: an exception, "value" for what is allowed, or how the process is stopped.
TRIED = {
    "network: connect": ("socket.create_connection(('127.0.0.1', 9))", REFUSED),
    "network: unix socket": ("socket.socket(socket.AF_UNIX).connect('/run/x')", REFUSED),
    "file: create": ("open(target + 'x', 'w')", REFUSED),
    "file: append": ("open(target, 'a')", REFUSED),
    "file: temporary": ("os.open('/tmp', os.O_TMPFILE | os.O_RDWR)", REFUSED),
    "file: delete": ("os.remove(target)", REFUSED),
    "file: mode": ("os.chmod(target, 0)", REFUSED),
    "file: in memory": ("os.memfd_create('x')", REFUSED),
    "file: read": ("open(target).read()", "value"),
    "file: list": ("len(os.listdir('/'))", "value"),
    "process: fork": ("os.fork()", REFUSED),
    "process: shell": ("print(1 / (os.system('true') == 0))", "ZeroDivisionError"),
    "process: exec": ("os.execv('/bin/true', ['true'])", REFUSED),
    "process: clone": ("check(libc.syscall(56, 0, 0, 0, 0, 0))", REFUSED),
    "process: clone3": ("check(libc.syscall(435, 0, 0))", "OSError"),
    "process: a thread": ("threads()", "value"),
    "signal: parent": ("os.kill(os.getppid(), 9)", REFUSED),
    "signal: everybody": ("os.kill(-1, 15)", REFUSED),
    "ptrace": ("check(libc.ptrace(16, os.getppid(), 0, 0))", REFUSED),
    "another's memory": ("check(libc.process_vm_readv(os.getppid(), 0, 0, 0, 0, 0))", REFUSED),
    "another's memory, by file": ("open(f'/proc/{os.getppid()}/mem', 'r+b')", REFUSED),
    "another's file": ("check(libc.syscall(438, 3, 1, 0))", REFUSED),
    "own limits: higher": ("resource.setrlimit(resource.RLIMIT_FSIZE, (2**30, 2**30))", "ValueError"),
    "own limits: by prlimit": ("resource.prlimit(0, resource.RLIMIT_AS, (-1, -1))", REFUSED),
    "name spaces": ("check(libc.unshare(0x10000000))", REFUSED),
    "the terminal": ("fcntl.ioctl(1, 0x5412, b'x')", "OSError"),
    "shared memory": ("mmap.mmap(-1, 2**33)", "OSError"),
    "memory, bit by bit": ("[bytearray(2**20) for _ in range(2**20)]", "MemoryError"),
    "files without end": ("[open('/dev/null') for _ in range(10**6)]", "OSError"),
    "time, in C": ("pow(3, 10**9)", "late"),
}  # fmt: skip

PREPARED = """
import ctypes, fcntl, mmap, os, resource, signal, socket, subprocess, threading, time

def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

def threads():
    done = []
    thread = threading.Thread(target=done.append, args=(1,))
    thread.start()
    thread.join()
    return done

def attempt(target):
    libc = ctypes.CDLL(None, use_errno=True)
    return {code}
"""


def attempt(code: str, target, **limits):
    namespace = {"__name__": "__main__"}
    exec(PREPARED.replace("{code}", code), namespace)
    return worker.attempt(
        namespace["attempt"], str(target), **{"seconds": 2, "memory_mb": 512, "lock": "must", **limits}
    )


@pytest.mark.parametrize("what", TRIED)
def test_tried_against_the_sandbox(what, tmp_path):
    target = tmp_path / "precious"
    target.write_text("precious")
    code, ends = TRIED[what]
    began = time.monotonic()
    seconds = 2 if ends == "late" else 8  # on a busy machine, running out of anything else may take a while
    outcome = attempt(code, target, seconds=seconds)
    assert time.monotonic() - began < 10
    kind = outcome.error.kind if outcome.error else "value"
    said = outcome.error.type or kind if outcome.error else "value"
    expected = {ends, "PermissionError"} if ends == "OSError" else {ends}
    assert {said, kind} & expected, outcome
    assert [path.name for path in tmp_path.iterdir()] == ["precious"] and target.read_text() == "precious"
    assert target.stat().st_mode & 0o400
    if outcome.error:
        assert outcome.error.text.zh and outcome.error.text.en and len(str(outcome.error)) < 3000


def test_limits_alone_let_no_byte_be_written(tmp_path):
    """A notebook on a system with no libseccomp has the limits, and the sweep."""
    script = f"""
        from course_utils.worker import limits
        limits.limit(5, 512)
        with open({str(tmp_path / "x")!r}, "w") as file:
            file.write("gone")
    """
    assert "File too large" in python(script).stderr and (tmp_path / "x").read_text() == ""


def test_where_there_is_no_libseccomp_a_check_goes_on_and_grading_does_not(monkeypatch):
    def missing():
        raise sandbox.NoSandbox("libseccomp.so.2: cannot open shared object file")

    monkeypatch.setattr(sandbox, "_library", missing)
    sandbox.prepared("try")()
    with pytest.raises(sandbox.NoSandbox, match="apt install libseccomp2"):
        sandbox.prepared("must")


def look_around():
    """Stands for what loads an answer: tells what a learner's code could see."""
    return None, {
        "status": "looked",
        "token": os.environ.get("MY_TOKEN", ""),
        "folder": os.getcwd(),
        "open": _open_files(),
    }


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_what_grading_runs_sees_neither_tokens_nor_files_of_the_owner(monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "secret")
    nothing = Packed(pickle.dumps(()), {})
    worker.stop()
    try:
        _, facts = engine.ask("00.best_milliseconds", f"{__name__}:look_around", nothing, lock="must")
        _, at_home = engine.ask("00.best_milliseconds", f"{__name__}:look_around", nothing, lock="try")
    finally:
        worker.stop()
    assert (facts["token"], facts["folder"]) == ("", "/")
    assert facts["open"] <= 6, "its three streams, the channel, the fault line, and the folder that is being listed"
    assert at_home["folder"] == os.getcwd(), "a notebook's own check may read the files beside the notebook"


# ---- answers that mean ill

WRITE = "for k in range(3, 64):\n        try:\n            os.write(k, {})\n        except OSError:\n            pass"


def function(body: str, before: str = "") -> str:
    return f"import os, pickle\n{before}\ndef masked_softmax(x, keep):\n    {body}\n"


def bomb(target) -> str:
    return f"class Bomb:\n    def __reduce__(self):\n        return os.system, ('touch {target}',)\n"


HOSTILE = {
    "a pickle to every descriptor": (WRITE.format("pickle.dumps(Bomb())") + "\n    return x", "wrote into the check's channel"),
    "a well-formed message": (
        "from course_utils.worker.message import encode\n    "
        + WRITE.format("encode([True, ({}, [], None)])")
        + "\n    return x",
        "wrote into the check's channel",
    ),
    "a message after its own": (
        "import threading, time\n    threading.Thread(target=lambda: (time.sleep(0.05), os.write(3, b'right'), os.write(4, b'right')), daemon=True)"
        ".start()\n    time.sleep(0.02)\n    return torch.softmax(x, 1) * 0",
        "",
    ),
    "closed descriptors": ("os.closerange(3, 99)\n    return x", ""),
    "a pickle as its value": ("return Bomb()", "this is a Bomb"),
    "the judge changed": (
        "import course_utils.exercises.judging as j\n    j.same = j.judge = lambda *a: {'right': []}\n    return x * 0",
        "",
    ),
    "a verdict for a value": ("return {'right': []}", "this is a dict"),
    "its input changed": ("x -= 1\n    return torch.softmax(x, 1)", "changed its input x"),
    "a tensor of a trillion": ("return torch.zeros(1).expand(10**6, 10**6)", "too large"),
    "a message of 100 MB": ("assert False, 'y' * 10**8", "An assertion failed"),
    "a repr of 100 MB": ("raise type('E' * 10**6, (Exception,), {})()", ""),
    "a __str__ that raises": ("raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})()", "error: E"),
    "half a character": ("raise ValueError('\\ud800')", "ValueError"),
    "too deep": ("return masked_softmax(x, keep)", "calls itself"),
    "100 MB printed": ("print('y' * 10**8)\n    return x", "printed too much"),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_ill_meant_answers_are_wrong_and_harmless(what, tmp_path, capfd):
    body, said = HOSTILE[what]
    target = tmp_path / "owned"
    began = time.monotonic()
    verdict = engine.judge("01.masked_softmax", define(function(body, bomb(target))))
    assert time.monotonic() - began < 20
    assert verdict.status in ("wrong", "unjudged") and said in verdict.text.en, verdict
    assert not target.exists()
    assert verdict.text.zh and len(verdict._repr_html_()) < 10_000 and len(repr(verdict)) < 10_000
    verdict._repr_html_().encode()
    assert capfd.readouterr() == ("", "")


# ---- what a job leaves behind

LEFT = """
import os, subprocess, sys, time
def leave(seconds):
    subprocess.Popen(["sleep", seconds])
    subprocess.Popen(["sleep", seconds], start_new_session=True)
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(float(seconds))
            os._exit(0)
    return 1
"""


def running(argument: str) -> list[str]:
    """The processes whose command line holds this."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            found += [path.parent.name] * (argument in path.read_text().replace("\0", " "))
    return found


@pytest.mark.parametrize("mode", ["interpreter", "compile"])
def test_nothing_outlives_a_job_and_no_held_pipe_delays_it(mode):
    namespace = {"__name__": "__main__"}
    exec(LEFT, namespace)
    worker.run(len, [], mode=mode)  # has started
    line = worker.start(mode)
    began = time.monotonic()
    assert worker.run(namespace["leave"], "67.25", lock="none", mode=mode) == 1
    assert time.monotonic() - began < 5
    assert not running("67.25") and not leftovers.descendants(line._process.pid)


def test_nothing_outlives_the_stop_button():
    """Or whatever else interrupts the notebook while it waits."""

    def press(*_):
        raise KeyboardInterrupt

    namespace = {"__name__": "__main__"}
    exec(LEFT.replace("return 1", "time.sleep(60)"), namespace)
    before = signal.signal(signal.SIGALRM, press)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    try:
        with pytest.raises(KeyboardInterrupt):
            worker.run(namespace["leave"], "68.25", lock="none", mode="compile", seconds=30)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert not running("68.25")

"""The worker process: what travels, in both modes, and that nothing a job does reaches the notebook."""

import os
import subprocess
import sys
import textwrap
import threading
import time
import types

import pytest
import torch
from kernels import cell

from course_utils import backend, worker
from course_utils.backend import triton
from course_utils.worker import NotPortable
from course_utils.worker import worker as jobs

MODES = ["interpreter", "compile"]
TRITON = tuple(map(int, triton.__version__.split(".")[:2]))


def test_tensors_travel_with_their_strides_and_come_back():
    x = torch.arange(12.0).reshape(3, 4).T
    back = worker.run(lambda t: (t, t.stride()), x)
    assert torch.equal(back[0], x) and back[1] == (1, 4)


def test_each_mode_is_its_own():
    def what():
        import course_utils.backend as backend

        return backend.mode, type(backend.triton.jit(kernel_like)).__name__, "torch" in sys.modules

    def kernel_like(x):
        pass

    assert worker.run(what, mode="interpreter") == ("interpreter", "InterpretedFunction", True)
    mode, kind, torch_loaded = worker.run(what, mode="compile")
    assert mode != "interpreter" and kind == "JITFunction"
    assert not torch_loaded or TRITON < (3, 9), "compiling must not wait for torch"


KERNELS = """
    import numpy as np
    import torch
    from course_utils.backend import tl, triton

    FACTOR = tl.constexpr(4)
    BIAS: tl.constexpr = 2
    WEIGHTS = np.arange(3.0)
    DTYPE = tl.float32

    @triton.jit
    def scale(x):
        return x * FACTOR

    @triton.jit
    def kernel(x_ptr, n, BLOCK: tl.constexpr):
        offsets = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n).to(DTYPE)
        tl.store(x_ptr + offsets, scale(x) + BIAS, mask=offsets < n)

    def launch(x, weight=WEIGHTS[2]):
        kernel[(1,)](x, x.numel(), BLOCK=8)
        return x * weight
"""


def test_a_kernel_of_a_cell_runs_with_all_it_uses():
    x = torch.arange(5.0)
    launch = cell(KERNELS)["launch"]
    assert torch.equal(worker.run(launch, x), (torch.arange(5.0) * 4 + 2) * 2)
    assert torch.equal(x, torch.arange(5.0)), "the notebook's own tensor stays as it was"


@pytest.mark.parametrize("mode", MODES)
def test_source_and_line_numbers_are_the_cells(mode):
    space = cell(KERNELS, "1")

    def look(kernel):
        import inspect

        lines, start = inspect.getsourcelines(kernel.fn)
        return "".join(lines), start, kernel.fn.__code__.co_filename

    source, start, filename = worker.run(look, space["kernel"], mode=mode)
    text = textwrap.dedent(KERNELS).strip().splitlines()
    assert filename == "/tmp/ipykernel_0/1.py"
    assert source.splitlines() == text[start - 1 : start - 1 + len(source.splitlines())]
    assert "def kernel(x_ptr, n, BLOCK: tl.constexpr):" in source and source.rstrip().endswith("mask=offsets < n)")


def test_autotuned_kernels_travel():
    space = cell("""
        from course_utils.backend import tl, triton

        @triton.autotune(configs=[triton.Config({"BLOCK": 16}, num_warps=2)], key=["n"])
        @triton.jit
        def tuned(x_ptr, n, BLOCK: tl.constexpr):
            tl.store(x_ptr, n)
    """)

    def look(kernel):
        return type(kernel).__name__, type(kernel.fn).__name__, kernel.fn.arg_names

    assert worker.run(look, space["tuned"], mode="compile") == ("Autotuner", "JITFunction", ["x_ptr", "n", "BLOCK"])
    assert worker.run(lambda kernel: type(kernel).__name__, space["tuned"].fn, mode="compile") == "JITFunction"


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("lock = __import__('threading').Lock()\ndef f(): return lock", "lock"),
        ("lock = __import__('threading').Lock()\nclass Mine: kept = lock\ndef f(): return Mine().kept", "Mine"),
        ("thing = (n for n in [1])\ndef g(): return thing\ndef f(): return g()", "thing"),
        ("import types\nhere = types.ModuleType('here')\ndef f(): return here.x", "here"),
    ],
)
def test_what_cannot_travel_is_named_in_both_languages(source, named):
    with pytest.raises(NotPortable) as caught:
        worker.run(cell(source, "cannot")["f"])
    zh, en = caught.value.text.zh, caught.value.text.en
    assert named in zh and "不能送到另一个进程" in zh
    assert named in en and "cannot travel" in en


BROKEN = {
    "raises": ("def f(x):\n    y = x + 1\n    return y[99]", worker.Raised, 3, {}),
    "loops": ("def f(x):\n    while True:\n        x = x + 1", worker.TimedOut, (2, 3), {"seconds": 0.5}),
    "sleeps": ("import time\ndef f(x):\n    time.sleep(60)", worker.TimedOut, 3, {"seconds": 0.5}),
    "prints": ("def f(x):\n    while True:\n        print('all work and no play' * 20)", worker.TooMuchOutput, None, {}),
    "eats": ("def f(x):\n    return [0] * 10**10", worker.OutOfMemory, 2, {"memory_mb": 200}),
    "eats tensors": ("def f(x):\n    return x.repeat(10**9)", worker.OutOfMemory, 2, {"memory_mb": 200}),
    "exits": ("import os\ndef f(x):\n    os._exit(3)", worker.Crashed, None, {}),
    "quits": ("def f(x):\n    raise SystemExit", worker.Raised, 2, {}),
    "asks": ("def f(x):\n    return input()", worker.Raised, 2, {}),
    "aborts": ("import os\ndef f(x):\n    os.abort()", worker.Crashed, 3, {}),
    "hides": ("import signal, time\ndef f(x):\n    signal.signal(signal.SIGALRM, signal.SIG_IGN)\n    time.sleep(60)",
              worker.TimedOut, None, {"seconds": 0.3}),
    "returns a lock": ("import threading\ndef f(x):\n    return threading.Lock()", worker.Raised, None, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_code_is_told_not_suffered(name, capfd):
    source, kind, line, limits = BROKEN[name]
    f = cell(source, name)["f"]
    worker_itself = worker.run(os.getppid)
    with pytest.raises(kind) as caught:
        worker.run(f, torch.arange(5.0), **limits)
    error = caught.value
    assert error.line in (line if isinstance(line, tuple) else (line,))
    if line:
        assert error.code == source.splitlines()[error.line - 1].strip()
        assert f"第 {error.line} 行" in str(error) and f"line {error.line}" in str(error)
    assert len(error.stdout) < 30_000
    assert capfd.readouterr() == ("", ""), "nothing of the worker shows up in the notebook"
    assert worker.run(os.getppid) == worker_itself, "the next job needs no new Python"


def test_an_out_of_bounds_kernel_kills_only_its_process():
    space = cell("""
        from course_utils.backend import tl, triton

        @triton.jit
        def kernel(x_ptr):
            far = tl.program_id(0).to(tl.int64) + 1
            tl.store(x_ptr + far * 1000000000000, 1.0)

        def launch(x):
            kernel[(1,)](x)
    """)
    with pytest.raises(worker.Crashed) as caught:
        worker.run(space["launch"], torch.zeros(4))
    assert "SIGSEGV" in str(caught.value)
    assert caught.value.code == "tl.store(x_ptr + far * 1000000000000, 1.0)"


def test_an_error_inside_a_kernel_names_the_kernels_line():
    space = cell("""
        from course_utils.backend import tl, triton

        @triton.jit
        def kernel(x_ptr, BLOCK: tl.constexpr):
            x = tl.load(x_ptr + tl.arange(0, BLOCK))
            y = x + undefined_name
            tl.store(x_ptr + tl.arange(0, BLOCK), y)

        def launch(x):
            kernel[(1,)](x, BLOCK=4)
    """)
    with pytest.raises(worker.Raised) as caught:
        worker.run(space["launch"], torch.zeros(4))
    assert caught.value.type == "NameError" and caught.value.code == "y = x + undefined_name"


def test_what_is_printed_is_kept_apart():
    def talk():
        os.write(1, b"raw ")
        print("printed")
        print("complaint", file=sys.stderr)
        return 1

    outcome = worker.attempt(talk)
    assert (outcome.value, outcome.stdout, outcome.stderr) == (1, "raw printed\n", "complaint\n")
    assert worker.attempt(lambda: 2).stdout == ""


def test_no_job_sees_what_another_left(tmp_path):
    def spoil(folder):
        os.chdir(folder)
        os.environ["LEFT"] = "1"
        sys.path.insert(0, "left")
        sys.modules["left"] = types.ModuleType("left")
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        subprocess.Popen(["sleep", "61"])
        subprocess.Popen(["sleep", "61"], start_new_session=True)

    def look():
        return os.getcwd(), os.environ.get("LEFT"), "left" in sys.path, "left" in sys.modules, threading.active_count()

    began = time.monotonic()
    worker.run(spoil, str(tmp_path), lock="none", mode="compile")
    assert time.monotonic() - began < 5, "nobody waits for a pipe that a leftover holds"
    assert worker.run(look) == (os.getcwd(), None, False, False, 1)
    left = [pid for pid in os.listdir("/proc") if pid.isdigit() and "sleep\x0061" in _command(pid)]
    assert not left, "what a job started ends with it"


def _command(pid) -> str:
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            return file.read()
    except OSError:
        return ""


def test_the_worker_ends_with_the_notebook():
    script = """
        import os, signal, time
        from course_utils import worker

        def dawdle(): time.sleep(60)

        if __name__ == "__main__":
            print(worker.run(os.getppid, mode="compile"), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60)
    pid = int(done.stdout)
    deadline = time.monotonic() + 10
    while "worker.child" in _command(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "worker.child" not in _command(pid)
    assert done.stderr == ""


@pytest.mark.skipif(backend.mode != "cuda", reason="needs an NVIDIA GPU")
def test_tensors_of_a_gpu_travel_with_their_strides():
    def look(x):
        return x.device.type, x.stride(), x.sum().item(), x

    x = torch.arange(24.0, device="cuda").reshape(4, 6)[1:, ::2]
    for mode, where in (("interpreter", "cpu"), ("same", "cuda")):
        device, stride, total, back = worker.run(look, x, mode=mode, seconds=60)
        assert (device, stride, total) == (where, (6, 2), x.sum().item())
        assert back.device.type == where and torch.equal(back.cpu(), x.cpu())


def test_a_worker_that_cannot_start_says_why(monkeypatch):
    """A broken installation, a library that is missing: the learner cannot see the other process."""
    monkeypatch.setitem(jobs._PRELOAD, "interpreter", ("no_such_library",))
    worker.stop()
    with pytest.raises(worker.Crashed) as caught:
        worker.run("course_utils.hardware:find", "H200")
    worker.stop()
    assert {caught.value.text.zh[:11], caught.value.text.en[:11]} == {"运行代码的进程没能启动", "The process"}
    assert str(caught.value).count("No module named 'no_such_library'") == 2

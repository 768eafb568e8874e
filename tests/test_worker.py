"""The worker process: what travels, in both modes, and that nothing a job does reaches the notebook."""

import os
import shutil
import sys
import textwrap
import threading
import time
import types
from pathlib import Path

import cloudpickle
import pytest
import torch
from course import python
from kernels import cell
from test_sandbox import running

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


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("lock = __import__('threading').Lock()\ndef f(): return lock", "lock"),
        ("lock = __import__('threading').Lock()\nclass Mine: kept = lock\ndef f(): return Mine().kept", "Mine"),
        ("thing = (n for n in [1])\ndef g(): return thing\ndef f(): return g()", "thing"),
    ],
)
def test_what_cannot_travel_is_named_in_both_languages(source, named):
    with pytest.raises(NotPortable) as caught:
        worker.run(cell(source, "cannot")["f"])
    zh, en = caught.value.text.zh, caught.value.text.en
    assert named in zh and "不能送到另一个进程" in zh
    assert named in en and "cannot travel" in en


BROKEN = {  # what `test_sandbox` does not try in a check: the code, what it is told as, the line, the limits
    "raises": ("def f(x):\n    y = x + 1\n    return y[99]", "raised", 3, {}),
    "loops": ("def f(x):\n    while True:\n        x = x + 1", "late", (2, 3), {"seconds": 0.5}),
    "eats tensors": ("def f(x):\n    return x.repeat(10**9)", "too much", 2, {"memory_mb": 200}),
    "quits": ("def f(x):\n    raise SystemExit", "raised", 2, {}),
    "aborts": ("import os\ndef f(x):\n    os.abort()", "crashed", 3, {}),
    "hides": ("import signal, time\ndef f(x):\n    signal.signal(signal.SIGALRM, signal.SIG_IGN)\n    time.sleep(60)",
              "late", None, {"seconds": 0.3}),
    "returns a lock": ("import threading\ndef f(x):\n    return threading.Lock()", "raised", None, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_code_is_told_not_suffered(name, capfd):
    source, kind, line, limits = BROKEN[name]
    f = cell(source, name)["f"]
    worker_itself = worker.run(os.getppid)
    with pytest.raises(worker.WorkerError) as caught:
        worker.run(f, torch.arange(5.0), **limits)
    error = caught.value
    assert error.kind == kind
    assert error.line in (line if isinstance(line, tuple) else (line,))
    if line:
        assert error.code == source.splitlines()[error.line - 1].strip()
        assert f"第 {error.line} 行" in str(error) and f"line {error.line}" in str(error)
    assert capfd.readouterr() == ("", ""), "nothing of the worker shows up in the notebook"
    assert worker.run(os.getppid) == worker_itself, "the next job needs no new Python"


@pytest.mark.parametrize("line, kind, said", [
    ("tl.store(x_ptr + tl.program_id(0).to(tl.int64) + 1000000000000, 1.0)", "crashed", "SIGSEGV"),
    ("y = tl.load(x_ptr) + undefined_name", "raised", "undefined_name is unknown"),
])  # fmt: skip
def test_an_error_inside_a_kernel_names_the_kernels_line_and_kills_only_its_process(line, kind, said):
    space = cell(f"""
        from course_utils.backend import tl, triton

        @triton.jit
        def kernel(x_ptr):
            {line}

        def launch(x):
            kernel[(1,)](x)
    """)
    with pytest.raises(worker.WorkerError, match=said) as caught:
        worker.run(space["launch"], torch.zeros(4))
    assert caught.value.code == line and caught.value.kind == kind


def test_no_job_sees_what_another_left(tmp_path):
    def spoil(folder):
        os.chdir(folder)
        os.environ["LEFT"] = "1"
        sys.path.insert(0, "left")
        sys.modules["left"] = types.ModuleType("left")
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()

    def look():
        return os.getcwd(), os.environ.get("LEFT"), "left" in sys.path, "left" in sys.modules, threading.active_count()

    worker.run(spoil, str(tmp_path), lock="none", mode="compile")
    assert worker.run(look) == (os.getcwd(), None, False, False, 1)


def test_the_worker_ends_with_the_notebook():
    script = """
        import os, signal, time
        from course_utils import worker

        def dawdle(): time.sleep(60)

        if __name__ == "__main__":
            print(worker.run(os.getppid, mode="compile"), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    done = python(script)
    deadline = time.monotonic() + 10
    while done.stdout.strip() in running("worker.child") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert done.stdout.strip() not in running("worker.child")
    assert done.stderr == ""


# ---- what a notebook defines travels in the forms that `portable` takes apart itself: the rest is cloudpickle's

FORMS = {
    "two lambdas in a line, over several": "g, f = lambda x: x - 1, lambda x: (\n    x\n    + 1\n)",
    "a closure that counts": "def make():\n    n = 1\n    def up(x):\n        nonlocal n\n        n += x\n        return n\n    return up\nf = make()",
    "functions that share a global": "n = 0\ndef up():\n    global n\n    n += 1\ndef f(x):\n    up()\n    return n + x",
    "NamedTuple": "from typing import NamedTuple\nclass P(NamedTuple):\n    a: int\n    b: int = 1\ndef f(x): return sum(P(x))",
    "a class with super, slots and a class method": (
        "class A:\n    __slots__ = ('n',)\n    def __init__(self, n): self.n = n\n    @classmethod\n    def of(cls, n): return cls(n)\n"
        "class B(A):\n    def __init__(self, n):\n        super().__init__(n + 1)\ndef f(x): return B.of(x).n"
    ),
    "a cache": "from functools import lru_cache\n@lru_cache\ndef f(x): return x + 1",
    "a method": "class A:\n    def up(self, x): return x + 1\nf = A().up",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_travels(form):
    assert worker.run(cell(FORMS[form], form)["f"], 1) == 2


def test_cloudpickle_may_be_installed_anywhere(tmp_path):
    """`pip install --user` or `--target` puts it where Python keeps nothing of its own."""
    shutil.copytree(Path(cloudpickle.__file__).parent, tmp_path / "cloudpickle")
    script = f"""
        import cloudpickle
        assert {str(tmp_path)!r} in cloudpickle.__file__
        from course_utils.softmax import row_kernel
        from course_utils.worker.portable import pack
        pack(row_kernel)
    """
    assert not python(script, PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path])).stderr


def test_what_stands_below_a_magic_is_found():
    body = "import math\n\ndef f(x):\n    return math.floor(x) + missing\n"
    namespace = {"__name__": "__main__", "In": ["", f"get_ipython().run_cell_magic('time', '', {body!r})\n"]}
    exec(compile(body, "<timed exec>", "exec"), namespace)
    error = worker.attempt(namespace["f"], 1.0).error
    assert (error.type, error.line, error.code) == ("NameError", 4, "return math.floor(x) + missing")


@pytest.mark.skipif(backend.mode != "cuda", reason="needs an NVIDIA GPU")
def test_tensors_of_a_gpu_travel_with_their_strides():
    def look(x):
        return x.device.type, x.stride(), x.sum().item(), x

    x = torch.arange(24.0, device="cuda").reshape(4, 6)[1:, ::2]
    for mode, where in (("interpreter", "cpu"), ("same", "cuda")):
        device, stride, total, back = worker.run(look, x, mode=mode, seconds=60)
        assert (device, stride, total) == (where, (6, 2), x.sum().item())
        assert torch.equal(back, x.cpu())


def test_a_worker_that_cannot_start_says_why(monkeypatch):
    """A broken installation, a library that is missing: the learner cannot see the other process."""
    monkeypatch.setitem(jobs._PRELOAD, "interpreter", ("no_such_library",))
    worker.stop()
    with pytest.raises(worker.WorkerError) as caught:
        worker.run("course_utils.hardware:find", "H200")
    worker.stop()
    assert str(caught.value).count("No module named 'no_such_library'") == 2

"""Checks of answers that mean ill, or that take another form of Python: in the notebook's own process nothing of them runs."""

import os
import time

import pytest
from test_exercises import define

from course_utils import worker
from course_utils.exercises import engine

pytestmark = pytest.mark.slow

BODY = """
row = tl.program_id(0)
columns = tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf"))
numerator = tl.exp(x - tl.max(x, axis=0))
tl.store(y_ptr + row * y_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)
"""
WRITE = "for k in range(3, 64):\n        try:\n            os.write(k, {})\n        except OSError:\n            pass"


def kernel(body: str = BODY, decorators: str = "@triton.jit", before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f"{before}{decorators}\ndef mended_kernel(y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr):\n{lines}"


def function(body: str, before: str = "") -> str:
    return f"import os, pickle\n{before}\ndef masked_softmax(x, keep):\n    {body}\n"


def bomb(target) -> str:
    return f"class Bomb:\n    def __reduce__(self):\n        return os.system, ('touch {target}',)\n"


HOSTILE = {
    "a pickle to every descriptor": (WRITE.format("pickle.dumps(Bomb())") + "\n    return x", "wrote into the check's channel"),
    "a well-formed message": (
        "from course_utils.worker.plain import encode\n    "
        + WRITE.format("encode(['nonce', 'value', (torch.softmax(x, 1), [x])])")
        + "\n    return x",
        "wrote into the check's channel",
    ),
    "a message after its own": (
        "import threading, time\n    threading.Thread(target=lambda: (time.sleep(0.05), os.write(3, b'right'), os.write(4, b'right')), daemon=True)"
        ".start()\n    time.sleep(0.02)\n    return torch.softmax(x, 1) * 0",
        "",
    ),
    "half an answer": (WRITE.format("b'plain 1\\n'") + "\n    os._exit(0)", ""),
    "closed descriptors": ("os.closerange(3, 99)\n    return x", ""),
    "a pickle as its value": ("return Bomb()", "this is a Bomb"),
    "an exception called Wrong": ("raise type('Wrong', (Exception,), {'args': ()})()", "raised an error: Wrong"),
    "the course's own Wrong": ("from course_utils.exercises.engine import Wrong\n    raise Wrong('', '')", "raised an error"),
    "a grader changed": (
        "import course_utils.exercises.nb01 as nb\n    nb.close = nb._masked_softmax = lambda *a: True\n    return x * 0",
        "",
    ),
    "its input changed": ("x -= 1\n    return torch.softmax(x, 1)", "changed its input x"),
    "a tensor of a trillion": ("return torch.zeros(1).expand(10**6, 10**6)", "too large"),
    "a message of 100 MB": ("assert False, 'y' * 10**8", "AssertionError"),
    "a repr of 100 MB": ("raise type('E' * 10**6, (Exception,), {})()", ""),
    "a __str__ that raises": ("raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})()", "error: E"),
    "half a character": ("raise ValueError('\\ud800')", "ValueError"),
    "100 MB printed": ("print('y' * 10**8)\n    return x", "printed without end"),
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


def test_a_kernel_that_writes_into_the_workers_channel():
    """The ledger and the stepper, too, run a learner's kernel in a worker on a machine that compiles."""
    namespace = {"__name__": "__main__"}
    exec(f"import os, pickle\ndef f():\n    {WRITE.format('pickle.dumps(1)')}\n    return 1", namespace)
    for mode in ("interpreter", "compile"):
        error = worker.attempt(namespace["f"], mode=mode).error
        assert isinstance(error, worker.Meddled) and "写进了" in error.text.zh
        assert worker.run(len, [1], mode=mode) == 1


STORES = "tl.store(x_ptr + row * x_stride + columns, x * 0, mask=mask)"
KERNELS = {
    "as it should be": (kernel(), "right", ""),
    "stores into its input": (kernel(BODY + STORES), "wrong", "stored into x_ptr"),
    "autotuned": (
        kernel(
            decorators="@triton.autotune(configs=[triton.Config({}, num_warps=w) for w in (4, 8)], key=['n_cols'])\n@triton.jit"
        ),
        "right",
        "",
    ),
    "with heuristics": (
        kernel(decorators="@triton.heuristics({'BLOCK_SIZE': lambda given: triton.next_power_of_2(given['n_cols'])})\n@triton.jit"),
        "right",
        "",
    ),
    "a helper": (
        kernel(BODY.replace("tl.exp(", "power("), before="@triton.jit\ndef power(x):\n    return tl.exp(x)\n\n"),
        "right",
        "",
    ),
    "a constexpr": (kernel(BODY.replace('-float("inf")', "PAD"), before='PAD = tl.constexpr(-float("inf"))\n'), "right", ""),
    "a plain global": (kernel(BODY.replace('-float("inf")', "PAD"), before='PAD = -float("inf")\n'), "wrong", "Cannot access global"),
    "print": (kernel(BODY + "print(row)"), "wrong", "print(row)"),
    "try": (kernel("try:\n" + "".join(f"    {line}\n" for line in BODY.split("\n")) + "except Exception:\n    pass"), "wrong", "Try"),
    "int of a program": (kernel(BODY.replace("tl.program_id(0)", "int(tl.program_id(0))")), "wrong", "int("),
    "numpy": (kernel(BODY.replace("tl.exp(", "np.exp("), before="import numpy as np\n"), "wrong", ""),
    "not a kernel": (kernel(decorators=""), "wrong", "@triton.jit"),
}  # fmt: skip


@pytest.mark.parametrize("what", KERNELS)
def test_kernels_are_judged_by_what_they_store_and_then_compiled(what):
    source, status, said = KERNELS[what]
    verdict = engine.judge("03.mended_kernel", define(source))
    assert verdict.status == status and said in verdict.text.en, verdict
    assert "compiler" not in verdict.text.zh


def test_a_check_before_the_imports_says_what_to_run():
    verdict = engine.judge("00.best_milliseconds", {"In": ["", "check('00.best_milliseconds')"]})
    assert verdict.status == "not yet" and "Run All Above" in verdict.text.en and "运行" in verdict.text.zh


def test_too_few_files_get_a_clear_word(monkeypatch):
    def full(*_, **__):
        raise OSError(24, "Too many open files")

    worker.stop()
    monkeypatch.setattr(os, "pipe", full)
    verdict = engine.judge("00.best_milliseconds", define("best_milliseconds = lambda a, b: a / b / 1e6"))
    assert verdict.status == "unjudged" and "ulimit -n" in verdict.text.en and "ulimit -n" in verdict.text.zh


def test_a_gpu_that_is_not_there_gets_a_word(monkeypatch):
    import torch

    from course_utils import notebook

    monkeypatch.setenv("COURSE_BACKEND", "cuda")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match="看不到 GPU(.|\n)*sees no GPU"):
        notebook._require_gpu("cuda")

"""The steps up from the row kernel: each is right, the notebook shows it, and the recorder takes them all."""

import ast
import re
from types import SimpleNamespace

import pytest
import torch
from course import ROOT, read, tags
from test_notebooks import listing

from course_utils import explorers
from course_utils.compiler import compile_for
from course_utils.measurements import ladder
from course_utils.measurements.bench import driver, peers, stopwatch
from course_utils.measurements.ladder import COLUMNS, DTYPES
from course_utils.softmax.ladder import (
    STEPS,
    choose,
    launch_for,
    launch_of,
    launch_on,
    meeting_kernel,
    powers_kernel,
    same_launches,
    several_kernel,
    steps,
)
from course_utils.softmax.ladder.choose import Gpu, Shape
from course_utils.softmax.ladder.rows import rows_kernel

H200 = Gpu(132, cuda=True, early=True, cache=60 << 20)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("n_rows, n_cols", [(5, 100), (3, 781), (7, 64), (2, 2049), (3, 1000)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_every_step_is_softmax(step, n_rows, n_cols, dtype):
    x = torch.randn(n_rows, n_cols, generator=torch.Generator().manual_seed(n_cols)).to(dtype)
    x[0, : n_cols // 2] = -float("inf")
    y = torch.empty_like(x)
    launch_on(step, y, x)(y, x)
    torch.testing.assert_close(y.float(), torch.softmax(x.float(), 1).to(dtype).float(), rtol=2e-2, atol=1e-6)


def test_not_every_step_changes_something_everywhere():
    told = same_launches(Shape(4096, 1024, 4, 1024, True), H200)
    assert told["registers"] == "powers" and told["fitted"] == "hints" and told["early"] == "early"
    assert same_launches(Shape(4096, 2048, 4, 2048, True), H200)["fitted"] == "fitted"
    assert same_launches(Shape(4096, 12672, 2, 12672, True), H200)["registers"] == "registers"


def test_a_step_for_what_no_program_holds_is_refused():
    with pytest.raises(LookupError, match="32768"):
        launch_of("row", Shape(4096, 32768, 2, 32768, True), H200)


def test_every_step_of_every_shape_is_measured(monkeypatch):
    def compare(functions, make_inputs, states, rounds, seconds):
        return {(name, state): stopwatch.Timing(1e-5, 1e-5, 2e-5, rounds) for name in functions for state in states}

    compiled = SimpleNamespace(function=1, metadata=SimpleNamespace(shared=16), asm={"ptx": "bar.sync 0;"})
    monkeypatch.setattr(driver, "attribute", lambda *_: 7)
    monkeypatch.setattr(driver, "programs_at_once", lambda *_: 7)
    monkeypatch.setattr(ladder, "_run", lambda *_: compiled)
    monkeypatch.setattr(stopwatch, "compare", compare)
    monkeypatch.setattr(
        stopwatch, "inputs_for", lambda rows, n, name, _: [torch.empty(rows, n, dtype=getattr(torch, name))]
    )
    monkeypatch.setattr(peers, "prepared_for", lambda x, names: dict.fromkeys(names))
    for module in (choose, steps):
        monkeypatch.setattr(module, "gpu_of", lambda _: H200)
    shapes = [(dtype, n) for n in COLUMNS for dtype in DTYPES if (dtype, n) != ("bfloat16", 32768)]
    assert [(case["dtype"], case["columns"]) for case in ladder.cases()] == shapes
    for case in ladder.cases():
        found = list(ladder.measure(**case))
        for state in ("sustained", "hot"):
            assert [line.step for line in found if line.state == state] == ["copy", "softmax", *STEPS]
        assert {line.step for line in found if line.state == "dirty"} == ladder.DIRTY
        assert all(line.registers == 7 for line in found if line.step not in ladder.BESIDE)


def bodies(source: str) -> dict[str, list[str]]:
    """The functions in a source: their arguments and statements, docstrings left out."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
                node.body.pop(0)
            found[node.name] = [ast.dump(each) for each in (node.args, *node.body)]
    return found


def test_the_notebook_shows_every_kernel_of_the_way():
    """In full, in a cell or folded, or as what a step changes, which is drawn from the package itself."""
    held = {}
    package = ROOT / "course_utils" / "softmax"
    for path in (*package.glob("*.py"), *package.glob("ladder/*.py")):
        held |= bodies(path.read_text())
    shown, changed = {}, set()
    for cell in read(ROOT / "notebooks" / "07_to_the_limit.ipynb").cells:
        code = listing(cell) if cell.cell_type == "markdown" else "exercise" not in tags(cell) and cell.source
        if code and "@triton.jit" in code:
            shown |= bodies(code)
        changed |= set(re.findall(r"what_changed\(\w+, (\w+)[,)]", code or ""))
    assert shown == {name: held[name] for name in shown}
    for step in ("several", "pieces", "meeting", "powers", "rows", "ragged"):
        assert set(bodies((package / "ladder" / f"{step}.py").read_text())) <= set(shown) | changed


def test_what_changed_is_what_comes_and_what_goes():
    told = str(explorers.what_changed(meeting_kernel, powers_kernel)).splitlines()
    assert "+ m, s = tl.reduce((m_warp, s_warp), 1, meet)" in told
    assert "- m, s = tl.reduce((m_warp, s_warp), 1, merge)" in told
    assert not [line for line in told if "#" in line or line.strip() == "pieces = ()"]
    assert not explorers.what_changed(meeting_kernel, meeting_kernel).lines
    told = explorers.what_changed(powers_kernel, rows_kernel, off=("HINT", "EARLY")).lines
    assert len(told) < len(explorers.what_changed(powers_kernel, rows_kernel).lines)
    assert not [line for line in told if "HINT" in line or "EARLY" in line or "tl.load" in line and line[0] != " "]


def test_the_step_that_the_notebook_folds_is_as_it_says():
    rungs, hot = ladder.at(3072, "bfloat16"), ladder.at(3072, "bfloat16", "hot")
    powers, limited = rungs["powers"], rungs["registers"]
    assert (powers.registers, powers.at_once, limited.registers, limited.at_once) == (72, 7, 64, 8)
    assert -0.01 < limited.median_us / powers.median_us - 1 < 0
    assert -0.05 < hot["registers"].median_us / hot["powers"].median_us - 1 < -0.04
    launch = launch_for("powers", 3072, torch.bfloat16)
    for most, spills in ((72, False), (56, True)):
        compiled = compile_for(
            launch.kernel, "H200", torch.bfloat16, torch.bfloat16, *launch.sizes,
            **launch.constants, **launch.options, maxnreg=most,
        )  # fmt: skip
        assert (compiled.spills > 0) == spills


def test_a_kernel_of_ones_own_is_launched_like_step_several():
    (found,) = explorers.needs_of(several_kernel, columns=(256,))
    assert found[:3] == (256, 2.0, 0) and found[3] == 16
    assert "yours" not in str(explorers.on_the_curve(several_kernel))  # measured on a GPU alone


def test_what_was_recorded_as_the_last_step_is_softmax():
    for dtype in DTYPES:
        for columns in COLUMNS:
            rungs = ladder.at(columns, dtype)
            if rungs:
                assert rungs["softmax"].median_us == pytest.approx(rungs[STEPS[-1]].median_us, rel=0.03)

"""The launcher of notebook 05, and the recordings that its choices follow."""

import ast
import inspect
import itertools

import pytest
import torch
from course import ROOT, code_cells, read

from course_utils import backend, figures, hardware
from course_utils.backend import triton
from course_utils.measurements import recorded
from course_utils.measurements.occupancy_variants import BLOCKS, STAGES, WARPS
from course_utils.occupancy import occupancy, tutorial_formula
from course_utils.softmax import occupancy_launcher, occupancy_softmax, prefetch
from course_utils.softmax.occupancy_launcher import START, is_short, resident, warps_for

H200 = hardware.find("H200")


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (5, 127), (4, 781), (2, 1024), (70, 16)])
def test_it_computes_softmax(shape):
    torch.manual_seed(0)
    x = torch.randn(shape, device=backend.device) - 20
    for given in (x, torch.randn(shape[::-1], device=backend.device).T):
        torch.testing.assert_close(occupancy_softmax(given), torch.softmax(given, 1))


def test_short_and_many_rows_get_resident_programs_and_others_one_each(monkeypatch):
    started = []
    for name in ("row_kernel", "grid_stride_kernel"):
        fake = type(
            name, (), {"__getitem__": lambda self, grid, name=name: lambda *_, **o: started.append((name, grid, o))}
        )
        monkeypatch.setattr(occupancy_launcher, name, fake())
    fits = type("Fits", (), {"launch": lambda self, rows: min(rows, 7)})()
    monkeypatch.setattr(occupancy_launcher, "resident", lambda *_: fits)
    for shape in ((9, 256), (8, 256), (7, 256), (9, 1024)):
        occupancy_softmax(torch.zeros(shape, device=backend.device), H200)
    assert [(name, grid) for name, grid, _ in started] == [
        ("grid_stride_kernel", (7,)),
        ("grid_stride_kernel", (7,)),
        ("row_kernel", (7,)),
        ("row_kernel", (9,)),
    ]
    assert started[0][2]["STAGES"] == 1


@pytest.mark.parametrize("name", ["H200", "MI300X"])
def test_how_many_fit_is_asked_once(name):
    device = hardware.find(name)
    fits = resident(1024, torch.float32, device)
    assert fits is resident(1024, torch.float32, device) and fits.programs * 4 <= hardware.chip_of(device).warps
    assert [fits.launch(rows) for rows in (1, 10**6)] == [1, fits.programs * device.multiprocessors]


def test_where_nobody_knows_the_bandwidth_each_row_gets_a_program():
    unknown = hardware.find("H200").__class__("x", "sm_90", 132, 1, None, "")
    assert not is_short(4, unknown) and is_short(4, H200)


def test_what_was_recorded_is_whole_and_the_model_is_right_about_it():
    variants = recorded("occupancy_variants")
    assert [(v.block, v.num_warps, v.stages) for v in variants] == list(itertools.product(BLOCKS, WARPS, STAGES))
    assert all(occupancy(H200, **v.needs).programs == v.programs for v in variants)
    assert 0 < sum(tutorial_formula(H200, **v.needs) != v.programs for v in variants) < len(variants)
    grids = recorded("occupancy_grids")
    assert [(g.stages, g.per_multiprocessor) for g in grids] == list(itertools.product((1, 4), range(1, 25)))
    assert all((g.rows, g.columns) == (105600, 1024) and g.low_ms <= g.median_ms <= g.high_ms for g in grids)
    assert all(100 < g.bandwidth < H200.bandwidth for g in grids)


def test_the_pictures_say_the_numbers_they_were_given():
    leads = figures.leads({("a", "hot", 256): 18, ("a", "cold", 256): -2, ("b", "hot", 512): 0}, title="t")
    assert "Cells: 3, ahead 1, behind 1, worst a cold 256: −2 %" in leads.en
    grids = figures.grid_sizes({"a": {1: 100.0, 2: 199.6, 3: 150.0}}, fits=2)
    assert "2 → 200, 3 → 150 GB/s" in grids.en


def test_the_choices_follow_the_recording():
    """The time from one start to the next; and warps with which a program a row is within 1 % of the fastest."""
    found = recorded("launches")
    best = {}
    for one in found:
        if one.who == "row":
            key = one.rows, one.columns
            best[key] = min(best.get(key, one), one, key=lambda launch: launch.median_us)
    slow = best[422400, 256]
    assert abs(slow.median_us * 1e3 / (slow.rows / 132) - START) < 2
    for (rows, columns), fastest in best.items():
        warps = warps_for(triton.next_power_of_2(columns))
        chosen = next(o for o in found if (o.who, o.rows, o.columns, o.num_warps) == ("row", rows, columns, warps))
        assert chosen.median_us < 1.01 * fastest.median_us


@pytest.mark.parametrize(("rows", "columns", "programs"), [(5, 20, 3), (7, 781, 2), (2, 16, 5), (1, 1, 1)])
def test_the_kernel_that_prefetches(rows, columns, programs):
    x = torch.randn(rows, columns, device=backend.device)
    y = torch.empty_like(x)
    block = triton.next_power_of_2(columns)
    prefetch.prefetch_kernel[(programs,)](y, x, columns, columns, rows, columns, BLOCK_SIZE=block)
    torch.testing.assert_close(y, torch.softmax(x, 1))


def test_the_notebook_builds_this_very_launcher():
    def functions(source):
        found = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        for node in found:
            if isinstance(node.body[0], ast.Expr):  # the docstring
                node.body.pop(0)
        return {node.name: ast.dump(node) for node in found}

    ours = functions(inspect.getsource(occupancy_launcher))
    cells = code_cells(read(ROOT / "notebooks" / "05_occupancy_launcher.ipynb"))
    shown = functions("\n".join(cell.source for cell in cells))
    assert set(ours) == {"warps_for", "resident", "is_short", "occupancy_softmax"}
    assert {name: shown[name] for name in ours} == ours

"""The launcher of notebook 05: how many programs it starts, and that its memory of decisions never tells two kernels for one."""

import ast
import inspect
import itertools

import pytest
import torch
from course import ROOT, code_cells, read

from course_utils import backend, figures, hardware
from course_utils.backend import triton
from course_utils.compiler import compile_for
from course_utils.occupancy import occupancy, tutorial_formula
from course_utils.softmax import grid_stride_kernel, occupancy_launcher, occupancy_softmax
from course_utils.softmax.occupancy_launcher import arguments, facts, plan
from course_utils.timing.occupancy import BLOCKS, COLUMNS, MOST_PROGRAMS, ROWS, STAGES, WARPS, recorded

H200 = hardware.find("H200")


def tensors(rows, columns, dtype=torch.float32, gap=0):
    x = torch.empty(rows, columns + gap, dtype=dtype, device="meta")[:, :columns]  # a shape that takes no memory
    return torch.empty_like(x), x


def key(y, x):
    return (triton.next_power_of_2(x.shape[1]), *map(facts, arguments(y, x)))


def assembly(y, x, device):
    constants = {"BLOCK_SIZE": triton.next_power_of_2(x.shape[1]), "STAGES": 2, "num_warps": 8}
    text = compile_for(grid_stride_kernel, device, *arguments(y, x), **constants)
    text = text.text("ptx" if device == H200 else "amdgcn")
    skipped = (".loc", "//", ".file", ".ascii", ";", ".Ltmp", ".long")
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(skipped))


@pytest.mark.parametrize("device", [H200, hardware.find("MI300X")], ids=lambda device: device.name)
def test_equal_facts_are_equal_kernels_and_other_facts_are_others(device):
    shapes = [(64, 1024), (128, 1008), (7, 1000), (1, 1024), (7, 781), (9, 1023)]
    given = [tensors(*shape) for shape in shapes]
    given += [tensors(64, 1024, torch.bfloat16), tensors(64, 1024, gap=16), tensors(64, 1024, gap=5)]
    kinds = 5
    if device != H200:  # AMD's compiler addresses what is under 2 GB in another way
        given += [tensors(2**19, 1024), tensors(2**19 - 16, 1024)]
        kinds += 1
    texts = {}
    for y, x in given:
        texts.setdefault(key(y, x), set()).add(assembly(y, x, device))
    assert all(len(found) == 1 for found in texts.values()), "one key, two kernels"
    every = [text for found in texts.values() for text in found]
    assert len(texts) == len(set(every)) == kinds, "and none of these could stand in for another"


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (5, 127), (4, 781), (2, 1024), (70, 16)])
def test_it_computes_softmax(shape):
    torch.manual_seed(0)
    x = torch.randn(shape, device=backend.device) - 20
    for given in (x, torch.randn(shape[::-1], device=backend.device).T):
        torch.testing.assert_close(occupancy_softmax(given), torch.softmax(given, 1))


def test_a_pipeline_too_deep_for_the_shared_memory_is_made_shallower():
    stages, fits = plan(*tensors(20, 32768), H200)
    assert (stages, fits.programs) == (2, 1)
    assert plan(*tensors(64, 1024), H200)[0] == 4


def test_an_npu_gets_its_own_launch(monkeypatch):
    """A program for every vector core, and rows in blocks that fit its buffer: test_npu looks at that launch."""
    npu, launched = hardware.find("Ascend 910B3"), []
    monkeypatch.setattr(occupancy_launcher, "on_npu", lambda y, x, device: launched.append((y.shape, x, device)))
    x = torch.randn(3, 20000, device=backend.device)
    assert occupancy_softmax(x, npu).shape == x.shape and launched == [(x.shape, x, npu)]


def test_what_was_recorded_is_whole_and_the_model_is_right_about_it():
    variants = recorded("variants")
    assert [(v.block, v.num_warps, v.stages) for v in variants] == list(itertools.product(BLOCKS, WARPS, STAGES))
    assert all(occupancy(H200, **v.needs).programs == v.programs for v in variants)
    assert 0 < sum(tutorial_formula(H200, **v.needs) != v.programs for v in variants) < len(variants)
    grids = recorded("grids")
    assert [(g.stages, g.per_multiprocessor) for g in grids] == list(
        itertools.product((1, 4), range(1, MOST_PROGRAMS + 1))
    )
    assert all((g.rows, g.columns) == (ROWS, COLUMNS) and g.low_ms <= g.median_ms <= g.high_ms for g in grids)
    assert all(100 < g.bandwidth < H200.bandwidth for g in grids)


def test_the_pictures_say_the_numbers_they_were_given():
    heat = figures.heat_map({(1, 256): 18, (2, 256): 15, (1, 512): 30}, title="t")
    assert "1: 18, 30; 2: 15" in heat.en
    grids = figures.grid_sizes({"a": {1: 100.0, 2: 199.6, 3: 150.0}}, fits=2)
    assert "2 → 200, 3 → 150 GB/s" in grids.en


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
    assert set(ours) == {"arguments", "facts", "plan", "decide", "occupancy_softmax"}
    assert {name: shown[name] for name in ours} == ours

"""The board of a notebook: its numbers are the recordings', and a reader's cell is the reader's where nothing differs for the worse."""

import re

import pytest
import torch

from course_utils import board, scoreboard, tl, triton
from course_utils.board import held, standings
from course_utils.board.steps import STEPS, own
from course_utils.board.watch import caught, needs
from course_utils.figures.scoreboard import SHAPES, changed, level
from course_utils.softmax import row_softmax
from course_utils.softmax.tile import tile_kernel

CELLS = {("float32", 4096, 256), ("float32", 4096, 1024), ("bfloat16", 4096, 781)}


@triton.jit
def narrow_kernel(y_ptr, x_ptr, n_cols, BLOCK: tl.constexpr):
    """A row from its second element on, and the first by itself: no load is wide."""
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    odd = (columns + n_cols - 1) % n_cols
    x = tl.load(x_ptr + row * n_cols + odd, mask=mask, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * n_cols + odd, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def forgotten_kernel(y_ptr, x_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    """Right, but every program goes on to the last row: the loop's step is missing."""
    columns = tl.arange(0, BLOCK)
    mask = columns < n_cols
    for row in tl.range(tl.program_id(0), n_rows):
        x = tl.load(x_ptr + row * n_cols + columns, mask=mask, other=-float("inf")).to(tl.float32)
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(y_ptr + row * n_cols + columns, e / tl.sum(e, axis=0), mask=mask)


def tiled(x, together=None, warps=4):
    (rows, columns), y = x.shape, torch.empty_like(x)
    dtype = str(x.dtype).removeprefix("torch.")
    together = together or (standings.tile("04", dtype, rows, columns)[0] if rows > 64 else 4)
    tile_kernel[(triton.cdiv(rows, together),)](
        y, x, rows, columns, ROWS=together, BLOCK=triton.next_power_of_2(columns), num_warps=warps
    )
    return y


def by_rows(kernel, *sizes, warps=4):
    def softmax(x):
        y = torch.empty_like(x)
        given = [x.shape[("rows", "columns").index(size)] for size in sizes]
        kernel[(x.shape[0],)](y, x, *given, BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=warps)
        return y

    return softmax


@pytest.fixture
def few_cells(monkeypatch):
    late = standings.late
    monkeypatch.setattr(standings, "late", lambda notebook: {k: v for k, v in late(notebook).items() if k in CELLS})


def test_what_a_notebook_turned_or_lifted_names_its_step_and_nothing_else_does():
    before = {}
    for notebook in board.NOTEBOOKS:
        now = standings.late(notebook)
        green = {cell for cell, share in now.items() if level(share)[1] == "●" and level(before.get(cell, 0))[1] != "●"}
        lifted = {cell for cell in now if before and changed(cell, now, before) and now[cell] > before.get(cell, 0)}
        assert own(STEPS, notebook).keys() == green | lifted
        before = now


@pytest.mark.slow
def test_the_right_kernel_gets_its_cells(few_cells):
    yours, note = held.held_against("03", row_softmax)
    assert yours == CELLS and "3 of 3 cells are yours" in note.en
    yours, _ = held.held_against("04", tiled)
    assert yours == CELLS
    picture = scoreboard("04", mine=tiled)
    assert "your kernel" in picture.svg("en") and "3 of 3" in str(picture) and "3 格中有 3 格" in str(picture)


@pytest.mark.slow
def test_what_softmax_launches_is_its_own_in_07(few_cells):
    softmax = held.reference("07", "float32", 4096, 1024)
    (launch,) = caught(softmax, 4096, 1024, "float32")
    assert not launch.named["EARLY"] and "launch_pdl" not in launch.named
    assert needs(launch).width == 16


@pytest.mark.parametrize(
    "notebook, softmax, said",
    [
        ("04", lambda x: tiled(x, warps=8), "8 warps a program, where 4 were recorded"),
        ("03", by_rows(narrow_kernel, "columns"), "4 bytes a load, where the recorded kernel loads 16"),
        ("03", by_rows(forgotten_kernel, "rows", "columns"), "80 bytes moved for each element"),
        ("04", lambda x: tiled(x, together=64), "64 programs launched, where"),
        ("04", lambda x: torch.softmax(x, -1), "no Triton kernels launched"),
    ],
    ids=["other warps", "narrow loads", "forgotten step", "other programs", "torch"],
)  # fmt: skip
@pytest.mark.slow
def test_what_differs_is_named(few_cells, notebook, softmax, said):
    yours, note = held.held_against(notebook, softmax)
    assert ("float32", 4096, 1024) not in yours and said in note.en and re.search("[\u4e00-\u9fff]", note.zh)


def raises(x):
    raise KeyError("BLOCK")


@pytest.mark.parametrize("softmax, said", [
    (raises, "Your function raised KeyError"),
    (lambda x: x, "The result of your function is wrong"),
    (lambda x: None, "it returned NoneType"),
    (lambda x: x.double(), "it returned torch.float64"),
    (lambda x: x[:1], "its input's shape and type"),
])  # fmt: skip
def test_what_is_no_softmax_is_told(few_cells, softmax, said):
    yours, note = held.held_against("03", softmax)
    assert not yours and said in note.en and note.en in str(scoreboard("03", mine=softmax))


def test_a_kernel_that_leaves_its_tensor_is_told(few_cells):
    @triton.jit
    def unmasked_kernel(y_ptr, x_ptr, n_cols, BLOCK: tl.constexpr):
        columns = tl.program_id(0) * n_cols + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + columns).to(tl.float32)
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(y_ptr + columns, e / tl.sum(e, axis=0))

    _, note = held.held_against("03", by_rows(unmasked_kernel, "columns"))
    assert "Your kernel leaves" in note.en and "tl.load(x_ptr + columns)" in note.zh


def test_every_recorded_launch_is_one_that_can_be_held_against():
    for notebook in board.NOTEBOOKS:
        for dtype, rows, columns in standings.late(notebook):
            softmax = held.reference(notebook, dtype, rows, columns)
            if softmax:
                assert len(caught(softmax, rows, columns, dtype)) == 1
            else:
                assert notebook == "09" and standings.shared_out(dtype, columns)


@pytest.mark.slow
def test_on_a_gpu_the_readers_kernel_is_measured_beside_copies_swept_there(monkeypatch):
    from course_utils.board import live
    from course_utils.measurements import ruler

    def picky(x):
        if x.dtype == torch.bfloat16:
            raise ValueError("float32, please")
        return torch.softmax(x, -1)

    monkeypatch.setattr(live, "SHAPES", SHAPES[:1])

    def some_rows(rows, columns, dtype, device):
        return [torch.randn(8, 16, dtype=getattr(torch, dtype))] * 2

    for module in (live, ruler):
        monkeypatch.setattr(module, "inputs_for", some_rows)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "Toy 1")
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
    monkeypatch.setattr(board, "measures_here", lambda: True)
    boards = scoreboard("04", mine=picky)
    _, mine = boards.pictures
    assert "Toy 1" in mine.en and re.search(r"float32: 4096×256 \d+\.\d\d", mine.en)
    assert "bfloat16 256: ValueError: float32, please" in mine.note.en and "bfloat16: 4096×256 –" in mine.en
    shown = boards._repr_mimebundle_()
    assert shown["text/plain"] == str(boards) and shown["text/html"].count("course-picture") >= 4
    wrong = live.measured_board(lambda x: x)
    assert "AssertionError" in wrong.note.en and not re.search(r"256 \d", wrong.en)

"""The ledger, against counts worked out by hand and against numpy on kernels nobody would write."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import copy_unmasked, kernel_from, softmax_rows, two_passes

from course_utils import measurements
from course_utils.backend import device, triton
from course_utils.softmax import grid_stride_softmax, naive_softmax, row_softmax, softmax
from course_utils.traffic import ledger
from course_utils.traffic.symbols import Symbols

M, N = 4, 6


X = torch.randn(M, N)
Y = torch.empty_like(X)
MN = M * N


def counts(work, *args):
    """(elements read, elements written), by type, of one piece of work."""
    with ledger() as book:
        work(*args)
    return book.totals.read.by_dtype, book.totals.written.by_dtype


CASES = {
    "in place: read and written": (lambda: X.clone().add_(1), 2 * MN, 2 * MN),
    "out=: only written": (lambda: torch.exp(X, out=Y), MN, MN),
    "copy_: overwritten, not read": (lambda: Y.copy_(X), MN, MN),
    "zero_": (lambda: Y.zero_(), 0, MN),
    "zeros_like looks at the shape alone": (lambda: torch.zeros_like(X), 0, MN),
    "empty moves nothing": (lambda: (torch.empty(5), torch.empty_like(X), X.new_empty(3)), 0, 0),
    "views move nothing": (lambda: (X.t(), X[1:, ::2], X.view(-1), X[:, None].expand(4, 9, 6), X.chunk(2)), 0, 0),
    "a broadcast operand is read once": (lambda: X + X[:, :1], MN + M, MN),
    "contiguous copies only if it must": (lambda: (X.contiguous(), X.t().contiguous()), MN, MN),
    "a part is written": (lambda: Y[1:3].fill_(0), 0, 2 * N),
    "rows picked by number": (lambda: torch.index_select(X, 0, torch.tensor([2])), N, N),
    "concatenation": (lambda: torch.cat([X, X[:1]]), MN + N, MN + N),
    "one number to the CPU": (lambda: X.sum().item(), MN + 1, 1),
    "a matrix product": (lambda: X @ X.t(), 2 * MN, M * M),
    "torch.softmax is one pass": (lambda: torch.softmax(X, 1), MN, MN),
}


@pytest.mark.parametrize("name", CASES)
def test_operations(name):
    work, read, written = CASES[name]
    found = counts(work)
    assert found[0].get("float32", 0) == read and found[1].get("float32", 0) == written


def test_nothing_is_counted_outside_and_ledgers_nest():
    with ledger() as outer:
        with ledger() as inner:
            X.exp()
        X.exp()
    X.exp()
    assert len(inner.rows) == 1 and len(outer.rows) == 2


# Triton


def launch(kernel, grid, *args, **options):
    with ledger() as book:
        kernel[grid](*args, **options)
    assert len(book.launches) == 1
    return book, book.launches[0]


@pytest.mark.parametrize("fused", [row_softmax, grid_stride_softmax, softmax])
@pytest.mark.parametrize("shape", [(4, 6), (7, 781), (2, 5000)])
def test_every_fused_softmax_of_the_course_moves_2mn(fused, shape):
    x = torch.randn(shape, device=device)
    with ledger() as book:
        y = fused(x)
    formulas = book.as_symbols(M=shape[0], N=shape[1])
    assert (formulas.read, formulas.written) == ("MN", "MN")
    assert torch.allclose(y, x.softmax(1)) and not any(launch.astray or launch.repeats for launch in book.launches)


def test_a_second_load_is_named():
    x, y = torch.randn(5), torch.empty(5)
    book, traffic = launch(two_passes, (1,), y, x, 5, BLOCK=8)
    assert book.totals.read.elements == 10
    (repeat,) = traffic.repeats
    assert (repeat.elements, repeat.tensor) == (5, "x_ptr") and repeat.source.startswith("x = tl.load(")


def test_accesses_out_of_bounds_are_named_and_never_happen():
    frame = torch.full((64,), 7.0)
    x, y = torch.randn(2, 5), frame[20:30].view(2, 5)
    book, traffic = launch(copy_unmasked, (2,), y, x, 5, BLOCK=8)
    read, wrote = traffic.astray
    assert (read.kind, read.tensor, read.program) == ("load", "x_ptr", (1, 0, 0))
    assert (read.lanes, read.offsets) == ((5, 6, 7), (10, 11, 12))
    assert (wrote.kind, wrote.tensor, wrote.size, wrote.total) == ("store", "y_ptr", 10, 3)
    assert wrote.source == "tl.store(y_ptr + offsets, x)" and wrote.line == read.line + 1
    assert torch.equal(frame[:20], torch.full((20,), 7.0)) and torch.equal(frame[30:], torch.full((34,), 7.0))
    assert torch.equal(y.view(-1)[:10], x.view(-1)), "lanes inside still work"
    assert book.totals.read.elements == 13, "lanes outside are not traffic"


def test_what_lies_between_the_elements_of_a_view_is_not_its_own():
    whole = torch.arange(24.0).reshape(3, 8)
    _, traffic = launch(copy_unmasked, (1,), torch.empty(16), whole[:, :5], 0, BLOCK=16)
    (astray,) = traffic.astray
    assert astray.lanes == (5, 6, 7, 13, 14, 15)
    assert traffic.tensors[1].loads == 10


def test_garbage_is_nan_so_that_it_shows():
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        x, y = torch.ones(5, dtype=dtype), torch.zeros(8, dtype=dtype)
        launch(copy_unmasked, (1,), y, x, 0, BLOCK=8)
        assert y[:5].tolist() == [1.0] * 5 and y[5:].isnan().all(), dtype


def test_an_int32_offset_that_overflows_is_caught():
    kernel = kernel_from("""
        @triton.jit
        def far(x_ptr, row, stride):
            tl.load(x_ptr + row * stride + tl.arange(0, 2))
    """)
    _, traffic = launch(kernel, (1,), torch.zeros(4), 140000, 16384)
    assert traffic.astray[0].offsets == (140000 * 16384 - 2**32, 140000 * 16384 - 2**32 + 1)


@pytest.mark.parametrize(("widened", "product"), [("", 139999 * 16384 - 2**32), (".to(tl.int64)", 139999 * 16384)])
def test_a_loop_counts_in_the_type_of_its_bounds(widened, product):
    """As a compiled loop does: so an offset overflows in the interpreter just where it would on a GPU."""
    kernel = kernel_from(f"""
        @triton.jit
        def last_row(y_ptr, stride, n_rows):
            for row in tl.range((tl.program_id(0) + n_rows - 1){widened}, n_rows, 1):
                tl.store(y_ptr, row * stride)
    """)
    y = torch.zeros(1, dtype=torch.int64)
    launch(kernel, (1,), y, 16384, 140000)
    assert y.item() == product


def test_atomics_read_and_write():
    kernel = kernel_from("""
        @triton.jit
        def total(sum_ptr, x_ptr, n, BLOCK: tl.constexpr):
            offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            tl.atomic_add(sum_ptr, tl.sum(tl.load(x_ptr + offsets, mask=offsets < n, other=0.0), axis=0))
            tl.atomic_cas(sum_ptr + 1, 0.0, 1.0)
    """)
    total = torch.zeros(1)
    book, traffic = launch(kernel, (3,), total, torch.ones(20), 20, BLOCK=8)
    assert total.item() == 20
    assert [(t.name, t.loads, t.stores) for t in traffic.tensors] == [("sum_ptr", 3, 3), ("x_ptr", 20, 0)]
    (astray,) = traffic.astray
    assert (astray.kind, astray.lanes, astray.total) == ("atomic", (0,), 3)


def test_a_kernel_that_raises_leaves_the_interpreter_as_it_was():
    kernel = kernel_from("""
        @triton.jit
        def stumbles(x_ptr):
            tl.load(x_ptr)
            tl.load(nowhere)
    """)
    with pytest.raises(Exception, match="nowhere"), ledger() as book:
        kernel[(1,)](torch.zeros(1))
    assert book.launches[0].tensors[0].loads == 1
    x, y = torch.randn(M, N), torch.empty(M, N)
    with ledger():
        softmax_rows[(2,)](y, x, N, N, M, N, BLOCK=8)
    assert torch.allclose(y, x.softmax(1))
    assert len(book.launches) == 1


# The interpreter of triton 3.2, which is triton-ascend's, does not obey a mask of one lane (tests/ascend shows it).
BLOCKS = [2, 8, 16] if triton.__version__.startswith("3.2") else [1, 2, 8, 16]


@st.composite
def accesses(draw):
    """A kernel that loads and stores at random strides under random masks, and what it must come to."""
    block = draw(st.sampled_from(BLOCKS))
    terms = {name: draw(st.integers(0, 4)) for name in ("step", "program", "start")}
    loops, limit, programs = draw(st.integers(0, 3)), draw(st.integers(0, 60)), draw(st.integers(1, 3))
    parity = draw(st.sampled_from(["", " & (offsets % 2 == 0)", " & (lanes != 1)"]))
    size = draw(st.integers(1, 50))
    text = f"""
        @triton.jit
        def made(y_ptr, x_ptr, limit, BLOCK: tl.constexpr):
            lanes = tl.arange(0, BLOCK)
            for i in range({loops}):
                offsets = lanes * {terms["step"]} + tl.program_id(0) * {terms["program"]} + i * 3 + {terms["start"]}
                mask = (offsets < limit){parity}
                value = tl.load(x_ptr + offsets, mask=mask, other=-1.0)
                tl.store(y_ptr + offsets, value + 1.0, mask=mask)
    """
    return text, block, terms, loops, limit, programs, parity, size


@settings(max_examples=40)
@given(accesses())
def test_any_kernel_is_counted_as_numpy_counts_it(case):
    text, block, terms, loops, limit, programs, parity, size = case
    asked, astray, expected = [], 0, np.zeros(size)
    x = np.arange(size, dtype=np.float32)
    lanes = np.arange(block)
    for program in range(programs):
        for i in range(loops):
            offsets = lanes * terms["step"] + program * terms["program"] + i * 3 + terms["start"]
            mask = offsets < limit
            if "offsets % 2" in parity:
                mask &= offsets % 2 == 0
            if "lanes" in parity:
                mask &= lanes != 1
            inside = np.unique(offsets[mask & (offsets < size)])
            astray += int((mask & (offsets >= size)).sum())
            asked += inside.tolist()
            expected[inside] = x[inside] + 1
    y = torch.zeros(size)
    book, traffic = launch(kernel_from(text), (programs,), y, torch.from_numpy(x), limit, BLOCK=block)
    assert book.totals.read.elements == book.totals.written.elements == len(asked)
    assert sum(repeat.elements for repeat in traffic.repeats) == len(asked) - len(set(asked))
    assert sum(found.total for found in traffic.astray) == 2 * astray, "each is loaded and stored"
    assert np.array_equal(y.numpy(), expected)


# what the hardware says


def test_the_ledger_agrees_with_the_counters_of_a_real_gpu():
    """What was read kernel by kernel, what was written in all: the last of a kernel's writes are still in the cache when it ends."""
    lines = measurements.recorded("naive")
    with ledger() as book:
        naive_softmax(torch.empty(lines[0].rows, lines[0].columns, device="meta"))  # shapes are all it needs
    for line, row in zip(lines, book.rows, strict=True):
        assert line.read_bytes == pytest.approx(row.read.bytes, rel=1e-3), line
    assert sum(line.written_bytes for line in lines) == pytest.approx(book.totals.written.bytes, rel=0.01)
    (fused,) = measurements.recorded("states", provider="row", dtype="float32", columns=1024, state="sustained")
    whole = 4 * fused.rows * fused.columns
    assert fused.read_bytes == pytest.approx(whole, rel=1e-3) and fused.written_bytes == pytest.approx(whole, rel=0.04)


# formulas and tables


@pytest.mark.parametrize("sizes", [{}, {"M": 4, "N": 4}, {"M": 1, "N": 4}])
def test_sizes_that_say_nothing_are_refused(sizes):
    with pytest.raises(ValueError, match=r"不小于 2[\s\S]*at least 2"):
        Symbols(**sizes)


@given(m=st.integers(2, 40), n=st.integers(2, 40))
@settings(max_examples=25)
def test_the_derivation_holds_at_any_size(m, n):
    if m == n or n == m * m or m == n * n:
        return
    x = torch.zeros(m, n)
    with ledger() as book:
        naive_softmax(x)
    formulas = book.as_symbols(M=m, N=n)
    assert (formulas.read, formulas.written) == ("5MN + 2M", "3MN + 2M + M int64")

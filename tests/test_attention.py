"""Attention: right for every shape, type and mask, as many bytes as the formula says, and no register spilled."""

import math
import re

import pytest
import torch
from course import NOTEBOOKS, read

from course_utils.attention import attention, flash_elements, flash_kernel, naive_attention, settings
from course_utils.backend import device, mode
from course_utils.compiler import compile_for
from course_utils.figures.attention import key_tiles, running, scores_of, values_of
from course_utils.occupancy import of
from course_utils.traffic import ledger

SMALL = {"ROWS": 32, "COLUMNS": 16}
TOLERANCE = {torch.float32: 2e-6, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}
PEER = torch.nn.functional.scaled_dot_product_attention


def tensors(*shapes, dtype=torch.float32, seed=0):
    made = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=made).to(device, dtype) for shape in shapes]


def agrees(got, want, dtype=torch.float32):
    assert got.dtype == dtype and got.shape == want.shape
    torch.testing.assert_close(got.double(), want.double(), atol=TOLERANCE[dtype], rtol=TOLERANCE[dtype])


def exact(q, k, v, causal=False, **more):
    """PyTorch's, in float64."""
    return PEER(q.double(), k.double(), v.double(), is_causal=causal, **more)


@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("n", [1, 2, 16, 31, 32, 33, 70])
def test_any_length(n, dtype, causal):
    q, k, v = tensors(*[(2, 2, n, 16)] * 3, dtype=dtype)
    agrees(attention(q, k, v, causal, **SMALL), exact(q, k, v, causal), dtype)


@pytest.mark.parametrize("d", [16, 32, 64, 128])
@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_every_head_dimension_with_its_own_settings(d, dtype):
    q, k, v = tensors(*[(1, 1, 150, d)] * 3, dtype=dtype)
    agrees(attention(q, k, v, causal=True), exact(q, k, v, True), dtype)


def test_any_leading_dimensions_strides_and_scale():
    q, k, v = tensors(*[(40, 16)] * 3)
    agrees(attention(q, k, v, scale=0.7, **SMALL), exact(q, k, v, scale=0.7))
    q, k, v = (x.transpose(1, 2) for x in tensors(*[(2, 40, 3, 16)] * 3))
    agrees(attention(q, k, v, **SMALL), exact(q, k, v))
    for shape in ((0, 2, 8, 16), (2, 2, 0, 16)):
        assert attention(*tensors(shape, shape, shape)).shape == shape


def test_a_row_that_sees_nothing_is_zero_and_minus_infinity_weighs_nothing():
    q, k, v = (torch.ones(1, 40, 16, device=device) for _ in range(3))
    v = v * torch.arange(40, device=device)[:, None]
    k[:, :20, 3] = -math.inf  # the whole first tile of keys, and some of the second
    agrees(attention(q, k, v, **SMALL), v[:, 20:].mean(1, keepdim=True).expand(1, 40, 16))
    k[..., 3] = -math.inf
    assert (attention(q, k, v, **SMALL) == 0).all()


def test_large_scores_do_not_overflow_and_nan_stays_where_it_is():
    q, k, v = tensors(*[(1, 40, 16)] * 3)
    agrees(attention(q * 100, k * 100, v, **SMALL), exact(q * 100, k * 100, v))
    q[0, 5] = math.nan
    got = attention(q, k, v, causal=True, **SMALL)
    assert got[0, 5].isnan().all() and not got[0, [4, 6]].isnan().any()


@pytest.mark.parametrize("causal", [False, True])
def test_the_definition(causal):
    q, k, v = tensors(*[(2, 9, 16)] * 3)
    agrees(naive_attention(q, k, v, causal), exact(q, k, v, causal))


# --- Bytes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize(
    ("n", "rows", "columns"), [(64, 16, 16), (64, 32, 16), (70, 32, 16), (15, 16, 16), (96, 64, 32)]
)
def test_the_ledger_agrees_with_the_formula(n, rows, columns, causal):
    q, k, v = tensors(*[(2, n, 16)] * 3)
    with ledger() as book:
        attention(q, k, v, causal, ROWS=rows, COLUMNS=columns)
    assert book.totals.read.elements + book.totals.written.elements == 2 * flash_elements(n, 16, rows, causal)
    assert not book.launches[0].astray and book.totals.written.elements == 2 * n * 16


# --- Compiled -------------------------------------------------------------------------------------------------------------


def compiled(device, dtype, d, causal, n=4096, **more):
    options = settings(d, dtype) | more
    return compile_for(flash_kernel, device, *[dtype] * 4, n, 0.18, CAUSAL=causal, D=d, **options)


@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize("d", [64, 128])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_it_fits_an_h200_and_spills_nothing(dtype, d, causal):
    needs = compiled("H200", dtype, d, causal)
    assert needs.spills == 0 and of(needs).programs >= 1 and needs.shared <= 227 * 1024
    if dtype == torch.bfloat16:
        ptx = needs.text("ptx")
        assert "wgmma" in ptx and "cp.async" in ptx, "tensor cores, fed by asynchronous copies"


def test_it_compiles_for_amd_and_for_ragged_lengths():
    for needs in (
        compiled("MI300X", torch.bfloat16, 64, True, num_stages=1),
        compiled("H200", torch.bfloat16, 64, True, n=4095),
    ):
        assert needs.spills == 0 and of(needs).programs >= 1


def test_offsets_are_64_bits_wide():
    """A head's first row times d passes 2³¹ in large tensors."""
    needs = compiled("H200", torch.bfloat16, 64, True)
    ttir = needs.text("ttir")
    assert "arith.extsi" in ttir and any("arith.muli" in line and "i64" in line for line in ttir.splitlines())


@pytest.mark.skipif(mode == "interpreter", reason="needs a GPU")
def test_long_sequences_on_a_gpu():
    q, k, v = tensors(*[(2, 8, 2000, 64)] * 3, dtype=torch.bfloat16)
    for causal in (False, True):
        agrees(attention(q, k, v, causal), exact(q, k, v, causal), torch.bfloat16)


# --- The pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [1, 3, 8, 64])
def test_the_running_row_of_the_picture_ends_in_softmax(columns):
    scores, values = scores_of(23), values_of(23)
    states = running(scores, values, columns, math.ceil(23 / columns))
    weights = torch.softmax(torch.tensor(scores, dtype=torch.float64), 0)
    m, s, o, _ = states[-1]
    assert m == max(scores) and o / s == pytest.approx((weights * torch.tensor(values)).sum().item())


@pytest.mark.parametrize(("n", "rows", "columns"), [(32, 8, 8), (37, 8, 4), (5, 16, 1)])
def test_the_tiles_of_the_picture_are_those_that_are_loaded(n, rows, columns):
    ends = [min(key_tiles(n, rows, columns, tile, True) * columns, n) for tile in range(math.ceil(n / rows))]
    assert flash_elements(n, 16, rows, causal=True) == 2 * n * 16 + 2 * 16 * sum(ends)


def test_the_backward_pass_that_11_folds_away():
    """A page doesn't run it, so it runs here: the gradients are those of autograd."""
    (path,) = (path for path in NOTEBOOKS if path.stem.startswith("11"))
    (code,) = (cell.source for cell in read(path).cells if "ds = p * " in cell.source)
    found = {"torch": torch, "math": math, "naive_attention": naive_attention}
    exec(re.search(r"```python\n(.*)\n```", code, flags=re.S)[1], found)
    x = [found[name].requires_grad_() for name in "qkv"]
    wanted = torch.autograd.grad(naive_attention(*x), x, found["do"])
    torch.testing.assert_close(tuple(found[f"d{name}"] for name in "qkv"), wanted, atol=1e-5, rtol=1e-4)

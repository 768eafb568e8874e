"""Decoding: one query a head over a long past, its keys split among programs; PyTorch's own attention in float64 is the judge."""

import pytest
import torch
from test_attention import agrees, exact, tensors

from course_utils.attention import decode_attention, part_kernel
from course_utils.attention.decode import MOST, decode_settings, merge_parts_kernel, parts_of
from course_utils.compiler import compile_for
from course_utils.occupancy import of
from course_utils.traffic import ledger


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize(("n", "parts"), [(1, 1), (70, 1), (70, 3), (64, 64), (130, 5), (5, 8), (100, None)])
def test_any_length_in_any_number_of_parts(n, parts, dtype):
    q, k, v = tensors((1, 2, 1, 16), *[(1, 2, n, 16)] * 2, dtype=dtype)
    agrees(decode_attention(q, k, v, parts=parts, COLUMNS=16), exact(q, k, v), dtype)


@pytest.mark.parametrize("shared", [1, 2, 4, 20])
def test_groups_of_query_heads_share_a_head_of_keys(shared):
    q, k, v = tensors((2, 20, 1, 32), *[(2, 20 // shared, 90, 32)] * 2)
    agrees(decode_attention(q, k, v, parts=3), exact(q, k, v, enable_gqa=True))


def test_scale_and_large_scores():
    q, k, v = tensors((3, 1, 16), *[(3, 50, 16)] * 2)
    agrees(decode_attention(q, k, v, scale=0.7, parts=2), exact(q, k, v, scale=0.7))
    agrees(decode_attention(q * 100, k * 100, v, parts=4), exact(q * 100, k * 100, v))


def test_a_part_that_weighs_nothing():
    q, k, v = (torch.ones(1, each, 16, device=x.device) for each, x in zip((1, 40, 40), tensors((1,)) * 3))
    v = v * torch.arange(40, device=v.device)[:, None]
    k[:, :20, 3] = -torch.inf
    agrees(decode_attention(q, k, v, parts=4, COLUMNS=16), v[:, 20:].mean(1, keepdim=True))
    k[..., 3] = -torch.inf
    assert (decode_attention(q, k, v, parts=4, COLUMNS=16) == 0).all()


def test_keys_and_values_are_read_once():
    q, k, v = tensors((1, 8, 1, 16), *[(1, 2, 96, 16)] * 2)
    with ledger() as book:
        decode_attention(q, k, v, parts=3, COLUMNS=16)
    split, merged = book.launches
    assert not split.astray and not merged.astray
    # The group's queries, once for each part; then every part's m, s and o.
    held = 8 * 3 * (16 + 2)
    assert book.totals.read.elements == k.numel() + v.numel() + 3 * q.numel() + held
    assert book.totals.written.elements == held + q.numel()


def test_the_number_of_parts():
    assert parts_of(8, 131072, 132) == 33 and parts_of(8, 1024, 132) == 16
    assert parts_of(512, 131072, 132) == 1 and parts_of(1, 2**20, 132) == MOST


@pytest.mark.parametrize("d", [64, 128])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_it_fits_an_h100_and_spills_nothing(dtype, d):
    few = {"GROUP": 4, "D": d, "ROWS": 16, **decode_settings(d, dtype)}
    f32 = torch.float32
    needs = compile_for(part_kernel, "H100", f32, f32, f32, dtype, dtype, dtype, 4096, 128, 0.18, **few)
    assert needs.spills == 0 and of(needs).programs >= 2
    if dtype == torch.bfloat16:
        assert "mma" in needs.text("ptx") and "cp.async" in needs.text("ptx")
    for parts in (1, 33, MOST):
        block = 1 << (parts - 1).bit_length()
        chosen = {"D": d, "PARTS": block, "num_warps": min(8, max(1, block // 8))}
        assert compile_for(merge_parts_kernel, "H100", dtype, f32, f32, f32, parts, 0.18, **chosen).spills == 0

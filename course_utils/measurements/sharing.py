"""Wide rows by the kernels of 09, all late: read twice by one program each, by many in two kernels, and once by programs that wait.

The kernel that waits with nobody's promise, also by a cooperative launch, where CUDA finds all its programs a place; `softmax`, and
the best copy, on the same buffers. For a single row, also what its team does without the exchange: a copy, and a softmax of each
part.
"""

from functools import partial

import torch

from ..backend import tl, triton
from ..softmax.choose import team
from ..softmax.combine import exponential, finite
from ..softmax.launch import quiet
from ..softmax.mailbox import empty_mailbox
from ..softmax.team import NOBODY, PATIENCE, exchange, packed, pair_of_row, unpacked
from ..softmax.two_passes import two_pass_softmax
from .bench import Note, copy, late_gpu, launched, shape_of, timed_line
from .bench.experiment import provenance
from .ruler import beside_copies

CASES = [{"rows": rows, "columns": 131072, "dtype": "float32"} for rows in (4096, 1)]
COMPILES = True
COPY = {"how": "copy"}
WARPS = 4
Line = timed_line(rows=int, columns=int, dtype=str, how=str)


@triton.jit
def pairs_kernel(pairs_ptr, x_ptr, x_stride, n_cols, PARTS: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
    columns = part * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
    m = tl.max(x, axis=0)
    s = tl.sum(exponential(x, finite(m)), axis=0)
    tl.store(pairs_ptr + (row * PARTS + part) * 2, m)
    tl.store(pairs_ptr + (row * PARTS + part) * 2 + 1, s)


@triton.jit
def finish_row_kernel(
    y_ptr, x_ptr, pairs_ptr, y_stride, x_stride, n_cols, PARTS: tl.constexpr, BLOCK_SIZE: tl.constexpr
):
    row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
    k = (row * PARTS + tl.arange(0, PARTS)) * 2
    ms, ss = tl.load(pairs_ptr + k), tl.load(pairs_ptr + k + 1)
    m = tl.max(ms, axis=0)
    base = tl.where(m == -float("inf"), 0.0, m)
    s = tl.sum(ss * tl.exp(ms - base), axis=0)
    columns = part * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * x_stride + columns, mask=mask).to(tl.float32)
    tl.store(y_ptr + row * y_stride + columns, tl.exp(x - m) / s, mask=mask)


@triton.jit
def first_team_kernel(y_ptr, x_ptr, pairs_ptr, arrived_ptr, TEAM: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    part, k = tl.program_id(0), 2 * tl.arange(0, TEAM)
    columns = part * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + columns)
    m_part = tl.max(x, axis=0)
    numerator = exponential(x, m_part)
    tl.store(pairs_ptr + 2 * part, m_part)
    tl.store(pairs_ptr + 2 * part + 1, tl.sum(numerator, axis=0))
    tl.atomic_add(arrived_ptr, 1)
    while tl.atomic_add(arrived_ptr, 0) < TEAM:
        pass
    ms, ss = tl.load(pairs_ptr + k), tl.load(pairs_ptr + k + 1)
    m = tl.max(ms, axis=0)
    s = tl.sum(ss * exponential(ms, m), axis=0)
    tl.store(y_ptr + columns, numerator * exponential(m_part, m) / s)


@triton.jit
def small_team_kernel(
    y_ptr, x_ptr, mailbox_ptr, n_cols,
    TEAM: tl.constexpr, BLOCK_SIZE: tl.constexpr, WARPS: tl.constexpr, PATIENCE: tl.constexpr,
):  # fmt: skip
    part = tl.program_id(0)
    start = (part // TEAM).to(tl.int64) * n_cols
    columns = part % TEAM * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + start + columns).to(tl.float32)
    m_part = tl.max(x, axis=0)
    numerator = exponential(x, finite(m_part))
    word = packed(m_part, tl.sum(numerator, axis=0))
    posted, missing = exchange(mailbox_ptr, part, word, NOBODY, TEAM, WARPS, PATIENCE)
    ms, ss = unpacked(posted)
    m = tl.max(ms, axis=0)
    s = tl.sum(ss * exponential(ms, finite(m)), axis=0)
    if missing:
        m, s = pair_of_row(x_ptr + start, n_cols, 32 * WARPS)
    tl.store(y_ptr + start + columns, numerator * exponential(m_part, m) / s)


@triton.jit
def part_kernel(y_ptr, x_ptr, BLOCK_SIZE: tl.constexpr):
    columns = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + columns)
    numerator = exponential(x, finite(tl.max(x, axis=0)))
    tl.store(y_ptr + columns, numerator / tl.sum(numerator, axis=0))


def programs_of(rows: int) -> int:
    """That share a row: 8192 columns each, and 2048 of a single row, lest SMs idle."""
    return 64 if rows == 1 else 16


def by_two_kernels(x):
    (rows, columns), parts = x.shape, programs_of(len(x))
    pairs, y, sizes = x.new_empty(rows, parts, 2), torch.empty_like(x), {"PARTS": parts, "BLOCK_SIZE": columns // parts}
    pairs_kernel[(rows, parts)](pairs, x, columns, columns, **sizes, num_warps=WARPS)
    finish_row_kernel[(rows, parts)](y, x, pairs, columns, columns, columns, **sizes, num_warps=WARPS)
    return y


def by_counter(x, **options):
    """One row; its counter is a word that nobody has used."""
    team, y = programs_of(1), torch.empty_like(x)
    sizes = {"TEAM": team, "BLOCK_SIZE": x.shape[1] // team, "num_warps": WARPS}
    first_team_kernel[(team,)](y, x, x.new_empty(team, 2), _zeros(1, x).view(torch.int32), **sizes, **options)
    return y


def by_team(x, team=0, warps=WARPS, **options):
    team, y = team or programs_of(len(x)), torch.empty_like(x)
    sizes = {"TEAM": team, "BLOCK_SIZE": x.shape[1] // team, "WARPS": warps, "PATIENCE": PATIENCE, "num_warps": warps}
    programs = len(x) * team
    small_team_kernel[(programs,)](y, x, _zeros(programs, x), x.shape[1], **sizes, **options)
    return y


def copied_by_parts(x):
    return copy(x, block=x.numel() // programs_of(1), warps=WARPS)


def softmax_of_parts(x):
    """What a team does but for the exchange."""
    parts, y = programs_of(1), torch.empty_like(x)
    part_kernel[(parts,)](y, x, BLOCK_SIZE=x.numel() // parts, num_warps=WARPS)
    return y


def _zeros(words, x):
    if not x.is_cuda:
        return x.new_zeros(words, dtype=torch.int64)
    return empty_mailbox(words, x.device, torch.cuda.current_stream(x.device).cuda_stream)


def measure(rows, columns, dtype):
    together, softmax = {"launch_cooperative_grid": True}, launched(team(shape_of(rows, columns, dtype), late_gpu()))
    ways = {"two passes": two_pass_softmax, "two kernels": by_two_kernels, "team": by_team, "softmax": softmax}
    ways |= {"team, cooperative": partial(by_team, **together)}
    if rows == 1:
        ways |= {
            "copied by parts": copied_by_parts,
            "softmax of parts": softmax_of_parts,
            "counter": by_counter,
            "counter, cooperative": partial(by_counter, **together),
        }
    refused = {}
    with quiet():
        found = beside_copies(ways, rows, columns, dtype, seconds=0.01, refused=refused)
    for (way, _), timing in found.items():
        yield Line(rows, columns, dtype, way, **timing.us)
    for (way, _), error in refused.items():
        why = f"{type(error).__name__}: {error}".splitlines()[0][:150]
        yield Note(_refusal(way, rows, columns, dtype), why)


def refused(how, rows, columns, dtype) -> str:
    """What the driver said in place of launching it."""
    return provenance("sharing")[_refusal(how, rows, columns, dtype)]


def _refusal(*case) -> str:
    return "refused, {}, {}x{} {}".format(*case)

"""What an exchange of pairs takes, made in four ways: a team's members each tell (m, s), and each learns the merged pair.

Nothing is read or computed but that. A launch goes through so many rounds of it, and the time of one more round is what one
exchange takes; starting, wiping and ending drop out.
"""

import math
import os
import sys
from functools import partial

import torch

from ..backend import tl, triton
from ..softmax.combine import exponential, wait_for_the_kernel_before
from ..softmax.team import NOBODY, PATIENCE, exchange, packed, unpacked
from ..table import Table
from .bench import compare, every, inputs_for, recorded, timed_line

FEW, MANY = 1, 33  # rounds
WARPS = 4
Line = timed_line(rows=int, team=int, how=str)


@triton.jit
def merged(ms, ss, TEAM: tl.constexpr):
    """The merged pair; the sum is shared out again, lest it grow from round to round."""
    m = tl.max(ms, axis=0)
    return m, tl.sum(ss * exponential(ms, m), axis=0) / TEAM


@triton.jit
def tell_kernel(pairs_ptr, x_ptr):
    part = tl.program_id(0)
    tl.store(pairs_ptr + 2 * part, tl.load(x_ptr + part))
    tl.store(pairs_ptr + 2 * part + 1, 1.0)


@triton.jit
def next_kernel(told_ptr, pairs_ptr, TEAM: tl.constexpr, EARLY: tl.constexpr):
    """The end of a kernel is the wait: whoever comes next sees all that it wrote."""
    part = tl.program_id(0)
    k = (part // TEAM * TEAM + tl.arange(0, TEAM)) * 2
    wait_for_the_kernel_before(EARLY)
    m, s = merged(tl.load(pairs_ptr + k), tl.load(pairs_ptr + k + 1), TEAM)
    tl.store(told_ptr + 2 * part, m)
    tl.store(told_ptr + 2 * part + 1, s)


@triton.jit
def mailbox_kernel(
    out_ptr, mailbox_ptr, x_ptr, rounds, TEAM: tl.constexpr, WARPS: tl.constexpr, PATIENCE: tl.constexpr
):
    part = tl.program_id(0)
    m, s = tl.load(x_ptr + part), tl.full((), 1.0, tl.float32)
    for k in range(rounds):
        letters = mailbox_ptr + k * tl.num_programs(0)
        posted, missing = exchange(letters, part, packed(m, s), NOBODY, TEAM, WARPS, PATIENCE)
        ms, ss = unpacked(posted)
        m, s = merged(ms, ss, TEAM)
        s = tl.where(missing, float("nan"), s)  # nobody is; and Triton 3.6 compiles no loop whose result goes unused
    tl.store(out_ptr + part, m + tl.log(s))


@triton.jit
def barrier_kernel(out_ptr, pairs_ptr, arrived_ptr, x_ptr, rounds, TEAM: tl.constexpr):
    """Everybody waits for the whole grid. Two sets of pairs take turns: who writes one has seen all read it."""
    part, programs = tl.program_id(0), tl.num_programs(0)
    m, s = tl.load(x_ptr + part), tl.full((), 1.0, tl.float32)
    for k in range(rounds):
        pairs = pairs_ptr + k % 2 * 2 * programs
        tl.store(pairs + 2 * part, m)
        tl.store(pairs + 2 * part + 1, s)
        tl.debug_barrier()
        tl.atomic_add(arrived_ptr, 1)
        while tl.atomic_add(arrived_ptr, 0) < (k + 1) * programs:
            pass
        tl.debug_barrier()
        of_team = pairs + (part // TEAM * TEAM + tl.arange(0, TEAM)) * 2
        m, s = merged(tl.load(of_team), tl.load(of_team + 1), TEAM)
    tl.store(out_ptr + part, m + tl.log(s))


# Triton merges over a cluster (num_ctas) from 3.9 on, and in several barriers; this is the exchange alone, with one.
IN_A_CLUSTER = r"""
extern "C" __global__ void __cluster_dims__(8, 1, 1) cluster_kernel(float* out, const float* x, int rounds) {
    __shared__ float2 posted[2];
    float m = x[blockIdx.x], s = 1.0f;
    for (int k = 0; k < rounds; k++) {
        if (threadIdx.x == 0) posted[k & 1] = make_float2(m, s);
        asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
        unsigned mine = (unsigned)__cvta_generic_to_shared(&posted[k & 1]);
        float ms[8], ss[8], top = -1e38f, total = 0.0f;
        for (int member = 0; member < 8; member++) {
            unsigned theirs;
            asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(theirs) : "r"(mine), "r"(member));
            asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(ms[member]), "=f"(ss[member]) : "r"(theirs) : "memory");
            top = fmaxf(top, ms[member]);
        }
        for (int member = 0; member < 8; member++) total += ss[member] * exp2f((ms[member] - top) * 1.44269504f);
        m = top;
        s = total / 8;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = m + logf(s);
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");  // nobody leaves whose memory is read
}
"""


def by_two_kernels(team, early, rounds, x):
    pairs = x.new_empty(2, x.numel(), 2)
    tell_kernel[(x.numel(),)](pairs[0], x, num_warps=WARPS)
    options = {"launch_pdl": True} if early else {}
    for k in range(rounds):
        told, before = pairs[(k + 1) % 2], pairs[k % 2]
        next_kernel[(x.numel(),)](told, before, TEAM=team, EARLY=early, num_warps=WARPS, **options)
    return pairs[rounds % 2]


def by_mailbox(team, rounds, x):
    mailbox, out = x.new_zeros(MANY, x.numel(), dtype=torch.int64), x.new_empty(x.numel())
    constants = {"TEAM": team, "WARPS": WARPS, "PATIENCE": PATIENCE}
    mailbox_kernel[(x.numel(),)](out, mailbox, x, rounds, **constants, num_warps=WARPS)
    return out


def by_barrier(team, rounds, x):
    """A cooperative launch: CUDA lets it in only where all its programs find a place together."""
    arrived, out, pairs = x.new_zeros(1, dtype=torch.int32), x.new_empty(x.numel()), x.new_empty(2, x.numel(), 2)
    together = {"num_warps": WARPS, "launch_cooperative_grid": True}
    barrier_kernel[(x.numel(),)](out, pairs, arrived, x, rounds, TEAM=team, **together)
    return out


def by_cluster(kernel, rounds, x):
    out = x.new_empty(x.numel())
    kernel(grid=(x.numel(), 1, 1), block=(32 * WARPS, 1, 1), args=[out, x, rounds])
    return out


def measure(how, rows, team):
    inputs, way = [x.view(-1) for x in inputs_for(rows, team, "float32", "cuda")[:16]], WAYS[how](team)
    functions = {rounds: partial(way, rounds) for rounds in (FEW, MANY)}
    for rounds, function in functions.items():
        agree(f"{how}, {rounds} rounds", function(inputs[0]), inputs[0].view(rows, team))
    few, many = compare(functions, lambda: inputs).values()
    ends = {"median": many.median - few.median, "low": many.low - few.high, "high": many.high - few.low}
    yield Line(rows, team, how, **{f"{end}_us": round(1e6 * s / (MANY - FEW), 3) for end, s in ends.items()})


# {how: what makes, for a team of so many, what goes through so many rounds on an input}
WAYS = {
    "two kernels": lambda team: partial(by_two_kernels, team, False),
    "mailbox": lambda team: partial(by_mailbox, team),
    "grid barrier": lambda team: partial(by_barrier, team),
    "two kernels, early": lambda team: partial(by_two_kernels, team, True),
    "cluster": lambda team: partial(by_cluster, compiled_cluster()),
}
BEFORE, BOUNDARY = "前一个 kernel · the kernel before", "kernel 的分界 · the boundary"
# {how: its name, whom it waits for, who promises that they are resident, who keeps the order of stores and loads}
GUARANTEES = {
    "two kernels": ("两个 kernel · two kernels", BEFORE, "–", BOUNDARY),
    "two kernels, early": ("同上，提前启动（A2） · with an early start (A2)", BEFORE, "–", BOUNDARY),
    "grid barrier": (
        *("网格级同步 · grid barrier", "整个 grid · the whole grid"),
        *("协作启动 · a cooperative launch", "原子操作与屏障 · atomics, barriers"),
    ),
    "mailbox": (
        *("信箱 · mailbox", "自己那一队 · its own team"),
        *("没有，所以设 PATIENCE · nobody, hence PATIENCE", "只有一个字 · it is one word"),
    ),
    "cluster": ("集群 · cluster", "自己的集群 · its own cluster", "硬件 · the hardware", "集群的屏障 · its barrier"),
}
CASES = every(how=WAYS, rows=(64, 8), team=(8,))  # of a cluster, more are not portable
CASES += every(how=[how for how in WAYS if how != "cluster"], rows=(8,), team=(64,))


def agree(how: str, found, x) -> None:
    """Whether everybody learnt what all pairs of the row make."""
    want = (torch.logsumexp(x, 1) - math.log(x.shape[1])).repeat_interleave(x.shape[1])
    got = found[:, 0] + torch.log(found[:, 1]) if found.dim() == 2 else found
    assert torch.allclose(got, want, atol=1e-4), f"{how}: {(got - want).abs().max():.3g} off"


def compiled_cluster():
    """By NVRTC, which torch brings along. It asks where CUDA's headers are; none is needed."""
    os.environ.setdefault("CUDA_HOME", sys.prefix)
    return torch.cuda._compile_kernel(IN_A_CLUSTER, "cluster_kernel")


def latency_and_guarantee(rows, team: int) -> Table:
    """What one exchange takes, by numbers of rows, beside what makes it safe."""
    heads = "做法 · way", "等谁 · waits for", "谁保证驻留 · who promises places", "谁保证先后 · who keeps the order"
    table = Table(*heads, *(f"{n} 行，µs · {n} rows, µs" for n in rows))
    for how, guarantee in GUARANTEES.items():
        times = (recorded("exchange", rows=n, team=team, how=how)[0].median_us for n in rows)
        table.add(*guarantee, *(f"{us:.2f}" for us in times))
    return table

"""What a rank does in `test_sharded`: a script. There gloo carries the messages and kernels are interpreted; on the GPUs of one host

    torchrun --nproc-per-node 2 tests/sharded_ranks.py

takes NCCL, and mailboxes into which the kernels write themselves. All is held against one softmax.
"""

import contextlib
import itertools
import os
import re
import sys
import tempfile
import time
import traceback
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn.functional as F

from course_utils.softmax import sharded
from course_utils.softmax.sharded import mailboxes
from course_utils.softmax.sharded.ranks import ranks_of

ON_GPUS = "LOCAL_RANK" in os.environ  # torchrun says so
DEVICE = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if ON_GPUS else torch.device("cpu")
ROWS = 5
# Columns of every rank, as a function of how many ranks there are.
WIDTHS = {
    "even": lambda size: [24] * size,
    "uneven": lambda size: [7 + 31 * rank for rank in range(size)],
    "one has nothing": lambda size: [0] + [40] * (size - 1),
    "one column each": lambda size: [1] * size,
}
if ON_GPUS:
    WIDTHS |= {
        "wide": lambda size: [65536] * size,
        "wide, uneven": lambda size: [150001 + rank for rank in range(size)],
        "one has nothing, the others much": lambda size: [0] + [40000] * (size - 1),
    }
DTYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
TOLERANCE = {torch.float32: 3e-6, torch.bfloat16: 1e-2, torch.float16: 2e-3, torch.float64: 1e-12}


def close(got, want, what):
    torch.testing.assert_close(got.double(), want.double(), atol=TOLERANCE[got.dtype], rtol=TOLERANCE[got.dtype],
                               equal_nan=True, msg=lambda text: f"{what}: {text}")  # fmt: skip


@contextlib.contextmanager
def refuses(pattern: str):
    try:
        yield
    except RuntimeError as error:
        assert re.search(pattern, str(error)), error
    else:
        raise AssertionError(f"no error: {pattern}")


def same_everywhere(x, what):
    """The very same bits on every rank."""
    bits = x.detach().reshape(-1).view(torch.uint8)
    theirs = [torch.empty_like(bits) for _ in range(dist.get_world_size())]
    dist.all_gather(theirs, bits)
    assert all(torch.equal(bits, each) for each in theirs), what


def rows(columns: int, dtype, seed: int = 0):
    """The same whole rows on every rank, scattered about 0, and about 40 in the second row."""
    x = torch.randn(ROWS, columns, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) * 3
    x[1] += 40
    return x.to(DEVICE, dtype)


def new_group(in_kernel: bool = True):
    """A group knows a call by its own columns, so elsewhere they may not change meanwhile: another case takes another group."""
    group = dist.new_group()
    if not in_kernel:
        ranks_of(group.group_name, DEVICE).mailboxes = False
    return group


def mine(x, widths):
    first = sum(widths[: dist.get_rank()])
    return x[:, first : first + widths[dist.get_rank()]]


def check_softmax(case, dtype, group):
    widths = WIDTHS[case](dist.get_world_size())
    whole = rows(sum(widths), dtype)
    for ours, theirs in ((sharded.softmax, torch.softmax), (sharded.log_softmax, torch.log_softmax)):
        what = f"{ours.__name__}, {case}, {dtype}"
        x, want_x = mine(whole, widths).requires_grad_(), whole.double().clone().requires_grad_()
        y, want = ours(x, group=group), theirs(want_x, -1)
        close(y, mine(want, widths), what)
        for _ in range(3):  # the mailboxes in turn
            assert torch.equal(ours(x.detach(), group=group), y), what
        dy = rows(sum(widths), dtype, seed=1)
        y.backward(mine(dy, widths))
        want.backward(dy.double())
        if dtype in (torch.float32, torch.float64):  # in 16 bits the gradient starts from a rounded y
            close(x.grad / 50, mine(want_x.grad, widths) / 50, f"gradient of {what}")


def check_special_rows(group=None):
    size = dist.get_world_size()
    widths, inf = [8] * size, float("inf")
    whole = rows(sum(widths), torch.float32)
    whole[0, :8] = -inf  # all of the first rank's part
    whole[1, 8:] = -inf  # all but that
    whole[2] = -inf  # NaN, as one softmax
    whole[3, 3] = inf
    whole[4, 5] = float("nan")
    y = sharded.softmax(mine(whole, widths).contiguous(), group=group)
    close(y, mine(torch.softmax(whole, -1), widths), "special rows")
    wide = torch.randn(2, 3, 16 * size, device=DEVICE)
    dist.broadcast(wide, 0)
    strided = wide.transpose(0, 1)[..., dist.get_rank() * 16 : (dist.get_rank() + 1) * 16]
    want = torch.softmax(wide.transpose(0, 1), -1)[..., dist.get_rank() * 16 : (dist.get_rank() + 1) * 16]
    close(sharded.softmax(strided, group=group), want, "three dimensions, strided")
    assert sharded.softmax(torch.empty(0, 4, device=DEVICE), group=group).shape == (0, 4)


def check_same_bits(group=None):
    """Every rank holds the same columns: then every rank must give the same numbers, to the bit."""
    part = rows(33, torch.float32)
    same_everywhere(sharded.softmax(part, group=group), "softmax")
    same_everywhere(sharded.log_softmax(part, group=group), "log_softmax")


def check_loss(case, dtype, group):
    widths = WIDTHS[case](dist.get_world_size())
    columns = sum(widths)
    target = torch.tensor([0, columns - 1, -100, columns // 2, columns // 3], device=DEVICE)
    for smoothing, reduction in ((0.0, "mean"), (0.1, "sum"), (0.3, "none")):
        whole = rows(columns, dtype)
        x, want_x = mine(whole, widths).requires_grad_(), whole.double().clone().requires_grad_()
        options = {"label_smoothing": smoothing, "reduction": reduction}
        loss = sharded.cross_entropy(x, target, group=group, **options)
        want = F.cross_entropy(want_x, target, **options)
        what = f"cross_entropy, {case}, {dtype}, {options}"
        close(loss, want, what)
        same_everywhere(loss, what)
        loss.sum().backward()
        want.sum().backward()
        close(x.grad, mine(want_x.grad, widths), f"gradient of {what}")


def check_no_column():
    """A target that no rank holds: NaN there, nowhere else."""
    size = dist.get_world_size()
    x = rows(4 * size, torch.float32)
    target = torch.tensor([1, 4 * size, -7, 0, -1], device=DEVICE)
    loss = sharded.cross_entropy(mine(x, [4] * size), target, reduction="none", ignore_index=-1)
    assert loss.isnan().tolist() == [False, True, True, False, False] and loss[4] == 0


def check_compiled():
    @torch.compile(fullgraph=True, backend="aot_eager")
    def step(x, target):
        return sharded.cross_entropy(2 * x, target) + sharded.softmax(x).square().sum()

    size = dist.get_world_size()
    widths, target = [8] * size, torch.tensor([1, 2, 3, 4, 5], device=DEVICE)
    whole = rows(8 * size, torch.float32)
    x, want_x = mine(whole, widths).contiguous().requires_grad_(), whole.clone().requires_grad_()
    step(x, target).backward()
    (F.cross_entropy(2 * want_x, target) + torch.softmax(want_x, -1).square().sum()).backward()
    close(x.grad, mine(want_x.grad, widths), "compiled")


def check_in_kernel():
    """The exchange within a kernel, with a file that all ranks map in the place of NVLink: one program of a rank a row."""
    group = dist.new_group()
    ranks = ranks_of(group.group_name, torch.device("cpu"))
    path, size = Path(tempfile.gettempdir()) / f"mailboxes-{os.environ['MASTER_PORT']}", ranks.size
    memories = [torch.from_file(f"{path}-{rank}", shared=True, size=4096, dtype=torch.int64) for rank in range(size)]
    dist.barrier()
    addresses = torch.tensor([each.data_ptr() for each in memories])
    late = torch.zeros(1, dtype=torch.int32)
    ranks.mailboxes = mailboxes.Mailboxes(memories[ranks.rank], addresses.data_ptr(), late, 132)
    widths = [16 * (rank != 1) for rank in range(size)]  # the second has nothing
    for call in range(6):  # each box several times, and two shapes by turns
        for log, theirs in ((False, torch.softmax), (True, torch.log_softmax)):
            for dtype in (torch.float32, torch.bfloat16) if call % 3 else (torch.float16,):
                whole = rows(sum(widths), dtype, seed=call)
                ours = sharded.log_softmax if log else sharded.softmax
                close(ours(mine(whole, widths), group=group), mine(theirs(whole.double(), -1), widths), f"call {call}")
    assert ranks.mailboxes.used > mailboxes.LINE and not late.any()
    dist.barrier()
    ranks.seconds = 1e-4  # from here on the last rank stays away: the others write NaN, say so, and wait no more
    if ranks.rank < size - 1:
        assert sharded.softmax(mine(whole, widths), group=group).isnan().all() and late.all()
        with refuses("(?s)没有等到.*waited in vain"):
            sharded.softmax(mine(whole, widths), group=group)
    dist.barrier()
    Path(f"{path}-{ranks.rank}").unlink()


def check_a_group_of_some():
    first = dist.new_group([0, 1])
    if dist.get_rank() < 2:
        whole = rows(20, torch.float32)
        close(sharded.softmax(mine(whole, [10, 10]), group=first), mine(torch.softmax(whole, -1), [10, 10]), "subgroup")


def check_another_shape():
    """Rank 1 comes with another number of rows, then with another dtype: everybody hears of it, and can go on."""
    odd = dist.get_rank() == 1
    ones = torch.ones(4, 6, device=DEVICE)
    for x, said in ((ones[: 4 if odd else 3], "4 rows"), (ones.to(torch.float64 if odd else torch.float32), "float64")):
        with refuses(f"(?s)什么也没有算.*rank 1: softmax, .*{said}"):
            sharded.softmax(x)
    y = sharded.softmax(torch.ones(2, 6, device=DEVICE))
    close(y, torch.full_like(y, 1 / (6 * dist.get_world_size())), "afterwards")


def check_graph():
    """A CUDA graph holds two calls, one after the other; replayed on other numbers."""
    x = torch.randn(512, 4096, device=DEVICE, dtype=torch.bfloat16)
    inside, outside = new_group(), new_group(in_kernel=False)
    graph = torch.cuda.CUDAGraph()
    sharded.softmax(x, group=inside)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        y = sharded.softmax(sharded.softmax(x, group=inside), group=inside)
    for _ in range(50):
        x.normal_()
        graph.replay()
        want = sharded.softmax(sharded.softmax(x, group=outside), group=outside)
        torch.testing.assert_close(y, want, atol=1e-3, rtol=1e-2)


def check_absent():
    """The last rank stays away: the others' rows are NaN, and their next call says why."""
    group = dist.new_group(timeout=timedelta(seconds=3))
    x = torch.randn(64, 4096, device=DEVICE)
    sharded.softmax(x, group=group)
    torch.cuda.synchronize()
    if dist.get_rank() < dist.get_world_size() - 1 and ranks_of(group.group_name, DEVICE).mailboxes:
        assert sharded.softmax(x, group=group).isnan().all()
        with refuses("(?s)没有等到.*waited in vain"):
            sharded.softmax(x, group=group)


def everything():
    """All cases with two ranks; with more, what their number could change."""
    two = dist.get_world_size() == 2
    few = (torch.float32, torch.bfloat16) if ON_GPUS else DTYPES[:1]
    cases = WIDTHS if two or ON_GPUS else ("uneven", "one has nothing")
    for case, in_kernel in itertools.product(cases, (True, False) if ON_GPUS else (False,)):
        group, dtypes = new_group(in_kernel), DTYPES if two and case == "uneven" else few
        for dtype in dtypes:
            check_softmax(case, dtype, group)
            check_loss(case, dtype, group)
    if two:
        check_compiled()
        check_no_column()
    for group in (new_group(), new_group(in_kernel=False))[not ON_GPUS :]:
        check_special_rows(group)
        check_same_bits(group)
    check_a_group_of_some()
    check_another_shape()
    if ON_GPUS:
        assert ranks_of(dist.group.WORLD.group_name, DEVICE).mailboxes
        check_graph()
        check_absent()
        print(f"rank {dist.get_rank()}: all right", flush=True)
    elif dist.get_world_size() < 4:  # the waiting is busy waiting
        check_in_kernel()


def one_dies():
    sharded.softmax(torch.ones(2, 4))
    if dist.get_rank() == 1:
        os._exit(0)
    known = dist.get_rank() == 0  # one of the others makes a call that all know, the rest one that is new
    began = time.monotonic()
    for _ in range(2):  # and the second time at once
        with refuses("(?s)没有等到.*waited in vain"):
            sharded.softmax(torch.ones(2 if known else 3, 4))
    assert time.monotonic() - began < 3 * LIMIT


LIMIT = 4.0  # seconds, where a rank dies


def be_rank(what: str) -> None:
    torch.set_num_threads(1)
    limit = timedelta(seconds=LIMIT if what == "one_dies" else 60)
    if ON_GPUS:
        torch.cuda.set_device(DEVICE)
        dist.init_process_group("nccl", device_id=DEVICE, timeout=limit)
    else:
        dist.init_process_group("gloo", timeout=limit)
    try:
        globals()[what]()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    dist.barrier() if what != "one_dies" else None  # who keeps the store goes last
    os._exit(0)  # without waiting for the dead


def fork_ranks(what: str, size: int) -> int:
    """Everything is imported once, and every rank is a copy. How many did not end well."""
    ranks = []
    for rank in range(size):
        ranks.append(os.fork())
        if not ranks[-1]:
            os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(size)}
            be_rank(what)
    return sum(os.waitpid(rank, 0)[1] != 0 for rank in ranks)


if __name__ == "__main__":
    be_rank("everything") if ON_GPUS else sys.exit(fork_ranks(sys.argv[1], int(sys.argv[2])))

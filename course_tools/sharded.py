"""Checks and measures `course_utils.softmax.sharded` on the GPUs of one host:

    torchrun --nproc-per-node 2 -m course_tools.sharded --folder out

Each part has a time limit, after which this rank ends, and torchrun ends the others; what was measured until then is printed and
written. Times are medians in microseconds of the slowest rank, sustained: CUDA graphs of launches, each on its own memory.
"""

import argparse
import datetime
import functools
import itertools
import os
import statistics
import threading
import traceback
from dataclasses import fields
from pathlib import Path

os.environ["NCCL_NVLS_ENABLE"] = "0"  # multicast is not to be had everywhere

import torch
import torch.distributed as dist
import torch.nn.functional as F

from course_utils import softmax as one
from course_utils.measurements.bench import recording
from course_utils.measurements.bench.provenance import provenance, short_name
from course_utils.measurements.sharded import Line
from course_utils.softmax import sharded
from course_utils.softmax.sharded import mailboxes
from course_utils.softmax.sharded.ranks import all_gather, ranks_of

SHAPES = (
    (4096, 131072, torch.bfloat16),
    (4096, 32768, torch.bfloat16),
    (64, 1 << 20, torch.bfloat16),
    (1, 1 << 24, torch.float32),
)
LOSS = (8192, 131072, torch.bfloat16)
FLUSHED = 256 << 20  # bytes of input that go by before the first comes again: several times L2
TOLERANCE = {torch.float32: 3e-6, torch.bfloat16: 1e-2, torch.float16: 2e-3, torch.float64: 1e-12}


# ---- how long it takes ----------------------------------------------------------------------------------------------------


def slowest(value: float) -> float:
    values = torch.tensor([value], device="cuda")
    dist.all_reduce(values, dist.ReduceOp.MAX)
    return values.item()


def timed(run, launches: int) -> float:
    """Microseconds of one of the `launches` that `run` makes."""

    def once(times: int) -> float:
        dist.barrier()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(times):
            run()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e3 / times / launches

    once(2)
    times = max(1, min(200, int(10_000 / launches / slowest(once(2)))))
    return slowest(statistics.median(once(times) for _ in range(7)))


def in_graph(call, inputs, launches: int = 0) -> float:
    """Microseconds of `call(x)`, captured for one input after another, each result kept while others are made."""
    launches = max(launches, len(inputs), 4)
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for x in inputs[:1] * 3:
            call(x)
    torch.cuda.synchronize()
    kept = []
    with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
        for i in range(launches):
            kept = [*kept[-len(inputs) + 1 or len(kept) :], call(inputs[i % len(inputs)])]
    return timed(graph.replay, launches)


def several(rows: int, columns: int, dtype) -> list:
    count = max(1, -(-FLUSHED // max(1, rows * columns * dtype.itemsize)))
    return [torch.randn(rows, columns, device="cuda", dtype=dtype) for _ in range(count)]


# ---- what people write ----------------------------------------------------------------------------------------------------


def two_all_reduces(x):
    m = x.max(1, keepdim=True)[0].float()
    dist.all_reduce(m, dist.ReduceOp.MAX)
    e = torch.exp(x.float() - m)
    s = e.sum(1, keepdim=True)
    dist.all_reduce(s)
    return (e / s).to(x.dtype)


def loss_step(cross_entropy, target):
    def step(x):
        x = x.detach().requires_grad_()
        return torch.autograd.grad(cross_entropy(x, target), x)

    return step


# ---- the parts: each gives lines ------------------------------------------------------------------------------------------


def check(ways):
    """Right, in both ways, with uneven and empty parts; in a graph too."""
    size, rank = dist.get_world_size(), dist.get_rank()
    wrong = 0
    float32, bfloat16, float16, float64 = TOLERANCE
    cases = [(dtype, [781 + 2 * r for r in range(size)]) for dtype in TOLERANCE]
    cases += [(dtype, [0] + [5000] * (size - 1)) for dtype in (float32, bfloat16)]
    cases += [(float32, [65536] * size), (bfloat16, [65536] * size), (bfloat16, [150001 + r for r in range(size)])]
    for dtype, widths in cases:
        mine = slice(sum(widths[:rank]), sum(widths[: rank + 1]))
        torch.manual_seed(1)
        whole, dy = (torch.randn(2, 37, sum(widths), device="cuda") * 3).to(dtype)
        whole[1], whole[2, : widths[0]], whole[3, 1:] = whole[1] + 40, -torch.inf, -torch.inf
        target = torch.arange(37, device="cuda") * 7919 % sum(widths)
        target[5] = -100
        whole[torch.arange(37), target.clamp(0)] = 0.5
        close = {"atol": TOLERANCE[dtype], "rtol": TOLERANCE[dtype], "equal_nan": True}
        for (way, group), name in itertools.product(ways.items(), ("softmax", "log_softmax", "cross_entropy")):
            of_rows = name != "cross_entropy"
            given = () if of_rows else (target,)
            options = {"dim": -1} if of_rows else {"reduction": "none"}
            x, want_x = whole[:, mine].contiguous().requires_grad_(), whole.double().clone().requires_grad_()
            y = getattr(sharded, name)(x, *given, group=group, **({} if of_rows else options))
            want = getattr(F, name)(want_x, *given, **options)
            right = torch.allclose(y.double(), want[:, mine] if of_rows else want, **close)
            y.backward(dy[:, mine] if of_rows else dy[:, 0])
            want.backward((dy if of_rows else dy[:, 0]).double())
            if dtype.itemsize > 2 or not of_rows:  # in 16 bits those gradients start from a rounded y
                right &= torch.allclose(x.grad.double() / 20, want_x.grad[:, mine] / 20, **close)
            for _ in range(3):  # the mailboxes in turn
                again = getattr(sharded, name)(x.detach(), *given, group=group, **({} if of_rows else options))
                right &= torch.equal(again.nan_to_num(), y.detach().nan_to_num())
            wrong += not right
            if not right:
                yield {"part": "check", "what": f"{name}, {widths}, {dtype}", "way": way, "right": False}
    part = torch.randn(512, 4096, device="cuda", dtype=torch.bfloat16)
    graph, group = torch.cuda.CUDAGraph(), ways["in-kernel"]
    sharded.softmax(part, group=group)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        y = sharded.softmax(sharded.softmax(part, group=group), group=group)
    for seed in range(50):
        part.copy_(
            torch.randn(512, 4096, device="cuda", generator=torch.Generator("cuda").manual_seed(seed * size + rank))
        )
        graph.replay()
        want = sharded.softmax(sharded.softmax(part, group=ways["pairs"]), group=ways["pairs"])
        wrong += not torch.allclose(y, want, atol=1e-3, rtol=1e-2)
    yield {"part": "check", "what": "all", "way": f"in-kernel really: {ranks_of(group.group_name, part.device).mailboxes is not False}",
           "right": wrong == 0, "wrong": wrong}  # fmt: skip


def shapes(ways):
    size = dist.get_world_size()
    for rows, columns, dtype in SHAPES:
        line = {"part": "shapes", "what": "softmax", "rows": rows, "columns": columns, "dtype": str(dtype)[6:]}
        yield line | {"way": "one GPU", "median_us": in_graph(one.softmax, several(rows, columns, dtype))}
        parts = several(rows, columns // size, dtype)
        calls = {"its part alone": one.softmax, "two all-reduces": two_all_reduces}
        calls |= {way: lambda x, group=group: sharded.softmax(x, group=group) for way, group in ways.items()}
        for way, call in calls.items():
            yield line | {"way": way, "median_us": in_graph(call, parts)}


def widths(ways):
    """From which width on does it pay to split 4096 rows?"""
    size = dist.get_world_size()
    for power in range(9, 18):
        columns = 2**power
        line = {"part": "widths", "what": "softmax", "rows": 4096, "columns": columns, "dtype": "bfloat16"}
        yield line | {"way": "one GPU", "median_us": in_graph(one.softmax, several(4096, columns, torch.bfloat16))}
        parts = several(4096, columns // size, torch.bfloat16)
        for way, group in ways.items():
            us = in_graph(lambda x, group=group: sharded.softmax(x, group=group), parts)
            yield line | {"way": way, "median_us": us}
        yield line | {"way": "its part alone", "median_us": in_graph(one.softmax, parts)}


def loss(ways):
    rows, columns, dtype = LOSS
    size = dist.get_world_size()
    line = {"part": "loss", "what": "cross_entropy", "rows": rows, "columns": columns, "dtype": str(dtype)[6:]}
    target = torch.arange(rows, device="cuda") * 7919 % columns
    alone = in_graph(loss_step(one.cross_entropy, target), several(rows, columns, dtype))
    yield line | {"way": "one GPU", "median_us": alone}
    part = several(rows, columns // size, dtype)
    yield line | {"way": "sharded", "median_us": in_graph(loss_step(sharded.cross_entropy, target), part)}

    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Shard
    from torch.distributed.tensor.parallel import loss_parallel

    mesh = init_device_mesh("cuda", (size,))
    scores = DTensor.from_local(part[0], mesh, [Shard(1)], run_check=False).detach().requires_grad_()

    def theirs():
        with loss_parallel():
            F.cross_entropy(scores, target).backward()
        scores.grad = None

    yield line | {"way": "loss_parallel, eager", "median_us": timed(theirs, 1)}


def pairs(ways):
    """4096 pairs, in every way there is."""
    import torch.distributed._symmetric_memory as symmetric_memory

    size, rows = dist.get_world_size(), 4096
    mine, all_pairs = torch.randn(rows, 2, device="cuda"), torch.empty(size * rows, 2, device="cuda")
    line = {"part": "pairs", "rows": rows, "columns": 32 * size, "dtype": "float32", "bytes": mine.nbytes}
    gather = lambda x: all_gather(all_pairs, x)  # noqa: E731
    yield line | {"what": "all_gather", "way": "eager", "median_us": timed(lambda: gather(mine), 1)}
    yield line | {"what": "all_gather", "way": "graph", "median_us": in_graph(gather, [mine], 20)}
    shared = symmetric_memory.empty(size * rows * 2, dtype=torch.float32, device="cuda").zero_()
    symmetric_memory.rendezvous(shared, dist.group.WORLD.group_name)
    one_shot = lambda x: torch.ops.symm_mem.one_shot_all_reduce(x, "sum", dist.group.WORLD.group_name)  # noqa: E731
    yield line | {"what": "all_reduce", "way": "one-shot", "median_us": in_graph(one_shot, [shared], 20)}
    narrow = torch.randn(rows, 32, device="cuda")
    us = in_graph(lambda x: sharded.softmax(x, group=ways["in-kernel"]), [narrow], 20)
    yield line | {"what": "softmax", "way": "in-kernel", "median_us": us}
    yield line | {"what": "softmax", "way": "its part alone", "median_us": in_graph(one.softmax, [narrow], 20)}


def wire(ways):
    """From these α and β: time = α + bytes ÷ β."""
    size = dist.get_world_size()
    for power in (10, 12, 14, 15, *range(16, 31, 2)):
        x = torch.randn(2 ** (power - 2), device="cuda")
        everybodys = torch.empty(size * len(x), device="cuda")
        calls = {"all_reduce": dist.all_reduce, "all_gather": functools.partial(all_gather, everybodys)}
        for name, call in calls.items():
            line = {"part": "wire", "what": name, "bytes": 2**power}
            yield line | {"way": "eager", "median_us": timed(functools.partial(call, x), 1)}
            yield line | {"way": "graph", "median_us": in_graph(call, [x], 20 if power <= 20 else 4)}


def absent(ways):
    """The last rank stays away: the others hear of it, in time, and nobody hangs."""
    group = dist.new_group(timeout=datetime.timedelta(seconds=3))
    x = torch.randn(64, 4096, device="cuda")
    sharded.softmax(x, group=group)
    torch.cuda.synchronize()
    said, lost = "", True
    if dist.get_rank() < dist.get_world_size() - 1 and ranks_of(group.group_name, x.device).mailboxes:
        lost = bool(sharded.softmax(x, group=group).isnan().all())
        try:
            sharded.softmax(x, group=group)
        except RuntimeError as error:
            said = str(error).splitlines()[-1]
    right = lost and (bool(said) or dist.get_rank() > 0)
    yield {"part": "absent", "what": said[:100], "way": "in-kernel", "right": right}


PARTS = {check: 100, shapes: 60, widths: 60, loss: 40, pairs: 20, wire: 40, absent: 30}  # seconds


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="CSV")
    parser.add_argument("--only", nargs="*", default=[part.__name__ for part in PARTS])
    asked = parser.parse_args(arguments)
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device, timeout=datetime.timedelta(seconds=60))
    everyone = dist.new_group()
    ways = {"in-kernel": everyone, "pairs": dist.group.WORLD}
    mailboxes.mailboxes_of(ranks_of(everyone.group_name, device), device)
    ranks_of(dist.group.WORLD.group_name, device).mailboxes = False  # the default group leaves its messages to NCCL
    lines = []
    for part, seconds in PARTS.items():
        if part.__name__ in asked.only:
            run_part(part, seconds, ways, lines)
            if asked.folder and dist.get_rank() == 0:
                write(asked.folder, lines)
    if dist.get_rank() == 0:
        print(*map(told, lines), sep="\n", flush=True)
    os._exit(0)  # a group whose rank stayed away would be waited for


def run_part(part, seconds: float, ways, lines: list) -> None:
    def too_late():
        print(f"rank {dist.get_rank()}: {part.__name__} > {seconds} s", flush=True)
        os._exit(1)

    alarm = threading.Timer(seconds, too_late)
    alarm.daemon = True
    alarm.start()
    failed = ""
    try:
        for line in part(ways):
            lines.append(line)
            if dist.get_rank() == 0 or line.get("right") is False:
                print("·", f"rank {dist.get_rank()}", told(line), flush=True)
    except Exception:
        failed = traceback.format_exc(limit=-4)
        print(f"rank {dist.get_rank()}: {failed}", flush=True)
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    if any(ranks_of(dist.group.WORLD.group_name, torch.device("cuda")).hear(failed)):
        lines.append({"part": part.__name__, "what": "failed", "right": False})
    alarm.cancel()


def told(line: dict) -> str:
    shown = {name: f"{value:.3f}" if isinstance(value, float) else str(value) for name, value in line.items()}
    return "  ".join(
        [
            *(shown.pop(name, "").ljust(12) for name in ("part", "what", "way")),
            *(f"{name} {value}" for name, value in shown.items()),
        ]
    )


def write(folder: Path, lines: list) -> None:
    size, kept = dist.get_world_size(), {field.name: field.type() for field in fields(Line)}
    told_of = provenance(f"torchrun --nproc-per-node {size} -m course_tools.sharded")
    told_of["nccl"] = ".".join(map(str, torch.cuda.nccl.version()))
    timed_lines = (line | {"median_us": round(line["median_us"], 3)} for line in lines if "median_us" in line)
    found = [Line(**kept | {"ranks": size} | line) for line in timed_lines]
    if found:
        recording.write(recording.path_of("sharded", short_name(told_of), folder), told_of, found)


if __name__ == "__main__":
    main()

"""Measures `course_utils.softmax.sharded` on the GPUs of one host (`tests/sharded_ranks.py` says whether it is right there):

    torchrun --nproc-per-node 2 -m course_tools.sharded --folder out

Each part has a time limit, after which this rank ends, and torchrun ends the others; what was measured until then is written.
Times are medians in microseconds of the slowest rank, sustained: CUDA graphs of launches, each on its own memory.
"""

import argparse
import datetime
import functools
import math
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
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard
from torch.distributed.tensor.parallel import loss_parallel

from course_utils import softmax as one
from course_utils.measurements.bench import recording
from course_utils.measurements.bench.provenance import provenance, short_name
from course_utils.measurements.sharded import Line, exchange_kernel
from course_utils.softmax import sharded
from course_utils.softmax.sharded.ranks import all_gather, ranks_of

SHAPES = (
    (4096, 131072, torch.bfloat16),
    (4096, 32768, torch.bfloat16),
    (64, 1 << 20, torch.bfloat16),
    (1, 1 << 24, torch.float32),
)
LOSS = (8192, 131072, torch.bfloat16)
LAUNCHES, PATIENCE = 200, 1_000_000  # of `exchange_kernel` in a row, and looks of each at its mailbox
FLUSHED = 256 << 20  # bytes of input that go by before the first comes again: several times L2


# ---- how long it takes ----------------------------------------------------------------------------------------------------


def slowest(value: float) -> float:
    values = torch.tensor([value], device="cuda")
    dist.all_reduce(values, dist.ReduceOp.MAX)
    return values.item()


def timed(run, launches: int = 1) -> float:
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


def in_graph(call, inputs, launches: int = 4) -> float:
    """Microseconds of `call(x)`, captured for one input after another, each result kept while others are made."""
    launches = max(launches, len(inputs))
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


def loss_parallel_step(target):
    mesh = init_device_mesh("cuda", (dist.get_world_size(),))

    def step(x):
        scores = DTensor.from_local(x, mesh, [Shard(1)], run_check=False).detach().requires_grad_()
        with loss_parallel():
            return torch.autograd.grad(F.cross_entropy(scores, target), scores)

    return step


# ---- the parts: each gives lines ------------------------------------------------------------------------------------------


def softmaxes(part: str, rows: int, columns: int, dtype, calls: dict):
    """One GPU with all of a row, then every call on a rank's columns."""
    line = {"part": part, "what": "softmax", "rows": rows, "columns": columns, "dtype": str(dtype)[6:]}
    yield line | {"way": "one GPU", "median_us": in_graph(one.softmax, several(rows, columns, dtype))}
    inputs = several(rows, columns // dist.get_world_size(), dtype)
    for way, call in ({"its part alone": one.softmax} | calls).items():
        yield line | {"way": way, "median_us": in_graph(call, inputs)}


def shapes(ways):
    for shape in SHAPES:
        yield from softmaxes("shapes", *shape, {"two all-reduces": two_all_reduces} | ways)


def widths(ways):
    """From which width on does it pay to split 4096 rows?"""
    for power in range(9, 18):
        yield from softmaxes("widths", 4096, 2**power, torch.bfloat16, ways)


def loss(ways):
    rows, columns, dtype = LOSS
    line = {"part": "loss", "what": "cross_entropy", "rows": rows, "columns": columns, "dtype": str(dtype)[6:]}
    target = torch.arange(rows, device="cuda") * 7919 % columns
    alone = in_graph(loss_step(one.cross_entropy, target), several(rows, columns, dtype))
    yield line | {"way": "one GPU", "median_us": alone}
    inputs = several(rows, columns // dist.get_world_size(), dtype)
    steps = {"sharded": loss_step(sharded.cross_entropy, target), "loss_parallel": loss_parallel_step(target)}
    for way, step in steps.items():
        yield line | {"way": way, "median_us": in_graph(step, inputs)}


def pairs(ways):
    """4096 pairs, in every way there is."""
    import torch.distributed._symmetric_memory as symmetric_memory

    size, rows, group = dist.get_world_size(), 4096, dist.group.WORLD.group_name
    mine, all_pairs = torch.randn(rows, 2, device="cuda"), torch.empty(size * rows, 2, device="cuda")
    shared = symmetric_memory.empty(size * rows * 2, dtype=torch.float32, device="cuda").zero_()
    symmetric_memory.rendezvous(shared, group)

    def gather(x):
        all_gather(all_pairs, x)

    def one_shot(x):
        return torch.ops.symm_mem.one_shot_all_reduce(x, "sum", group)

    line = {"part": "pairs", "rows": rows, "columns": 0, "dtype": "float32", "bytes": mine.nbytes}
    yield line | {"what": "all_gather", "way": "eager", "median_us": timed(lambda: gather(mine))}
    for what, way, call, x in (
        ("all_gather", "graph", gather, mine),
        ("all_reduce", "one-shot", one_shot, shared),
    ):
        yield line | {"what": what, "way": way, "median_us": in_graph(call, [x], 20)}
    if size == 2:
        boxes = symmetric_memory.empty((LAUNCHES, rows), dtype=torch.int64, device="cuda")
        other = 1 - dist.get_rank()
        theirs = symmetric_memory.rendezvous(boxes, group).get_buffer(other, boxes.shape, boxes.dtype)
        yield line | {"what": "exchange_kernel", "way": "in-kernel", "median_us": by_mailbox(boxes, theirs, other)}


def by_mailbox(boxes, theirs, other: int) -> float:
    """Microseconds of `exchange_kernel`, launch after launch, each with empty mailboxes of its own."""
    launches, rows = boxes.shape
    words = torch.arange(1, rows + 1, device="cuda") << dist.get_rank()  # none is 0
    out, graph, spent = torch.empty_like(boxes), torch.cuda.CUDAGraph(), []

    def exchange_all():
        for k in range(launches):
            exchange_kernel[(rows,)](theirs[k], boxes[k], out[k], words, PATIENCE, num_warps=1)

    def empty():
        boxes.zero_()
        torch.cuda.synchronize()
        dist.barrier()  # nobody posts before everybody has wiped
        torch.cuda.synchronize()

    empty()
    exchange_all()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        exchange_all()
    for _ in range(7):
        empty()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        spent.append(start.elapsed_time(end) * 1e3 / launches)
    arrived = (out == torch.arange(1, rows + 1, device="cuda") << other).all()
    us = slowest(statistics.median(spent) if arrived else math.inf)
    assert us < math.inf, "somebody waited in vain"  # so says every rank
    return us


def wire(ways):
    """From these α and β: time = α + bytes ÷ β."""
    for power in (10, 12, 14, 15, *range(16, 31, 2)):
        x = torch.randn(2 ** (power - 2), device="cuda")
        everybodys = torch.empty(dist.get_world_size() * len(x), device="cuda")
        calls = {"all_reduce": dist.all_reduce, "all_gather": functools.partial(all_gather, everybodys)}
        for name, call in calls.items():
            us = in_graph(call, [x], 20 if power <= 20 else 4)
            yield {"part": "wire", "what": name, "way": "graph", "bytes": 2**power, "median_us": us}


PARTS = {wire: 60, pairs: 40, shapes: 60, widths: 80, loss: 80}  # seconds


def main(arguments=None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="CSV")
    parser.add_argument("--only", nargs="*", default=[part.__name__ for part in PARTS])
    asked = parser.parse_args(arguments)
    ways, lines = set_up(), []
    for part, seconds in PARTS.items():
        if part.__name__ in asked.only:
            run_part(part, seconds, ways, lines)
            if asked.folder and dist.get_rank() == 0 and lines:
                write(asked.folder, lines)
    os._exit(0)  # a rank that has failed would be waited for


def set_up() -> dict:
    """Joins the group; the ways of a sharded softmax."""
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device, timeout=datetime.timedelta(seconds=60))
    ranks_of(dist.group.WORLD.group_name, device).mailboxes = False  # the default group leaves its messages to NCCL
    return {"in-kernel": functools.partial(sharded.softmax, group=dist.new_group()), "pairs": sharded.softmax}


def run_part(part, seconds: float, ways, lines: list) -> None:
    def too_late():
        print(f"rank {dist.get_rank()}: {part.__name__} > {seconds} s", flush=True)
        os._exit(1)

    alarm = threading.Timer(seconds, too_late)
    alarm.daemon = True
    alarm.start()
    try:
        for line in part(ways):
            lines.append(line)
            if dist.get_rank() == 0:
                print(*line.values(), sep="  ", flush=True)
    except Exception:
        print(f"rank {dist.get_rank()}: {traceback.format_exc(limit=-4)}", flush=True)
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    alarm.cancel()


def write(folder: Path, lines: list) -> None:
    """What was recorded with other numbers of ranks, and parts that were not asked for, stay in the file."""
    size, kinds = dist.get_world_size(), {field.name: field.type() for field in fields(Line)}
    told_of = provenance(f"torchrun --nproc-per-node {size} -m course_tools.sharded")
    told_of["nccl"] = ".".join(map(str, torch.cuda.nccl.version()))
    found = [Line(**kinds | {"ranks": size} | line | {"median_us": round(line["median_us"], 3)}) for line in lines]
    known = recording.path_of("sharded", short_name(told_of))
    others = recording.load(known).typed(Line) if known.exists() else []
    anew = {line.part for line in found}
    found += [line for line in others if line.ranks != size or line.part not in anew]
    found.sort(key=lambda line: line.ranks)
    recording.write(recording.path_of("sharded", short_name(told_of), folder), told_of, found)


if __name__ == "__main__":
    main()

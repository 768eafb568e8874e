"""Real processes, called ranks, that share a calculation: `torch.distributed` with gloo on this machine's CPU.

    run = on_ranks(function, [part_0, part_1, part_2])    # three ranks; each calls function(its part)
    run[0]          # what rank 0 returned
    run.messages    # what came over the wire: collective, calls, bytes that each rank received

The ranks are forked by the interpreter's worker, which has torch and triton loaded, and end with the call: all of them, and in time.
"""

import functools
import os
import pickle
import select
import signal
import tempfile
import time
from datetime import timedelta

from . import worker
from .language import Text
from .table import Table

COLLECTIVES = (
    "all_gather",
    "all_gather_into_tensor",
    "all_reduce",
    "recv",
    "reduce_scatter_tensor",
)  # these are counted; a send is counted where it is received
GRACE = 2.0  # seconds, in which ranks that waited in vain can still say so


class Run(list):
    """What the ranks returned, in their order."""

    def __init__(self, results, wires):
        super().__init__(results)
        self.wires = wires  # for each rank (collective, bytes), in the order of the calls

    @property
    def received(self) -> list[int]:
        """Bytes that came to each rank from the others."""
        return [sum(size for _, size in wire) for wire in self.wires]

    @property
    def messages(self) -> Table:
        table = Table("集合通信 · collective", "次 · calls", "每个 rank 收到的字节 · bytes each rank receives")
        for name in dict.fromkeys(name for wire in self.wires for name, _ in wire):
            calls = [[size for each, size in wire if each == name] for wire in self.wires]
            table.add(name, _range(map(len, calls)), _range(map(sum, calls)))
        return table


def on_ranks(function, parts, seconds: float = 20.0) -> Run:
    """Calls `function(part)` on as many ranks as there are parts. Where a rank fails or is late, says so and ends them all."""
    outcome = worker.attempt(
        f"{__name__}:fork",
        function,
        list(parts),
        seconds,
        mode="interpreter",
        lock="none",
        seconds=seconds + 10,
        memory_mb=None,
    )
    if outcome.error:
        raise outcome.error
    results, failed = outcome.value
    if failed:
        zh, en = (f"{mark}\n".join(f"rank {rank}: {said[k]}" for rank, said in failed) for k, mark in enumerate("；;"))
        raise RuntimeError(Text(f"有 rank 没有做完：\n{zh}", f"Not every rank came to its end:\n{en}"))
    return Run([result for result, _ in results], [wire for _, wire in results])


def fork(function, parts, seconds: float):
    """In the worker's child: a process for each part. ([(result, what it received)], [(rank, error)])."""
    # The ranks meet in a file: a TCPStore's server is a thread, and a rank forked beside it may inherit a lock that nobody opens.
    with tempfile.TemporaryDirectory() as folder:
        ranks = [
            _forked(function, part, rank, len(parts), f"{folder}/ranks", seconds) for rank, part in enumerate(parts)
        ]
        until = time.monotonic() + seconds + GRACE
        replies = [_heard(read, until) for _, read in ranks]
        for child, _ in ranks:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    failed = [(rank, reply) for rank, (fine, reply) in enumerate(replies) if not fine]
    return [reply for fine, reply in replies if fine], failed


def _forked(function, part, rank: int, size: int, meeting: str, seconds: float) -> tuple[int, int]:
    """A rank's process, and the pipe that it answers in."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            reply = True, _rank(function, part, rank, size, meeting, seconds)
        except BaseException as error:
            reply = False, _said(error)
        with os.fdopen(write, "wb") as pipe:
            pickle.dump(reply, pipe)
        os._exit(0)
    os.close(write)
    return child, read


def _rank(function, part, rank: int, size: int, meeting: str, seconds: float):
    import torch.distributed as dist

    limit = timedelta(seconds=seconds)
    dist.init_process_group("gloo", store=dist.FileStore(meeting, size), rank=rank, world_size=size, timeout=limit)
    wire = []
    for name in COLLECTIVES:
        setattr(dist, name, _counted(getattr(dist, name), name, wire))
    result = function(part)
    dist.barrier()  # nobody leaves while another may still be reading
    return result, wire


def _said(error: BaseException) -> tuple[str, str]:
    """What a rank says of its end, zh and en. What gloo says of others is put plainly."""
    text = str(error)
    if "gloo" in text:
        return "没有等到另一个 rank", "waited in vain for another rank"
    return (f"{type(error).__name__}: {text}",) * 2


def _counted(call, name: str, wire: list):
    @functools.wraps(call)
    def counted(*args, **kwargs):
        wire.append((name, _received(name, args)))
        return call(*args, **kwargs)

    return counted


def _received(name: str, args) -> int:
    """Bytes that come to this rank from the others; of an all-reduce, as they come in a ring."""
    import torch.distributed as dist

    if name == "all_gather":
        return sum(part.nbytes for part in args[0]) - args[1].nbytes
    if name in ("all_gather_into_tensor", "reduce_scatter_tensor"):
        return abs(args[0].nbytes - args[1].nbytes)
    if name == "all_reduce":
        ranks = dist.get_world_size()
        return 2 * (ranks - 1) * args[0].nbytes // ranks
    return args[0].nbytes


def _heard(pipe: int, until: float):
    said = b""
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return False, ("没有在时限内做完", "not done within the time limit")
        data = os.read(pipe, 1 << 20)
        if not data:
            break
        said += data
    os.close(pipe)
    return pickle.loads(said) if said else (False, ("进程中途没了", "its process is gone"))


def _range(numbers) -> str:
    numbers = sorted(numbers)
    return str(numbers[0]) if numbers[0] == numbers[-1] else f"{numbers[0]}–{numbers[-1]}"

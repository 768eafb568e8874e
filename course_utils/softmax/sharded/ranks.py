"""What the ranks of a group know of one another.

Before ranks exchange anything of a shape that is new to them, they say what they came with, through the group's store: nothing is
computed unless all agree, and who does not come within the group's time limit is named. This costs a millisecond, once a shape.
It cannot happen while a CUDA graph is captured, so call once before.
"""

import json
import time
from dataclasses import dataclass, field
from datetime import timedelta

import torch
import torch.distributed as dist
from torch.distributed import distributed_c10d as c10d

from ...language import both

all_gather = getattr(dist, "all_gather_single", None) or dist.all_gather_into_tensor  # its older name


@dataclass
class Agreed:
    """What is known of a call once every rank has said what it came with."""

    widths: list[int]  # columns of every rank
    rank: int
    plans: dict = field(default_factory=dict)  # what else is worked out once a call

    @property
    def columns(self) -> int:
        return sum(self.widths)

    @property
    def first(self) -> int:
        """The number of this rank's first column in the whole row."""
        return sum(self.widths[: self.rank])


class Ranks:
    """This rank's view of its group."""

    def __init__(self, group: dist.ProcessGroup, device: torch.device):
        self.group, self.rank, self.size = group, dist.get_rank(group), dist.get_world_size(group)
        self.seconds = group._get_backend(device).options._timeout.total_seconds()
        self.store = dist.PrefixStore("softmax_course", c10d._get_process_group_store(group))
        self.agreed: dict[tuple, Agreed] = {}
        self.mailboxes = None  # see `mailboxes`
        self.failed = ""

    def agree(self, call: str, columns: int) -> Agreed:
        """What all know of this call: of the words in `call`, which must be the same everywhere, and of the columns, which need not."""
        if self.failed:
            raise RuntimeError(self.failed)
        if (call, columns) not in self.agreed:
            calls, widths = zip(*self.hear([call, columns]), strict=True)
            if len(set(calls)) > 1:
                said = "; ".join(f"rank {rank}: {each}" for rank, each in enumerate(calls))
                raise RuntimeError(
                    both(
                        f"各个 rank 带来的不一样，什么也没有算。{said}。只有列数可以不同。",
                        f"The ranks came with different things, so nothing was computed. {said}. Only the number of columns may "
                        "differ.",
                    )
                )
            self.agreed[call, columns] = Agreed(list(widths), self.rank)
        return self.agreed[call, columns]

    def hear(self, mine) -> list:
        """What every rank says at this point."""
        if torch.cuda.is_available() and torch.cuda.is_current_stream_capturing():
            raise RuntimeError(
                both(
                    f"捕获 CUDA graph 时各个 rank 不能商量新的东西：{mine}。请先在图外调用一次。",
                    f"Ranks cannot agree on something new while a CUDA graph is captured: {mine}. Call it once before.",
                )
            )
        until, heard = time.monotonic() + self.seconds, []
        try:
            turn = self.store.add(f"turns of {self.rank}", 1)
            self.store.set(f"{turn} {self.rank}", json.dumps(mine))
            for rank in range(self.size):
                self.store.wait([f"{turn} {rank}"], timedelta(seconds=max(0.01, until - time.monotonic())))
                heard.append(json.loads(self.store.get(f"{turn} {rank}")))
        except RuntimeError as error:  # the limit has passed, or whoever kept the store is gone
            self.fail(f"rank {len(heard)}", error)
        return heard

    def gather(self, mine):
        """`mine` of every rank, in the order of ranks."""
        everybodys = mine.new_empty((self.size * len(mine), *mine.shape[1:]))
        try:
            all_gather(everybodys, mine, group=self.group)
        except RuntimeError as error:
            self.fail(both("另一个 rank", "another rank"), error)
        return everybodys

    def fail(self, whom: str, cause: Exception | None = None) -> None:
        """For good: from here on the ranks would not speak of the same call."""
        zh, _, en = whom.partition("\n")
        self.failed = both(
            f"rank {self.rank} 没有等到{zh}：它停了，或者做的是别的调用（时限 {self.seconds:g} 秒）。结果作废，这个组不能再用；"
            "请看那个 rank 自己的报错。时限由 init_process_group(timeout=…) 决定。",
            f"Rank {self.rank} waited in vain for {en or zh}: it died, or makes another call (time limit: {self.seconds:g} s). The "
            "result is void and this group of no more use; see that rank's own error. The limit is init_process_group(timeout=…).",
        )
        raise RuntimeError(self.failed) from cause


_known: dict[str, Ranks] = {}


def ranks_of(name: str, device: torch.device) -> Ranks:
    """The ranks of the group of this name. A name may come again with another group."""
    group = c10d._resolve_process_group(name)
    if name not in _known or _known[name].group is not group:
        _known[name] = Ranks(group, device)
    return _known[name]

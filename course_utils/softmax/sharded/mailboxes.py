"""Mailboxes that the kernels of other GPUs write into: symmetric memory, mapped by every rank of a host.

Each call that the ranks have agreed on has its own: a counter, which deals out parts and so counts the calls, and two boxes with a
word for every program of every rank. Calls use them in turn, and nothing is ever wiped: one bit of a word says for which of two
uses of its box it was posted. Two boxes are enough, because a rank starts its call k + 2 only after its call k + 1 has heard from
every other rank, and what that rank posts in its call k + 1 it posts after all of its call k, the last one to look into the same box.
"""

import os
import socket

import torch

from ...backend import mode

WORDS = 1 << 22  # 32 MiB for all calls of a group; what finds no room there goes the way of `pairs`
LINE = 16  # words of 128 bytes: a line of the cache. The first of all holds whether somebody waited in vain
IN_KERNEL = os.environ.get("COURSE_IN_KERNEL", "1") == "1"  # COURSE_IN_KERNEL=0: leave every message to NCCL


class Mailboxes:
    def __init__(self, memory, addresses: int, late, multiprocessors: int):
        self.memory = memory  # this rank's words
        self.addresses = addresses  # where the addresses of every rank's words lie on this device
        self.late = late  # on the host: set by a kernel that waited in vain
        self.multiprocessors = multiprocessors  # of the smallest GPU
        self.used = LINE

    def take(self, words: int) -> int | None:
        """Where so many words begin, the same on every rank: all take in the same order."""
        start, end = self.used, self.used + -(-words // LINE) * LINE
        if end > len(self.memory):
            return None
        self.used = end
        return start


def mailboxes_of(ranks, device) -> Mailboxes | None:
    """The group's mailboxes; None, on every rank, where one of them cannot have them."""
    if ranks.mailboxes is None:
        able = IN_KERNEL and mode == "cuda" and ranks.size > 1
        found = able and torch.cuda.get_device_properties(device)
        said = [able, socket.gethostname(), str(found and found.uuid), found and found.multi_processor_count]
        all_able, hosts, gpus, multiprocessors = zip(*ranks.hear(said), strict=True)
        opened = None
        if all(all_able) and len(set(hosts)) == 1 and len(set(gpus)) == ranks.size:
            opened = _opened(ranks, device, min(multiprocessors))
            if not all(ranks.hear(opened is not None)):
                opened = None
        ranks.mailboxes = opened or False
    return ranks.mailboxes or None


def _opened(ranks, device, multiprocessors) -> Mailboxes | None:
    try:
        import torch.distributed._symmetric_memory as symmetric_memory

        memory = symmetric_memory.empty(WORDS, dtype=torch.int64, device=device).zero_()
        torch.cuda.synchronize(device)  # empty before anybody can write here
        handle = symmetric_memory.rendezvous(memory, ranks.group.group_name)
        late = torch.zeros(1, dtype=torch.int32, pin_memory=True)
    except (ImportError, RuntimeError):  # a torch without it, GPUs that cannot reach each other
        return None
    boxes = Mailboxes(memory, handle.buffer_ptrs_dev, late, multiprocessors)
    boxes.handle = handle  # or the mapping would end
    return boxes

"""Softmax, log-softmax and cross-entropy of rows that are split by columns over the ranks of a process group.

    dist.init_process_group("nccl", timeout=timedelta(seconds=60))
    y = sharded.softmax(x)                       # x: this rank's columns of every row; y likewise
    loss = sharded.cross_entropy(scores, target)  # the same target on every rank, the same loss on every rank

Each rank tells of its part of a row two numbers, its maximum and its sum; merged in the order of ranks, so that every rank has
the same bits. Parts may be uneven or empty. Autograd records all three, `torch.compile` keeps them whole, CUDA graphs hold them
(call once before you capture: see `ranks`). What carries the numbers is `torch.distributed`: gloo, NCCL, or, between GPUs of one
host, symmetric memory, into which the kernels themselves write (see `across`).

A rank knows a call by its own shape: where that is the same again, the other ranks' columns must be the same again too (for another
split of the columns take another group). The time limit is the group's own. As with any collective, every rank makes the same calls in the same order, and the calls of one
group follow one another on the device, in graphs too.
"""

from .operators import cross_entropy, log_softmax, softmax

__all__ = ["cross_entropy", "log_softmax", "softmax"]

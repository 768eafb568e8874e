"""The race and deadlock finder: what goes wrong between the programs of a launch, line by line.

    find_races(kernel, (4,), total, x, BLOCK_SIZE=8)              # every program has a place on the GPU
    find_races(kernel, (8,), flags, x, places=4, BLOCK_SIZE=8)    # only four at a time
    find_races(kernel, (2,), flags, turns=[0, 0, 1])              # in one order: whose turn it is, access by access

    run_together(kernel, (4,), total, x, BLOCK_SIZE=8)            # just run it: its programs wait for each other

To look, the launch runs in the interpreter, on copies, several times: programs take turns (see `interpreter.turns`), and start in
another order each time. Three things are reported: two programs store to one element without an atomic; a program loads what
another may not have stored yet; a program waits for one that has no place, or for what nobody will do.

Two accesses are a race if nothing orders them, even where all orders that were tried end well: a GPU may reorder what the
interpreter does in sequence. What orders them is an atomic that releases, read by one that acquires (Triton's default is both).
Of the threads of one program one thing is seen: many of them touch a block, and one performs a scalar atomic, which releases what
that thread did. `tl.debug_barrier()` between the two makes it speak for all; what a compiler happens to put there is no promise.
"""

from .finder import find_races, run_together
from .findings import Findings

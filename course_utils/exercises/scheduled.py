"""Two programs that meet twice at one counter, and what becomes of them in the order of turns that a learner gives."""

import torch

from ..backend import tl, triton

MOST = 200  # turns


@triton.jit
def twice_kernel(out_ptr, words_ptr, arrived_ptr):
    me = tl.program_id(0)
    for k in range(2):
        tl.store(words_ptr + 2 * k + me, 10 * k + me)
        if tl.atomic_add(arrived_ptr, 1) == 1:
            tl.atomic_xchg(arrived_ptr, 0)
        else:
            while tl.atomic_add(arrived_ptr, 0) != 0:
                pass
        tl.store(out_ptr + 2 * k + me, tl.load(words_ptr + 2 * k + 1 - me))


def turns(program, given: dict, exercise) -> dict:
    """Whether the launch ends when turns are given in the order that `program` returns, and evenly from there on."""
    from ..interpreter.arguments import Arguments
    from ..races.finder import look

    order = program()
    if not isinstance(order, list | tuple) or any(type(number) is not int for number in order):
        return {"value": order}
    arguments = torch.zeros(4), torch.zeros(4), torch.zeros(1, dtype=torch.int32)
    found = look(twice_kernel, (2,), Arguments.copy(arguments, {}), None, (tuple(order[:MOST]),))
    return {"value": "never ends" if found.deadlock else "ends"}

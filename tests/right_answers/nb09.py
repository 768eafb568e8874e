"""Right answers to the exercises of 09_one_row_many_sms, written otherwise than the notebook writes them."""

from wrong_answers.nb09 import ATOMIC_LOOP, BLOCK_PAIR, STORE_PAIR, last, share

RIGHT = {
    "last_kernel": [
        last(("if tl.atomic_add(arrived_ptr + row, 1) == PARTS - 1:", "before = tl.atomic_add(arrived_ptr + row, 1)\nif before + 1 == PARTS:")),
        last(("tl.atomic_add(arrived_ptr + row, 1)", 'tl.atomic_add(arrived_ptr + row, 1, sem="acq_rel", scope="gpu")')),
        last(("tl.store(mine, m)\ntl.store(mine + 1, s)", "tl.store(mine + 1, s)\ntl.store(mine, m)"), ("m + tl.log(s)", "m + tl.log2(s) * 0.6931471805599453")),
        last((STORE_PAIR, BLOCK_PAIR + "tl.debug_barrier()\n")),
        last(("    tl.store(out_ptr + row, m + tl.log(s))", "    tl.store(out_ptr + row, m + tl.log(s))\n    tl.store(arrived_ptr + row, 0)")),  # ready for the next launch
        last(("arrived_ptr + row, 1) == PARTS - 1", "arrived_ptr + row, -1) == 1 - PARTS")),
    ],
    "mended_share_kernel": [
        share(("tl.atomic_add(arrived_ptr, 1)\n" + ATOMIC_LOOP, "here = tl.atomic_add(arrived_ptr, 1) + 1\nwhile here < PARTS:\n    here = tl.atomic_max(arrived_ptr, 0)\n")),
        share((ATOMIC_LOOP, "while tl.atomic_or(arrived_ptr, 0) < PARTS:\n    pass\n")),
        share((ATOMIC_LOOP, 'arrived = tl.atomic_add(arrived_ptr, 0, sem="acquire")\nwhile arrived < PARTS:\n    arrived = tl.atomic_add(arrived_ptr, 0, sem="acquire")\n'), ("arrived_ptr, 1)", 'arrived_ptr, 1, sem="release")')),
        share(("x / tl.load(total_ptr)", "x / tl.atomic_add(total_ptr, 0.0)")),
        share((ATOMIC_LOOP, "while tl.atomic_cas(arrived_ptr, PARTS, PARTS) != PARTS:\n    pass\n")),
    ],
}  # fmt: skip

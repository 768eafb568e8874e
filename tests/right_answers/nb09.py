"""Right answers to the exercises of 09_one_row_many_sms, written otherwise than the notebook writes them."""

from wrong_answers.nb09 import ATOMIC_LOOP, BLOCK_PAIR, STORE_PAIR, finish, last, share

LOAD_PAIRS = "ms, ss = tl.load(pairs_ptr + k), tl.load(pairs_ptr + k + 1)\n"
ONE_BY_ONE = """m = tl.full((), -float("inf"), tl.float32)
s = tl.full((), 0.0, tl.float32)
for j in tl.static_range(PARTS):
    m_j = tl.load(pairs_ptr + (row * PARTS + j) * 2)
    s_j = tl.load(pairs_ptr + (row * PARTS + j) * 2 + 1)
    m_new = tl.maximum(m, m_j)
    base = tl.where(m_new == -float("inf"), 0.0, m_new)
    s = s * tl.exp(m - base) + s_j * tl.exp(m_j - base)
    m = m_new
"""
MERGE_ALL = (
    "k = (row * PARTS + tl.arange(0, PARTS)) * 2\n"
    + LOAD_PAIRS
    + """m = tl.max(ms, axis=0)
base = tl.where(m == -float("inf"), 0.0, m)
s = tl.sum(ss * tl.exp(ms - base), axis=0)
"""
)

RIGHT = {
    "finish_row_kernel": [
        finish((MERGE_ALL, ONE_BY_ONE)),
        finish(("mask=mask).to", 'mask=mask, other=-float("inf")).to'), ("tl.exp(x - m) / s", "tl.exp(x - m) * (1.0 / s)")),
        finish(("tl.exp(x - m) / s", "tl.exp(x - (m + tl.log(s)))")),
        finish((".to(tl.float32)", "")),  # the pairs are float32, and so is what they meet
        finish(("tl.exp(x - m)", "tl.exp2((x - m) * 1.4426950408889634)")),
    ],
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

"""Plausible wrong answers to the exercises of 09_one_row_many_sms, and a word of what the check must say, in both languages."""

import textwrap


def changed(source: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


def kernel(name: str, arguments: str, body: str) -> str:
    return f"@triton.jit\ndef {name}({arguments}):\n" + textwrap.indent(body.strip("\n"), "    ") + "\n"


# ---- the right answers, as the notebook has them, to make others of

FINISH = """
row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
k = (row * PARTS + tl.arange(0, PARTS)) * 2
ms, ss = tl.load(pairs_ptr + k), tl.load(pairs_ptr + k + 1)
m = tl.max(ms, axis=0)
base = tl.where(m == -float("inf"), 0.0, m)
s = tl.sum(ss * tl.exp(ms - base), axis=0)
columns = part * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
x = tl.load(x_ptr + row * x_stride + columns, mask=mask).to(tl.float32)
tl.store(y_ptr + row * y_stride + columns, tl.exp(x - m) / s, mask=mask)
"""

LAST = """
row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
columns = part * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
m = tl.max(x, axis=0)
s = tl.sum(tl.exp(x - tl.where(m == -float("inf"), 0.0, m)), axis=0)
mine = pairs_ptr + (row * PARTS + part) * 2
tl.store(mine, m)
tl.store(mine + 1, s)
if tl.atomic_add(arrived_ptr + row, 1) == PARTS - 1:
    k = (row * PARTS + tl.arange(0, PARTS)) * 2
    ms, ss = tl.load(pairs_ptr + k), tl.load(pairs_ptr + k + 1)
    m = tl.max(ms, axis=0)
    s = tl.sum(ss * tl.exp(ms - tl.where(m == -float("inf"), 0.0, m)), axis=0)
    tl.store(out_ptr + row, m + tl.log(s))
"""

BROKEN = """
part = tl.program_id(0)
columns = part * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
x = tl.load(x_ptr + columns)
tl.store(total_ptr, tl.load(total_ptr) + tl.sum(x, axis=0))
tl.atomic_add(arrived_ptr, 1, sem="relaxed")
while tl.load(arrived_ptr) < PARTS:
    pass
tl.store(y_ptr + columns, x / tl.load(total_ptr))
"""

SHARE = """
part = tl.program_id(0)
columns = part * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
x = tl.load(x_ptr + columns)
tl.atomic_add(total_ptr, tl.sum(x, axis=0))
tl.atomic_add(arrived_ptr, 1)
while tl.atomic_add(arrived_ptr, 0) < PARTS:
    pass
tl.store(y_ptr + columns, x / tl.load(total_ptr))
"""

SIZES = "PARTS: tl.constexpr, BLOCK_SIZE: tl.constexpr"


def finish(*changes) -> str:
    return kernel(
        "finish_row_kernel", f"y_ptr, x_ptr, pairs_ptr, y_stride, x_stride, n_cols, {SIZES}", changed(FINISH, *changes)
    )


def last(*changes) -> str:
    return kernel(
        "last_kernel", f"out_ptr, pairs_ptr, arrived_ptr, x_ptr, x_stride, n_cols, {SIZES}", changed(LAST, *changes)
    )


def share(*changes, body=SHARE) -> str:
    return kernel("mended_share_kernel", f"y_ptr, total_ptr, arrived_ptr, x_ptr, {SIZES}", changed(body, *changes))


ATOMIC_LOOP = "while tl.atomic_add(arrived_ptr, 0) < PARTS:\n    pass\n"
STORE_PAIR = "tl.store(mine, m)\ntl.store(mine + 1, s)\n"
BLOCK_PAIR = "two = tl.arange(0, 2)\ntl.store(mine + two, tl.where(two == 0, m, s))\n"

WRONG = {
    "last_kernel": {
        last(("== PARTS - 1", "== PARTS")): ("最后一个报到的", "the last to report"),
        last(("== PARTS - 1", "== 0")): ("", ""),
        last(("arrived_ptr + row", "arrived_ptr")): ("自己的计数器", "a counter of its own"),
        last(("if tl.atomic_add(arrived_ptr + row, 1) == PARTS - 1:", "tl.atomic_add(arrived_ptr + row, 1)\nwhile tl.atomic_add(arrived_ptr + row, 0) < PARTS:\n    pass\nif part == 0:")): ("谁也不必等", "Nobody need wait"),
        last(("if tl.atomic_add(arrived_ptr + row, 1) == PARTS - 1:", 'if tl.atomic_add(arrived_ptr + row, 1, sem="relaxed") == PARTS - 1:')): ("不 release", "releases nothing"),
        last(("if tl.atomic_add(arrived_ptr + row, 1) == PARTS - 1:", 'if tl.atomic_add(arrived_ptr + row, 1, sem="release") == PARTS - 1:')): ("不 acquire", "acquires nothing"),
        last(("if tl.atomic_add(arrived_ptr + row, 1) == PARTS - 1:", "tl.atomic_add(arrived_ptr + row, 1)\nif part == PARTS - 1:")): ("没有全报到", "not all have reported"),
        last(("if tl.atomic_add(arrived_ptr + row, 1) == PARTS - 1:", "before = tl.load(arrived_ptr + row)\ntl.store(arrived_ptr + row, before + 1)\nif before == PARTS - 1:")): ("计数器", "The counter"),
        last(("tl.store(mine, m)\ntl.store(mine + 1, s)\nif tl.atomic_add(arrived_ptr + row, 1) == PARTS - 1:", "before = tl.atomic_add(arrived_ptr + row, 1)\ntl.store(mine, m)\ntl.store(mine + 1, s)\nif before == PARTS - 1:")): ("先写再报到", "write, then report"),
        last((STORE_PAIR, BLOCK_PAIR)): ("报到之前加 tl.debug_barrier", "Put tl.debug_barrier() before the report"),
        last(("m + tl.log(s)", "tl.log(s)")): ("加回 m", "add m back"),
        last(("m + tl.log(s)", "m + s")): ("少了对数", "logarithm is missing"),
        last((' * tl.exp(ms - tl.where(m == -float("inf"), 0.0, m))', "")): ("直接相加了", "added as they are"),
        last(('s = tl.sum(tl.exp(x - tl.where(m == -float("inf"), 0.0, m)), axis=0)', "s = tl.sum(tl.exp(x - m), axis=0)")): ("改减 0", "subtract 0"),
        last((' * tl.exp(ms - tl.where(m == -float("inf"), 0.0, m))', " * tl.exp(ms - m)")): ("整行都是 −inf", "nothing but −inf should give"),
        last(('other=-float("inf")', "other=0.0")): ("other 该填 −inf", "let other be −inf"),
        last(("row * x_stride", "row * n_cols")): ("x_stride", "x_stride"),
        last(("    tl.store(out_ptr + row, m + tl.log(s))", "tl.store(out_ptr + row, m + tl.log(s))")): ("写了不止一次", "more than once"),
    },
    "mended_share_kernel": {
        share(("tl.atomic_add(total_ptr, tl.sum(x, axis=0))", "tl.store(total_ptr, tl.load(total_ptr) + tl.sum(x, axis=0))")): ("更新会丢", "updates get lost"),
        share(("tl.atomic_add(arrived_ptr, 1)", 'tl.atomic_add(arrived_ptr, 1, sem="relaxed")')): ("不 release", "releases nothing"),
        share(("tl.atomic_add(arrived_ptr, 0)", 'tl.atomic_add(arrived_ptr, 0, sem="relaxed")')): ("不 acquire", "acquires nothing"),
        share(("tl.atomic_add(arrived_ptr, 1)\n" + ATOMIC_LOOP, ATOMIC_LOOP.replace(", 0)", ", 1)"))): ("就把它改一次", "changes it"),
        share(("tl.atomic_add(arrived_ptr, 0)", "tl.load(arrived_ptr)")): ("普通的 load", "plain load"),
        share(("tl.atomic_add(arrived_ptr, 0)", "tl.load(arrived_ptr, volatile=True)")): ("却不 acquire", "acquires nothing"),
        share((ATOMIC_LOOP, "")): ("没有全报到", "not all have reported"),
        share(("tl.atomic_add(arrived_ptr, 1)\n" + ATOMIC_LOOP, ATOMIC_LOOP + "tl.atomic_add(arrived_ptr, 1)\n")): ("死锁", "deadlock"),
        share(("< PARTS", "<= PARTS")): ("死锁", "deadlock"),
        share(("< PARTS", "< PARTS - 1")): ("没有全报到", "not all have reported"),
        share(("x / tl.load(total_ptr)", "x / tl.sum(x, axis=0)")): ("除以整行的总和", "the total of the row"),
        share(("tl.store(y_ptr + columns, x / ", "tl.store(y_ptr + columns, tl.load(x_ptr + columns) / ")): ("还在寄存器里", "still in registers"),
        share(("tl.atomic_add(total_ptr, tl.sum(x, axis=0))\ntl.atomic_add(arrived_ptr, 1)", "tl.atomic_add(arrived_ptr, 1)\ntl.atomic_add(total_ptr, tl.sum(x, axis=0))")): ("先写再报到", "write, then report"),
        share(("tl.atomic_add(arrived_ptr, 1)", "tl.store(arrived_ptr, tl.load(arrived_ptr) + 1)")): ("计数器", "The counter"),
        share(body=BROKEN): ("", ""),
    },
}  # fmt: skip

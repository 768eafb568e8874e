"""Plausible wrong answers to the exercises of 07_online_softmax, and a word of what the check must say of each."""

import textwrap


def changed(source: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


def kernel(name: str, arguments: str, body: str) -> str:
    return f"@triton.jit\ndef {name}({arguments}):\n" + textwrap.indent(body.strip("\n"), "    ") + "\n"


# ---- the right answers, as the notebook has them, to make others of

TRIPLES = """
m = tl.maximum(m1, m2)
base = tl.where(m == -float("inf"), 0.0, m)
f1, f2 = tl.exp(m1 - base), tl.exp(m2 - base)
return m, s1 * f1 + s2 * f2, w1 * f1 + w2 * f2
"""

START = """
row = tl.program_id(0).to(tl.int64)
columns = tl.arange(0, BLOCK_SIZE)
m = tl.full((), -float("inf"), tl.float32)
s = tl.full((), 0.0, tl.float32)
"""
FIRST_PASS = """
for start in tl.range(0, n_cols, BLOCK_SIZE):
    mask = start + columns < n_cols
    x = tl.load(x_ptr + row * x_stride + start + columns, mask=mask, other=-float("inf")).to(tl.float32)
    m_new = tl.maximum(m, tl.max(x, axis=0))
    base = tl.where(m_new == -float("inf"), 0.0, m_new)
    s = s * tl.exp(m - base) + tl.sum(tl.exp(x - base), axis=0)
    m = m_new
"""
REPAIRED = "s = s * tl.exp(m - base) + tl.sum"
LOAD = 'tl.load(x_ptr + row * x_stride + start + columns, mask=mask, other=-float("inf"))'
LOGSUMEXP = START + FIRST_PASS + "tl.store(out_ptr + row, m + tl.log(s))\n"
KEPT = (
    START
    + "x = tl.full((BLOCK_SIZE,), -float('inf'), tl.float32)\n"
    + FIRST_PASS
    + """
last = (tl.cdiv(n_cols, BLOCK_SIZE) - 1) * BLOCK_SIZE
tl.store(y_ptr + row * y_stride + last + columns, tl.exp(x - m) / s, mask=last + columns < n_cols)
for start in tl.range(0, last, BLOCK_SIZE):
    x = tl.load(x_ptr + row * x_stride + start + columns).to(tl.float32)
    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - m) / s)
"""
)
SECOND_PASS = """
for start in tl.range(0, n_cols, BLOCK_SIZE):
    mask = start + columns < n_cols
    x = tl.load(x_ptr + row * x_stride + start + columns, mask=mask, other=-float("inf")).to(tl.float32)
    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - m) / s, mask=mask)
"""
THREE_PASSES = (
    START
    + """
for start in tl.range(0, n_cols, BLOCK_SIZE):
    mask = start + columns < n_cols
    x = tl.load(x_ptr + row * x_stride + start + columns, mask=mask, other=-float("inf")).to(tl.float32)
    m = tl.maximum(m, tl.max(x, axis=0))
for start in tl.range(0, n_cols, BLOCK_SIZE):
    mask = start + columns < n_cols
    x = tl.load(x_ptr + row * x_stride + start + columns, mask=mask, other=-float("inf")).to(tl.float32)
    s += tl.sum(tl.exp(x - tl.where(m == -float("inf"), 0.0, m)), axis=0)
"""
)
STORE_PAIR = """
tl.store(pairs_ptr + (row * parts + part) * 2, m)
tl.store(pairs_ptr + (row * parts + part) * 2 + 1, s)
"""
SHARE = "tl.range(part * BLOCK_SIZE, n_cols, parts * BLOCK_SIZE)"
PAIRS = (
    START
    + "part, parts = tl.program_id(1), tl.num_programs(1)\n"
    + changed(FIRST_PASS, ("tl.range(0, n_cols, BLOCK_SIZE)", SHARE))
    + STORE_PAIR
)

TRIPLES_ARGUMENTS = "m1, s1, w1, m2, s2, w2"
LOGSUMEXP_ARGUMENTS = "out_ptr, x_ptr, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"
KEPT_ARGUMENTS = "y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"
PAIRS_ARGUMENTS = "pairs_ptr, x_ptr, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"


def triples(*changes) -> str:
    return kernel("merge_triples", TRIPLES_ARGUMENTS, changed(TRIPLES, *changes))


def logsumexp(*changes, body=LOGSUMEXP) -> str:
    return kernel("logsumexp_kernel", LOGSUMEXP_ARGUMENTS, changed(body, *changes))


def kept(*changes, body=KEPT) -> str:
    return kernel("kept_kernel", KEPT_ARGUMENTS, changed(body, *changes))


def pairs(*changes, body=PAIRS) -> str:
    return kernel("pairs_kernel", PAIRS_ARGUMENTS, changed(body, *changes))


UNGUARDED = ('base = tl.where(m_new == -float("inf"), 0.0, m_new)', "base = m_new")
UNREPAIRED = (REPAIRED, "s = s + tl.sum")
NO_MAXIMUM = ("m_new = tl.maximum(m, tl.max(x, axis=0))", "m_new = m * 0")
PADDED = (LOAD, LOAD.replace('-float("inf")', "0.0"))
UNMASKED = (LOAD, "tl.load(x_ptr + row * x_stride + start + columns)")
MASKED_BY_PLACE = ("mask = start + columns < n_cols", "mask = columns < n_cols")
PACKED = ("row * x_stride", "row * n_cols")
NARROW = (".to(tl.float32)\n    m_new", "\n    m_new")
FOLDED = ("tl.exp(x - base)", "tl.exp(x - base).to(tl.float32)")

WRONG = {
    "merge_triples": {
        triples(("s1 * f1 + s2 * f2, w1 * f1 + w2 * f2", "s1 + s2, w1 + w2")): "s and w merely added up",
        triples(("w1 * f1 + w2 * f2", "w1 + w2")): "w merely added up",
        triples(("s1 * f1 + s2 * f2", "s1 + s2")): ": s merely added up",
        triples(("tl.exp(m1 - base), tl.exp(m2 - base)", "tl.exp(base - m1), tl.exp(base - m2)")): "sign in the exponent",
        triples(("tl.exp(m1 - base), tl.exp(m2 - base)", "tl.exp(m2 - base), tl.exp(m1 - base)")): "swapped",
        triples(('tl.where(m == -float("inf"), 0.0, m)', "m")): "gives NaN",
        triples(("w1 * f1 + w2 * f2", "(w1 * f1 + w2 * f2) / (s1 * f1 + s2 * f2)")): "divided by s already",
        triples(("m = tl.maximum(m1, m2)", "m = tl.minimum(m1, m2)")): "larger of the two",
        triples(("m = tl.maximum(m1, m2)", "m = m1 + m2")): "larger of the two",
        triples(("return m, s1 * f1 + s2 * f2, w1 * f1 + w2 * f2", "return m, s1 * f1 + s2 * f2")): "",
        triples(("s1 * f1 + s2 * f2", "s1 * f1 + f2")): "It should give",
        triples().removeprefix("@triton.jit\n"): "@triton.jit",
    },
    "logsumexp_kernel": {
        logsumexp(UNREPAIRED): "not repaired",
        logsumexp(("m + tl.log(s)", "tl.log(s)")): "add m back",
        logsumexp(("m + tl.log(s)", "m + s")): "not m + s",
        logsumexp(("m + tl.log(s)", "s")): "This is s",
        logsumexp(("m + tl.log(s)", "m")): "This is the maximum",
        logsumexp(("m + tl.log(s)", "s * tl.exp(m)")): "This is the sum",
        logsumexp(UNGUARDED): "A whole block of −inf",
        logsumexp(PADDED): "score of 0",
        logsumexp(UNMASKED): "leaves its tensor",
        logsumexp(MASKED_BY_PLACE): "leaves its tensor",
        logsumexp(PACKED): "x_stride",
        logsumexp((REPAIRED, "s = tl.sum")): "last block alone",
        logsumexp(("tl.range(0, n_cols, BLOCK_SIZE)", "tl.range(0, BLOCK_SIZE, BLOCK_SIZE)")): "first block alone",
        logsumexp(("m_new = tl.maximum(m, tl.max(x, axis=0))", "m_new = tl.full((), 0.0, tl.float32)")): "It overflows",
        logsumexp(body=THREE_PASSES + "tl.store(out_ptr + row, m + tl.log(s))"): "one pass reads",
        logsumexp(("    m = m_new\ntl.store", "    m = m_new\n    tl.store")): "stores",
        logsumexp().removeprefix("@triton.jit\n"): "@triton.jit",
    },
    "kept_kernel": {
        kept(body=START + FIRST_PASS + SECOND_PASS): "The last block was read again",
        kept(body=THREE_PASSES + SECOND_PASS): "three passes",
        kept(UNREPAIRED): "not repaired",
        kept(PADDED): "score of 0",
        kept(UNGUARDED): "gives NaN",
        kept(("tl.exp(x - m) / s, mask=last + columns < n_cols", "tl.exp(x - m) / s")): "A store leaves its tensor",
        kept(("(tl.cdiv(n_cols, BLOCK_SIZE) - 1) * BLOCK_SIZE", "n_cols // BLOCK_SIZE * BLOCK_SIZE")): "",
        kept(("tl.range(0, last, BLOCK_SIZE)", "tl.range(BLOCK_SIZE, last, BLOCK_SIZE)")): "block 0 was not written",
        kept(("y_ptr + row * y_stride", "y_ptr + row * n_cols")): "y_stride",
        kept(PACKED): "x_stride",
        kept(("tl.range(0, last, BLOCK_SIZE)", "tl.range(0, n_cols, BLOCK_SIZE)"), ("start + columns).to", "start + columns, mask=start + columns < n_cols).to"), ("tl.exp(x - m) / s)", "tl.exp(x - m) / s, mask=start + columns < n_cols)")): "The last block was read again",
        kept(("    m = m_new\n", "    m = m_new\n    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - m) / s, mask=mask)\n")): "stores",
        kept(("    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - m) / s)", "    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - tl.max(x, axis=0)) / tl.sum(tl.exp(x - tl.max(x, axis=0)), axis=0))")): "those before are wrong",
        kept(("last + columns, tl.exp(x - m) / s", "last + columns, tl.exp(x - m) / tl.sum(tl.exp(x - m), axis=0)")): "the last is wrong",
        kept(("m_new = tl.maximum(m, tl.max(x, axis=0))", "m_new = tl.full((), 0.0, tl.float32)")): "It overflows",
        kept().removeprefix("@triton.jit\n"): "@triton.jit",
    },
    "pairs_kernel": {
        pairs((SHARE, "tl.range(0, n_cols, BLOCK_SIZE)")): "A block belongs to one program",
        pairs((SHARE, "tl.range(part * BLOCK_SIZE, n_cols, BLOCK_SIZE)")): "A block belongs to one program",
        pairs((SHARE, "tl.range(part * BLOCK_SIZE, (part + 1) * BLOCK_SIZE, BLOCK_SIZE)")): "one part of three blocks",
        pairs(UNREPAIRED): "not repaired",
        pairs(UNGUARDED): "gives NaN",
        pairs(PADDED): "score of 0",
        pairs(UNMASKED): "leaves its tensor",
        pairs(PACKED): "x_stride",
        pairs(("* 2, m)", "* 2, s)"), ("* 2 + 1, s)", "* 2 + 1, m)")): "wrong way round",
        pairs(("(row * parts + part) * 2", "(row + part) * 2")): "some pairs were not written",
        pairs(("* 2 + 1, s)", "* 2 + 1, s * tl.exp(m))")): "after the maximum is subtracted",
        pairs((STORE_PAIR, textwrap.indent(STORE_PAIR, "    "))): "some pairs were not written",
        pairs(
            (SHARE, "tl.range(part * share, tl.minimum((part + 1) * share, n_cols), BLOCK_SIZE)"),
            ("tl.num_programs(1)\n", "tl.num_programs(1)\nshare = n_cols // BLOCK_SIZE // parts * BLOCK_SIZE\n"),
        ): "",
        pairs(
            (SHARE, "tl.range(first, last, BLOCK_SIZE)"),
            (
                "tl.num_programs(1)\n",
                "tl.num_programs(1)\nshare = tl.maximum(n_cols // BLOCK_SIZE // parts, 1) * BLOCK_SIZE\nfirst = part * share\n"
                "last = tl.where(part == parts - 1, n_cols, tl.minimum(first + share, n_cols))\n",
            ),
        ): "evenly shared",
        pairs().removeprefix("@triton.jit\n"): "@triton.jit",
    },
}  # fmt: skip

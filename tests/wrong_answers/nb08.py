"""Plausible wrong answers to the exercises of 08_online_softmax, and what the check must say of each, zh and en."""

import textwrap


def changed(source: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


def kernel(name: str, arguments: str, body: str) -> str:
    return f"@triton.jit\ndef {name}({arguments}):\n" + textwrap.indent(body.strip("\n"), "    ") + "\n"


# ---- the right answers without finite and merge, to make others of

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
SPARE = ("other 该填 −inf", "let other be −inf")
NOTHING_ELSE = (LOAD, "tl.load(x_ptr + row * x_stride + start + columns, mask=mask)")
MASKED_BY_PLACE = ("mask = start + columns < n_cols", "mask = columns < n_cols")
PACKED = ("row * x_stride", "row * n_cols")
NARROW = (".to(tl.float32)\n    m_new", "\n    m_new")

WRONG = {
    "merge_triples": {
        triples(("s1 * f1 + s2 * f2, w1 * f1 + w2 * f2", "s1 + s2, w1 + w2")): ("s 和 w 直接相加了", "s and w merely added up"),
        triples(("w1 * f1 + w2 * f2", "w1 + w2")): ("：w 直接相加了", "w merely added up"),
        triples(("s1 * f1 + s2 * f2", "s1 + s2")): ("：s 直接相加了", ": s merely added up"),
        triples(("tl.exp(m1 - base), tl.exp(m2 - base)", "tl.exp(base - m1), tl.exp(base - m2)")): ("指数的符号反了", "sign in the exponent"),
        triples(("tl.exp(m1 - base), tl.exp(m2 - base)", "tl.exp(m2 - base), tl.exp(m1 - base)")): ("两个系数用反了", "swapped"),
        triples(('tl.where(m == -float("inf"), 0.0, m)', "m")): ("得到了 NaN", "gives NaN"),
        triples(("w1 * f1 + w2 * f2", "(w1 * f1 + w2 * f2) / (s1 * f1 + s2 * f2)")): ("w 已经除过 s 了", "divided by s already"),
        triples(("m = tl.maximum(m1, m2)", "m = tl.minimum(m1, m2)")): ("两个最大值中较大的", "larger of the two"),
        triples(("m = tl.maximum(m1, m2)", "m = m1 + m2")): ("两个最大值中较大的", "larger of the two"),
        triples(("w1 * f1 + w2 * f2", "w1 * f2 + w2 * f1")): ("w 的两个系数用反了", "factors of w are swapped"),
        triples(("return m, s1 * f1 + s2 * f2, w1", "return s1 * f1 + s2 * f2, m, w1")): ("次序不对", "their order is not"),
        triples(("return m, s1 * f1 + s2 * f2, w1 * f1 + w2 * f2", "return m, s1 * f1 + s2 * f2")): ("三个数", "three numbers"),
        triples(("s1 * f1 + s2 * f2", "s1 * f1 + f2")): ("应得", "It should give"),
        triples().removeprefix("@triton.jit\n"): ("@triton.jit", "@triton.jit"),
    },
    "logsumexp_kernel": {
        logsumexp(UNREPAIRED): ("没有补救", "not repaired"),
        logsumexp(("m + tl.log(s)", "tl.log(s)")): ("把 m 加回来", "add m back"),
        logsumexp(("m + tl.log(s)", "m + tl.log2(s)")): ("以 e 为底", "to base e"),
        logsumexp(("tl.exp(m - base) + ", "tl.exp(base - m) + ")): ("第一块就得到 NaN", "NaN in the first block"),
        logsumexp(("out_ptr + row, ", "out_ptr, ")): ("有的行没有写", "Some rows were not written"),
        logsumexp(("out_ptr + row, ", "out_ptr + row * x_stride, ")): ("每行只写一个数", "each row is one number"),
        logsumexp(("row * x_stride", "row")): ("第 0 行对", "Row 0 is right"),
        logsumexp(("    m = m_new\n", "")): ("m 更新了吗", "is m updated"),
        logsumexp(("m + tl.log(s)", "m + s")): ("不是 m + s", "not m + s"),
        logsumexp(("m + tl.log(s)", "s")): ("这是 s", "This is s"),
        logsumexp(("m + tl.log(s)", "m")): ("这是最大值", "This is the maximum"),
        logsumexp(("m + tl.log(s)", "s * tl.exp(m)")): ("这是和", "This is the sum"),
        logsumexp(UNGUARDED): ("一整块都是 −inf", "A whole block of −inf"),
        logsumexp(PADDED): ("按 0 分参加了计算", "score of 0"),
        logsumexp(NOTHING_ELSE): SPARE,
        logsumexp(UNMASKED): ("越界了", "leaves its tensor"),
        logsumexp(MASKED_BY_PLACE): ("越界了", "leaves its tensor"),
        logsumexp(PACKED): ("它自己的步幅", "its own stride"),
        logsumexp((REPAIRED, "s = tl.sum")): ("只含最后一块", "last block alone"),
        logsumexp(("tl.range(0, n_cols, BLOCK_SIZE)", "tl.range(0, BLOCK_SIZE, BLOCK_SIZE)")): ("只含第一块", "first block alone"),
        logsumexp(("m_new = tl.maximum(m, tl.max(x, axis=0))", "m_new = tl.full((), 0.0, tl.float32)")): ("溢出了", "It overflows"),
        logsumexp(body=THREE_PASSES + "tl.store(out_ptr + row, m + tl.log(s))"): ("一遍只要", "one pass reads"),
        logsumexp(("    m = m_new\ntl.store", "    m = m_new\n    tl.store")): ("写了", "stores"),
        logsumexp().removeprefix("@triton.jit\n"): ("@triton.jit", "@triton.jit"),
    },
    "kept_kernel": {
        kept(body=START + FIRST_PASS + SECOND_PASS): ("最后一块又读了一遍", "The last block was read again"),
        kept(body=THREE_PASSES + SECOND_PASS): ("这是三遍", "three passes"),
        kept(("tl.exp(x - m) / s", "tl.exp(x - m) * s")): ("不是乘", "don't multiply"),
        kept(("tl.exp(x - m) / s", "tl.exp(x) / s")): ("没有减去 m", "m is not subtracted"),
        kept(UNREPAIRED): ("没有补救", "not repaired"),
        kept(PADDED): ("按 0 分参加了计算", "score of 0"),
        kept(NOTHING_ELSE): SPARE,
        kept(("y_ptr + row * y_stride + start", "y_ptr + start")): ("第 0 块没有写", "block 0 was not written"),
        kept(UNGUARDED): ("得到了 NaN", "gives NaN"),
        kept(("tl.exp(x - m) / s, mask=last + columns < n_cols", "tl.exp(x - m) / s")): ("store 越界了", "A store leaves its tensor"),
        kept(("(tl.cdiv(n_cols, BLOCK_SIZE) - 1) * BLOCK_SIZE", "n_cols // BLOCK_SIZE * BLOCK_SIZE")): ("最后一块又读了一遍", "The last block was read again"),
        kept(("tl.range(0, last, BLOCK_SIZE)", "tl.range(BLOCK_SIZE, last, BLOCK_SIZE)")): ("第 0 块没有写", "block 0 was not written"),
        kept(("y_ptr + row * y_stride", "y_ptr + row * n_cols")): ("store 越界了：张量不连续", "store leaves its tensor: the tensor is not contiguous"),
        kept(PACKED): ("它自己的步幅", "its own stride"),
        kept(("tl.range(0, last, BLOCK_SIZE)", "tl.range(0, n_cols, BLOCK_SIZE)"), ("start + columns).to", "start + columns, mask=start + columns < n_cols).to"), ("tl.exp(x - m) / s)", "tl.exp(x - m) / s, mask=start + columns < n_cols)")): ("最后一块又读了一遍", "The last block was read again"),
        kept(("    m = m_new\n", "    m = m_new\n    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - m) / s, mask=mask)\n")): ("写了", "stores"),
        kept(("    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - m) / s)", "    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - tl.max(x, axis=0)) / tl.sum(tl.exp(x - tl.max(x, axis=0)), axis=0))")): ("最后一块对，前面的块错了", "those before are wrong"),
        kept(("last + columns, tl.exp(x - m) / s", "last + columns, tl.exp(x - m) / tl.sum(tl.exp(x - m), axis=0)")): ("前面的块对，最后一块错了", "the last is wrong"),
        kept(("m_new = tl.maximum(m, tl.max(x, axis=0))", "m_new = tl.full((), 0.0, tl.float32)")): ("溢出了", "It overflows"),
        kept().removeprefix("@triton.jit\n"): ("@triton.jit", "@triton.jit"),
    },
}  # fmt: skip

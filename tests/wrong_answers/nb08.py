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

LOGSUMEXP_ARGUMENTS = "out_ptr, x_ptr, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"
KEPT_ARGUMENTS = "y_ptr, x_ptr, y_stride, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"
PAIRS_ARGUMENTS = "pairs_ptr, x_ptr, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"


def logsumexp(*changes, body=LOGSUMEXP) -> str:
    return kernel("logsumexp_kernel", LOGSUMEXP_ARGUMENTS, changed(body, *changes))


def kept(*changes, body=KEPT) -> str:
    return kernel("kept_kernel", KEPT_ARGUMENTS, changed(body, *changes))


def pairs(*changes, body=PAIRS) -> str:
    return kernel("pairs_kernel", PAIRS_ARGUMENTS, changed(body, *changes))


NO_MAXIMUM = ("m_new = tl.maximum(m, tl.max(x, axis=0))", "m_new = m * 0")
PADDED = (LOAD, LOAD.replace('-float("inf")', "0.0"))
UNMASKED = (LOAD, "tl.load(x_ptr + row * x_stride + start + columns)")
PACKED = ("row * x_stride", "row * n_cols")
NARROW = (".to(tl.float32)\n    m_new", "\n    m_new")

WRONG = {
}  # fmt: skip

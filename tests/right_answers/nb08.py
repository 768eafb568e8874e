"""Right answers to the exercises of 08_online_softmax, written otherwise than the notebook writes them."""

from wrong_answers.nb08 import (
    START,
    kept,
    logsumexp,
    triples,
)

BY_PLACES = (  # a pair for each place in the block, reduced at the end
    ('m = tl.full((), -float("inf"), tl.float32)', 'm = tl.full((BLOCK_SIZE,), -float("inf"), tl.float32)'),
    ("s = tl.full((), 0.0, tl.float32)", "s = tl.full((BLOCK_SIZE,), 0.0, tl.float32)"),
    ("tl.maximum(m, tl.max(x, axis=0))", "tl.maximum(m, x)"),
    ("tl.sum(tl.exp(x - base), axis=0)", "tl.exp(x - base)"),
)
REDUCED = "m, s = tl.reduce((m, s), 0, merge)\n"
POWERS = (  # powers of two
    ("tl.exp(m - base)", "tl.exp2((m - base) * 1.4426950408889634)"),
    ("tl.exp(x - base)", "tl.exp2((x - base) * 1.4426950408889634)"),
)
FIRST_KEPT = (
    START
    + """
last = (tl.cdiv(n_cols, BLOCK_SIZE) - 1) * BLOCK_SIZE
for start in tl.range(0, last, BLOCK_SIZE):
    x = tl.load(x_ptr + row * x_stride + start + columns).to(tl.float32)
    m_new = tl.maximum(m, tl.max(x, axis=0))
    base = tl.where(m_new == -float("inf"), 0.0, m_new)
    s = s * tl.exp(m - base) + tl.sum(tl.exp(x - base), axis=0)
    m = m_new
mask = last + columns < n_cols
kept = tl.load(x_ptr + row * x_stride + last + columns, mask=mask, other=-float("inf")).to(tl.float32)
m_new = tl.maximum(m, tl.max(kept, axis=0))
base = tl.where(m_new == -float("inf"), 0.0, m_new)
s = s * tl.exp(m - base) + tl.sum(tl.exp(kept - base), axis=0)
for start in tl.range(0, last, BLOCK_SIZE):
    x = tl.load(x_ptr + row * x_stride + start + columns).to(tl.float32)
    tl.store(y_ptr + row * y_stride + start + columns, tl.exp(x - base) / s)
tl.store(y_ptr + row * y_stride + last + columns, tl.exp(kept - base) / s, mask=mask)
"""
)

RIGHT = {
    "merge_triples": [
        triples(
            ("f1, f2 = tl.exp(m1 - base), tl.exp(m2 - base)", "f1 = tl.exp2((m1 - base) * 1.4426950408889634)"),
            ("return", "f2 = tl.exp2((m2 - base) * 1.4426950408889634)\nreturn"),
        ),
        triples(
            ('base = tl.where(m == -float("inf"), 0.0, m)\n', ""),
            ("tl.exp(m1 - base)", "tl.where(m1 == -float('inf'), 0.0, tl.exp(m1 - m))"),
            ("tl.exp(m2 - base)", "tl.where(m2 == -float('inf'), 0.0, tl.exp(m2 - m))"),
        ),
        triples(
            ("m = tl.maximum(m1, m2)", "m = tl.where(m1 > m2, m1, m2)"),
            ("s1 * f1 + s2 * f2, w1 * f1 + w2 * f2", "s2 * f2 + s1 * f1, w2 * f2 + w1 * f1"),
        ),
    ],
    "logsumexp_kernel": [
        logsumexp(),
        logsumexp(*BY_PLACES, ("tl.store(out_ptr", REDUCED + "tl.store(out_ptr")),
        logsumexp(*POWERS, ("m + tl.log(s)", "m + tl.log2(s) * 0.6931471805599453")),
        logsumexp(("tl.range(0, n_cols, BLOCK_SIZE)", "range(0, n_cols, BLOCK_SIZE)")),
    ],
    "kept_kernel": [
        kept(),
        kept(*POWERS),
        kept(body=FIRST_KEPT),
        kept(("tl.exp(x - m) / s", "tl.exp(x - m) * (1.0 / s)")),
    ],
}  # fmt: skip

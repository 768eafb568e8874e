"""Right answers to the exercises of 07_to_the_limit, written otherwise than the notebook writes them."""

from wrong_answers.nb03 import variants
from wrong_answers.nb07 import (
    GREEN,
    GREEN_ARGUMENTS,
    TAIL,
    TAIL_ARGUMENTS,
    TOPK,
    TOPK_ARGUMENTS,
)

POWERS = (
    "tl.exp(x - tl.max(x, axis=1)[:, None])",
    "tl.exp2((x - tl.max(x, axis=1, keep_dims=True)) * 1.4426950408889634)",
)
KEPT_NUMERATORS = """
row = tl.program_id(0).to(tl.int64)
columns = tl.arange(0, BLOCK_SIZE)
rest = FULL * BLOCK_SIZE + columns
tail = tl.load(x_ptr + row * x_stride + rest, mask=rest < n_cols, other=-float("inf")).to(tl.float32)
m = tl.max(tail, axis=0)
pieces = ()
for i in tl.static_range(FULL):
    piece = tl.load(x_ptr + row * x_stride + i * BLOCK_SIZE + columns).to(tl.float32)
    m = tl.maximum(m, tl.max(piece, axis=0))
    pieces += (piece,)
tail = tl.exp(tail - m)
s = tl.sum(tail, axis=0)
numerators = ()
for i in tl.static_range(FULL):
    numerators += (tl.exp(pieces[i] - m),)
    s += tl.sum(numerators[i], axis=0)
for i in tl.static_range(FULL):
    tl.store(y_ptr + row * y_stride + i * BLOCK_SIZE + columns, numerators[i] * (1.0 / s))
tl.store(y_ptr + row * y_stride + rest, tail * (1.0 / s), mask=rest < n_cols)
"""
BEFORE_AND_AFTER = """
first = tl.program_id(0).to(tl.int64) * n_cols
last = first + n_cols
body = tl.cdiv(first, VECTOR) * VECTOR
body_end = tl.maximum(last // VECTOR * VECTOR, body)
before, after = first + tl.arange(0, VECTOR), body_end + tl.arange(0, VECTOR)
at_first, at_last = (before < body) & (before < last), after < last
c = body + tl.arange(0, BLOCK_SIZE)
x = tl.load(x_ptr + c, mask=c < body_end, other=-float("inf")).to(tl.float32)
a = tl.load(x_ptr + before, mask=at_first, other=-float("inf")).to(tl.float32)
b = tl.load(x_ptr + after, mask=at_last, other=-float("inf")).to(tl.float32)
m = tl.maximum(tl.max(x, axis=0), tl.max(tl.maximum(a, b), axis=0))
s = tl.sum(tl.exp(x - m), axis=0) + tl.sum(tl.exp(a - m) + tl.exp(b - m), axis=0)
tl.store(y_ptr + c, tl.exp(x - m) / s, mask=c < body_end)
tl.store(y_ptr + before, tl.exp(a - m) / s, mask=at_first)
tl.store(y_ptr + after, tl.exp(b - m) / s, mask=at_last)
"""
WHOLE_OR_TAIL = """
row = tl.program_id(0).to(tl.int64)
columns = tl.arange(0, BLOCK_SIZE)
pieces = ()
for i in tl.static_range(FULL + 1):
    c = i * BLOCK_SIZE + columns
    if i < FULL:
        pieces += (tl.load(x_ptr + row * x_stride + c).to(tl.float32),)
    else:
        pieces += (tl.load(x_ptr + row * x_stride + c, mask=c < n_cols, other=-float("inf")).to(tl.float32),)
m = tl.max(pieces[FULL], axis=0)
for i in tl.static_range(FULL):
    m = tl.maximum(m, tl.max(pieces[i], axis=0))
s = 0.0
for i in tl.static_range(FULL + 1):
    s += tl.sum(tl.exp(pieces[i] - m), axis=0)
for i in tl.static_range(FULL + 1):
    c = i * BLOCK_SIZE + columns
    if i < FULL:
        tl.store(y_ptr + row * y_stride + c, tl.exp(pieces[i] - m) / s)
    else:
        tl.store(y_ptr + row * y_stride + c, tl.exp(pieces[i] - m) / s, mask=c < n_cols)
"""
RANKS = """
before = (x[None, :] > x[:, None]) | ((x[None, :] == x[:, None]) & (columns[None, :] < columns[:, None]))
kept = tl.where(tl.sum(before.to(tl.int32), axis=1) < K, x, -float("inf"))
"""
KEPT = """
kept = columns < 0
rest = x
for _ in tl.static_range(K):
    best = columns == tl.argmax(rest, axis=0)
    kept = kept | best
    rest = tl.where(best, -float("inf"), rest)
kept = tl.where(kept, x, -float("inf"))
"""
CHOSEN = TOPK[TOPK.index("rest = x") : TOPK.index("numerator =")]


def one(name, body, arguments, *change):
    return next(iter(variants(name, body, {change: ""}, arguments)))


RIGHT = {
    "green_kernel": [
        one(
            "green_kernel",
            GREEN,
            GREEN_ARGUMENTS,
            "tl.exp(x - m), tl.exp(x_ends - m)",
            "tl.exp2((x - m) * 1.4426950408889634), tl.exp2((x_ends - m) * 1.4426950408889634)",
        ),
        one("green_kernel", BEFORE_AND_AFTER, GREEN_ARGUMENTS),
    ],
    "tail_kernel": [
        one("tail_kernel", KEPT_NUMERATORS, TAIL_ARGUMENTS),
        one("tail_kernel", WHOLE_OR_TAIL, TAIL_ARGUMENTS),
        one(
            "tail_kernel",
            TAIL,
            TAIL_ARGUMENTS,
            "i * BLOCK_SIZE + columns).to",
            "i * BLOCK_SIZE + columns, mask=None).to",
        ),
        one(
            "tail_kernel",
            TAIL,
            TAIL_ARGUMENTS,
            "tl.exp(pieces[i] - m)",
            "tl.exp2((pieces[i] - m) * 1.4426950408889634)",
        ),
    ],
    "topk_kernel": [
        one("topk_kernel", TOPK, TOPK_ARGUMENTS, CHOSEN, KEPT.lstrip()),
        one("topk_kernel", TOPK, TOPK_ARGUMENTS, CHOSEN, RANKS.lstrip()),
        one("topk_kernel", TOPK, TOPK_ARGUMENTS, "tl.static_range(K)", "range(K)"),
        one(
            "topk_kernel",
            TOPK,
            TOPK_ARGUMENTS,
            "tl.exp(kept - tl.max(kept, axis=0))",
            "tl.exp2((kept - tl.max(x, axis=0)) * 1.4426950408889634)",
        ),
    ],
}

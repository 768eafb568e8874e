"""Plausible wrong answers to the exercises of 07_to_the_limit, and a word of what the check must say of each, zh and en."""

from .nb03 import kernel, variants

# ---- the right answers, as the notebook has them, to make others of

LENGTHS = """
row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
columns = tl.arange(0, BLOCK_SIZE)[None, :]
there = row < n_rows
length = tl.load(lengths_ptr + row, mask=there, other=0)
x = tl.load(x_ptr + row * x_stride + columns, mask=columns < length, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=1)[:, None])
y = numerator / tl.sum(numerator, axis=1)[:, None]
tl.store(y_ptr + row * y_stride + columns, y, mask=there & (columns < n_cols))
"""
TAIL_ARGUMENTS = "y_ptr, x_ptr, y_stride, x_stride, n_cols, FULL: tl.constexpr, BLOCK_SIZE: tl.constexpr"
TAIL = """
row = tl.program_id(0).to(tl.int64)
columns = tl.arange(0, BLOCK_SIZE)
pieces = ()
for i in tl.static_range(FULL):
    pieces += (tl.load(x_ptr + row * x_stride + i * BLOCK_SIZE + columns).to(tl.float32),)
rest = FULL * BLOCK_SIZE + columns
tail = tl.load(x_ptr + row * x_stride + rest, mask=rest < n_cols, other=-float("inf")).to(tl.float32)
top = tail
for i in tl.static_range(FULL):
    top = tl.maximum(top, pieces[i])
m = tl.max(top, axis=0)
sums = tl.exp(tail - m)
for i in tl.static_range(FULL):
    sums += tl.exp(pieces[i] - m)
s = tl.sum(sums, axis=0)
for i in tl.static_range(FULL):
    tl.store(y_ptr + row * y_stride + i * BLOCK_SIZE + columns, tl.exp(pieces[i] - m) / s)
tl.store(y_ptr + row * y_stride + rest, tl.exp(tail - m) / s, mask=rest < n_cols)
"""
TILE = """
row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
columns = tl.arange(0, BLOCK_SIZE)[None, :]
mask = (row < n_rows) & (columns < n_cols)
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=1)[:, None])
tl.store(y_ptr + row * y_stride + columns, numerator / tl.sum(numerator, axis=1)[:, None], mask=mask)
"""
TOPK_ARGUMENTS = "y_ptr, x_ptr, y_stride, x_stride, n_cols, K: tl.constexpr, BLOCK_SIZE: tl.constexpr"
TOPK = """
row = tl.program_id(0).to(tl.int64)
columns = tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
rest = x
for _ in tl.static_range(K):
    rest = tl.where(columns == tl.argmax(rest, axis=0), -float("inf"), rest)
kept = tl.where(rest == x, -float("inf"), x)
numerator = tl.exp(kept - tl.max(kept, axis=0))
tl.store(y_ptr + row * y_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)
"""

GREEN_ARGUMENTS = "y_ptr, x_ptr, n_cols, VECTOR: tl.constexpr, BLOCK_SIZE: tl.constexpr"
GREEN = """
first = tl.program_id(0).to(tl.int64) * n_cols
last = first + n_cols
body, body_end = body_of(first, last, VECTOR)
ends, at_end = ends_of(tl.arange(0, 2 * VECTOR), first, body, body_end, last, VECTOR)
c = body + tl.arange(0, BLOCK_SIZE)
x = tl.load(x_ptr + c, mask=c < body_end, other=-float("inf")).to(tl.float32)
x_ends = tl.load(x_ptr + ends, mask=at_end, other=-float("inf")).to(tl.float32)
m = tl.maximum(tl.max(x, axis=0), tl.max(x_ends, axis=0))
numerator, at_ends = tl.exp(x - m), tl.exp(x_ends - m)
s = tl.sum(numerator, axis=0) + tl.sum(at_ends, axis=0)
tl.store(y_ptr + c, numerator / s, mask=c < body_end)
tl.store(y_ptr + ends, at_ends / s, mask=at_end)
"""
NARROW = """
c = tl.arange(0, BLOCK_SIZE)
first = tl.program_id(0).to(tl.int64) * n_cols
x = tl.load(x_ptr + first + c, mask=c < n_cols, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=0))
tl.store(y_ptr + first + c, numerator / tl.sum(numerator, axis=0), mask=c < n_cols)
"""
BOTH_MAXIMA = "tl.maximum(tl.max(x, axis=0), tl.max(x_ends, axis=0))"
OUT_LOAD, OUT_STORE = ("load 越界", "A load leaves"), ("store 越界", "A store leaves")
PADDED = ("按 0 分参加", "score of 0")
UNMASKED_TAIL = "tail = tl.load(x_ptr + row * x_stride + rest).to(tl.float32)"
MASKED_TAIL = 'tail = tl.load(x_ptr + row * x_stride + rest, mask=rest < n_cols, other=-float("inf")).to(tl.float32)'
BY_VALUE = "columns == tl.argmax(rest, axis=0)", "rest == tl.max(rest, axis=0)"
NO_MAXIMUM = ("溢出", "overflows")
NO_OTHER = ("没有 other", "no other")

WRONG = {
    "green_kernel": variants(
        "green_kernel",
        GREEN,
        {
            (" + tl.sum(at_ends, axis=0)", ""): ("和里少了两头", "missing in the sum"),
            ("tl.sum(numerator, axis=0) + ", ""): ("和里只有两头", "but the ends"),
            (BOTH_MAXIMA, "tl.max(x, axis=0)"): ("在 body 外面", "outside its body"),
            (BOTH_MAXIMA, "tl.max(x_ends, axis=0)"): ("在 body 里面", "inside its body"),
            ("tl.store(y_ptr + ends, at_ends / s, mask=at_end)\n", ""): ("有的元素没有写", "were not written"),
            ('mask=c < body_end, other=-float("inf")', "mask=c < body_end, other=0.0"): PADDED,
            ('mask=at_end, other=-float("inf")', "mask=at_end, other=0.0"): PADDED,
            ("numerator / s, mask=c < body_end", "numerator / s"): OUT_STORE,
            ("body, body_end = body_of(first, last, VECTOR)", "body, body_end = tl.cdiv(first, VECTOR) * VECTOR, last // VECTOR * VECTOR"): ("没有 body", "have no body"),
            (
                f"m = {BOTH_MAXIMA}", "m = tl.max(x, axis=0)",
                "tl.exp(x_ends - m)", "tl.exp(x_ends - tl.max(x_ends, axis=0))",
                "tl.sum(numerator, axis=0) + tl.sum(at_ends, axis=0)", "tl.sum(numerator, axis=0)",
                "at_ends / s", "at_ends / tl.sum(at_ends, axis=0)",
            ): ("各做了一个 softmax", "a softmax each"),
            (', other=-float("inf")', ""): NO_OTHER,
        },
        GREEN_ARGUMENTS,
    )
    | {kernel("green_kernel", NARROW, GREEN_ARGUMENTS): ("不到 16 字节", "less than 16 bytes")},
    "tail_kernel": variants(
        "tail_kernel",
        TAIL,
        {
            (MASKED_TAIL, UNMASKED_TAIL): OUT_LOAD,
            ("tl.exp(tail - m) / s, mask=rest < n_cols", "tl.exp(tail - m) / s"): OUT_STORE,
            ('other=-float("inf")', "other=0.0"): PADDED,
            ("sums = tl.exp(tail - m)", "sums = tl.zeros_like(tail)"): ("和里没有零头", "missing in the sum"),
            ("tl.exp(tail - m) / s, mask", "tl.exp(tail - tl.max(tail, axis=0)) / tl.sum(tl.exp(tail - tl.max(tail, axis=0)), axis=0), mask"): ("", ""),
            ("top = tail", 'top = tl.where(FULL > 0, -float("inf"), tail)'): ("最大值在零头里", "maximum is in the tail"),
            ("tl.store(y_ptr + row * y_stride + rest, tl.exp(tail - m) / s, mask=rest < n_cols)", "pass"): ("没有写", "were not written"),
            ("i * BLOCK_SIZE + columns).to", "i * BLOCK_SIZE + columns, mask=i * BLOCK_SIZE + columns < n_cols).to"): ("还带着 mask", "still carries a mask"),
            ("tl.exp(pieces[i] - m) / s)", "tl.exp(pieces[i] - m) / s, mask=i * BLOCK_SIZE + columns < n_cols)"): ("还带着 mask", "still carries a mask"),
            ("m = tl.max(top, axis=0)", "m = 0.0"): NO_MAXIMUM,
            ("i * BLOCK_SIZE + columns).to", "columns).to"): ("每次读到的都是第一块", "first block that is loaded"),
            (', other=-float("inf")', ""): NO_OTHER,
            ("row * x_stride", "row * n_cols"): ("越界", "leaves its tensor"),
            ("row * y_stride", "row * n_cols"): ("越界", "leaves its tensor"),
            ("tl.exp(pieces[i] - m) / s)", "tl.exp(tl.load(x_ptr + row * x_stride + i * BLOCK_SIZE + columns).to(tl.float32) - m) / s)"): ("每个元素读一次", "load each element once"),
        },
        TAIL_ARGUMENTS,
    )
    | {kernel("tail_kernel", TAIL, TAIL_ARGUMENTS).removeprefix("@triton.jit\n"): ("@triton.jit", "@triton.jit")},
    "topk_kernel": variants(
        "topk_kernel",
        TOPK,
        {
            ("kept = tl.where(rest == x, -float(\"inf\"), x)", "kept = x"): ("没有挑", "Nothing was chosen"),
            ("numerator / tl.sum(numerator, axis=0)", "numerator / tl.sum(tl.exp(x - tl.max(x, axis=0)), axis=0)"): ("整行的和", "sum of the whole row"),
            ("tl.static_range(K)", "tl.static_range(K + 1)"): ("多了一个", "One too many"),
            ("tl.static_range(K)", "tl.static_range(K - 1)"): ("少了一个", "One too few"),
            ('kept = tl.where(rest == x, -float("inf"), x)', "kept = tl.where(rest == x, 0.0, x)"): ("没挑中的按 0 分", "Those not chosen"),
            BY_VALUE: ("一次只能去掉一个", "one at a time"),
            ("tl.exp(kept - tl.max(kept, axis=0))", "tl.exp(kept)"): NO_MAXIMUM,
            ('mask=mask, other=-float("inf")', "mask=mask, other=0.0"): PADDED,
            ("numerator / tl.sum(numerator, axis=0), mask=mask", "numerator / tl.sum(numerator, axis=0), mask=mask & (numerator > 0)"): ("K 个以外的写 0", "all but the K get 0"),
            ("numerator / tl.sum(numerator, axis=0)", "numerator"): ("没有除以和", "Not divided"),
            ("tl.argmax(rest", "tl.argmin(rest"): ("留下的是最小的", "smallest are kept"),
            ("tl.argmax(rest", "tl.argmax(x"): ("都是同一个", "the same one again"),
            ("row * x_stride", "row * n_cols"): ("越界", "leaves its tensor"),
            ("row * y_stride", "row * n_cols"): ("越界", "leaves its tensor"),
            (', mask=mask, other=-float("inf")', ""): OUT_LOAD,
        },
        TOPK_ARGUMENTS,
    )
    | {kernel("topk_kernel", TOPK, TOPK_ARGUMENTS).removeprefix("@triton.jit\n"): ("@triton.jit", "@triton.jit")},
}  # fmt: skip

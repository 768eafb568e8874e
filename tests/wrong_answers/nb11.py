"""Plausible wrong answers to the exercises of 11_attention, and what the check must say of each, zh and en."""

from .nb03 import UNDEFINED, variants

IN_HALF = ("先转成 float32", "convert to float32 first")

CACHED_ARGUMENTS = "p_ptr, scores_ptr, p_stride, scores_stride, n_rows, n_cols, scale, BLOCK_SIZE: tl.constexpr"
CACHED = """
row = tl.program_id(0).to(tl.int64)
columns = tl.arange(0, BLOCK_SIZE)
seen = columns <= row + n_cols - n_rows
s = tl.load(scores_ptr + row * scores_stride + columns, mask=seen, other=-float("inf")).to(tl.float32) * scale
numerator = tl.exp(s - tl.max(s, axis=0))
p = numerator / tl.sum(numerator, axis=0)
tl.store(p_ptr + row * p_stride + columns, p, mask=columns < n_cols)
"""
ROW_ARGUMENTS = "o_ptr, q_ptr, k_ptr, v_ptr, n, scale, D: tl.constexpr, BLOCK: tl.constexpr"
ROW = """
row, dims = tl.program_id(0).to(tl.int64), tl.arange(0, D)
q = tl.load(q_ptr + row * D + dims).to(tl.float32) * scale
m = tl.full((), -float("inf"), tl.float32)
s = tl.zeros((), tl.float32)
o = tl.zeros((D,), tl.float32)
for start in range(0, n, BLOCK):
    keys = start + tl.arange(0, BLOCK)
    places, inside = keys[:, None] * D + dims[None, :], keys[:, None] < n
    k = tl.load(k_ptr + places, mask=inside, other=0.0).to(tl.float32)
    v = tl.load(v_ptr + places, mask=inside, other=0.0).to(tl.float32)
    scores = tl.where(keys < n, tl.sum(q[None, :] * k, axis=1), -float("inf"))
    m_new = tl.maximum(m, tl.max(scores, axis=0))
    p, factor = tl.exp(scores - m_new), tl.exp(m - m_new)
    s = s * factor + tl.sum(p, axis=0)
    o = o * factor + tl.sum(p[:, None] * v, axis=0)
    m = m_new
tl.store(o_ptr + row * D + dims, o / s)
"""
GROUP_ARGUMENTS = "o_ptr, q_ptr, k_ptr, v_ptr, n, scale, GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr"
GROUP = """
head, dims = tl.program_id(0).to(tl.int64), tl.arange(0, D)
mine = (head * GROUP + tl.arange(0, GROUP)[:, None]) * D + dims[None, :]
q = tl.load(q_ptr + mine)
m = tl.full((GROUP,), -float("inf"), tl.float32)
s = tl.zeros((GROUP,), tl.float32)
o = tl.zeros((GROUP, D), tl.float32)
for start in range(0, n, BLOCK):
    keys = start + tl.arange(0, BLOCK)
    places = (head * n + keys[:, None]) * D + dims[None, :]
    k = tl.load(k_ptr + places, mask=keys[:, None] < n, other=0.0)
    v = tl.load(v_ptr + places, mask=keys[:, None] < n, other=0.0)
    scores = tl.where(keys[None, :] < n, tl.dot(q, tl.trans(k)) * scale, -float("inf"))
    m_new = tl.maximum(m, tl.max(scores, axis=1))
    p, factor = tl.exp(scores - m_new[:, None]), tl.exp(m - m_new)
    s = s * factor + tl.sum(p, axis=1)
    o = tl.dot(p.to(v.dtype), v, o * factor[:, None])
    m = m_new
tl.store(o_ptr + mine, o / s[:, None])
"""
# right results, but the group's heads come one after the other, and each loads K and V anew
GROUP_ONE_BY_ONE = """
head, dims = tl.program_id(0).to(tl.int64), tl.arange(0, D)
for i in range(0, GROUP):
    mine = (head * GROUP + i) * D + dims
    q = tl.load(q_ptr + mine).to(tl.float32) * scale
    m = tl.full((), -float("inf"), tl.float32)
    s = tl.zeros((), tl.float32)
    o = tl.zeros((D,), tl.float32)
    for start in range(0, n, BLOCK):
        keys = start + tl.arange(0, BLOCK)
        places = (head * n + keys[:, None]) * D + dims[None, :]
        k = tl.load(k_ptr + places, mask=keys[:, None] < n, other=0.0).to(tl.float32)
        v = tl.load(v_ptr + places, mask=keys[:, None] < n, other=0.0).to(tl.float32)
        scores = tl.where(keys < n, tl.sum(q[None, :] * k, axis=1), -float("inf"))
        m_new = tl.maximum(m, tl.max(scores, axis=0))
        p, factor = tl.exp(scores - m_new), tl.exp(m - m_new)
        s = s * factor + tl.sum(p, axis=0)
        o = o * factor + tl.sum(p[:, None] * v, axis=0)
        m = m_new
    tl.store(o_ptr + mine, o / s)
"""
TWO_PASSES = """
row, dims = tl.program_id(0).to(tl.int64), tl.arange(0, D)
q = tl.load(q_ptr + row * D + dims).to(tl.float32) * scale
m = tl.full((), -float("inf"), tl.float32)
for start in range(0, n, BLOCK):
    keys = start + tl.arange(0, BLOCK)
    k = tl.load(k_ptr + keys[:, None] * D + dims[None, :], mask=keys[:, None] < n, other=0.0).to(tl.float32)
    scores = tl.where(keys < n, tl.sum(q[None, :] * k, axis=1), -float("inf"))
    m = tl.maximum(m, tl.max(scores, axis=0))
s = tl.zeros((), tl.float32)
o = tl.zeros((D,), tl.float32)
for start in range(0, n, BLOCK):
    keys = start + tl.arange(0, BLOCK)
    places, inside = keys[:, None] * D + dims[None, :], keys[:, None] < n
    k = tl.load(k_ptr + places, mask=inside, other=0.0).to(tl.float32)
    v = tl.load(v_ptr + places, mask=inside, other=0.0).to(tl.float32)
    p = tl.where(keys < n, tl.exp(tl.sum(q[None, :] * k, axis=1) - m), 0.0)
    s += tl.sum(p, axis=0)
    o += tl.sum(p[:, None] * v, axis=0)
tl.store(o_ptr + row * D + dims, o / s)
"""


def kernel(name: str, arguments: str, body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"@triton.jit\ndef {name}({arguments}):\n{lines}\n"


def tile(fits="(b + 256) * d * itemsize <= shared", key="math.ceil(n / b)", sizes="2**k for k in range(4, 20)") -> str:
    return f"return min([b for b in ({sizes}) if {fits}], key=lambda b: {key})"


WRONG = {
    "cached_causal_kernel": variants(
        "cached_causal_kernel",
        CACHED,
        {
            ("row + n_cols - n_rows", "row"): ("没有缓存时的掩码", "without a cache"),
            ("<= row + n_cols", "< row + n_cols"): ("少看了一列", "misses one column"),
            ("<= row + n_cols - n_rows", "<= row + n_cols - n_rows + 1"): ("多看了一列", "one column too many"),
            ("numerator / tl.sum(numerator, axis=0)", "numerator"): ("还没有除以和", "not divided by the sum"),
            ('mask=seen, other=-float("inf")', "mask=seen, other=0.0"): ("填成了 0", "filled with 0"),
            ("columns <= row", "columns >= row"): ("方向反了", "wrong way round"),
            ("mask=seen, other", "mask=columns < n_cols, other"): ("没有因果掩码", "No causal mask"),
            (".to(tl.float32) * scale", ".to(tl.float32)"): ("没有乘 scale", "not multiplied by scale"),
            (".to(tl.float32) * scale", ".to(tl.float32) / scale"): ("不是除以它", "don't divide"),
            (
                ".to(tl.float32) * scale\nnumerator = tl.exp(s - tl.max(s, axis=0))\np = ",
                ".to(tl.float32)\nnumerator = tl.exp(s - tl.max(s, axis=0))\np = scale * ",
            ): ("乘在了概率上", "belongs to the scores"),
            (".to(tl.float32) * scale", " * scale"): IN_HALF,
            ("columns, p, mask=columns < n_cols", "columns, p, mask=seen"): ("看不见的列没有写", "keep what was there"),
            (
                "columns, p, mask=columns < n_cols",
                "columns, tl.where(seen, p, 0.5), mask=columns < n_cols",
            ): ("就不对", "Wrong already"),
            (", mask=columns < n_cols)", ")"): ("store 越界了", "store leaves"),
            ("row * scores_stride", "row * n_cols"): ("各自的步幅", "own stride"),
            ("s - tl.max(s, axis=0)", "s"): ("分数很大", "large scores"),
            (
                'mask=seen, other=-float("inf")).to(tl.float32) * scale',
                'mask=columns < n_cols, other=-float("inf")).to(tl.float32) * scale\ns = tl.where(seen, s, -float("inf"))',
            ): ("看得见的只有", "were loaded"),
            (
                'mask=seen, other=-float("inf")).to(tl.float32) * scale\nnumerator = tl.exp(s - tl.max(s, axis=0))\n'
                "p = numerator / tl.sum(numerator, axis=0)",
                'mask=columns < n_cols, other=-float("inf")).to(tl.float32) * scale\nnumerator = tl.exp(s - tl.max(s, axis=0))\n'
                "p = tl.where(seen, numerator / tl.sum(numerator, axis=0), 0.0)",
            ): ("先归一化再遮", "after normalising"),
        },
        arguments=CACHED_ARGUMENTS,
    ),
    "attention_row_kernel": variants(
        "attention_row_kernel",
        ROW,
        {
            ("o = o * factor + ", "o = o + "): ("s 乘了系数，o 没有乘", "s is rescaled and o is not"),
            ("s = s * factor + ", "s = s + "): ("o 乘了系数，s 没有乘", "o is rescaled and s is not"),
            (
                "s = s * factor + tl.sum(p, axis=0)\n    o = o * factor + ",
                "s = s + tl.sum(p, axis=0)\n    o = o + ",
            ): ("s 和 o 都没有", "neither s nor o"),
            ("tl.exp(m - m_new)", "tl.exp(m_new - m)"): ("反过来写", "other way round"),
            ("\n    m = m_new", ""): ("只剩最后一块键", "Only the last tile"),
            ("tl.sum(p[:, None] * v", "tl.sum(p[:, None] * k"): ("V 的行，不是 K 的", "rows of V, not of K"),
            ("dims, o / s)", "dims, o / n)"): ("不是 n", "not by n"),
            ("range(0, n, BLOCK)", "range(0, n - BLOCK, BLOCK)"): (
                "最后一块键没有算进去",
                "last tile of keys is left out",
            ),
            (".to(tl.float32) * scale", ".to(tl.float32) / scale"): ("不是除以它", "don't divide"),
            ("dims, o / s)", "dims, o)"): ("还没有除以 s", "not divided by s"),
            ("    m = m_new\n", "    o = o / s\n    m = m_new\n"): ("每一块之后都除了一次", "after every tile"),
            (
                'tl.where(keys < n, tl.sum(q[None, :] * k, axis=1), -float("inf"))',
                "tl.sum(q[None, :] * k, axis=1)",
            ): ("被当成了分数 0", "past the end"),
            (".to(tl.float32) * scale", ".to(tl.float32)"): ("没有乘 scale", "not multiplied by scale"),
            ("tl.sum(q[None, :] * k, axis=1)", "tl.sum(q[None, :] * k, axis=1) * scale"): ("乘了两次", "twice"),
            ('m = tl.full((), -float("inf"), tl.float32)', "m = tl.full((), 0.0, tl.float32)"): (
                "m 要从 −inf 开始",
                "m begins",
            ),
            ("tl.exp(scores - m_new), tl.exp(m - m_new)", "tl.exp(scores), 1.0"): ("溢出了", "overflows"),
            ("q_ptr + row * D + dims", "q_ptr + dims"): ("第 0 行对", "Row 0 is right"),
            (
                ", mask=inside, other=0.0).to(tl.float32)\n    scores",
                ", mask=inside).to(tl.float32)\n    scores",
            ): UNDEFINED,
            ("dims).to(tl.float32) * scale", "dims) * scale"): IN_HALF,
            (", mask=inside, other=0.0", ""): ("越界了", "k_ptr["),
            ("row * D + dims, o / s", "row * n + dims, o / s"): ("store 越界了", "o_ptr["),
            (ROW.strip(), TWO_PASSES.strip()): ("在同一遍里更新", "one and the same pass"),
        },
        arguments=ROW_ARGUMENTS,
    ),
    "grouped_kernel": variants(
        "grouped_kernel",
        GROUP,
        {
            (
                "(head * GROUP + tl.arange(0, GROUP)[:, None])",
                "(tl.arange(0, GROUP)[:, None] * tl.num_programs(0) + head)",
            ): ("相邻的 GROUP 个", "neighbours"),
            ("(head * n + keys[:, None])", "(keys[:, None])"): ("第 0 个 K/V 头", "K/V head 0"),
            ("(head * n + keys[:, None])", "(head * GROUP * n + keys[:, None])"): ("越界了", "k_ptr["),
            ("(head * GROUP + tl", "(head + tl"): ("第 i 组查询头", "Group i is query heads"),
            ("o * factor[:, None])", "o)"): ("s 乘了系数，o 没有乘", "s is rescaled and o is not"),
            ("s = s * factor + ", "s = s + "): ("o 乘了系数，s 没有乘", "o is rescaled and s is not"),
            (
                'tl.where(keys[None, :] < n, tl.dot(q, tl.trans(k)) * scale, -float("inf"))',
                "tl.dot(q, tl.trans(k)) * scale",
            ): ("被当成了分数 0", "past the end"),
            ("tl.dot(q, tl.trans(k)) * scale", "tl.dot(q, tl.trans(k))"): ("没有乘 scale", "not multiplied by scale"),
            ("mine, o / s[:, None])", "mine, o)"): ("还没有除以 s", "not divided by s"),
            ("\n    m = m_new", ""): ("只剩最后一块键", "Only the last tile"),
            ("tl.exp(m - m_new)", "tl.exp(m_new - m)"): ("反过来写", "other way round"),
            ("tl.max(scores, axis=1)", "tl.max(scores)"): ("每个头减去它自己的最大值", "the maximum of each head"),
            ('m = tl.full((GROUP,), -float("inf"), tl.float32)', "m = tl.full((GROUP,), 0.0, tl.float32)"): (
                "m 要从 −inf 开始",
                "m begins",
            ),
            (GROUP.strip(), GROUP_ONE_BY_ONE.strip()): ("一共读了 16 遍", "16 times in all"),
        },
        arguments=GROUP_ARGUMENTS,
    ),
    "best_tile": {
        tile("b * d * itemsize <= shared"): ("只算了 Q 的分块", "Only the tile of Q"),
        tile("(b + 128) * d * itemsize <= shared"): ("一共是 4 块", "4 tiles"),
        tile("(b + 256) * d <= shared"): ("以字节计", "bytes"),
        tile("(b + 256) * d * 2 <= shared"): ("都占 2 字节", "Not every type has 2 bytes"),
        tile("(b + 256) * d * 4 <= shared"): ("都占 4 字节", "Not every type has 4 bytes"),
        tile(sizes="2**k for k in range(4, 12)"): ("读写最少的是", "moves the fewest"),
        tile(sizes="2**k for k in range(5, 20)"): ("读写最少的是 16", "16 moves the fewest"),
        tile(sizes="2**k for k in range(1, 20)"): ("不是 16 以上的 2 的幂", "no power of two"),
        tile("(b + 256) * d * itemsize < shared"): ("正好用满", "exactly used up"),
        tile(key="-b"): ("更小的 B_q", "so does"),
        tile(key="b"): ("16 读写得最多", "moves the most"),
        "return shared // (d * itemsize) - 256": ("不是 16 以上的 2 的幂", "no power of two"),
        "b = " + tile()[7:] + "\nreturn 2 * n * d + 2 * n * d * math.ceil(n / b)": ("要的是 B_q", "B_q is asked for"),
        "return 128": ("读写最少的是", "moves the fewest"),
        "return 4096": ("放不下", "does not fit"),
    },
}

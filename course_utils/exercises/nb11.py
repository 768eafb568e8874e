"""The exercises of 11_attention (its questions are in `nb11_questions`)."""

import math

import torch

from ..backend import triton
from ..language import Text
from .exercise import Exercise
from .kernel_probes import UNTOUCHED, Layout, refuse_strays, refuse_unwritten
from .launching import counted
from .nb11_questions import QUESTIONS
from .probes import number
from .wrong import Wrong

__all__ = ["EXERCISES", "QUESTIONS"]


def _close(got, want, tolerance=2e-5) -> bool:
    return torch.allclose(got.float(), want.float(), rtol=tolerance, atol=tolerance, equal_nan=True)


def _launched(kernel, grid, *arguments, **constants):
    """Runs the kernel into `arguments[0]`; its traffic, one entry a tensor. Lanes astray are a mistake of their own."""
    traffic, _ = counted(kernel, grid, *arguments, **constants)
    refuse_strays(
        traffic,
        Text(
            "检查它的 mask，还有换行、换头时加的步幅",
            "see to its mask, and to the step from row to row or head to head",
        ),
    )
    refuse_unwritten(arguments[0])
    return {tensor.name: tensor for tensor in traffic.tensors}


def _first_match(got, mistakes, want):
    """Raises the mistake whose result this is, if it is the only one that could have made it."""
    found = [said for result, said in mistakes if _close(got, result) and not _close(result, want)]
    if len({*found}) == 1:
        raise Wrong(*found[0])


IN_HALF = (
    "16 位的输入算得不准：先转成 float32，再乘 scale。",
    "Inaccurate on 16-bit input: convert to float32 first, then multiply by scale.",
)

MORE_THAN_ONE_PASS = (
    "结果对了，但每个 program 把 {name} 读了 {times:.3g} 遍：m、s、o 在同一遍里更新。",
    "The result is right, but each program loads {name} {times:.3g} times: update m, s and o in one and the same pass.",
)
NOT_SHARED = (
    "结果对了，但 {name} 一共读了 {times:.3g} 遍：一块键读进来，给整组查询头用。",
    "The result is right, but {name} is loaded {times:.3g} times in all: load a tile once and use it for the whole group.",
)

# --- Scale, causal mask and softmax, with a cache --------------------------------------------------------------------------


def _cached_causal(s, scale, *, shift=None, strict=0):
    rows, columns = s.shape
    shift = columns - rows if shift is None else shift
    seen = torch.arange(columns)[None] + strict <= torch.arange(rows)[:, None] + shift
    return torch.softmax((s.float() * scale).masked_fill(~seen, -math.inf), 1).masked_fill(~seen, 0), seen


def _unnormalised(s, seen):
    s = s.masked_fill(~seen, -math.inf)
    return torch.exp(s - s.amax(1, keepdim=True))


def _from_its_own_on(s):
    """What a query sees if the mask is the wrong way round: its own column, and those to the right of it."""
    rows, columns = s.shape
    own = torch.arange(rows)[:, None] + columns - rows
    return torch.softmax(s.masked_fill(torch.arange(columns)[None] < own, -math.inf), 1)


def _cached_causal_kernel(kernel):
    def run(s, scale, spare=0):
        p = Layout(spare=spare).empty(s.shape, s.dtype)
        sizes = (p.stride(0), s.stride(0), *s.shape, scale)
        traffic = _launched(kernel, (len(s),), p, s, *sizes, BLOCK_SIZE=triton.next_power_of_2(s.shape[1]))
        return p, traffic

    torch.manual_seed(11)
    s, scale = torch.randn(3, 8), 0.25
    got, traffic = run(s, scale)
    want, seen = _cached_causal(s, scale)
    if (got == UNTOUCHED).any() and _close(got[seen], want[seen]):
        raise Wrong(
            "看不见的列没有写：输出里留着原来的内容。它们的概率是 0，也要写回去。",
            "The columns out of sight were not written and keep what was there. Their probability is 0 and must be stored.",
        )
    plain = torch.softmax(s * scale, 1)
    _first_match(
        got,
        [
            (_cached_causal(s, scale, shift=0)[0],
             ("第 i 行只看到了第 0 到 i 列：那是没有缓存时的掩码。新查询排在最后，所以界限还要右移 n_cols − n_rows 列。",
              "Row i sees columns 0 to i only: the mask without a cache. The new queries come last, n_cols − n_rows further on.")),
            (_cached_causal(s, scale, strict=1)[0],
             ("每个查询少看了一列：它自己。用 <=。", "Each query misses one column, its own: use <=.")),
            (_cached_causal(s, scale, strict=-1)[0],
             ("每个查询多看了一列，是它后面的那个。", "Each query sees one column too many, the one after its own.")),
            (_unnormalised(s * scale, seen), ("还没有除以和。", "It is not divided by the sum yet.")),
            (torch.softmax((s * scale).masked_fill(~seen, 0), 1),
             ("看不见的分数填成了 0：exp(0) = 1，它们照样分到概率。填 −inf。",
              "The scores out of sight are filled with 0: exp(0) = 1, so they get a share of the probability. Fill with −inf.")),
            (_from_its_own_on(s * scale),
             ("方向反了：看得见的是自己和左边的列。", "The wrong way round: in sight are the query's own column and those left of it.")),
            (plain, ("没有因果掩码：每个查询都看见了全部的列。", "No causal mask: every query sees all the columns.")),
            (plain.masked_fill(~seen, 0),
             ("先归一化再遮，行和就不到 1 了：在求最大值之前遮。",
              "Masked after normalising, the rows sum to less than 1: mask before the maximum.")),
            (_cached_causal(s, 1.0)[0], ("分数没有乘 scale。", "The scores are not multiplied by scale.")),
            (_cached_causal(s, 1.0)[0] * scale,
             ("scale 乘在了概率上：要乘的是分数。", "scale is multiplied into the probabilities; it belongs to the scores.")),
            (_cached_causal(s, 1 / scale)[0], ("要乘以 scale，不是除以它。", "Multiply by scale; don't divide by it.")),
        ],
        want,
    )  # fmt: skip
    if not _close(got, want):
        raise Wrong(
            "3 行 8 列、scale = 0.25 时就不对：第 i 行应是第 0 到 i + 5 列的 softmax，其余是 0。",
            "Wrong already for 3 rows, 8 columns and scale = 0.25: row i is the softmax of columns 0 to i + 5, and 0 elsewhere.",
        )
    for rows, columns in ((5, 13), (1, 7), (6, 6), (4, 129)):
        s = torch.randn(rows, columns)
        if not _close(run(s, 0.5)[0], _cached_causal(s, 0.5)[0]):
            raise Wrong(f"{rows} 行 {columns} 列时错了。", f"Wrong for {rows} rows and {columns} columns.")
    wide = torch.randn(5, 20)[:, :13]
    try:
        fits = _close(run(wide, 0.5, spare=3)[0], _cached_causal(wide, 0.5)[0])
    except Wrong:  # lanes astray, where a packed matrix had none
        fits = False
    if not fits:
        raise Wrong(
            "S 或 P 是从更宽的矩阵里切出来的时，错了行：换行要用各自的步幅。",
            "Wrong where S or P is cut out of a wider matrix: each steps from row to row by its own stride.",
        )
    high = torch.randn(3, 8) + torch.arange(8) * 300
    if not _close(run(high, 1.0)[0], _cached_causal(high, 1.0)[0]):
        raise Wrong(
            "分数很大时错了：减去最大值，而且只在看得见的列里求它。",
            "Wrong for large scores: subtract the maximum, and take it of the columns in sight alone.",
        )
    for s, tolerance in ((torch.randn(3, 8).half(), 2e-3), ((torch.randn(3, 8) * 30).bfloat16(), 1e-2)):
        if not _close(run(s, 0.3)[0], _cached_causal(s, 0.3)[0], tolerance):
            raise Wrong(*IN_HALF)
    if (read := traffic["s_ptr"].loads) > seen.sum():
        raise Wrong(
            f"结果对了，但读了 {read} 个分数，看得见的只有 {seen.sum()} 个：让 load 的掩码就是看得见的列。",
            f"The result is right, but {read} scores were loaded and only {seen.sum()} are in sight: let the mask of the load be "
            "the columns in sight.",
        )


# --- One row of attention, with the running merge --------------------------------------------------------------------------


def _full(q, k, v, scale):
    return torch.softmax(q.float() @ k.float().mT * scale, -1) @ v.float()


def _walk(q, k, v, scale, block, *, sums=True, outputs=True, divide="once", padded=False):
    """The merge, tile by tile, with one thing wrong: what is not rescaled, when it is divided, what pads the last tile."""
    m = torch.full(q.shape[:-1], -math.inf)
    s, o = torch.zeros_like(m), torch.zeros_like(q, dtype=torch.float32)
    short = -k.shape[-2] % block
    if padded:
        k, v = (torch.nn.functional.pad(x, (0, 0, 0, short)) for x in (k, v))
    for at in range(0, k.shape[-2], block):
        scores = q.float() @ k[..., at : at + block, :].float().mT * scale
        new = torch.maximum(m, scores.amax(-1))
        p, factor = torch.exp(scores - new[..., None]), torch.exp(m - new)
        s = s * (factor if sums else 1.0) + p.sum(-1)
        o = o * (factor[..., None] if outputs else 1.0) + p @ v[..., at : at + block, :].float()
        if divide in ("each", "always"):
            o = o / s[..., None]
        m = new
    return o / s[..., None] if divide in ("once", "always") else o


def _merge_mistakes(q, k, v, scale, block):
    n = k.shape[-2]
    last = (n - 1) // block * block
    none = torch.zeros_like(q, dtype=torch.float32)
    return [
        (_walk(q, k, v, scale, block, outputs=False),
         ("最大值变了，s 乘了系数，o 没有乘：o 里旧的那些权重还是对着旧的最大值算的。",
          "When the maximum moves, s is rescaled and o is not: the older weights in o are still relative to the older maximum.")),
        (_walk(q, k, v, scale, block, sums=False),
         ("最大值变了，o 乘了系数，s 没有乘。", "When the maximum moves, o is rescaled and s is not.")),
        (_walk(q, k, v, scale, block, sums=False, outputs=False),
         ("最大值变了，s 和 o 都没有乘上 exp(m − m_new)。", "When the maximum moves, neither s nor o is multiplied by exp(m − m_new).")),
        (_walk(q, k, v, scale, block, divide="never"),
         ("o 还没有除以 s：走完全部的键之后除一次。", "o is not divided by s yet: divide once, after all the keys.")),
        *((_walk(q, k, v, scale, block, divide=when),
           ("每一块之后都除了一次 s。o 是没有归一化的，走完之后只除一次。",
            "It divides by s after every tile. o runs on unnormalised; divide once, at the end.")) for when in ("each", "always")),
        (_walk(q, k, v, scale, block, padded=True),
         ("最后一块不满，多出来的键被当成了分数 0：给它们 −inf。",
          "The last tile is not full, and the keys past the end count with a score of 0: give them −inf.")),
        (_full(q, k[..., last:, :], v[..., last:, :], scale),
         ("结果里只剩最后一块键：前面的都被丢了。m 更新了吗？", "Only the last tile of keys is left in the result; the earlier ones are lost. Is m updated?")),
        (_full(q, k[..., :block, :], v[..., :block, :], scale),
         ("结果里只有第一块键。", "Only the first tile of keys is in the result.")),
        (_full(q, k[..., :last, :], v[..., :last, :], scale),
         ("最后一块键没有算进去：n 不一定是 BLOCK 的倍数。", "The last tile of keys is left out: n need not be a multiple of BLOCK.")),
        (_full(q, k, k, scale), ("加权求和的应是 V 的行，不是 K 的。", "What the weights sum up are rows of V, not of K.")),
        (_walk(q, k, v, scale, block, divide="never") / n, ("最后要除以 s，不是 n。", "In the end divide by s, not by n.")),
        (_full(q, k, v, 1 / scale), ("分数要乘 scale，不是除以它。", "Multiply the scores by scale; don't divide by it.")),
        (_full(q, k, v, 1.0), ("分数没有乘 scale。", "The scores are not multiplied by scale.")),
        (_full(q, k, v, scale * scale), ("scale 乘了两次。", "scale is multiplied in twice.")),
        (none, ("结果全是 0。", "The result is all zeros.")),
    ]  # fmt: skip


def _check_merge(run, shapes, block, readings):
    """What each kernel with a running (m, s, o) must get right. `run(q, k, v, scale)` returns the output and its traffic, in
    which all of K and V may be loaded so many times, in all.

    What is still wrong with the plain numbers afterwards is for the caller to name."""
    torch.manual_seed(12)
    q, k, v = (torch.randn(shape) for shape in shapes)
    k = k * 2
    got, traffic = run(q, k, v, 0.5)
    want = _full(q, k, v, 0.5)
    if not _close(got, want):
        if got.isnan().all():
            raise Wrong(
                "结果全是 NaN。最初 m 是 −inf：系数是 exp(m − m_new)，反过来写就成了 exp(+inf)。",
                "The result is all NaN. At first m is −inf: the factor is exp(m − m_new); the other way round it is exp(+inf).",
            )
        _first_match(got, _merge_mistakes(q, k, v, 0.5, block), want)
        return got, want, (q, k, v)
    for name, elements in (("k_ptr", k.numel()), ("v_ptr", v.numel())):
        if (times := traffic[name].loads / elements) > readings:
            each = len(q) if readings > 1 else 1
            zh, en = MORE_THAN_ONE_PASS if readings > 1 else NOT_SHARED
            raise Wrong(zh.format(name=name, times=times / each), en.format(name=name, times=times / each))
    n = shapes[1][-2] // block * block
    for keys in (n, block, block - 1, 1):
        less = (q, k[..., :keys, :].contiguous(), v[..., :keys, :].contiguous())
        if not _close(run(*less, 0.5)[0], _full(*less, 0.5)):
            raise Wrong(f"只有 {keys} 个键时错了。", f"Wrong with {keys} keys.")
    ones = torch.ones_like(q)
    for score in (200.0, -200.0):
        keys = torch.full_like(k, score / k.shape[-1]) + torch.randn_like(k) * 0.1
        if _close(run(ones, keys, v, 1.0)[0], _full(ones, keys, v, 1.0), 1e-3):
            continue
        if score < 0:
            raise Wrong(
                "分数都低到 −200 左右时错了：m 要从 −inf 开始，不是 0 或别的数。",
                "Wrong where all scores are about −200: m begins at −inf, not at 0 or some other number.",
            )
        raise Wrong(
            "分数在 200 左右时溢出了：每一块都先减去到目前为止的最大值。",
            "It overflows at scores about 200: subtract the maximum so far in every tile.",
        )
    half = [x.half() for x in (q, k, v)]
    if not _close(run(*half, 0.5)[0], _full(*half, 0.5), 5e-3):
        raise Wrong("float16 的输入错了。", "Wrong on float16 input.")
    return got, want, (q, k, v)


def _attention_row_kernel(kernel):
    def run(q, k, v, scale):
        o = torch.full_like(q, UNTOUCHED)
        return o, _launched(kernel, (len(q),), o, q, k, v, len(k), scale, D=q.shape[1], BLOCK=4)

    got, want, (q, k, v) = _check_merge(run, ((3, 8), (14, 8), (14, 8)), 4, readings=3)
    if not _close(got, want):
        if _close(got[0], want[0]):
            raise Wrong(
                "第 0 行对，后面的行错：第 i 个 program 做第 i 个查询。",
                "Row 0 is right and the later ones are not: program i does query i.",
            )
        raise Wrong(
            "14 个键、一块 4 个时就不对。先不管 scale，用两块键在纸上走一遍 m、s、o。",
            "Wrong already with 14 keys in tiles of 4. Walk m, s and o through two tiles on paper.",
        )
    steep = [(x * size).bfloat16() for x, size in ((q, 6), (k, 3), (v, 1))]
    if not _close(run(*steep, 0.3)[0], _full(*steep, 0.3), 2e-2):
        raise Wrong(*IN_HALF)


# --- Grouped query heads ---------------------------------------------------------------------------------------------------


def _grouped_kernel(kernel):
    group, d, block = 16, 32, 16

    def run(q, k, v, scale):
        flat = q.reshape(-1, d)
        o = torch.full_like(flat, UNTOUCHED)
        traffic = _launched(kernel, (len(k),), o, flat, k, v, k.shape[1], scale, GROUP=group, D=d, BLOCK=block)
        return o.reshape(q.shape), traffic

    got, want, (q, k, v) = _check_merge(run, ((3, group, d), (3, 40, d), (3, 40, d)), block, readings=1)
    if not _close(got, want):
        turned = q.reshape(group, 3, d).transpose(0, 1)
        woven = _full(turned, k, v, 0.5).transpose(0, 1).reshape(q.shape)
        first = _full(q, k[:1], v[:1], 0.5)
        _first_match(
            got,
            [
                (woven,
                 ("第 h 个查询头用了第 h % 3 个 K/V 头。一组是相邻的 GROUP 个查询头：第 h 个用第 h // GROUP 个 K/V 头。",
                  "Query head h uses K/V head h % 3. A group is GROUP neighbours: query head h uses K/V head h // GROUP.")),
                (first,
                 ("所有的 program 都用了第 0 个 K/V 头：换一个头要加 n · D。", "Every program uses K/V head 0: the next head is n · D further on.")),
            ],
            want,
        )  # fmt: skip
        raise Wrong(
            "3 个 K/V 头、每组 16 个查询头、40 个键时就不对。第 i 组查询头是第 i · GROUP 到 i · GROUP + GROUP − 1 个，它们的 K 和 V 从 i · n · D 开始。",
            "Wrong already with 3 K/V heads, groups of 16 and 40 keys. Group i is query heads i · GROUP to i · GROUP + GROUP − 1, and its K and V begin at i · n · D.",
        )
    apart = torch.ones_like(q) * torch.linspace(-6, 6, group)[:, None]
    if not _close(run(apart, torch.ones_like(k), v, 1.0)[0], _full(apart, torch.ones_like(k), v, 1.0), 1e-3):
        raise Wrong(
            "同一组里，各个查询头的分数相差几百时错了：每个头减去它自己的最大值。",
            "Wrong where the scores of a group's heads are hundreds apart: subtract the maximum of each head, not of the group.",
        )


# --- The best tile ---------------------------------------------------------------------------------------------------------


_KEYS = 64
_SIZES = [2**k for k in range(4, 15)]


def _best(n, d, itemsize, shared, *, tiles=4, spare=0, order=lambda n, b: (math.ceil(n / b), b)):
    fits = [b for b in _SIZES if (b + tiles * _KEYS) * d * itemsize + spare <= shared]
    return min(fits, key=lambda b: order(n, b), default=0)


_TILE_MISTAKES = [
    (lambda *p: _best(*p, order=lambda n, b: (math.ceil(n / b), -b)),
     ("放得下，读写也最少，可是更小的 B_q 往往一样少（一块就装下全部查询时）：取其中最小的。",
      "It fits and moves the fewest, but so does a smaller B_q once one tile holds all queries: take the smallest of them.")),
    (lambda *p: _best(*p, tiles=0),
     ("只算了 Q 的分块：K 和 V 的分块也在共享内存里。", "Only the tile of Q is counted: those of K and V are in shared memory too.")),
    (lambda *p: _best(*p, tiles=2), ("K、V 一共是 4 块：各有两级。", "K and V take 4 tiles: two stages of each.")),
    (lambda n, d, itemsize, shared: _best(n, d, 1, shared),
     ("共享内存以字节计：元素数要乘 itemsize。", "Shared memory is counted in bytes: multiply the elements by itemsize.")),
    (lambda n, d, itemsize, shared: _best(n, d, 2, shared),
     ("不是每种类型都占 2 字节：用 itemsize。", "Not every type has 2 bytes: use itemsize.")),
    (lambda n, d, itemsize, shared: _best(n, d, 4, shared),
     ("不是每种类型都占 4 字节：用 itemsize。", "Not every type has 4 bytes: use itemsize.")),
    (lambda *p: _best(*p, spare=1), ("正好用满也放得下：用 <=。", "It still fits where the room is exactly used up: <=.")),
    (lambda *p: _best(*p, order=lambda n, b: b),
     ("16 读写得最多：B_q 越大，K 和 V 读的遍数越少。", "16 moves the most: the larger B_q, the fewer times K and V are loaded.")),
    (lambda n, d, *p: 2 * n * d * (1 + math.ceil(n / _best(n, d, *p))),
     ("这是读写的元素数；要的是 B_q。", "That is how many elements are moved; B_q is asked for.")),
]  # fmt: skip


def _best_tile(answer):
    h200 = 227 * 1024
    probes = [(4096, 128, 2, h200), (4096, 64, 2, h200), (4096, 128, 4, h200), (4096, 128, 2, 600 * 256), (4096, 128, 2, 700 * 256), (1000, 16, 2, h200),
              (256, 64, 2, h200), (20, 128, 2, h200), (4096, 128, 2, (512 + 256) * 256), (4096, 128, 2, (512 + 256) * 256 - 1),
              (5, 64, 2, h200), (4096, 16, 2, h200), (10000, 16, 1, h200)]  # fmt: skip
    given = [number(answer, *probe) for probe in probes]
    if given == (wanted := [_best(*probe) for probe in probes]):
        return
    for wrong, said in _TILE_MISTAKES:
        if given == [wrong(*probe) for probe in probes]:
            raise Wrong(*said)
    (n, d, itemsize, shared), got, want = next(x for x in zip(probes, given, wanted, strict=True) if x[1] != x[2])
    if got not in _SIZES:
        raise Wrong(f"{got:g} 不是 16 以上的 2 的幂。", f"{got:g} is no power of two from 16 on.")
    zh, en = f"N = {n}，d = {d}，itemsize = {itemsize} 时，", f"N = {n}, d = {d}, itemsize = {itemsize}: "
    if (need := (got + 4 * _KEYS) * d * itemsize) > shared:
        raise Wrong(
            f"{zh}{got:g} 放不下：Q 的 B_q 行加上 4 × 64 行 K 和 V，要 {need:.0f} 字节，只有 {shared}。",
            f"{en}{got:g} does not fit. B_q rows of Q and 4 × 64 rows of K and V take {need:.0f} bytes; there are {shared}.",
        )
    raise Wrong(f"{zh}读写最少的是 {want}，你给的是 {got:g}。", f"{en}{want} moves the fewest; you gave {got:g}.")


EXERCISES = {
    "cached_causal_kernel": Exercise(
        "cached_causal_kernel",
        _cached_causal_kernel,
        Text(
            "缩放、掩码、softmax 一趟做完，看不见的分数一个也没读。聊天时模型每写一个字，算的就是它的最后一行。",
            "Scale, mask and softmax in one pass, and not one score out of sight was loaded. Each word a chat model writes is the last "
            "row of this.",
        ),
    ),
    "attention_row_kernel": Exercise(
        "attention_row_kernel",
        _attention_row_kernel,
        Text(
            "K 和 V 各读一遍，N 个分数从不同时存在：这就是 flash attention 的一行。",
            "K and V are loaded once each, and the N scores never exist together: this is one row of flash attention.",
        ),
    ),
    "grouped_kernel": Exercise(
        "grouped_kernel",
        _grouped_kernel,
        Text(
            "16 个查询头共用一遍 K 和 V：缓存小到 1/16，写一个字要读的字节也少到 1/16。这就是分组查询头的用处。",
            "16 query heads share one pass over K and V: the cache is 16 times smaller, and so are the bytes for each new word. That is "
            "what grouped heads are for.",
        ),
    ),
    "best_tile": Exercise(
        "best_tile",
        _best_tile,
        Text(
            "H200 上 bfloat16、d = 128 时是 512。可那时 o 有 512 × 128 个 float32，正好 256 KiB：SM 的全部寄存器。所以真正的 kernel 停在 128 左右。",
            "On an H200 in bfloat16 with d = 128 it is 512. But then o is 512 × 128 float32, exactly 256 KiB: all the registers of an SM. "
            "That is why real kernels stop at about 128.",
        ),
    ),
}

"""Rows under a person's hand: scores, a warp's addresses, the merge of pairs, shares, gradients, programs, attention's tiles."""

from ..figures.attention import attention_tiles, key_tiles
from ..figures.memory import ITEM, sectors
from ..figures.merging import NUMBERS, merge_tree
from ..figures.sharing import exchange_rounds, messages, row_split
from ..figures.softmax_pictures import ANIMALS, softmax_gradient, softmax_steps
from .base import Explorer, choice, dial, film, slider, steps, switch


def explore_softmax(scores=(10, 5, 20), temperature=1.0, constant=0.0, subtract_max=True, dtype="float32") -> Explorer:
    """Three scores, a temperature that divides them, a constant added to all, and the number format."""

    def draw(cat, dog, pig, temperature, constant, subtract_max, dtype):
        moved = [(score + constant) for score in (cat, dog, pig)]
        return softmax_steps(moved, ANIMALS, temperature=temperature, shift=subtract_max, dtype=dtype)

    cat, dog, pig = scores
    return Explorer(
        draw,
        cat=dial("猫的分数", "score of cat", cat, -30, 30, 0.5),
        dog=dial("狗的分数", "score of dog", dog, -30, 30, 0.5),
        pig=dial("猪的分数", "score of pig", pig, -30, 30, 0.5),
        temperature=dial("温度 T", "temperature T", temperature, 0.25, 10, 0.25),
        constant=dial("都加上 c", "add c to all", constant, -100, 100, 1),
        subtract_max=switch("先减去最大值", "subtract the maximum first", subtract_max),
        dtype=choice("数的格式", "number format", dtype, ["float16", "bfloat16", "float32"]),
    )


def explore_sectors(apart=1, start=0) -> Explorer:
    """What a warp fetches whose 32 lanes load a float32 each, so many elements apart."""

    def draw(apart, start):
        label = f"相距 {apart} 个元素 · {apart} element{'s' * (apart > 1)} apart"
        return sectors({label: [ITEM * (start + apart * lane) for lane in range(32)]})

    return Explorer(
        draw,
        apart=slider("相距几个元素", "elements apart", apart, 1, 16),
        start=slider("从第几个元素起", "first element", start, 0, 7),
    )


_SHAPES = [
    ("两两合并 · pairwise", "pairwise"),
    ("逐个合并 · one by one", "one by one"),
    ("随意 · at random", "at random"),
]


def explore_merging(shape="pairwise", order=0, step=None) -> Explorer:
    """Eight numbers as pairs; `order` 0 leaves them as they are, any other shuffles them; `step` shows so many merges."""
    most = len(NUMBERS) - 1
    return Explorer(
        merge_tree,
        shape=choice("合并的次序", "who meets whom", shape, _SHAPES),
        order=slider("打乱（0：不打乱）", "shuffle (0: as they are)", order, 0, 30),
        step=film("合并几次", "merges shown", most if step is None else step, 0, most, milliseconds=900),
    )


def explore_split(columns=131072, programs=8, warps=4) -> Explorer:
    powers = [2**k for k in range(8)]
    return Explorer(
        row_split,
        columns=steps("列数", "columns", columns, [2**k for k in range(12, 21)]),
        programs=steps("几个 program 做一行", "programs that share a row", programs, powers),
        warps=steps("一个 program 几个 warp", "warps of a program", warps, powers[:5]),
    )


_WAYS = [
    ("一次发给所有人 · to all at once", "at once"),
    ("环 · ring", "ring"),
    ("递归倍增 · recursive doubling", "pairwise"),
]


def explore_rounds(way="pairwise", ranks=8, done=3) -> Explorer:
    """How pairs get from every rank to every rank, round after round."""
    return Explorer(
        exchange_rounds,
        way=choice("送法", "way", way, _WAYS),
        ranks=steps("rank 数", "ranks", ranks, (2, 4, 8)),
        done=film("画到第几轮", "rounds drawn", done, 0, len(messages("ring", 8)), milliseconds=800),
    )


def explore_gradient(scores=(1.0, 2.0, 3.0), dy=(1.0, 0.0, 0.0)) -> Explorer:
    """Three scores, and the gradient that arrives for each of the three probabilities."""

    def draw(cat, dog, pig, d_cat, d_dog, d_pig):
        return softmax_gradient((cat, dog, pig), (d_cat, d_dog, d_pig))

    names = (("猫", "cat"), ("狗", "dog"), ("猪", "pig"))
    controls = {en: dial(f"{zh}的分数", f"score of {en}", x, -10, 10, 0.5) for (zh, en), x in zip(names, scores)}
    controls |= {f"d_{en}": dial(f"{zh}的 dy", f"dy of {en}", d, -2, 2, 0.25) for (zh, en), d in zip(names, dy)}
    return Explorer(draw, **controls)


_TILES = [1, 2, 4, 8, 16]


def explore_attention(n=32, d=16, rows=8, columns=8, causal=True, tile=2, step=2) -> Explorer:
    """The tiles of a short sequence; `tile` chooses the queries, `step` how many tiles of keys have passed it."""
    most = key_tiles(n, rows, columns, tile, causal)
    explorer = Explorer(
        attention_tiles,
        n=slider("序列长 N", "sequence length N", n, 2, 64),
        d=steps("头的维数 d", "head dimension d", d, [16, 32, 64, 128]),
        rows=steps("一块几个查询 B_q", "queries in a tile B_q", rows, _TILES),
        columns=steps("一块几个键 B_k", "keys in a tile B_k", columns, _TILES),
        causal=switch("因果掩码", "causal mask", causal),
        tile=slider("第几块查询", "tile of queries", tile, 0, -(-n // rows) - 1),
        step=film("走过几块 K、V", "tiles of K and V passed", step, 0, most, milliseconds=900),
    )

    def follow(_change):
        """No more tiles and steps than there are."""
        now, tile, step = explorer.values, explorer.controls["tile"], explorer.controls["step"]
        tile.max = -(-now["n"] // now["rows"]) - 1
        step.max = step.player.max = key_tiles(now["n"], now["rows"], now["columns"], tile.value, now["causal"])

    for name in ("n", "rows", "columns", "causal", "tile"):
        explorer.controls[name].observe(follow, names="value")
    return explorer

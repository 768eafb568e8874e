"""Which tile is where: flash attention at one moment."""

from ..figures.attention import attention_tiles, key_tiles
from .base import Explorer, film, slider, steps, switch

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

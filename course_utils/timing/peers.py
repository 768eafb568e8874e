"""The course's softmax against everybody else's, shape by shape, as recorded."""

from .recorded import DEVICE, times

IN_EVERY_STATE = ("torch", "compile", "liger", "gems", "quack")
PEERS = (*IN_EVERY_STATE, "compile tuned", "helion")  # those that tune themselves were recorded at a few widths


def leads(state: str, device: str = DEVICE) -> dict[tuple[str, int, int], tuple[int, str]]:
    """{(dtype, rows, columns): (by how many per cent `softmax` leads the fastest peer, who that is)}."""
    shapes: dict[tuple, dict[str, float]] = {}
    for line in times(state, device).measurements:
        shapes.setdefault((line.dtype, line.rows, line.columns), {})[line.provider] = line.median
    found = {}
    for shape, medians in shapes.items():
        if {"compile", "softmax"} <= medians.keys():  # at some widths one of them was recorded alone
            time, peer = min((medians[peer], peer) for peer in PEERS if peer in medians)
            found[shape] = round(100 * (time / medians["softmax"] - 1)), peer
    return found


def beside_the_best(ours: str, dtype: str, state: str = "sustained", device: str = DEVICE) -> dict[int, float]:
    """{columns: how many times as fast as the fastest peer}, wherever QuACK was recorded; among those recorded in every state."""
    curves = times(state, device).curves(dtype)
    best = {n: max(curves[peer][n] for peer in IN_EVERY_STATE if n in curves[peer]) for n in curves["quack"]}
    return {n: speed / best[n] for n, speed in curves[ours].items() if n in best}


def noise(state: str, device: str = DEVICE) -> list[float]:
    """How far apart two measurements of the same `softmax` lie, shape by shape: 0.01 is a per cent."""
    found = times(state, device)
    once = [line for line in found.measurements if line.provider == "softmax"]
    again = [found.one("softmax again", line.columns, line.dtype, line.rows) for line in once]
    return [abs(b.median / a.median - 1) for a, b in zip(once, again, strict=True)]

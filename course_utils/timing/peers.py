"""The course's softmax against everybody else's, shape by shape, as recorded."""

from .recorded import DEVICE, times

PEERS = ("torch", "compile", "compile tuned", "liger", "gems", "quack", "helion")


def leads(state: str, device: str = DEVICE) -> dict[tuple[str, int, int], tuple[int, str]]:
    """{(dtype, rows, columns): (by how many per cent `softmax` leads the fastest peer, who that is)}."""
    shapes: dict[tuple, dict[str, float]] = {}
    for line in times(state, device).measurements:
        shapes.setdefault((line.dtype, line.rows, line.columns), {})[line.provider] = line.median
    found = {}
    for shape, medians in shapes.items():
        if "compile" in medians:  # at some widths the course's own kernels were recorded alone
            time, peer = min((medians[peer], peer) for peer in PEERS if peer in medians)
            found[shape] = round(100 * (time / medians["softmax"] - 1)), peer
    return found

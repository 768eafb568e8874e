"""How numbers get from every rank to every rank: round after round, who sends to whom, and what each then knows."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

WAYS = ("at once", "ring", "pairwise")


def messages(way: str, ranks: int) -> list[list[tuple[int, int]]]:
    """For every round, (from, to)."""
    everybody = range(ranks)
    if way == "at once":
        return [[(a, b) for a in everybody for b in everybody if a != b]]
    if way == "ring":
        return [[(a, (a + 1) % ranks) for a in everybody] for _ in range(ranks - 1)]
    if ranks & (ranks - 1):
        raise ValueError("two by two, the number of ranks is a power of two")
    return [[(a, a ^ distance) for a in everybody] for distance in _powers(ranks)]


def known(way: str, ranks: int, done: int) -> list[set[int]]:
    """Whose pairs each rank has, or has merged, after so many rounds."""
    has = [{rank} for rank in range(ranks)]
    for sent in messages(way, ranks)[:done]:
        before = [set(each) for each in has]
        for a, b in sent:
            has[b] |= before[a]
    return has


def exchange_rounds(way="pairwise", ranks=4, done=None) -> Picture:
    """`done` rounds of an exchange; all of them without it."""
    rounds = messages(way, ranks)
    done = len(rounds) if done is None else min(done, len(rounds))
    top, high, gap = 72, 30, 58
    pitch = min(104, (style.WIDTH - 48) / ranks)
    left = 24 + (style.WIDTH - 48 - ranks * pitch + 16) / 2
    canvas = Canvas(
        top + len(rounds) * (high + gap) + high + 30,
        Text(f"{ranks} 个 rank，做完 {done} / {len(rounds)} 轮", f"{ranks} ranks, {done} of {len(rounds)} rounds done"),
    )
    for level in range(done + 1):
        y = top + level * (high + gap)
        for rank, has in enumerate(known(way, ranks, level)):
            x = left + rank * pitch
            for k in range(ranks):
                wide = (pitch - 16) / ranks
                canvas.rect(x + k * wide, y, wide, high, "course" if k in has else "wash", "edge")
            canvas.text(x + (pitch - 16) / 2, y - 8, rank, style.SMALL, "mute", "middle")
        for a, b in rounds[level] if level < done else ():
            start, end = (left + each * pitch + (pitch - 16) / 2 for each in (a, b))
            canvas.arrow((start, y + high + 3), (end, y + high + gap - 20), "mute", line=1.2)
    each = len(rounds[0]) // ranks
    return Picture(
        canvas,
        f"{ranks} 个 rank：{len(rounds)} 轮，每轮每个 rank 发 {each} 条消息；做完 {done} 轮",
        f"{ranks} ranks: {len(rounds)} rounds, messages from each rank in a round: {each}; rounds done: {done}",
    )


def _powers(ranks: int) -> list[int]:
    return [2**k for k in range(ranks.bit_length() - 1)]

"""A row that several share: its parts, the buffer of their pairs, and how pairs get from every rank to every rank."""

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

LANES = 32
ROOM = 128  # elements a lane can hold beside everything else, of 255 registers at most
MOST = 32  # boxes drawn of one level

# level: its name; how they tell each other; who waits
_LEVELS = {
    "programs": (Text("program", "programs"), "显存，经过 L2 · memory, through L2", "轮询 · polling"),
    "warps": (Text("warp", "warps"), "共享内存 · shared memory", "屏障 · a barrier"),
    "lanes": (
        Text("lane", "lanes"),
        "寄存器之间的 shuffle · shuffles between registers",
        "谁也不等：齐步走 · nobody waits: in step",
    ),
}


def levels(columns: int, programs: int, warps: int) -> list[tuple[str, int, int]]:
    """(level, how many there are in the one above, columns that each holds), from the whole row down to a lane."""
    found = []
    if programs > 1:
        found.append(("programs", programs, columns // programs))
    if warps > 1:
        found.append(("warps", warps, columns // programs // warps))
    return [*found, ("lanes", LANES, columns // programs // warps // LANES)]


def row_split(columns=131072, programs=8, warps=4) -> Picture:
    """A row of so many columns, its parts level by level."""
    found = levels(columns, programs, warps)
    left, wide, top, step, below = (24, 392, 74, 116, 50) if style.narrow() else (24, 400, 74, 70, 0)
    right = left if below else left + wide + 26
    canvas = Canvas(top + step * (len(found) + 1) + 8 - below // 2, f"N = {columns}")
    if not below:
        canvas.text(right, 34, "谁等谁 · who waits for whom", style.BODY, "ink", bold=True)
    canvas.rect(left, top - 26, wide, 22, "c7", "ink", opacity=0.4, round_=3)
    canvas.text(left + wide / 2, top - 10, "一行 · one row", style.SMALL, "ink", "middle")
    share = wide
    for number, (level, count, held) in enumerate(found):
        y, drawn, colour = top + step * number, min(count, MOST), style.counted(number)
        # The first part of the level above is drawn large.
        for x, to in ((left, left), (left + share, left + wide)):
            canvas.lines([(x, y - 4), (to, y + 18)], "mute", line=1, dash="3 3")
        share = wide / drawn
        for k in range(drawn):
            strength = 0.35 if k else 0.75
            canvas.rect(left + k * share + 1, y + 18, share - 2, 22, colour, colour, opacity=strength, round_=2)
        name, how, waiting = _LEVELS[level]
        more = " …" if count > drawn else ""
        canvas.text(left, y + 57, Text(f"{count} 个 {name.zh}{more}", f"{count} {name.en}{more}"), style.SMALL)
        canvas.text(left + wide, y + 57, Text(f"各 {held} 列", f"{held} columns each"), style.SMALL, "mute", "end")
        canvas.text(right, y + 26 + below, how, style.SMALL, "ink", fit=style.WIDTH - right - 16)
        ink = "alarm" if level == "programs" else "mute"
        canvas.text(right, y + 46 + below, waiting, style.SMALL, ink, fit=style.WIDTH - right - 16)
    held = found[-1][2]
    fits = held <= ROOM
    y = top + step * len(found)
    canvas.rect(left, y + 14, wide * min(held, ROOM) / ROOM, 16, "c2" if fits else "alarm", opacity=0.7, round_=2)
    canvas.rect(left, y + 14, wide, 16, None, "mute", round_=2)
    told = Text(f"一个 lane {held} 个元素", f"{held} elements a lane")
    canvas.text(right, y + 28 + below // 2, told, style.SMALL, "ink" if fits else "alarm", fit=style.WIDTH - right - 16)
    return Picture(canvas, *_described(found, columns), _note(found, fits))


def _described(found, columns) -> tuple[str, str]:
    zh = "，".join(f"{count} 个 {_LEVELS[level][0].zh} 各 {held} 列" for level, count, held in found)
    en = ", ".join(f"{count} {_LEVELS[level][0].en} of {held} columns" for level, count, held in found)
    return f"一行 {columns} 列：{zh}", f"a row of {columns} columns: {en}"


def _note(found, fits: bool) -> Text:
    names = [level for level, _, _ in found]
    held = found[-1][2]
    if not fits:
        return Text(
            f"一个 lane 要拿 {held} 个 float32，寄存器放不下：再多几个 program 或 warp。",
            f"A lane would hold {held} float32, more than its registers can: take more programs or warps.",
        )
    if "programs" in names:
        return Text(
            "program 之间要互相等，就必须同时驻留，而硬件并不保证。",
            "Programs wait for others, and the hardware does not promise that all are on the GPU together: each one waited for must have a place.",
        )
    return Text(
        "一个 program 做一行：warp 之间等一次屏障，program 之间谁也不等谁。",
        "One program does the row: its warps meet at a barrier, and no program waits for another.",
    )


LEFT, TOP, HIGH, GAP = 24, 76, 30, 40


def pairs_buffer(rows=2, parts=4) -> Picture:
    """Rows in so many parts, the buffer in memory with its places numbered, and the parts again."""
    canvas = Canvas(TOP + 320)
    wide = canvas.width - 2 * LEFT
    each = (wide - GAP * (rows - 1)) / rows
    first, buffer, second = TOP, TOP + 110, TOP + 230
    canvas.text(
        LEFT, first - 34, "第一个 kernel：一个 program 求一对 · first kernel: a program finds one pair", style.SMALL
    )
    told = "第二个 kernel：一个 program 读本行的每一对 · second kernel: a program reads every pair of its row"
    canvas.text(LEFT, second + HIGH + 34, told, style.SMALL)
    for row in range(rows):
        left, part_wide = LEFT + row * (each + GAP), each / parts
        canvas.text(left, first - 8, f"第 {row} 行 · row {row}", style.SMALL, "mute")
        for part in range(parts):
            x, colour = left + part * part_wide, style.counted(part)
            for y, name in ((first, part), (second, part)):
                canvas.rect(x + 1, y, part_wide - 2, HIGH, colour, round_=3, opacity=0.75)
                canvas.text(x + part_wide / 2, y + 21, name, style.SMALL, "on", "middle")
            canvas.arrow((x + part_wide / 2, first + HIGH + 4), (x + part_wide / 2, buffer - 4), colour)
            place = (row * parts + part) * 2
            for k, what in enumerate("ms"):
                cell = x + k * part_wide / 2
                canvas.rect(cell, buffer, part_wide / 2, HIGH, colour, "paper", line=1.5)
                canvas.text(cell + part_wide / 4, buffer + 20, what, style.SMALL, "on", "middle")
                canvas.text(cell + part_wide / 4, buffer + HIGH + 17, place + k, style.SMALL, "mute", "middle")
        middle, y = left + each / 2, buffer + HIGH + 26
        canvas.lines([(left + 2, y), (left + 2, y + 7), (left + each - 2, y + 7), (left + each - 2, y)], "mute")
        for part in range(parts):
            canvas.lines([(middle, y + 7), (left + (part + 0.5) * part_wide, second - 4)], "mute", line=1.2)
    zh = f"{rows} 行各 {parts} 段：第一个 kernel 的每个 program 写一对，第 row 行第 part 段写在 (row × {parts} + part) × 2；第二个的每个 program 读本行的 {parts} 对。"
    en = f"{rows} rows in {parts} parts: each program of the first kernel writes one pair, that of part `part` of row `row` at (row × {parts} + part) × 2; each of the second reads the {parts} pairs of its row."
    return Picture(canvas, zh, en)


WAYS = ("at once", "ring", "pairwise")


def messages(way: str, ranks: int) -> list[list[tuple[int, int]]]:
    """For every round, (from, to); each message is one pair. Pairwise, the number of ranks is a power of two."""
    everybody = range(ranks)
    if way == "at once":
        return [[(a, b) for a in everybody for b in everybody if a != b]]
    if way == "ring":
        return [[(a, (a + 1) % ranks) for a in everybody] for _ in range(ranks - 1)]
    return [[(a, a ^ 1 << k) for a in everybody] for k in range(ranks.bit_length() - 1)]


def known(way: str, ranks: int, done: int) -> list[set[int]]:
    """Whose pairs each rank has, or has merged, after so many rounds."""
    has = [{rank} for rank in range(ranks)]
    for sent in messages(way, ranks)[:done]:
        before = [set(each) for each in has]
        for a, b in sent:
            has[b] |= before[a]
    return has


def exchange_rounds(way="pairwise", ranks=8, done=None) -> Picture:
    """`done` rounds of an exchange; all of them without it."""
    rounds = messages(way, ranks)
    done = len(rounds) if done is None else min(done, len(rounds))
    high, gap, apart = 24, 38, 12
    pitch = (style.WIDTH - 2 * LEFT + apart) / ranks
    wide = pitch - apart
    canvas = Canvas(TOP + len(rounds) * (high + gap) + high + 16)
    for level in range(done + 1):
        y = TOP + level * (high + gap)
        for rank, has in enumerate(known(way, ranks, level)):
            x = LEFT + rank * pitch
            for k in range(ranks):
                canvas.rect(x + k * wide / ranks, y, wide / ranks, high, "course" if k in has else "wash", "edge")
            if not level:
                canvas.text(x + wide / 2, y - 10, f"rank {rank}", style.SMALL, "mute", "middle")
        for a, b in rounds[level] if level < done else ():
            start, end = (LEFT + each * pitch + wide / 2 for each in (a, b))
            canvas.arrow((start, y + high + 3), (end, y + high + gap - 4), "mute", line=1.2)
    each = sum(b == 0 for sent in rounds for _, b in sent)
    return Picture(
        canvas,
        f"{way}，{ranks} 个 rank：共 {len(rounds)} 轮，每个 rank 收 {each} 对；画到第 {done} 轮",
        f"{way}, {ranks} ranks: {len(rounds)} rounds in all, {each} pairs for each rank; drawn up to round {done}",
        Text(
            f"{len(rounds)} 轮，每个 rank 收 {each} 对，每行 {8 * each} 字节。深色：这个 rank 已经知道谁的数对。",
            f"{len(rounds)} round{'s' * (len(rounds) > 1)}; each rank receives {each} pair{'s' * (each > 1)}, {8 * each} bytes a row. Dark: whose pairs a rank knows.",
        ),
    )

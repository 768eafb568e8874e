"""Many rows, few places to run: programs that take every P-th row, beside one program a row."""

import heapq

from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture
from .units import short


def durations(rows, uneven=False):
    """How long each row takes, in row times; uneven, every fifth takes three."""
    return [3.0 if uneven and row % 5 == 0 else 1.0 for row in range(rows)]


def grid_stride_schedule(rows, programs, start=0.0, uneven=False):
    """(place, row, begin, end) of every row when program p takes the rows p, p + P, p + 2P, …"""
    spent, plan = [start] * programs, []
    for row, cost in enumerate(durations(rows, uneven)):
        place = row % programs
        plan.append((place, row, spent[place], spent[place] + cost))
        spent[place] += cost
    return plan


def program_a_row_schedule(rows, places, start=0.0, uneven=False):
    """The same when each row is a program of its own, and the hardware gives each to the first place that is free."""
    free, plan = [(0.0, place) for place in range(places)], []
    for row, cost in enumerate(durations(rows, uneven)):
        now, place = heapq.heappop(free)
        plan.append((place, row, now + start, now + start + cost))
        heapq.heappush(free, (now + start + cost, place))
    return plan


def grid_stride(rows=10, programs=4, *, start=0.1, uneven=False) -> Picture:
    """Which program takes which row, and when: a grid of `programs` above, a program a row below.

    `start` is what starting a program costs, in row times: an assumption to play with, not a measurement.
    """
    plans = (
        grid_stride_schedule(rows, programs, start, uneven),
        program_a_row_schedule(rows, programs, start, uneven),
    )
    last = max(end for plan in plans for *_, end in plan)
    ends = [max(end for *_, end in plan) for plan in plans]
    canvas = Canvas(style.WIDTH, 420)
    left, room = 92, style.WIDTH - 92 - 40
    names = (
        (f"网格步进：启动 {programs} 个程序", f"grid-stride: {programs} programs launched"),
        (f"一行一个程序：启动 {rows} 个，{programs} 个位置", f"a program a row: {rows} launched, {programs} places"),
    )
    busy = sum(durations(rows, uneven))
    for k, (plan, (zh, en)) in enumerate(zip(plans, names, strict=True)):
        top, high = 48 + k * 196, 136
        lane = high / programs
        canvas.text(24, top - 16, f"{zh} · {en}", style.BODY, "ink", bold=True, fit=canvas.width - 48)
        for place in range(programs):
            y = top + place * lane
            if lane >= 11:
                label = f"程序 · pid {place}" if k == 0 else f"位置 · place {place}"
                canvas.text(left - 8, y + lane / 2 + 4, label, min(style.SMALL, lane), "mute", "end", fit=left - 18)
            spent = max((end for p, _, _, end in plan if p == place), default=0.0)
            x = left + room * spent / last
            idle = room * ends[k] / last - room * spent / last
            if idle > 1:
                canvas.hatch(x, y + 1, idle, lane - 2, "void")
        for place, row, begin, end in plan:
            y, x, wide = top + place * lane, left + room * begin / last, room * (end - begin) / last
            colour = style.counted(row % programs)
            canvas.rect(
                x, y + 1, wide, max(lane - 2, 1.5), colour, "paper", round_=2, tip=f"row {row}: {begin:g} → {end:g}"
            )
            if lane >= 10 and wide >= 12:
                canvas.text(
                    x + wide / 2, y + lane / 2 + 4, row, min(style.SMALL, lane - 1), "on", "middle", fit=wide - 2
                )
        x = left + room * ends[k] / last
        canvas.lines([(x, top - 4), (x, top + high + 4)], "ink", line=1.5, dash="4 3")
        share = busy / (programs * ends[k])
        text = f"用时 · time {short(ends[k])}    忙 · busy {share:.0%}"
        canvas.text(left, top + high + 19, text, style.BODY, "ink")
    rounds = -(-rows // programs)
    idle = rounds * programs - rows
    best = "一样快" if abs(ends[0] - ends[1]) < 1e-9 else "网格步进更快" if ends[0] < ends[1] else "一行一个程序更快"
    best_en = {
        "一样快": "a tie",
        "网格步进更快": "grid-stride is faster",
        "一行一个程序更快": "a program a row is faster",
    }[best]
    return Picture(
        canvas,
        f"{rows} 行分给 {programs} 个程序：网格步进用时 {short(ends[0])}，一行一个程序用时 {short(ends[1])}。",
        f"{rows} rows for {programs} programs: grid-stride takes {short(ends[0])}, a program a row {short(ends[1])}.",
        Text(
            f"{rows} 行 ÷ {programs} 个程序 = {rounds} 轮，最后一轮有 {idle} 个程序空闲；{best}。用时以一行为单位。",
            f"{rows} rows ÷ {programs} programs = {rounds} rounds; idle in the last: {idle}; {best_en}. Time is counted in rows.",
        ),
    )

"""Rows on a time axis: which program does which and when, in a pipeline and over a grid."""

import heapq
import math
from dataclasses import dataclass

from ..language import Text
from . import style
from .canvas import Canvas
from .chart import Axis, Frame
from .picture import Picture
from .units import short

LANE, GAP, LEFT = 22, 58, 116


@dataclass(frozen=True)
class Round:
    """One row of one program: its copy issued, arrived, and then computed and written."""

    row: int
    slot: int
    issued: float
    arrived: float
    begun: float
    ended: float


def pipeline_schedule(rows, stages, load, compute):
    """What the compiler makes of a pipelined row loop: wait, compute, store, then issue the copy of the row `stages − 1` ahead.

    So `stages − 1` copies are issued before the loop, each into a slot of its own, and a slot is filled anew when its row is
    done. One stage has no slot in shared memory; a row goes straight to registers, one at a time. `load` is how long a row
    takes to arrive, however many are on their way.
    """
    slots, plan = max(stages - 1, 1), []
    for row in range(rows):
        issued = plan[row - slots].ended if row >= slots else 0.0
        begun = max(issued + load, plan[-1].ended if plan else 0.0)
        plan.append(Round(row, row % slots, issued, issued + load, begun, begun + compute))
    return plan


def pipeline(stages=(1, 2, 3), rows=6, load=2.0, compute=1.0) -> Picture:
    """One program's time, a panel for each number of stages. `load` and `compute` are assumptions to play with."""
    plans = [pipeline_schedule(rows, count, load, compute) for count in stages]
    times = [plan[-1].ended for plan in plans]
    heights = [(max(count - 1, 1) + 1) * LANE for count in stages]
    canvas = Canvas(44 + sum(heights) + GAP * len(stages))
    scale, top = (canvas.width - LEFT - 40) / max(times), 66
    _legend(canvas)
    for count, plan, high in zip(stages, plans, heights, strict=True):
        _panel(canvas, top, count, plan, scale)
        top += high + GAP
    names = [f"{count} 级 {short(time)}" for count, time in zip(stages, times, strict=True)]
    names_en = [f"{count} stage{'s' * (count > 1)} {short(time)}" for count, time in zip(stages, times, strict=True)]
    return Picture(
        canvas,
        f"一个 program 做 {rows} 行的用时：{'，'.join(names)}。",
        f"Time of one program for {rows} rows: {', '.join(names_en)}.",
        Text(
            f"假定一行在路上 {short(load)}，计算 {short(compute)}；这是示意，不是测量。",
            f"Assumed: a row takes {short(load)} to arrive and {short(compute)} to compute. An illustration, not a measurement.",
        ),
    )


def _legend(canvas):
    kinds = {"wait": "在路上 · on its way", "here": "到了，等着 · arrived, waiting", "compute": "计算 · computed"}
    x = LEFT
    for kind, text in kinds.items():
        _bar(canvas, x, 16, 26, "c0", kind)
        x += 34 + canvas.text(x + 34, 30, text, style.SMALL, "ink") + 26


def _bar(canvas, x, y, wide, colour, kind):
    if kind == "compute":
        canvas.rect(x, y + 1, wide, LANE - 3, colour, "paper", round_=2)
        return
    dash = "4 3" if kind == "wait" else None
    canvas.rect(x, y + 1, wide, LANE - 3, "paper", colour, line=1.6, round_=2, dash=dash)


def _panel(canvas, top, stages, plan, scale):
    slots = max(stages - 1, 1)
    title = Text(
        f"{stages} 级：共享内存里 {slots} 行", f"{stages} stages: {slots} row{'s' * (slots > 1)} in shared memory"
    )
    title = "1 级：不流水 · 1 stage: no pipeline" if stages == 1 else title
    canvas.text(24, top - 10, title, style.BODY, "ink", bold=True)
    for slot in range(slots):
        label = "寄存器 · registers" if stages == 1 else Text(f"槽 {slot}", f"slot {slot}")
        canvas.text(LEFT - 8, top + slot * LANE + 15, label, style.SMALL, "mute", "end")
    lane = top + slots * LANE
    canvas.text(LEFT - 8, lane + 15, "计算 · compute", style.SMALL, "mute", "end")
    free = 0.0
    for turn in plan:
        colour, y = style.counted(turn.row), top + turn.slot * LANE
        x, arrived, begun, ended = (LEFT + scale * t for t in (turn.issued, turn.arrived, turn.begun, turn.ended))
        _bar(canvas, x, y, arrived - x, colour, "wait")
        if begun - arrived > 1:
            _bar(canvas, arrived, y, begun - arrived, colour, "here")
        if turn.begun > free:
            canvas.hatch(LEFT + scale * free, lane + 2, scale * (turn.begun - free), LANE - 5, "void")
        _bar(canvas, begun, lane, ended - begun, colour, "compute")
        for left, wide, height, fill in ((x, arrived - x, y, "ink"), (begun, ended - begun, lane, "on")):
            if wide >= 12:
                canvas.text(left + wide / 2, height + 15, turn.row, style.SMALL, fill, "middle", fit=wide - 2)
        free = turn.ended
    end = LEFT + scale * free
    canvas.lines([(end, top - 2), (end, lane + LANE + 2)], "ink", line=1.5, dash="4 3")
    busy = sum(turn.ended - turn.begun for turn in plan) / free
    took = Text(f"用时 {short(free)}    在计算 {busy:.0%}", f"time {short(free)}    computing {busy:.0%}")
    canvas.text(LEFT, lane + LANE + 18, took, style.SMALL, "ink")


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


def grid_stride(rows=10, programs=4, *, start=0.1, uneven=False, seen=100) -> Picture:
    """Which program takes which row, and when: a grid of `programs` above, one program per row below.

    `start` is what starting a program costs, in row times: an assumption to play with, not a measurement. `seen` shows only
    the first so many percent of the time.
    """
    plans = (
        grid_stride_schedule(rows, programs, start, uneven),
        program_a_row_schedule(rows, programs, start, uneven),
    )
    ends = [max(end for *_, end in plan) for plan in plans]
    names = (
        Text(f"网格跨步：启动 {programs} 个 program", f"Grid-stride: {programs} programs launched"),
        Text(
            f"一行一个 program：启动 {rows} 个，{programs} 个位置",
            f"One program per row: {rows} launched, {programs} places",
        ),
    )
    canvas = Canvas(436)
    time, place = Axis("", 0, max(ends), ticks=[]), Axis("", 0, programs, ticks=[])
    now = max(ends) * (seen / 100)  # at 100 exactly the end
    for k, (plan, name) in enumerate(zip(plans, names, strict=True)):
        plot = Frame(canvas, 112, 50 + k * 212, style.WIDTH - 40, 186 + k * 212, time, place)
        canvas.text(24, plot.top - 16, name, style.BODY, "ink", bold=True, fit=canvas.width - 48)
        _timeline(plot, plan, programs, now, (Text("program", "program"), Text("位置", "place"))[k])
        if now < max(ends):
            plot.line([(now, 0), (now, programs)], "alarm", line=2)
        if now >= ends[k]:
            plot.line([(ends[k], 0), (ends[k], programs)], "ink", line=1.5, dash="4 3")
            busy = sum(durations(rows, uneven)) / (programs * ends[k])
            took = Text(f"用时 {short(ends[k])}    忙 {busy:.0%}", f"time {short(ends[k])}    busy {busy:.0%}")
            canvas.text(plot.left, plot.bottom + 22, took, style.BODY)
    rounds = math.ceil(rows / programs)
    idle = rounds * programs - rows
    better = _better(*ends)
    return Picture(
        canvas,
        f"{rows} 行分给 {programs} 个 program：网格跨步用时 {short(ends[0])}，一行一个 program 用时 {short(ends[1])}。",
        f"{rows} rows for {programs} programs: grid-stride takes {short(ends[0])}, one program per row {short(ends[1])}.",
        Text(
            f"{rows} 行 ÷ {programs} 个 program = {rounds} 轮，最后一轮有 {idle} 个 program 空闲；{better.zh}。用时以一行为单位。",
            f"{rows} rows ÷ {programs} programs = {rounds} rounds; idle in the last: {idle}; {better.en}. Time is counted in "
            "rows.",
        ),
    )


def _timeline(plot, plan, programs, now, name):
    """A lane for each place; of each row what has happened until `now`; hatched where a place has nothing left to do."""
    canvas, lane = plot.canvas, (plot.bottom - plot.top) / programs
    last = max(end for *_, end in plan)
    for place in range(programs):
        y = plot.top + place * lane
        if lane >= 11:
            label = Text(f"{name.zh} {place}", f"{name.en} {place}")
            canvas.text(
                plot.left - 8, y + lane / 2 + 4, label, min(style.SMALL, lane), "mute", "end", fit=plot.left - 18
            )
        spent = max((end for p, _, _, end in plan if p == place), default=0.0)
        x, until = plot.at(spent, 0)[0], plot.at(min(now, last), 0)[0]
        if until - x > 1:
            canvas.hatch(x, y + 1, until - x, lane - 2, "void")
    for place, row, begin, end in plan:
        if begin >= now:
            continue
        x, y, until = plot.at(begin, 0)[0], plot.top + place * lane, plot.at(min(end, now), 0)[0]
        colour, tip = style.counted(row % programs), f"row {row}: {begin:g} → {end:g}"
        canvas.rect(x, y + 1, until - x, max(lane - 2, 1.5), colour, "paper", round_=2, tip=tip)
        if lane >= 10 and until - x >= 12:
            middle, size = (x + until) / 2, min(style.SMALL, lane - 1)
            canvas.text(middle, y + lane / 2 + 4, row, size, "on", "middle", fit=until - x - 2)


def _better(stride, a_row) -> Text:
    if abs(stride - a_row) < 1e-9:
        return Text("一样快", "a tie")
    if stride < a_row:
        return Text("网格跨步更快", "grid-stride is faster")
    return Text("一行一个 program 更快", "one program per row is faster")

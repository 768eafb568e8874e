"""Rows on a time axis: what is on its way and what is computed, in a pipeline."""

from dataclasses import dataclass

from ..language import Text
from . import style
from .canvas import Canvas
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
    x, apart = (24, 10) if style.narrow() else (LEFT, 26)
    for kind, text in kinds.items():
        _bar(canvas, x, 16, 26, "c0", kind)
        x += 34 + canvas.text(x + 34, 30, text, style.SMALL, "ink") + apart


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

"""The steps from the row kernel to `softmax` as they were recorded: all of them at one width, and one of them at every width."""

from ..figures.ladder import all_steps, scores_of_steps, step_changes
from ..language import Text, both
from ..softmax.ladder import NUMBERS
from .base import Explorer, choice, steps


def explore_ladder(columns=4096, dtype="float32", state="sustained", device="h200") -> Explorer:
    """Time, registers, spills, programs per multiprocessor and barriers of every step, at any recorded width."""
    from ..measurements import ladder
    from ..measurements.bench.recording import matrix_bytes

    def draw(columns, dtype, state):
        rungs = ladder.at(columns, dtype, state, device)
        if not rungs:
            raise ValueError(
                both("这样宽的 16 位行要几个 program 合做。", "16-bit rows that wide take several programs.")
            )
        entries = [_entry(rung) for step, rung in rungs.items() if step not in ladder.BESIDE]
        moved = 2 * matrix_bytes(ladder.ROWS, columns, dtype)
        title = f"{dtype}  {ladder.ROWS} × {columns}  {state}  {device.upper()}  2MN = {moved / 1e6:.1f} MB"
        picture = all_steps(entries, rungs["copy"].median_us, title=title)
        note = Text(
            "除去溢出，每一步搬的字节都一样。= 后面的那一步，与这一步在这里启动的是同一个 kernel。",
            "Spills apart, every step moves the same bytes. = names a step that launches the very same kernel here.",
        )
        return type(picture)(picture.canvas, picture.zh, picture.en, note)

    return Explorer(
        draw,
        columns=steps("列数 N", "columns N", columns, ladder.COLUMNS),
        dtype=choice("数的格式", "number format", dtype, ladder.DTYPES),
        state=choice("缓存的状态", "state of the cache", state, ["sustained", "hot"]),
    )


SHOWN = ("row", "several", "pieces", "meeting", "powers", "wide", "fitted", "early")
WATCHED = {"float32": (256, 1024, 4096, 4097, 12671, 12672, 32768), "bfloat16": (256, 781, 1024, 4096, 4097)}


def scoreboard(until="early", state="sustained", device="h200"):
    """The steps up to this one, in per cent of a copy, at the widths that tell them apart."""
    from ..measurements import ladder

    steps_shown = SHOWN[: SHOWN.index(until) + 1]
    percent = {}
    for dtype, widths in WATCHED.items():
        for columns in widths:
            rungs = ladder.at(columns, dtype, state, device)
            shares = {step: round(100 * rungs["copy"].median_us / rungs[step].median_us) for step in steps_shown}
            percent.setdefault(dtype, {})[columns] = shares
    return scores_of_steps(
        percent, steps_shown, numbers=NUMBERS, title=f"{ladder.ROWS} × N   {state}   {device.upper()}"
    )


def _entry(rung) -> tuple:
    if rung.same_as != rung.step:
        return (rung.step, None, rung.same_as)
    return (rung.step, rung.median_us, rung.bandwidth, rung.registers, rung.spills, rung.at_once, rung.barriers)


def won_and_lost(step: str, state="sustained", device="h200"):
    """What a step changed in the time of the step before, at every recorded width."""
    from ..measurements import ladder
    from ..softmax.ladder import STEPS

    before, panels = STEPS[STEPS.index(step) - 1], {}
    for dtype in ladder.DTYPES:
        for columns in ladder.COLUMNS:
            rungs = ladder.at(columns, dtype, state, device)
            if step in rungs and before in rungs:
                old, new = rungs[before], rungs[step]
                after = new.median_us if new.same_as != old.same_as else None
                panels.setdefault(dtype, []).append((columns, old.median_us, after))
    return step_changes(panels, title=f"{before} → {step}   {ladder.ROWS} × N   {state}   {device.upper()}")

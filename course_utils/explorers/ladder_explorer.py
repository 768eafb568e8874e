"""The steps from the row kernel to `softmax`, all of them at one width, as they were recorded."""

from ..figures.ladder import all_steps
from ..language import Text, both
from .base import Explorer, choice, steps


def explore_ladder(columns=4096, dtype="float32", state="sustained", device="h200") -> Explorer:
    """Time, registers, spills, programs per multiprocessor and barriers of every step, at any recorded width."""
    from ..timing import ladder

    def draw(columns, dtype, state):
        rungs = {rung.step: rung for rung in ladder.recorded(device) if (rung.dtype, rung.columns, rung.state) == (dtype, columns, state)}  # fmt: skip
        if not rungs:
            raise ValueError(both("这样宽的 16 位行要几个 program 合做。", "16-bit rows that wide take several programs."))
        copy = rungs.pop("copy")
        rungs.pop("softmax")
        entries = [_entry(rung) if rung.same_as == rung.step else (rung.step, None, 0) for rung in rungs.values()]
        moved = 2 * ladder.matrix_bytes(ladder.ROWS, columns, dtype)
        title = f"{dtype}  {ladder.ROWS} × {columns}  {state}  {device.upper()}  2MN = {moved / 1e6:.1f} MB"
        picture = all_steps(entries, copy.median_us, title=title)
        note = Text("每一步搬的字节都一样。= 表示这一步在这里什么也没变。", "Every step moves the same bytes. = marks a step that changes nothing here.")  # fmt: skip
        return type(picture)(picture.canvas, picture.zh, picture.en, note)

    return Explorer(
        draw,
        columns=steps("列数 N", "columns N", columns, ladder.COLUMNS),
        dtype=choice("数的格式", "number format", dtype, ladder.DTYPES),
        state=choice("缓存的状态", "state of the cache", state, ["sustained", "hot"]),
    )


def _entry(rung) -> tuple:
    return (rung.step, rung.median_us, rung.bandwidth, rung.registers, rung.spills, rung.at_once, rung.barriers)

"""Multiprocessors side by side, with every warp that is resident on them: an SM's have 32 lanes, a CU's may have 64."""

from ..hardware import chip_of
from ..language import Text
from . import style
from .canvas import Canvas
from .picture import Picture

# multiprocessor, warp, warps, scheduler in both languages: what a backend of Triton calls them
_NAMES = {"cuda": ("SM", "warp", "warps", "调度器", "scheduler"), "hip": ("CU", "wave", "waves", "SIMD", "SIMD")}
MARGIN, GAP, PAD, TOP, ROW = 24, 20, 14, 104, 24
WIDEST = 64  # lanes of a row of one scheduler: a wave, or two warps


def resident_warps(*fits) -> Picture:
    """Each of `fits` is an `occupancy.Occupancy`: one colour a program, the length of a bar is its warp's number of lanes."""
    chips = [chip_of(fit.device) for fit in fits]
    rows = [-(-_slots(chip) * chip.target[2] // WIDEST) for chip in chips]
    wide = (style.WIDTH - 2 * MARGIN - GAP * (len(fits) - 1)) / len(fits)
    canvas = Canvas(TOP + 66 + max(rows) * ROW)
    for k, (fit, chip) in enumerate(zip(fits, chips, strict=True)):
        left = MARGIN + k * (wide + GAP)
        _heading(canvas, left, wide, fit, chip)
        canvas.rect(left, 66, wide, TOP - 60 + max(rows) * ROW, "wash", "edge", round_=8)
        _warps(canvas, left + PAD, TOP, (wide - 2 * PAD) / chip.schedulers, fit, chip)
        _programs(canvas, left, wide, canvas.height - 36, fit, chip)
    said = [_described(fit, chip) for fit, chip in zip(fits, chips, strict=True)]
    return Picture(canvas, "；".join(zh for zh, _ in said) + "。", "; ".join(en for _, en in said) + ".")


def _slots(chip) -> int:
    """Warps that can be resident on one scheduler."""
    return chip.warps // chip.schedulers


def _heading(canvas, left, wide, fit, chip):
    unit, warp, warps, *_ = _NAMES[chip.target[0]]
    canvas.text(
        left,
        32,
        Text(f"{fit.device.name} 的一个 {unit}", f"One {unit} of an {fit.device.name}"),
        style.BODY,
        "ink",
        bold=True,
        fit=wide,
    )
    told = Text(
        f"{chip.warps} 个 {warp} × {chip.target[2]} 个 lane = {chip.threads} 个线程",
        f"{chip.warps} {warps} × {chip.target[2]} lanes = {chip.threads} threads",
    )
    canvas.text(left, 54, told, style.SMALL, "mute", fit=wide)


def _warps(canvas, left, top, column, fit, chip):
    lanes = chip.target[2]
    across = WIDEST // lanes
    bar = (column - 4) / across
    for scheduler in range(chip.schedulers):
        x = left + scheduler * column
        *_, zh, en = _NAMES[chip.target[0]]
        label = Text(f"{zh} {scheduler}", f"{en} {scheduler}")
        canvas.text(x, top - 9, label, style.SMALL, "mute", fit=column - 6)
    for slot in range(chip.warps):
        scheduler, place = slot % chip.schedulers, slot // chip.schedulers
        x, y = left + scheduler * column + place % across * bar, top + place // across * ROW
        program = slot // fit.num_warps
        if program >= fit.programs:
            canvas.rect(x, y, bar - 2, ROW - 3, "paper", "void", round_=2)
            continue
        canvas.rect(x, y, bar - 2, ROW - 3, style.counted(program), None if program else "ink", line=2, round_=2)
        canvas.text(x + bar / 2 - 1, y + 15, lanes, style.SMALL, "on", "middle")


def _programs(canvas, left, wide, y, fit, chip):
    lanes = chip.target[2]
    fits = "1 program fits" if fit.programs == 1 else f"{fit.programs} programs fit"
    canvas.text(left, y, Text(f"放得下 {fit.programs} 个 program", fits), style.BODY, "ink", bold=True, fit=wide)
    threads = f"{fit.num_warps} × {lanes} = {fit.num_warps * lanes}"
    told = Text(f"每个 {threads} 个线程（描边的是第一个）", f"{threads} threads each (the first is outlined)")
    canvas.text(left, y + 22, told, style.SMALL, "mute", fit=wide)


def _described(fit, chip) -> tuple[str, str]:
    unit, warp, warps, *_ = _NAMES[chip.target[0]]
    name, lanes, threads = fit.device.name, chip.target[2], fit.num_warps * chip.target[2]
    return (
        f"{name} 的一个 {unit}：{chip.warps} 个 {warp}，每个 {lanes} 个 lane；放得下 {fit.programs} 个 program，每个 {threads} 个线程",
        f"one {unit} of {name}: {chip.warps} {warps} of {lanes} lanes; {fit.programs} {'program fits' if fit.programs == 1 else 'programs fit'}, "
        f"{threads} threads each",
    )

"""The README's first picture: a kernel stepped through, as an SVG that moves without a script and has no words to translate."""

from dataclasses import dataclass
from html import escape

import torch

from course_utils.figures.style import COLOURS, narrow
from course_utils.softmax.row_kernel import row_kernel
from course_utils.stepper import step
from course_utils.stepper.coloured import coloured
from course_utils.stepper.strips import short

SECONDS, REST = 1.3, 2  # of a step; how many steps long the last picture stays
LINE, LETTER, HIGH = 21, 7.83, 27  # pixels: a line of code, a letter of it, a cell
LEFT, WIDTH = 24, 884
_INK = {"k": "course", "s": "torch", "m": "course", "d": "mute"}
_USED = ("paper", "edge", "ink", "mute", "wash", "read", "write", "course", "torch")


@dataclass(frozen=True)
class Moving:
    """Program 1 of the row kernel, on a matrix of 2 × 5; on a phone its values alone."""

    def svg(self) -> str:
        x, y = torch.tensor([[1.0, 0, 2, 1, 3], [2.0, 1, 3, 0, 2]]), torch.zeros(2, 5)
        steps = step(row_kernel, (2,), 1, y, x, 5, 5, 5, BLOCK_SIZE=8)
        source = steps.trace.sources[steps[0].step.function]
        blocks = [name for name, held in steps.trace.values(len(steps) - 1).items() if held.value.kind == "block"]
        row = HIGH + 9
        if narrow():  # memory stands below
            width, top, at, cell = 440, 22, 12, 40
            shown, places = [], ((at, 22 + row * len(blocks)), (230, 22 + row * len(blocks)))
            high, across = places[0][1] + 3 * row - 6, 40
        else:
            width, top, at, cell = WIDTH, 46 + LINE * len(source.lines), LEFT, 58
            shown, right = [_mark(), _code(source)], LEFT + 120 + 8 * cell + 34
            places, high, across = ((right, top), (right, top + 3 * row)), top + 6 * row + 6, (WIDTH - LEFT - right) / 5
        shown += [_strip(steps, name, at, top + k * row, cell) for k, name in enumerate(blocks)]
        shown += [_matrix(steps, "x_ptr", *places[0], across), _matrix(steps, "y_ptr", *places[1], across, blank=True)]
        told = escape(f"{steps.trace.kernel}, program 1: " + "; ".join(moment.line for moment in steps))
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {high}" width="{width}" role="img" aria-label="{told}">',
                f"<style>{_style(steps, source)}</style>",
                f'<rect class="card" x=".5" y=".5" width="{width - 1}" height="{high - 1}" rx="10"/>',
                '<pattern id="off" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="line" d="M0 0V6"/></pattern>',
                *shown,
                "</svg>",
            ]
        )


def _style(steps, source) -> str:
    light, dark = ("".join(f"--{name}:{COLOURS[name][k]};" for name in _USED) for k in (0, 1))
    count = len(steps) + REST
    first = next(k for k, moment in enumerate(steps) if "tl.load" in moment.line)  # it begins with something to see
    whole = f"{count * SECONDS:.1f}s -{(first + 0.2) * SECONDS:.2f}s"
    appear = (
        f"@keyframes a{k}{{0%,{100 * k / count:.2f}%{{opacity:0}}{100 * k / count + 0.5:.2f}%,100%{{opacity:1}}}}.a{k}{{animation:a{k} {whole} infinite}}"
        f"@keyframes o{k}{{0%,{100 * k / count:.2f}%{{opacity:0}}{100 * k / count + 0.5:.2f}%,{100 * (k + 1) / count:.2f}%{{opacity:1}}"
        f"{100 * (k + 1) / count + 0.5:.2f}%,100%{{opacity:0}}}}.o{k}{{animation:o{k} {whole} infinite}}"
        for k in range(1, len(steps))
    )
    lines = [moment.line_number - source.first_line for moment in steps]
    lines += lines[-1:] * REST
    places = "".join(f"{100 * k / count:.2f}%{{transform:translateY({line * LINE}px)}}" for k, line in enumerate(lines))
    last = lines[-1] * LINE
    return (
        f"svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}"
        "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:var(--ink);white-space:pre}"
        ".card{fill:var(--paper);stroke:var(--edge)}.cell{fill:var(--paper);stroke:var(--edge)}.shade{fill:var(--read)}.q{fill:var(--mute)}"
        ".n{text-anchor:middle}.off{fill:url(#off)}.line{stroke:var(--mute);opacity:.7}.yes{fill:var(--course);opacity:.4}.wr{fill:var(--write);opacity:.55}"
        ".rd{fill:none;stroke:var(--read);stroke-width:3}"
        f".now{{fill:var(--write);opacity:.28;transform:translateY({last}px);animation:now {whole} step-end infinite}}"
        f"@keyframes now{{{places}100%{{transform:translateY({last}px)}}}}"
        + "".join(f".{kind}{{fill:var(--{colour})}}" for kind, colour in _INK.items())
        + "".join(appear)
        + "@media(prefers-reduced-motion:reduce){*{animation:none!important}[class^=o]{opacity:0}}"
    )


def _code(source) -> str:
    lines = []
    for k, line in enumerate(source.lines):
        text = coloured(line).replace("<span", "<tspan").replace("</span", "</tspan")
        lines.append(
            f'<text x="{LEFT + 8}" y="{34 + k * LINE}" textLength="{len(line) * LETTER:.0f}" xml:space="preserve">{text}</text>'
        )
    return "\n".join(lines)


def _mark() -> str:
    return f'<rect class="now" x="{LEFT - 8}" y="19" width="{WIDTH - 2 * LEFT + 16}" height="{LINE}" rx="4"/>'


def _strip(steps, name: str, left: float, y: float, wide: float) -> str:
    """A block of lanes, from the step that made it on."""
    made = next(k for k, moment in enumerate(steps) if name in moment.changed)
    held = steps.trace.values(len(steps) - 1)[name]
    data, padding = held.value.data, held.padding
    numbers = [float(value) for value in data if abs(float(value)) != float("inf")]
    low, high = min(numbers), max(numbers)
    parts = [f'<g class="a{made}">', f'<text x="{left}" y="{y + 18}">{name}</text>']
    for k, value in enumerate(data):
        x, off = left + 50 + 1.2 * wide + k * wide, padding is not None and padding[k]
        parts.append(
            f'<rect class="cell{" off" * bool(off)}" x="{x}" y="{y}" width="{wide - 4}" height="{HIGH}" rx="4"/>'
        )
        if data.dtype == bool:
            parts += [f'<rect class="yes" x="{x}" y="{y}" width="{wide - 4}" height="{HIGH}" rx="4"/>'] * bool(value)
        elif not off:
            shade = 0.1 + 0.7 * (float(value) - low) / (high - low)
            parts.append(
                f'<rect class="shade" opacity="{shade:.2f}" x="{x}" y="{y}" width="{wide - 4}" height="{HIGH}" rx="4"/>'
            )
        parts.append(_number(x, y, short(value, 5), wide))
    return "\n".join([*parts, "</g>"])


def _matrix(steps, name: str, x: float, y: float, wide: float, blank: bool = False) -> str:
    """A tensor in memory: what is read is framed as it is read, what is written is there from then on."""
    tensor = next(each for each in steps.trace.tensors if each.name == name)
    before, after = tensor.data, steps.trace.contents(tensor, len(steps) - 1)
    parts = [f'<text x="{x}" y="{y + 18}">{name}</text>']
    for k, value in enumerate(before):
        at, down = x + k % 5 * wide, y + (1 + k // 5) * (HIGH + 3)
        box = f'x="{at:.0f}" y="{down}" width="{wide - 3:.0f}" height="{HIGH}" rx="4"'
        parts.append(f'<rect class="cell" {box}/>')
        written = before[k] != after[k]
        if not written and not blank:
            parts.append(_number(at, down, short(value, 4), wide + 1))
        for number, moment in enumerate(steps):
            for touch in moment.step.touches:
                if touch.tensor == name and k in touch.offsets[touch.inside]:
                    if touch.kind == "load":
                        parts.append(
                            f'<rect class="o{number}" fill="none" stroke="var(--read)" stroke-width="3" {box}/>'
                        )
                    else:
                        parts.append(
                            f'<g class="a{number}"><rect class="wr" {box}/>{_number(at, down, short(after[k], 4), wide + 1)}</g>'
                        )
    return "\n".join(parts)


def _number(x: float, y: float, text: str, wide: float) -> str:
    return f'<text class="n" x="{x + (wide - 4) / 2:.0f}" y="{y + 18}">{text}</text>' if text else ""

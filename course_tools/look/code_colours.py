"""The colours of code, in light and in dark, each with the contrast that WCAG 2.1 AA asks for.

Pygments' own styles are made for beauty: of forty, one reaches 4.5 : 1 on light paper and none on dark. So each colour is moved
towards ink until it does.
"""

from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES

LIGHT, DARK = "friendly", "github-dark"
PAPER = {LIGHT: "#f6f5f1", DARK: "#23262b"}  # --code-paper in colours.css
ENOUGH = 4.8


def rules() -> str:
    """Style rules for what pygments puts into a page."""
    light, dark = (dict(get_style_by_name(name)) for name in (LIGHT, DARK))
    found: dict[str, list[str]] = {}
    for token, name in STANDARD_TYPES.items():
        here, there = light.get(token), dark.get(token)
        if not name or here is None or there is None:
            continue
        colours = [
            readable(each["color"] or ink, PAPER[style])
            for each, ink, style in ((here, "1c1e21", LIGHT), (there, "e8e6e1", DARK))
        ]
        rule = f"color:light-dark({','.join(colours)})"
        rule += ";font-weight:600" * bool(here["bold"]) + ";font-style:italic" * bool(here["italic"])
        found.setdefault(rule, []).append(f".highlight .{name}")
    return "\n".join(f"{','.join(names)}{{{rule}}}" for rule, names in found.items())


def readable(colour: str, paper: str) -> str:
    """The colour, or the nearest one on its way to black or white that can be read on this paper."""
    target = 0 if _light(paper) > 0.5 else 255
    parts = _parts(colour)
    for share in range(101):
        mixed = [round(part + (target - part) * share / 100) for part in parts]
        found = "#" + "".join(f"{part:02x}" for part in mixed)
        if contrast(found, paper) >= ENOUGH:
            return found
    raise AssertionError("black or white can always be read")


def contrast(one: str, other: str) -> float:
    """By WCAG 2.1."""
    dark, light = sorted((_light(one), _light(other)))
    return (light + 0.05) / (dark + 0.05)


def _parts(colour: str) -> list[int]:
    colour = colour.lstrip("#")
    return [int(colour[k : k + 2], 16) for k in (0, 2, 4)]


def linear(colour: str) -> list[float]:
    """Red, green and blue as light adds up."""
    return [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in (v / 255 for v in _parts(colour))]


def _light(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

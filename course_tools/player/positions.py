"""The positions of an explorer that a page carries, each with its picture.

An explorer with three sliders of a hundred values has a million positions. A page has some hundreds: of each control the
values that teach, and of their combinations those in which at most so many controls are away from where the notebook starts
them as the page has room for. A page says so below its controls.
"""

import itertools

from course_utils.figures.style import for_a_phone

from .film import film, packed

BYTES = 300_000  # of one explorer's film on the page
ROOM = 900  # positions of one explorer
FRAMES = 11  # of a control that plays by itself, however little room there is
_MOST_VALUES = (41, 31, 25, 21, 17, 13, 11, 9, 7, 5, 3)  # of one control, the most that fit


class Dial:
    """One control as a page shows it: the values it takes there, what they are called, and how to set it."""

    def __init__(self, control, values: list, said, kind: str):
        self.control, self.values, self.said, self.kind = control, values, said, kind
        self.start = self.get()
        self.milliseconds = getattr(getattr(control, "player", None), "interval", 0)

    def get(self):
        return self.control.value

    def set(self, value) -> None:
        self.control.value = value

    def thinned(self, most: int) -> "Dial":
        if self.milliseconds:
            most = max(most, FRAMES)
        self.shown = (
            _thin(self.values, self.start, most) if self.kind == "range" or len(self.values) > 9 else self.values
        )
        return self

    def told(self) -> dict:
        """What player.js needs to know."""
        zh, en = self.control.tooltip.split(" · ")
        said = [self.said(value) for value in self.shown]
        told = {"zh": zh, "en": en, "kind": self.kind, "said": said, "start": self.shown.index(self.start)}
        return told | ({"play": self.milliseconds} if self.milliseconds else {})


def dials(explorer) -> list[Dial]:
    return [_dial(explorer, control) for control in explorer.controls.values()]


def _dial(explorer, control) -> Dial:
    kind = type(control).__name__
    if kind == "Checkbox":
        return Dial(control, [False, True], str, "switch")
    if kind in ("Dropdown", "SelectionSlider"):
        options = [each if isinstance(each, tuple) else (str(each), each) for each in control.options]
        said = {value: label for label, value in options}
        shape = "choice" if kind == "Dropdown" else "range"
        return Dial(control, [value for _, value in options], said.__getitem__, shape)
    low, high = _reach(explorer, control)
    return Dial(control, _range(low, high, control.step), lambda value: f"{value:g}", "range")


def _reach(explorer, control) -> tuple[float, float]:
    """From where to where a slider goes, wherever the others are: some reach further when another moves."""
    low, high = control.min, control.max
    start = explorer.values
    for other in explorer.controls.values():
        for value in [value for _, value in getattr(other, "_options_full", ())]:
            other.value = value
            low, high = min(low, control.min), max(high, control.max)
        _back(explorer, start)
    return low, high


def _range(low, high, step) -> list:
    count = round((high - low) / step)
    values = [low + k * step for k in range(count + 1)]
    if isinstance(low, int) and count > 128:  # widths: what happens, happens around the powers of two
        near = {low, high, *range(1, 10), *(2**k + d for k in range(3, 20) for d in (-1, 0, 1))}
        values = [value for value in values if value in near]
    return values


def _thin(values: list, start, most: int) -> list:
    """At most so many of the values, evenly spread, both ends and the start among them."""
    if len(values) > most:
        places = {round(k * (len(values) - 1) / (most - 1)) for k in range(most)}
        values = [value for place, value in enumerate(values) if place in places]
    return values if start in values else sorted([*values, start])


def chosen(dials: list[Dial], room: int) -> list[tuple[int, ...]]:
    """The positions, as indices into what each dial shows."""
    for most in _MOST_VALUES:
        for dial in dials:
            dial.thinned(most)
        for away in range(len(dials), min(2, len(dials)) - 1, -1):
            if _count(dials, away) <= room:
                return _positions(dials, away)
    return _positions(dials, 1)


def _count(dials: list[Dial], away: int) -> int:
    """How many positions have at most so many dials away from their start."""
    counts = [1]  # by how many are away
    for dial in dials:
        others = len(dial.shown) - 1
        counts = [a + b * others for a, b in zip([*counts, 0], [0, *counts])]
    return sum(counts[: away + 1])


def _positions(dials: list[Dial], away: int) -> list[tuple[int, ...]]:
    start = {dial: dial.shown.index(dial.start) for dial in dials}
    others = {dial: [place for place in range(len(dial.shown)) if place != start[dial]] for dial in dials}
    found = []
    for count in range(away + 1):
        for moved in itertools.combinations(dials, count):
            found += itertools.product(*(others[dial] if dial in moved else [start[dial]] for dial in dials))
    return found


def shoot(explorer) -> dict:
    """The controls, the pictures, and which position shows which: an explorer taken through its positions."""
    for control in explorer.controls.values():
        control.unobserve(explorer.redraw, names="value")  # drawn when all are where they should be, not on the way
    found = dials(explorer)
    room = ROOM
    while True:
        positions = chosen(found, room)
        told, pictures, narrow = _taken(explorer, found, positions)
        reel, phone = packed(film(pictures)), packed(film(narrow))
        if len(reel) <= BYTES or len(positions) == 1:
            break
        room = int(min(room, len(positions)) * min(0.9, BYTES / len(reel)))
    _move(found, [dial.start for dial in found])
    all_of_them = all(dial.shown == dial.values for dial in found) and len(positions) == _count(found, len(found))
    return {"controls": [dial.told() for dial in found], **told, "part": not all_of_them, "film": reel, "phone": phone}


def _taken(explorer, found: list[Dial], positions) -> tuple[dict, list[str], list[str]]:
    frames: dict[str, int] = {}
    narrow: list[str] = []  # the same for a phone
    at, actual = {}, {}
    for position in positions:
        wanted = [dial.shown[index] for dial, index in zip(found, position)]
        _move(found, wanted)
        explorer.redraw()
        key = ",".join(map(str, position))
        at[key] = frames.setdefault(explorer.view.value, len(frames))
        if len(narrow) < len(frames):
            narrow.append(_for_a_phone(explorer))
        got = [dial.get() for dial in found]
        if got != wanted:  # a control that follows another one
            shown = zip(found, got)
            actual[key] = [
                dial.shown.index(value) if value in dial.shown else dial.said(value) for dial, value in shown
            ]
    return {"at": at, "actual": actual}, list(frames), narrow


def _for_a_phone(explorer) -> str:
    with for_a_phone():
        try:
            picture = explorer.picture()
        except (ValueError, LookupError, RuntimeError):
            return explorer.view.value  # values that do not go together: it says so
    return picture.inline()


def _move(found: list[Dial], wanted: list) -> None:
    for dial in found:
        dial.set(dial.start)
    for _ in range(2):  # a slider that another lets reach further is set once that other one is
        for dial, value in zip(found, wanted):
            if dial.get() != value:
                dial.set(value)


def _back(explorer, start: dict) -> None:
    for name, value in start.items():
        explorer.controls[name].value = value

"""The notebooks as a path, each with its number and title."""

from ..language import Text
from .canvas import Canvas
from .picture import Picture

_ACROSS = 4
_WIDE, _HIGH, _GAP, _TURN = 170, 100, 18, 34
_NUMBER, _ZH, _EN = 16.0, 18.5, 15.0  # sizes of type


def is_appendix(number: str) -> bool:
    """Whether a notebook is beside the way: A1, A2, …"""
    return number.startswith("A")


def course_map(notebooks: list[tuple[str, Text]]) -> Picture:
    """The notebooks in order, as (number, title). Appendices stand in rows of their own, and no arrow leads to them."""
    way = _rows([each for each in notebooks if not is_appendix(each[0])])
    rows = way + _rows([each for each in notebooks if is_appendix(each[0])])
    canvas = Canvas(48 + len(rows) * _HIGH + (len(rows) - 1) * _TURN)
    left = (canvas.width - _ACROSS * _WIDE - (_ACROSS - 1) * _GAP) / 2
    for down, row in enumerate(rows):
        y = 24 + down * (_HIGH + _TURN)
        for across, (number, title) in enumerate(row):
            x = left + across * (_WIDE + _GAP)
            _place(canvas, x, y, number, title)
            if across + 1 < len(row) and down < len(way):
                canvas.arrow((x + _WIDE + 3, y + _HIGH / 2), (x + _WIDE + _GAP - 3, y + _HIGH / 2), "mute")
        if down + 1 < len(way):
            last, first = left + (_ACROSS - 1) * (_WIDE + _GAP) + _WIDE / 2, left + _WIDE / 2
            turn = y + _HIGH + _TURN / 2
            canvas.lines([(last, y + _HIGH + 3), (last, turn), (first, turn)], "mute", line=1.8)
            canvas.arrow((first, turn), (first, y + _HIGH + _TURN - 3), "mute")
    order_zh = "、".join(f"{number} {title.zh}" for number, title in notebooks)
    order_en = ", ".join(f"{number} {title.en}" for number, title in notebooks)
    return Picture(canvas, f"课程路线：{order_zh}", f"The way through the course: {order_en}")


def _rows(notebooks: list) -> list[list]:
    return [notebooks[i : i + _ACROSS] for i in range(0, len(notebooks), _ACROSS)]


def _place(canvas: Canvas, x, y, number: str, title: Text) -> None:
    canvas.rect(x, y, _WIDE, _HIGH, "wash", "edge", round_=10)
    canvas.rect(x, y, 40, 26, "mute", round_=8)
    canvas.text(x + 20, y + 19, number, _NUMBER, "paper", "middle", bold=True)
    middle, room = x + _WIDE / 2, _WIDE - 12
    canvas.text(middle, y + 54, title.zh, _ZH, "ink", "middle", bold=True, fit=room)
    lines = _in_two(title.en)
    for line, part in enumerate(lines):
        canvas.text(middle, y + 84 - 5 * len(lines) + 16 * line, part, _EN, "ink", "middle", fit=room)


def _in_two(text: str) -> list[str]:
    """A long title on two lines of about the same length; a short one stays on one."""
    words = text.split()
    if len(text) < 26:
        return [text]
    halves = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(halves, key=lambda pair: max(map(len, pair))))

"""Many pictures that differ little, in few bytes: every piece of HTML once, each picture as the numbers of its pieces.

    {"pieces": ["<svg …>", "<rect …/>", …], "frames": ["0-2k 5", "0-2i 2l-2m 5"]}      numbers in base 36, runs as first-last

`player.js` puts a frame together again. A step of a kernel or one move of a slider changes few pieces; what is left is packed
once more, in the one way that browsers unpack by themselves. Four hundred pictures of 30 kB so take some 150 kB.
"""

import base64
import itertools
import json
import re
import zlib

import numpy as np

_PIECE = re.compile(r"\n|(?=<(?:tr|td|th|tbody|div|pre|small)\b)|(?=<span><span class=\"no\")|(?=<b class=\"now\")")
_NOT_FOR_BROWSERS = re.compile(r' data-text="[^"]*"')  # the letters of a label, for whoever compares two pictures


def film(pictures: list[str]) -> dict:
    numbers: dict[str, int] = {}
    frames = []
    for picture in pictures:
        pieces = _cut(_NOT_FOR_BROWSERS.sub("", picture))
        frames.append(_runs([numbers.setdefault(piece, len(numbers)) for piece in pieces]))
    return {"pieces": list(numbers), "frames": frames}


def packed(film: dict) -> str:
    """For a page: as JSON, deflated, in letters."""
    text = json.dumps(film, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _cut(html: str) -> list[str]:
    # A line keeps its end: in a <pre> it counts.
    ends = sorted({0, len(html), *(found.end() for found in _PIECE.finditer(html))})
    return [html[start:end] for start, end in itertools.pairwise(ends)]


def _runs(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] + 1 == number:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    texts = [[np.base_repr(number, 36).lower() for number in run] for run in runs]
    return " ".join(first if first == last else f"{first}-{last}" for first, last in texts)

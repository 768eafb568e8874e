"""Every drawing that a notebook holds, and awkward cases that none holds; and what the layout of any picture keeps to."""

import html
import itertools
import re
from urllib.parse import unquote
from xml.etree import ElementTree

from course import NOTEBOOKS, code_cells, read

from course_tools.gallery import GALLERY
from course_utils import explorers, figures
from course_utils.figures import glyphs
from course_utils.figures.scoreboard import DTYPES, SHAPES
from course_utils.language import LANGUAGES, Text

DRAWN = re.compile(r"""<div lang="(zh|en)"><img [^>]*?alt="([^"]*)"[^>]*?src="data:image/svg\+xml,([^"]*)""")


def stored() -> dict:
    """The drawings in the outputs of every notebook: (notebook, number, language) → what it says, its SVG."""
    found = {}
    for path in NOTEBOOKS:
        shown = "".join(
            output.get("data", {}).get("text/html", "") for cell in code_cells(read(path)) for output in cell.outputs
        )
        for number, (language, said, svg) in enumerate(DRAWN.findall(shown)):
            found[path.stem[:2], number // 2, language] = html.unescape(said), unquote(html.unescape(svg))
    return found


def scores(float32, bfloat16):
    cells = [(dtype, *shape) for dtype in DTYPES for shape in SHAPES]
    return {cell: share for cell, share in zip(cells, (*float32, *bfloat16), strict=True) if share}


# about what 03 and 04 come to
ROW = scores(
    (0.82, 0.91, 0.95, 0.88, 0.99, 0.91, 0.74, None, 0.56), (0.68, 0.83, 0.96, 0.54, 0.98, 0.78, 0.65, None, 0.28)
)
TILE = ROW | {("float32", 4096, 256): .90, ("bfloat16", 4096, 256): .94, ("float32", 4096, 1024): .99,
              ("float32", 1 << 20, 128): 1.0, ("bfloat16", 1 << 20, 128): 1.0}  # fmt: skip
STEPPED = dict.fromkeys(ROW, ("指令多 · instructions", True))

AWKWARD = {
    **GALLERY,
    "softmax in float16": lambda: figures.softmax_steps((12, -5, 20), shift=False, dtype="float16"),
    "softmax of seven": lambda: figures.softmax_steps(range(-3, 4), list("abcdefg"), temperature=2),
    "every step on a board": lambda: figures.scoreboard(
        TILE,
        ROW,
        steps=STEPPED,
        below=("甲 · first", ROW),
        yours={("bfloat16", 4096, 781)},
        note=Text("差在哪里", "what differs"),
    ),
    "a queue that runs dry": lambda: figures.launch_queue({"x": [(50, (9, 40)), (0.1, [0.1]), (30, [200])]}, busy=170),
    "mask and long copy": lambda: figures.mask_and_copy(7, 8),
    "small pieces": lambda: figures.row_pieces(12671, 25, 512, 16),
    "pieces of one warp": lambda: figures.row_pieces(200, 2, 128, 1),
    "few elements, one warp": lambda: figures.lanes_and_elements(256, (1, 4)),
    "a long pipeline": lambda: figures.pipeline((5,), 24, 5, 0.2),
    "merging at random": lambda: figures.merge_tree("at random", 5),
    "rounds at once": lambda: figures.exchange_rounds("at once", 8),
    "row split too little": lambda: figures.row_split(1 << 20, 4, 4),
    "gradient far out": lambda: figures.softmax_gradient((10, -10, 0.5), (-2, 1.75, 2)),
    "tiles of many": lambda: figures.attention_tiles(61, 128, 16, 1, tile=3, step=60, causal=False),
    "tiles of one": lambda: figures.attention_tiles(2, 16, 16, 16, tile=9, step=9),
    "speed of narrow attention": lambda: explorers.attention_speed(64),
}


def check_layout(picture):
    for language in LANGUAGES:
        check_drawing(picture.svg(language), picture.title(language))


def check_drawing(svg: str, title: str) -> None:
    """Nothing lies outside the paper, and no text on text."""
    root = ElementTree.fromstring(svg)
    wide, high = float(root.get("width")), float(root.get("height"))
    texts, boxes = [], []
    for element in root:
        tag = element.tag.rpartition("}")[2]
        if tag == "g":
            texts.append(text_box(element))
        elif tag == "rect":
            x, y, w, h = (float(element.get(k)) for k in ("x", "y", "width", "height"))
            boxes.append((x, y, x + w, y + h))
        elif tag == "circle":
            x, y, r = (float(element.get(k)) for k in ("cx", "cy", "r"))
            boxes.append((x - r, y - r, x + r, y + r))
    for x0, y0, x1, y1, *told in texts + boxes:
        assert x0 >= -0.1 and x1 <= wide + 0.1 and y0 >= -0.1 and y1 <= high + 0.1, (x0, y0, x1, y1, *told, title)
    for a, b in itertools.combinations(texts, 2):
        apart = a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
        assert apart, f"text over text: {a[4:]} {b[4:]} in {title}"


def text_box(group):
    x, y, scale = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)scale\((\S+)\)", group.get("transform")).groups())
    last = group[-1]
    wide = float(last.get("x", 0)) + glyphs.outline(chr(int(last.get("href")[2:], 16)))[1]
    size = scale * glyphs.EM
    return x, y - 0.72 * size, x + wide * scale, y + 0.12 * size, group.get("data-text"), size

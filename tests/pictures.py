"""One of every picture, in its plain and its awkward cases; and what the layout of any picture keeps to."""

import itertools
import re
from xml.etree import ElementTree

from course_tools.contents import entries, map_places
from course_tools.gallery import gallery
from course_utils import explorers, figures, occupancy
from course_utils.figures import glyphs
from course_utils.figures.scoreboard import DTYPES, SHAPES
from course_utils.language import Text
from course_utils.measurements.bench.call import Found
from course_utils.softmax.launcher import launcher

CURVES = {
    "copy": {256: 1300, 1024: 2700, 4096: 3600, 32768: 4100},
    "torch": {256: 1080, 1024: 2470, 4096: 2320, 32768: 2640},
    "naive": {256: 290, 1024: 600, 4096: 680, 32768: 800},
    "course": {256: 760, 1024: 2680, 4096: 3520},
    "liger": {256: 1110, 1024: 2740, 4096: 3730, 32768: 4050},
    "quack": {256: 1260, 1024: 2780, 4096: 3500, 32768: 4050},
}


def multiprocessor(programs, num_warps, limits):
    shares = {"registers": 0.98 / limits["registers"], "shared": 0.9 / (limits["shared"] or 1e9)}
    return figures.multiprocessor(
        programs, limits, num_warps=num_warps, warp_slots=64, shares=shares, title="softmax H200"
    )


def fits(device, registers, num_warps):
    return occupancy.occupancy(device, registers=registers, shared=0, num_warps=num_warps)


def found(us, *varied, live=None):
    return Found("H100", varied, us, dict.fromkeys(us, 41.3), dict.fromkeys(us, live) if live else {})


def scores(float32, bfloat16):
    cells = [(dtype, *shape) for dtype in DTYPES for shape in SHAPES]
    return {cell: share for cell, share in zip(cells, (*float32, *bfloat16), strict=True) if share}


# about what 03 and 04 come to
ROW = scores(
    (0.82, 0.91, 0.95, 0.88, 0.99, 0.91, 0.74, None, 0.56), (0.68, 0.83, 0.96, 0.54, 0.98, 0.78, 0.65, None, 0.28)
)
TILE = ROW | {("float32", 4096, 256): .90, ("bfloat16", 4096, 256): .94, ("float32", 4096, 1024): .99,
              ("float32", 1 << 20, 128): 1.0, ("bfloat16", 1 << 20, 128): 1.0}  # fmt: skip

PICTURES = {
    **{name: draw for name, draw in gallery(entries()).items() if name != "stepper"},  # that one moves, and is letters
    "limits": figures.exp_limits,
    "softmax in float16": lambda: figures.softmax_steps((12, -5, 20), shift=False, dtype="float16"),
    "softmax of seven": lambda: figures.softmax_steps(range(-3, 4), list("abcdefg"), temperature=2),
    "limits far out": lambda: figures.exp_limits((300, -50, 20)),
    "cache": lambda: figures.cache_state(
        [("x0", 17e6, 17e6), ("y9", 2e6, 2e6), ("flush", 31e6, 0)],
        [("flush", 16e6, 0), ("x0", 17e6, 8e6), ("y0", 17e6, 17e6)],
        {"模拟的 GPU · pretend": (0, 33e6), "H200 · H200": (17e6, 4e6)},
        title="hot",
    ),
    "flow in bytes": lambda: figures.memory_flow(1823, 781),
    "map": lambda: figures.course_map(map_places(entries())),
    "traffic": lambda: figures.traffic_bars([("朴素 · naive", 5e6, 3e6), ("融合 · fused", 1e6, 1e6)]),
    "scoreboard of 03": lambda: figures.scoreboard(ROW, title="03  row_kernel"),
    "scoreboard of 08": lambda: figures.scoreboard(
        TILE,
        ROW,
        steps=dict.fromkeys(ROW, ("指令多 · instructions", True)),
        early=ROW,
        yours={("bfloat16", 4096, 781)},
        title="04  tile",
        note=Text("差在哪里", "what differs"),
    ),
    "rounds": lambda: figures.exchange_rounds("pairwise", 8),
    "rounds at once": lambda: figures.exchange_rounds("at once", 8),
    "a ring half way": lambda: figures.exchange_rounds("ring", 4, 2),
    "two GPUs or one": lambda: figures.split_or_not(
        {512: 4.0, 8192: 47.0, 131072: 700.0},
        {512: 14.6, 8192: 36.0, 131072: 365.0},
        two_kernels={512: 36.0, 8192: 49.0, 131072: 550.0},
        in_kernel={512: 7.0, 8192: 29.0, 131072: 360.0},
    ),
    "samples in order": lambda: figures.timing_in_order([9e-6] * 12 + [4e-5] * 9),
    "grid to lane": figures.grid_to_lane,
    "grid to lane, 8 warps": lambda: figures.grid_to_lane(120, 8, "A100"),
    "a queue": lambda: figures.launch_queue({"graph": [(0, [2] * 5)], "一个一个 · one by one": [(9, [2])] * 5}),
    "a queue that runs dry": lambda: figures.launch_queue({"x": [(50, (9, 40)), (0.1, [0.1]), (30, [200])]}, busy=170),
    "mask and copy": lambda: figures.mask_and_copy(1, 8),
    "mask and long copy": lambda: figures.mask_and_copy(7, 8),
    "mask as an address": lambda: figures.mask_as_address(5, 8),
    "mask as one address": lambda: figures.mask_as_address(7, 8),
    "an early start": figures.early_start,
    "a chain of early starts": figures.early_chain,
    "buffer of pairs": lambda: figures.pairs_buffer(),
    "shares": lambda: figures.shares(found({8192: 47.4, 4097: 37.8}, "columns")),
    "shares of two": lambda: figures.shares(
        found({("hot", ""): 41.1, ("hot", "evict_first"): 54.8}, "state", "hint", live=39.9)
    ),
    "pieces": lambda: figures.row_pieces(4097, 5, 1024, 4),
    "pieces of one warp": lambda: figures.row_pieces(200, 2, 128, 1),
    "small pieces": lambda: figures.row_pieces(12671, 25, 512, 16),
    "left out": lambda: explorers.left_out(),
    "ragged rows": lambda: figures.ragged_rows(781, 4),
    "ragged rows of 16 bits": lambda: figures.ragged_rows(781, 8),
    "multiprocessor": lambda: multiprocessor(5, 8, {"warps": 8, "registers": 5, "shared": 13, "programs": 32}),
    "multiprocessor of small programs": lambda: multiprocessor(
        32, 1, {"warps": 64, "registers": 40, "shared": None, "programs": 32}
    ),
    "lanes and elements": figures.lanes_and_elements,
    "few elements, one warp": lambda: figures.lanes_and_elements(256, (1, 4)),
    "elements a thread": explorers.warps_at_every_width,
    "what a rule loses": lambda: explorers.regrets_of(launcher).picture(),
    "launchers on unseen shapes": explorers.launchers,
    "what a bad rule loses": lambda: figures.regrets(
        {(4096, 781, "float32"): (1.62, 16, 8), (4096, 781, "bfloat16"): (1.0, 1, 32)}, "规则 · rule"
    ),
    "warps and waves": lambda: figures.resident_warps(fits("H200", 32, 8), fits("MI300X", 32, 8)),
    "a CU that is not full": lambda: figures.resident_warps(fits("RTX 4090", 168, 4), fits("MI300X", 300, 16)),
    "pipelines": lambda: figures.pipeline((1, 2, 3, 4), 12, 0.1, 3),
    "a long pipeline": lambda: figures.pipeline((5,), 24, 5, 0.2),
    "placing cost": lambda: figures.placing_cost({4096: 3.1, 65536: 40.0, 262144: 158.1}, 2**20),
    "short rows": lambda: figures.short_rows(
        {512: 0.28, 8192: 0.99}, {512: 0.89, 8192: 0.96}, {512: 1.0, 8192: 0.97}, 1800
    ),
    "reduction": lambda: figures.reduction_tree(1024, 8),
    "reduction half way": lambda: figures.reduction_tree(16, 4, "sum", 3),
    "merging": lambda: figures.merge_tree(),
    "merging one by one": lambda: figures.merge_tree("one by one", 3),
    "merging at random": lambda: figures.merge_tree("at random", 5),
    "row split": lambda: figures.row_split(),
    "row split too little": lambda: figures.row_split(1 << 20, 4, 4),
    "row not split": lambda: figures.row_split(4096, 1, 4),
    "merging not begun": lambda: figures.merge_tree(step=0),
    "sectors": lambda: figures.sectors(
        {"连续 · contiguous": range(0, 128, 4), "列 · column": range(0, 32 * 4096, 4096)}
    ),
    "gradient": lambda: figures.softmax_gradient(),
    "gradient far out": lambda: figures.softmax_gradient((10, -10, 0.5), (-2, 1.75, 2)),
    "attention": lambda: figures.attention_shapes(),
    "attention in tiles": lambda: figures.attention_shapes((4, 4), (1, 2)),
    "tiles of attention": lambda: figures.attention_tiles(),
    "tiles before the first": lambda: figures.attention_tiles(causal=False, step=0),
    "tiles of many": lambda: figures.attention_tiles(61, 128, 16, 1, tile=3, step=60, causal=False),
    "tiles of one": lambda: figures.attention_tiles(2, 16, 16, 16, tile=9, step=9),
    "memory of a loss": lambda: explorers.loss_memory(),
    "speed of attention": lambda: explorers.attention_speed(),
    "speed of narrow attention": lambda: explorers.attention_speed(64),
    "speed of decoding": lambda: explorers.decode_speed(),
    "decoding beside backends": lambda: explorers.decode_shares(),
    "curves": lambda: figures.bandwidth_curves(CURVES, title="H200"),
    "curves of copy": lambda: figures.bandwidth_curves(CURVES, title="H200", share_of="copy", at=1024),
}


def check_layout(picture):
    for language in ("zh", "en"):
        _check_layout(picture, language)


def _check_layout(picture, language):
    wide, high = picture.canvas.width, picture.canvas.height
    texts, boxes = [], []
    for element in ElementTree.fromstring(picture.svg(language)):
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
        assert x0 >= -0.1 and x1 <= wide + 0.1 and y0 >= -0.1 and y1 <= high + 0.1, (x0, y0, x1, y1, *told, language)
    for a, b in itertools.combinations(texts, 2):
        apart = a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
        assert apart, f"text over text: {a[4:]} {b[4:]} in {picture.title(language)}"


def text_box(group):
    x, y, scale = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)scale\((\S+)\)", group.get("transform")).groups())
    last = group[-1]
    wide = float(last.get("x", 0)) + glyphs.outline(chr(int(last.get("href")[2:], 16)))[1]
    size = scale * glyphs.EM
    return x, y - 0.72 * size, x + wide * scale, y + 0.12 * size, group.get("data-text"), size

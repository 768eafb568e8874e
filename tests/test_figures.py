"""Every picture: well-formed, the same every time, nothing outside the paper, no text over text, no letter missing."""

import itertools
import math
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from course_utils import figures
from course_utils.figures import canvas as canvas_module
from course_utils.figures import glyphs, style, units
from course_utils.figures.flow import FUSED, STEPS
from course_utils.figures.gallery import GALLERY, IMAGES, draw_all
from course_utils.figures.mask import lanes
from course_utils.figures.reduction import elements, reduction_stages
from course_utils.figures.roofline import softmax_work
from course_utils.figures.stride import durations, grid_stride_schedule, program_a_row_schedule

CURVES = {
    "copy": {256: 1300, 1024: 2700, 4096: 3600, 32768: 4100},
    "torch": {256: 1080, 1024: 2470, 4096: 2320, 32768: 2640},
    "naive": {256: 290, 1024: 600, 4096: 680, 32768: 800},
    "course": {256: 760, 1024: 2680, 4096: 3520},
    "liger": {256: 1110, 1024: 2740, 4096: 3730, 32768: 4050},
    "quack": {256: 1260, 1024: 2780, 4096: 3500, 32768: 4050},
}
GPU = {"bandwidth": 4.8e12, "peak": 67e12, "device": "NVIDIA H200"}


def multiprocessor(programs, num_warps, limits):
    shares = {"registers": 0.98 / limits["registers"], "shared": 0.9 / (limits["shared"] or 1e9)}
    return figures.multiprocessor(
        programs, limits, num_warps=num_warps, warp_slots=64, shares=shares, title="softmax H200"
    )


PICTURES = {
    **GALLERY,
    "softmax in float16": lambda: figures.softmax_steps((12, -5, 20), shift=False, dtype="float16"),
    "softmax of seven": lambda: figures.softmax_steps(range(-3, 4), list("abcdefg"), temperature=2),
    "limits far out": lambda: figures.exp_limits((300, -50, 20), ("float16", "bfloat16", "float32")),
    "broadcast a column": lambda: figures.broadcast([[10, 5, 20], [1, 2, 3]], [[20], [3]]),
    "broadcast a row": lambda: figures.broadcast((3, 4), (4,)),
    "broadcast both": lambda: figures.broadcast((3, 1), (1, 4)),
    "no broadcast": lambda: figures.broadcast((3, 4), (3,)),
    "flow in bytes": lambda: figures.memory_flow(1823, 781),
    "map": lambda: figures.course_map("03"),
    "traffic": lambda: figures.traffic_bars([("朴素 · naive", 5e6, 3e6), ("融合 · fused", 1e6, 1e6)]),
    "timing": lambda: figures.timing_bars([("naive", 5e-3, 4e-3, 7e-3), ("torch.softmax", 1e-3, 9e-4, 2e-3)]),
    "samples": lambda: figures.timing_samples({"naive": [3e-3, 4e-3, 3.5e-3, 9e-3], "torch": [1e-3, 1e-3, 1.5e-3]}),
    "one sample": lambda: figures.timing_samples({"naive": [3e-3]}),
    "strides": lambda: figures.strided_rows(3, 5, 8, 2, assumed_stride=5),
    "many strides": lambda: figures.strided_rows(6, 7, 9, 5),
    "multiprocessor": lambda: multiprocessor(5, 8, {"warps": 8, "registers": 5, "shared": 13, "programs": 32}),
    "multiprocessor of small programs": lambda: multiprocessor(
        32, 1, {"warps": 64, "registers": 40, "shared": None, "programs": 32}
    ),
    "mask with 0": lambda: figures.masked_row(781, "0", -20),
    "no mask": lambda: figures.masked_row(13, "none"),
    "no lane left over": lambda: figures.masked_row(16),
    "stride": lambda: figures.grid_stride(40, 7, uneven=True),
    "stride half way": lambda: figures.grid_stride(40, 7, seen=50),
    "stride not begun": lambda: figures.grid_stride(seen=0),
    "reduction": lambda: figures.reduction_tree(1024, 8),
    "reduction half way": lambda: figures.reduction_tree(16, 4, "sum", 3),
    "roofline": lambda: figures.roofline(**GPU),
    "curves": lambda: figures.bandwidth_curves(CURVES, title="H200"),
    "curves of copy": lambda: figures.bandwidth_curves(CURVES, title="H200", share_of="copy", at=1024),
}


@pytest.fixture(params=PICTURES)
def picture(request):
    return PICTURES[request.param]()


# ---- what every picture keeps to


def test_a_picture_is_svg_without_text_elements_or_links_out(picture):
    root = ElementTree.fromstring(picture.svg())
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert "text" not in tags, "text would depend on the reader's fonts"
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    assert {e.get("href") for e in root.iter() if e.get("href")} == {f"#{name}" for name in ids}
    assert "http" not in picture.svg().replace("http://www.w3.org/2000/svg", "")


def test_a_picture_shows_and_describes_itself_in_both_languages(picture):
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert picture.zh in bundle["text/plain"] and picture.en in bundle["text/plain"]
    alt = re.search(r'<img [^>]*alt="([^"]+)"', bundle["text/html"])[1]
    assert re.search("[\u4e00-\u9fff]", alt) and re.search("[a-z]{3}", alt)
    assert len(bundle["text/html"]) < 90_000


def test_a_picture_is_the_same_every_time(picture, request):
    assert PICTURES[request.node.callspec.params["picture"]]().html() == picture.html()


def test_nothing_lies_outside_the_paper_and_no_text_on_text(picture):
    check_layout(picture)


def test_every_colour_has_a_dark_one(picture):
    root = ElementTree.fromstring(picture.svg())
    rules = root.find(".//{*}style").text
    for element in root.iter():
        for name in (element.get("class") or "").split():
            assert f".{name}{{" in rules, name


def check_layout(picture):
    wide, high = picture.canvas.width, picture.canvas.height
    texts, boxes = [], []
    for element in ElementTree.fromstring(picture.svg()):
        tag = element.tag.rpartition("}")[2]
        if tag == "g":
            texts.append(text_box(element))
        elif tag == "rect":
            x, y, w, h = (float(element.get(k)) for k in ("x", "y", "width", "height"))
            boxes.append((x, y, x + w, y + h))
        elif tag == "circle":
            x, y, r = (float(element.get(k)) for k in ("cx", "cy", "r"))
            boxes.append((x - r, y - r, x + r, y + r))
    for x0, y0, x1, y1 in texts + boxes:
        assert x0 >= -0.1 and x1 <= wide + 0.1 and y0 >= -0.1 and y1 <= high + 0.1, (x0, y0, x1, y1)
    for a, b in itertools.combinations(texts, 2):
        apart = a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
        assert apart, f"text over text: {a} {b} in {picture}"


def text_box(group):
    x, y, scale = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)scale\((\S+)\)", group.get("transform")).groups())
    last = group[-1]
    wide = float(last.get("x", 0)) + glyphs.outline(chr(int(last.get("href")[2:], 16)))[1]
    size = scale * glyphs.EM
    return x, y - 0.72 * size, x + wide * scale, y + 0.12 * size


# ---- letters


def test_no_letter_of_a_picture_is_missing(monkeypatch):
    drawn = []
    text = canvas_module.Canvas.text
    monkeypatch.setattr(
        canvas_module.Canvas,
        "text",
        lambda self, x, y, t, *a, **k: (drawn.append(str(t)), text(self, x, y, t, *a, **k))[1],
    )
    for draw in PICTURES.values():
        draw()
    letters = set("".join(drawn))
    assert len(letters) > 150
    assert not [c for c in letters if not any(ord(c) in glyphs._font(i)[0] for i in (0, 1))]


def test_an_unknown_letter_becomes_a_question_mark_not_a_box():
    assert glyphs.outline("\U0001f9ff") == glyphs.outline("?")


def test_an_outline_is_that_of_the_font():
    """The compact path, drawn again, covers what fontTools says the glyph covers."""
    from fontTools.pens.boundsPen import ControlBoundsPen
    from fontTools.svgLib.path import parse_path

    for char in "猫a∞−₁⁸g":
        index = 1 if char in glyphs._TINY or ord(char) not in glyphs._font(0)[0] else 0
        names, font, scale = glyphs._font(index)
        expected, got = ControlBoundsPen(font), ControlBoundsPen(None)
        font[names[ord(char)]].draw(expected)
        parse_path(glyphs.outline(char)[0], got)
        x0, y0, x1, y1 = (v * scale for v in expected.bounds)
        assert np.allclose(got.bounds, (x0, -y1, x1, -y0), atol=1.6), char


def test_pictures_need_neither_matplotlib_nor_torch():
    code = (
        "import sys; from course_utils import figures; figures.softmax_steps().html(); "
        "print([m for m in ('matplotlib', 'numpy', 'torch', 'triton', 'zhplot') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=IMAGES.parent)
    assert done.stdout.strip() == "[]" and done.stderr == ""


def test_a_plot_of_your_own_shows_chinese(tmp_path):
    """With the course's settings, matplotlib finds every letter (it warns of each one it lacks)."""
    code = (
        "import warnings; warnings.simplefilter('error'); import matplotlib; matplotlib.use('svg');"
        "import matplotlib.pyplot as plt; from course_utils.figures import for_matplotlib\n"
        "with plt.rc_context(for_matplotlib()):\n"
        "    plt.plot([-1, 1]); plt.title('显存 · memory −∞ x₁'); plt.savefig('out.svg')"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=tmp_path, env=_environment())


def _environment():
    import os

    return {**os.environ, "PYTHONPATH": str(IMAGES.parent)}


# ---- colours


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2], np.array(linear)


def contrast(a, b):
    light, dark = sorted((luminance(a)[0], luminance(b)[0]), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1])
def test_text_stands_out_from_its_paper(theme):
    colour = {name: pair[theme] for name, pair in style.COLOURS.items()}
    for name in ("ink", "mute", "alarm"):
        assert contrast(colour[name], colour["paper"]) >= 4.5, name
        assert contrast(colour[name], colour["wash"]) >= 4.4, name
    for name in ("naive", "torch", "course", "copy"):
        assert contrast(colour[name], colour["paper"]) >= 3, name
    for name in ("c0", "c1", "c2", "c3", "c4", "read", "write"):
        assert contrast(colour["on"], colour[name]) >= 4.5, name


# Machado, Oliveira and Fernandes (2009): what red- and green-blind eyes see, on linear RGB
PROTAN = np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]])
DEUTAN = np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]])


@pytest.mark.parametrize("eye", [np.eye(3), PROTAN, DEUTAN], ids=["most eyes", "red-blind", "green-blind"])
@pytest.mark.parametrize("theme", [0, 1])
def test_colours_that_meet_stay_apart(eye, theme):
    for together in (("read", "write"), ("naive", "torch", "course", "copy"), ("c0", "c3"), ("c0", "c1")):
        for a, b in itertools.combinations(together, 2):
            seen = [np.cbrt(np.clip(eye @ luminance(style.COLOURS[n][theme])[1], 0, 1)) for n in (a, b)]
            assert np.linalg.norm(seen[0] - seen[1]) > 0.13, (a, b)


# ---- the committed images


def test_the_committed_images_are_current(tmp_path):
    draw_all(tmp_path)
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in IMAGES.glob("*.svg")}
    assert sorted(drawn) == sorted(kept), "run `make figures`"
    assert [name for name in drawn if drawn[name] != kept[name]] == [], "run `make figures`"


def test_drawing_removes_what_is_drawn_no_more(tmp_path):
    (tmp_path / "old.svg").touch()
    draw_all(tmp_path)
    assert not (tmp_path / "old.svg").exists()


# ---- the numbers in the pictures


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.sampled_from([0.5, 1.0, 4.0]))
@settings(max_examples=30, deadline=None)
def test_softmax_steps_says_what_torch_says(scores, temperature):
    picture = figures.softmax_steps(scores, [str(i) for i in range(len(scores))], temperature=temperature)
    told = picture.en.rpartition("probabilities ")[2].split(", ")
    expected = torch.softmax(torch.tensor(scores, dtype=torch.float64) / temperature, 0).tolist()
    for got, want in zip(told, expected, strict=True):
        assert float(plain(got)) == pytest.approx(want, rel=0.06, abs=1e-12)


def plain(number):
    """A number as a picture writes it, as Python reads it."""
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
    return number.translate(digits).replace("×10", "e").replace("∞", "inf")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_overflow_is_where_torch_has_it(dtype):
    kind = getattr(torch, dtype)
    for score in (5.0, 11.0, 12.0, 88.0, 90.0):
        told = figures.softmax_steps((score,), ("x",), shift=False, dtype=dtype).en.rpartition(" ")[2]
        power = torch.exp(torch.tensor([score], dtype=kind))
        assert plain(told) == ("nan" if power.isinf() else "1") or told == "NaN" and bool(power.isinf())


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
@settings(max_examples=200, deadline=None)
def test_numbers_round_as_the_formats_do(value):
    from course_utils.figures.softmax_pictures import _stored

    for name in ("float16", "bfloat16", "float32"):
        expected = torch.tensor(value, dtype=torch.float64).to(torch.float32).to(getattr(torch, name)).item()
        assert _stored(value, name) == expected


def test_exp_limits_says_where_each_format_ends():
    en = figures.exp_limits().en
    for dtype, kind in (("float16", torch.float16), ("float32", torch.float32)):
        assert f"{dtype} overflows from x = {math.log(torch.finfo(kind).max):.4g}" in en


SHAPES = st.sampled_from([(1,), (3,), (4,), (1, 1), (3, 1), (1, 4), (3, 4), (4, 3)])


@given(SHAPES, SHAPES)
@settings(max_examples=60, deadline=None)
def test_broadcast_agrees_with_numpy(left, right):
    picture = figures.broadcast(left, right)
    try:
        shape = np.broadcast_shapes(left, right, (1, 1))
    except ValueError:
        assert "cannot broadcast" in picture.en
    else:
        assert picture.en.endswith(f"gives {list(shape)}")
    check_layout(picture)


def test_broadcast_computes():
    picture = figures.broadcast([[10, 5], [1, 2]], [[10], [2]])
    drawn = picture.svg()
    assert drawn.count('href="#u2212"') >= 3  # the sign between, and −5 and −1


def test_the_flow_adds_up_to_what_the_course_says():
    assert "5MN + 2M elements read, 3MN + 2M written" in figures.memory_flow().en
    assert "MN elements read, MN written" in figures.memory_flow(fused=True).en
    made = {"x"}
    for _, reads, write in (*STEPS, *FUSED):  # no step reads what no step has written
        assert {name for name, _ in reads} <= made
        made.add(write[0])


@given(st.integers(1, 1200), st.sampled_from(["-inf", "0", "none"]), st.floats(-20, 20))
@example(1, "0", 0.0)
@settings(max_examples=40, deadline=None)
def test_only_minus_infinity_leaves_the_row_alone(n_cols, padding, shift):
    loaded, _, results = lanes(n_cols, padding, shift)
    alone = torch.softmax(torch.tensor(loaded[:n_cols], dtype=torch.float64), 0)
    assert len(loaded) >= n_cols and len(loaded) & (len(loaded) - 1) == 0 and len(loaded) < 2 * n_cols
    same = np.allclose(results[:n_cols], alone, atol=1e-9)
    assert same or padding != "-inf"
    if padding == "0" and len(loaded) > n_cols and shift <= 0:
        assert not same
    check_layout(figures.masked_row(n_cols, padding, shift))


@given(st.integers(1, 64), st.integers(1, 16), st.floats(0, 1), st.booleans())
@settings(max_examples=40, deadline=None)
def test_every_row_is_computed_once_and_no_place_does_two_at_a_time(rows, programs, start, uneven):
    for schedule in (grid_stride_schedule, program_a_row_schedule):
        plan = schedule(rows, programs, start, uneven)
        assert sorted(row for _, row, _, _ in plan) == list(range(rows))
        for place in range(programs):
            mine = sorted((begin, end) for p, _, begin, end in plan if p == place)
            assert all(a[1] <= b[0] + 1e-9 for a, b in itertools.pairwise(mine))
        assert sum(end - begin for *_, begin, end in plan) == pytest.approx(sum(durations(rows, uneven)))
    assert all(place == row % programs for place, row, _, _ in grid_stride_schedule(rows, programs))
    check_layout(figures.grid_stride(rows, programs, start=start, uneven=uneven))


@pytest.mark.parametrize(
    ("block", "warps"), [(8, 1), (32, 1), (64, 1), (64, 4), (256, 4), (1024, 8), (2048, 2), (16, 8)]
)
def test_a_reduction_ends_at_the_value_it_should(block, warps):
    for operation, expected in (("max", max(elements(block))), ("sum", sum(elements(block)))):
        stages = reduction_stages(block, warps, operation)
        assert stages[-1][1] == [[expected]]
        assert all(len(group) <= 32 for group in stages[0][1])
        for stage in range(1, len(stages) + 1):
            check_layout(figures.reduction_tree(block, warps, operation, stage))


def test_the_naive_softmax_moves_what_the_ledger_counts():
    work = {name: (read, written) for name, read, written, _ in softmax_work(7, 11, 4)}
    assert work["naive"] == ((5 * 77 + 14) * 4, (3 * 77 + 14) * 4 + 7 * 8)
    assert work["course"] == (77 * 4, 77 * 4)


def test_quartiles_are_those_of_numpy():
    times = [0.4, 0.1, 0.3, 0.2, 0.9, 0.5]
    low, middle, high = np.quantile(times, [0.25, 0.5, 0.75])
    told = f"median {units.seconds(middle)}, quartiles {units.seconds(low)}–{units.seconds(high)}"
    assert told in figures.timing_samples({"x": times}).en


def test_a_multiprocessor_names_every_limit_that_bites():
    picture = multiprocessor(8, 8, {"warps": 8, "registers": 8, "shared": None, "programs": 32})
    assert "100%" in picture.en and picture.en.endswith("limited by warp slots, registers.")


def test_rows_cannot_lie_closer_than_they_are_long():
    with pytest.raises(ValueError):
        figures.strided_rows(3, 5, 4)


def test_curves_as_a_share_of_what_is_not_there():
    with pytest.raises(ValueError, match="copy"):
        figures.bandwidth_curves(CURVES, share_of="nobody")


def test_numbers_as_people_read_them():
    assert [units.short(v) for v in (0, 1, -2.5, 0.000045, 4.86e8, math.inf, -math.inf, math.nan, 65504)] == [
        "0", "1", "−2.5", "4.5×10⁻⁵", "4.9×10⁸", "∞", "−∞", "NaN", "65504",
    ]  # fmt: skip
    assert [units.size(v) for v in (0, 512, 1536, 2**20, 5.5 * 2**30)] == [
        "0 B",
        "512 B",
        "1.5 KiB",
        "1 MiB",
        "5.5 GiB",
    ]
    assert [units.seconds(v) for v in (2, 0.0123, 4.5e-6, 3e-9)] == ["2 s", "12.3 ms", "4.5 µs", "3 ns"]

"""The colours: text stands out from its paper, and what meets in a picture stays apart for colour-blind eyes too."""

import itertools

import numpy as np
import pytest

from course_utils.figures import style


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
    for together in (
        ("read", "write"),
        ("course", "c1", "naive"),
        ("naive", "torch", "course", "copy"),
        ("c0", "c3"),
        ("c0", "c1"),
    ):
        for a, b in itertools.combinations(together, 2):
            seen = [np.cbrt(np.clip(eye @ luminance(style.COLOURS[n][theme])[1], 0, 1)) for n in (a, b)]
            assert np.linalg.norm(seen[0] - seen[1]) > 0.13, (a, b)


def test_a_contender_keeps_its_colour():
    names = (
        "naive",
        "torch.softmax",
        "torch.compile",
        "course",
        "copy",
        "Liger 0.8.5",
        "FlagGems",
        "QuACK 0.6.5",
    )
    assert len({style.provider(name) for name in names}) == len(names)
    assert style.provider("naive_softmax") == "naive" and style.provider("softmax") == "course"
    assert style.provider("nobody we know") in style.COLOURS

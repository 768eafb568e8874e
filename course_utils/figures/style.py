"""The look of every picture: colours that stay apart for colour-blind eyes, one for each concept, and one size of type.

Colours come from Okabe and Ito's set. Each has a value for light paper and one for dark; pictures name the concept only.
"""

from contextlib import contextmanager

# name: (on light paper, on dark paper)
COLOURS = {
    "paper": ("#fffefb", "#1b1d21"),
    "edge": ("#dcd8cf", "#3d4148"),
    "ink": ("#22252a", "#e8e6e1"),
    "mute": ("#6a6e75", "#a4a8af"),
    "grid": ("#e8e5de", "#33373d"),
    "wash": ("#f3f1ea", "#26292e"),  # a quiet fill behind things that belong together
    "void": ("#d9d6ce", "#474b52"),  # masked, idle, wasted
    "alarm": ("#c0392b", "#ff8a75"),  # overflow, NaN, out of bounds
    "on": ("#1a1c20", "#111316"),  # type on a coloured fill
    # what moves through memory
    "read": ("#56b4e9", "#56b4e9"),
    "write": ("#e69f00", "#e69f00"),
    # who computes
    "naive": ("#d55e00", "#ff8b3d"),
    "torch": ("#0072b2", "#7d97f7"),
    "course": ("#009e73", "#2cc79a"),
    "copy": ("#4d5157", "#c9ccd1"),
    "compile": ("#cc79a7", "#de93bd"),
    # anything counted 0, 1, 2, …: items of a row, programs, warps
    "c0": ("#56b4e9", "#56b4e9"),
    "c1": ("#e69f00", "#e69f00"),
    "c2": ("#009e73", "#2cc79a"),
    "c3": ("#cc79a7", "#de93bd"),
    "c4": ("#cfbd00", "#f0e442"),
    "c5": ("#0072b2", "#7d97f7"),
    "c6": ("#d55e00", "#ff8b3d"),
    "c7": ("#999999", "#b5b5b5"),
}

SMALL, BODY, TITLE = 14, 16, 18.5  # sizes of type, in picture units (= CSS pixels at full width)
WIDTH = 760  # the usual width of a picture: JupyterLab's text column on a laptop
_PHONE = 440  # on a phone's 360 pixels the smallest letters are 11.5 high


@contextmanager
def for_a_phone():
    """Pictures drawn meanwhile are narrow: what stands side by side on a wide one stands one below the other."""
    global WIDTH
    usual, WIDTH = WIDTH, _PHONE
    try:
        yield
    finally:
        WIDTH = usual


def narrow() -> bool:
    return WIDTH == _PHONE


def counted(index: int) -> str:
    """The colour of item number `index`, wherever things are counted."""
    return f"c{index % 8}"


# What the names of contenders (and states of the cache) contain, and whose colour that is; the first that fits counts ("torch.compile").
_PROVIDERS = (
    ("early", "course"), ("compile", "compile"), ("naive", "naive"), ("torch", "torch"), ("copy", "copy"), ("liger", "c1"), ("gems", "c4"),
    ("quack", "c0"), ("flashinfer", "c6"), ("flash", "c3"), ("tile", "course"), ("course", "course"), ("softmax", "course"),
    ("linear_loss", "course"),
    ("sustained", "c0"), ("clean", "c1"), ("dirty", "c2"), ("hot", "c3"), ("do_bench", "copy"), ("reading", "copy"),
)  # fmt: skip


def provider(name: str) -> str:
    """The colour of a contender, the same in every picture, whoever else is in it."""
    found = (colour for part, colour in _PROVIDERS if part in name.lower())
    return next(found, counted(sum(map(ord, name))))

"""The grader of 08.merge_triples: a combine function is tried inside of two kernels."""

import math

import torch

from ..backend import tl, triton
from ..language import Text
from ..worker.pupil import Fallen
from .kernel_probes import UNTOUCHED
from .nb08_merge_says import MERGE
from .nb08_rows import FALLING, INF, RISING

NOT_THREE = "not three"
HALF = math.log(2)
PAIRS = [((2.0, 1.5, 3.0), (2.0 - HALF, 1.0, 4.0)), ((1.0 - HALF, 3.0, -2.0), (1.0, 1.25, 0.5))]
SOMETHING, NOTHING = (1.0, 2.0, 3.0), (-INF, 0.0, 0.0)

# ---- over there


@triton.jit
def _merged_kernel(out_ptr, in_ptr):
    m1, s1, w1 = tl.load(in_ptr), tl.load(in_ptr + 1), tl.load(in_ptr + 2)
    m2, s2, w2 = tl.load(in_ptr + 3), tl.load(in_ptr + 4), tl.load(in_ptr + 5)
    m, s, w = _combine(m1, s1, w1, m2, s2, w2)  # noqa: F821
    tl.store(out_ptr, m)
    tl.store(out_ptr + 1, s)
    tl.store(out_ptr + 2, w)


@triton.jit
def _reduced_kernel(out_ptr, x_ptr, v_ptr, N: tl.constexpr):
    x, v = tl.load(x_ptr + tl.arange(0, N)), tl.load(v_ptr + tl.arange(0, N))
    m, s, w = tl.reduce((x, tl.full((N,), 1.0, tl.float32), v), 0, _combine)  # noqa: F821
    tl.store(out_ptr, m)
    tl.store(out_ptr + 1, s)
    tl.store(out_ptr + 2, w)


def merge_there(answer, parts):
    """The two triples merged by a kernel."""
    globals()["_combine"] = answer
    out = torch.full((3,), UNTOUCHED)
    try:
        _merged_kernel[(1,)](out, torch.tensor(parts))
    except Exception as error:  # some Tritons wrap it
        if "unpack" in str(error):
            return NOT_THREE
        raise
    return out


def reduce_there(answer, x, v):
    """Eight triples, reduced by a kernel."""
    globals()["_combine"] = answer
    out = torch.full((3,), UNTOUCHED)
    _reduced_kernel[(1,)](out, x, v, N=8)
    return out


# ---- over here


def merge_triples(answer):
    if not hasattr(answer, "fn"):
        raise MERGE.wrong("no kernel")

    def merged(a, b):
        return _three(answer.pupil.apply(f"{__name__}:merge_there", (*a, *b)))

    for a, b in PAIRS:
        got, want = merged(a, b), _merged(a, b)
        if not _near(got, want):
            raise MERGE.wrong("example", a=_shown(a), b=_shown(b), said=_mistake(a, b, got, want))
    for a, b in ((NOTHING, SOMETHING), (SOMETHING, NOTHING), (NOTHING, NOTHING)):
        got = merged(a, b)
        if any(map(math.isnan, got)):
            raise MERGE.wrong("nan", a=_shown(a), b=_shown(b))
        if got != [max(a[0], b[0]), a[1] + b[1], a[2] + b[2]]:
            raise MERGE.wrong("empty part")
    x, v = RISING[0, :8].contiguous() * 100, FALLING[1, :8].contiguous()
    _, s, w = _three(answer.pupil.apply(f"{__name__}:reduce_there", x, v))
    if not math.isclose(w / s, float(torch.softmax(x, 0) @ v), rel_tol=1e-4):
        raise MERGE.wrong("reduced")


def _three(told) -> list[float]:
    if isinstance(told, str) and told == NOT_THREE:
        raise MERGE.wrong("not three")
    if not isinstance(told, torch.Tensor) or told.shape != (3,) or told.dtype != torch.float32:
        raise Fallen("meddled")
    return told.tolist()


def _factors(a, b) -> tuple[float, float]:
    m = max(a[0], b[0])
    return math.exp(a[0] - m), math.exp(b[0] - m)


def _merged(a, b) -> tuple[float, ...]:
    f1, f2 = _factors(a, b)
    return max(a[0], b[0]), a[1] * f1 + b[1] * f2, a[2] * f1 + b[2] * f2


def _near(got, want) -> bool:
    return all(math.isclose(g, w, rel_tol=1e-4) for g, w in zip(got, want))


def _mistake(a, b, got, want) -> Text:
    """What is said of these three numbers: the first of the known mistakes that would give them."""

    def has(k, value):
        return math.isclose(got[k], value, rel_tol=1e-4)

    (f1, f2), (m, s, w) = _factors(a, b), want
    added = [name for name, k in (("s", 1), ("w", 2)) if has(k, a[k] + b[k])]
    cases = [
        ("order", not has(0, m) and _near(sorted(got), sorted(want))),
        ("factors of w", has(1, s) and has(2, a[2] * f2 + b[2] * f1)),
        ("m", not has(0, m)),
        ("added up", added),
        ("sign", has(1, a[1] / f1 + b[1] / f2)),
        ("factors", has(1, a[1] * f2 + b[1] * f1)),
        ("divided", has(1, s) and has(2, w / s)),
        ("differs", True),
    ]
    key = next(key for key, found in cases if found)
    which = Text(" 和 ".join(added), " and ".join(added))
    return MERGE.say(key, which=which, got=_shown(got), want=_shown(want))


def _shown(numbers) -> str:
    return "(" + ", ".join(f"{x:.4g}".replace("-", "−") for x in numbers) + ")"

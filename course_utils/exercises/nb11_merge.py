"""What every kernel of 11 with a running (m, s, o) must get right."""

import math

import torch

from .nb11_launch import close, told_apart
from .trials import Trial, within


def attention(q, k, v, scale):
    return torch.softmax(q.float() @ k.float().mT * scale, -1) @ v.float()


def check_merge(trial: Trial, shapes, block: int, readings: int):
    """`readings`: how often all of K and V may be loaded, in all. What is still wrong with the plain numbers, the caller is to name."""
    torch.manual_seed(12)
    q, k, v = (torch.randn(shape) for shape in shapes)
    k = k * 2
    got, traffic = trial.run(q, k, v, 0.5)
    want = trial.right(q, k, v, 0.5)
    if not close(got, want):
        if got.isnan().all():
            raise trial.wrong("all NaN")
        told_apart(trial, got, _mistakes(q, k, v, 0.5, block), want)
        return got, want, (q, k, v)
    for name, elements in (("k_ptr", k.numel()), ("v_ptr", v.numel())):
        if (times := traffic[name].loads / elements) > readings:
            if readings == 1:
                raise trial.wrong("not shared", name=name, times=times)
            raise trial.wrong("more than one pass", name=name, times=times / len(q))
    _numbers_of_keys(trial, q, k, v, block)
    for key, score in (("overflow", 200.0), ("low", -200.0)):
        keys = torch.full_like(k, score / k.shape[-1]) + torch.randn_like(k) * 0.1
        trial.holds(key, torch.ones_like(q), keys, v, 1.0, agree=within(1e-3, 1e-3))
    trial.holds("float16", *(x.half() for x in (q, k, v)), 0.5, agree=within(5e-3, 5e-3))
    return got, want, (q, k, v)


def _numbers_of_keys(trial: Trial, q, k, v, block: int) -> None:
    for keys in (k.shape[-2] // block * block, block, block - 1, 1):
        if not trial.fits(q, k[..., :keys, :].contiguous(), v[..., :keys, :].contiguous(), 0.5):
            raise trial.wrong("keys", keys=keys)


def _walk(q, k, v, scale, block, *, sums=True, outputs=True, divide="once", padded=False):
    """The merge, tile by tile, with one thing wrong: what is not rescaled, when it is divided, what pads the last tile."""
    m = torch.full(q.shape[:-1], -math.inf)
    s, o = torch.zeros_like(m), torch.zeros_like(q, dtype=torch.float32)
    short = -k.shape[-2] % block
    if padded:
        k, v = (torch.nn.functional.pad(x, (0, 0, 0, short)) for x in (k, v))
    for at in range(0, k.shape[-2], block):
        scores = q.float() @ k[..., at : at + block, :].float().mT * scale
        new = torch.maximum(m, scores.amax(-1))
        p, factor = torch.exp(scores - new[..., None]), torch.exp(m - new)
        s = s * (factor if sums else 1.0) + p.sum(-1)
        o = o * (factor[..., None] if outputs else 1.0) + p @ v[..., at : at + block, :].float()
        if divide in ("each", "always"):
            o = o / s[..., None]
        m = new
    return o / s[..., None] if divide in ("once", "always") else o


def _mistakes(q, k, v, scale, block) -> list:
    n = k.shape[-2]
    last = (n - 1) // block * block

    def walk(**wrong):
        return _walk(q, k, v, scale, block, **wrong)

    def of_keys(*which):
        keys = slice(*which)
        return attention(q, k[..., keys, :], v[..., keys, :], scale)

    return [
        ("o not rescaled", walk(outputs=False)),
        ("s not rescaled", walk(sums=False)),
        ("neither rescaled", walk(sums=False, outputs=False)),
        ("never divided", walk(divide="never")),
        ("divided each time", walk(divide="each")),
        ("divided each time", walk(divide="always")),
        ("padding", walk(padded=True)),
        ("last tile alone", of_keys(last, n)),
        ("first tile alone", of_keys(0, block)),
        ("no last tile", of_keys(0, last)),
        ("K for V", attention(q, k, k, scale)),
        ("divided by n", walk(divide="never") / n),
        ("divided by scale", attention(q, k, v, 1 / scale)),
        ("scale forgotten", attention(q, k, v, 1.0)),
        ("scaled twice", attention(q, k, v, scale * scale)),
        ("all zeros", torch.zeros_like(q, dtype=torch.float32)),
    ]

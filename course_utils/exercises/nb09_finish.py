"""The second of two kernels in 09: it merges the pairs of a row, and finishes its own part."""

import torch

from .kernel_probes import PLAIN, UNTOUCHED, Layout
from .launching import counted
from .nb09_rows import FALLING, HALF_EMPTY, INF, ODD, RISING, agree, pairs_of, told_apart
from .nb09_says import SAYS
from .probes import close


def _refuse_strays(kernel, astray, x, y):
    for access in astray:
        if access.tensor not in (kernel.parameter(0), kernel.parameter(1)):
            raise SAYS.wrong("pairs astray", line=access.line)
        if not (x.is_contiguous() and y.is_contiguous()):
            stride = "x_stride" if access.kind == "load" else "y_stride"
            raise SAYS.wrong("stride astray", kind=access.kind, stride=stride)
        raise SAYS.wrong("astray", kind=access.kind, line=access.line)


def _merged(x, ms, ss):
    """The row as softmax, where these are taken for the parts' pairs."""
    m = ms.amax(1, keepdim=True)
    return torch.exp(x - m) / (ss * torch.exp(ms - m)).sum(1, keepdim=True)


def finish_row_kernel(kernel):
    def run(x, parts=2, block=4, output=PLAIN, programs=None):
        pairs, y = pairs_of(x.float(), parts, block), output.empty(x.shape, x.dtype)
        arguments = (y, x, pairs, y.stride(0), x.stride(0), x.shape[1])
        traffic, _ = counted(kernel, (len(x), programs or parts), *arguments, PARTS=parts, BLOCK_SIZE=block)
        _refuse_strays(kernel, traffic.astray, x, y)
        if (y == UNTOUCHED).all():
            raise SAYS.wrong("nothing written")
        return y, traffic

    def holds(key, x, *more, output=PLAIN, **said):
        if not agree(run(x, *more, output=output)[0], torch.softmax(x.float(), 1)):
            raise SAYS.wrong(key, **said)

    x = RISING[:, :4].contiguous()
    got, want = run(x, 1)[0], torch.softmax(x, 1)
    if not close(got, want):
        if close(got[:1], want[:1]):
            raise SAYS.wrong("row 0 alone" if (got[1:] == UNTOUCHED).all() else "row 1")
        top = x.amax(1, keepdim=True)
        total = torch.exp(x - top).sum(1, keepdim=True)
        told_apart(got, [("no quotient", torch.exp(x - top)), ("no shift", torch.exp(x) / total)], SAYS, "one part")

    got, want = run(RISING)[0], torch.softmax(RISING, 1)
    if (got == UNTOUCHED).any():
        raise SAYS.wrong("columns unwritten")
    if not close(got, want):
        pairs, top = pairs_of(RISING, 2, 4), RISING.amax(1, keepdim=True)
        places, first = pairs.flatten(), 4 * torch.arange(2)[:, None] + torch.arange(2)
        mistakes = [
            ("part apart", torch.softmax(RISING.view(2, 2, 4), 2).view(2, 8)),
            ("sums as they are", torch.exp(RISING - top) / pairs[..., 1].sum(1, keepdim=True)),
            ("sums behind", _merged(RISING, pairs.view(2, 4)[:, :2], pairs.view(2, 4)[:, 2:])),
            ("pairs overlap", _merged(RISING, places[first], places[first + 1])),
        ]
        told_apart(got, mistakes, SAYS, "merging")
    holds("falling", FALLING)
    holds("tall", RISING + 1000)
    holds("not full", ODD)
    holds("empty part", HALF_EMPTY)
    holds("x stride", RISING[:, :7])
    holds("y stride", RISING, output=Layout(spare=3))
    if not run(torch.full((1, 8), -INF))[0].isnan().all():
        raise SAYS.wrong("empty row")
    holds("half", RISING.half())
    x = torch.randn(3, 61, generator=torch.Generator().manual_seed(1))
    holds("sizes", x, 4, 16, columns=61, parts=4)
    loads = sum(t.loads for t in run(x, 4, 16)[1].tensors if t.name == kernel.parameter(1))
    if loads > x.numel():
        raise SAYS.wrong("own part", count=loads, most=x.numel())
    if not (run(RISING, programs=1)[0][:, 4:] == UNTOUCHED).all():  # part 0 alone
        raise SAYS.wrong("stripes")

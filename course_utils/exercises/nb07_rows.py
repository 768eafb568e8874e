"""The exercises of 07 in which a program does several rows."""

import math

import torch

from ..backend import triton
from .kernel_probes import PLAIN, UNTOUCHED, Layout
from .nb07_launch import Trial, launch, scores, sliced

SIZES = ((9, 33), 4), ((3, 1), 1), ((7, 16), 8)  # (rows, columns), rows a program
APART = torch.tensor([0.0, 500.0, 500.0, 0.0])[:, None]  # in each tile of two, one row far above the other


def _launch(kernel, x, rows, output, *more):
    """What the kernel writes, and its traffic; `more` arguments come between the tensors and the strides."""
    (n_rows, n_cols), y = x.shape, output.empty(x.shape, x.dtype)
    last = n_rows // rows if n_rows % rows else None
    arguments = (y, x, *more, y.stride(0), x.stride(0), n_rows, n_cols)
    block = triton.next_power_of_2(n_cols)
    return y, launch(kernel, triton.cdiv(n_rows, rows), *arguments, last=last, ROWS=rows, BLOCK_SIZE=block)[0]


def _numerators(x):
    return torch.exp(x - x.amax(1, keepdim=True))


# ---- rows that have a length each


def _of_lengths(x, lengths):
    seen = torch.arange(x.shape[1]) < torch.tensor(lengths)[:, None]
    return torch.softmax(x.float().masked_fill(~seen, -math.inf), 1).masked_fill(~seen, 0)


def _over_tiles(x):
    """Sums over the two rows of each tile: from each row's own maximum, and from the tile's."""
    tiles = x.view(2, 8)
    both = torch.exp(tiles - tiles.amax(1, keepdim=True))
    own = _numerators(x).view(2, 8)
    return [(e / e.sum(1, keepdim=True)).view(4, 4) for e in (both, own)]


def _down_the_rows(x):
    """Maximum, sum or both taken along dimension 0 of each tile of two rows."""
    tiles = x.view(2, 2, 4)
    tops = [tiles.amax(dim, keepdim=True) for dim in (1, 2)]
    return [
        (torch.exp(tiles - top) / torch.exp(tiles - top).sum(dim, keepdim=True)).view(4, 4)
        for top in tops
        for dim in (1, 2)
    ]


def _with_lengths(x, lengths, beyond):
    """What comes of x where the scores beyond the lengths are `beyond` instead of −inf: written there as it is, and as 0."""
    hidden = torch.arange(x.shape[1]) >= torch.tensor(lengths)[:, None]
    result = torch.softmax(torch.where(hidden, beyond, x), 1)
    return [result, result.masked_fill(hidden, 0)]


def lengths_kernel(kernel):
    def run(x, lengths, rows=2, output=PLAIN):
        got, traffic = _launch(kernel, x, rows, output, torch.tensor(lengths, dtype=torch.int32))
        return got, _of_lengths(x, lengths), traffic

    trial, x, full, lengths = Trial(kernel, run), scores(4, 4), [4] * 4, [4, 2, 1, 3]
    got, want, _ = run(x, full)
    if (got == UNTOUCHED).all(1).any():
        trial.refuse("rows")
    formulas = {
        "shared sum": _over_tiles(x),
        "other axis": _down_the_rows(x),
        "no quotient": [_numerators(x)],
        "one short": [_of_lengths(x, [3] * 4)],
    }
    trial.told_apart(got, want, formulas, "full rows", rows=4)
    trial.holds("tall", x + 1000, full)
    trial.holds("shared maximum", x + APART, full)

    got, want, _ = run(x, lengths)
    if (got == UNTOUCHED).any():
        trial.refuse("beyond unwritten")
    plain, inside = _with_lengths(x, lengths, x)
    shared = [_of_lengths(x, taken) for taken in ([4, 4, 1, 1], [4, 4, 2, 2])]
    mistakes = {
        "no lengths": [plain],
        "beyond in the sum": [inside],
        "shared length": shared + [each.masked_fill(want == 0, 0) for each in shared],
        "one beyond": [_of_lengths(x, [4, 3, 2, 4]), _of_lengths(x, [4, 3, 2, 4]).masked_fill(want == 0, 0)],
        "one short": [_of_lengths(x, [3, 1, 0, 2]), _of_lengths(x, [3, 1, 0, 2]).nan_to_num()],
        "padding": _with_lengths(x, lengths, torch.tensor(0.0)),
    }
    trial.told_apart(got, want, mistakes, "lengths")
    trial.holds("low", x - 30, lengths)
    for shape, uneven in (((5, 4), [4, 2, 1, 3, 2]), ((4, 5), [5, 1, 4, 2])):
        trial.holds("sizes", scores(*shape), uneven, said={"rows": shape[0], "columns": shape[1], "each": 2})
    trial.holds("x stride", sliced(scores(4, 5)), [5, 3, 2, 4])
    trial.holds("y stride", scores(4, 5), [5, 3, 2, 4], output=Layout(spare=3))
    for (rows, columns), each in SIZES:
        uneven = [1 + 7 * i % columns for i in range(rows)]
        said = {"rows": rows, "columns": columns, "each": each}
        trial.holds("sizes", scores(rows, columns), uneven, each, said=said)
    trial.holds("half", x.half(), lengths)
    wide = scores(6, 16), [16, 2, 5, 9, 1, 3]
    trial.moves("x_ptr", "loads", 36, "load lengths", *wide)
    trial.moves("lengths_ptr", "loads", 6, "each length once", *wide)
    trial.moves("y_ptr", "stores", 96, "store once", *wide)


# ---- the same bytes, fewer registers


def lean_kernel(kernel):
    def run(x, rows=8, output=PLAIN):
        got, traffic = _launch(kernel, x, rows, output)
        return got, torch.softmax(x.float(), 1), traffic

    trial, x = Trial(kernel, run), scores(16, 4)
    got, want, _ = run(x)
    if (got == UNTOUCHED).all(1).any():
        trial.refuse("rows")
    mistakes = {"no quotient": [_numerators(x)], "logarithm": [torch.log_softmax(x, 1)]}
    trial.told_apart(got, want, mistakes, "full rows", rows=16)
    trial.holds("tall", x + 1000)
    trial.holds("shared maximum", x + APART.repeat(4, 1))
    trial.holds("sizes", scores(13, 4), said={"rows": 13, "columns": 4, "each": 8})
    trial.holds("padding", scores(16, 5) - 30)
    trial.holds("x stride", sliced(scores(16, 5)))
    trial.holds("y stride", scores(16, 5), output=Layout(spare=3))
    for rows, columns in ((9, 33), (3, 1), (17, 16)):
        trial.holds("sizes", scores(rows, columns), said={"rows": rows, "columns": columns, "each": 8})
    trial.holds("half", x.half())
    trial.moves("x_ptr", "loads", 256, "no more loads", scores(16, 16))
    trial.moves("y_ptr", "stores", 256, "store once", scores(16, 16))

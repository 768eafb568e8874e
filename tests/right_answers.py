"""Right answers written otherwise than the notebooks write them, which every check must take: {exercise: [source, ...]}."""

import right_answers_nb11
from wrong_answers import nb04, nb05
from wrong_answers.nb03 import FOUR_STRIDES, _kernel

_WIDE = nb04.OF_A_PROGRAM.replace("program_id(0)", "program_id(0).to(tl.int64)")

RIGHT = {
    **right_answers_nb11.RIGHT,
    "00.traffic_ratio": [
        "def traffic_ratio(rows, columns):\n    return torch.tensor(8.0) / 2 + torch.tensor(2.0) / columns",
        "def traffic_ratio(rows, columns):\n    return (torch.tensor(4.0) + 2 / columns).numpy()",
    ],
    "02.unsafe_softmax_traffic": [
        "def unsafe_softmax_traffic(M, N):\n    return torch.tensor([3 * M * N + M, 2 * M * N + M])",
        "def unsafe_softmax_traffic(M, N):\n    return torch.tensor([3 * M * N + M, 2 * M * N + M]).numpy()",
    ],
    "02.upcast_ratio": ["def upcast_ratio(M, N):\n    return 11 + torch.tensor(4.0) / N"],
    "04.busy": [
        "def busy(costs, programs):\n"
        "    spent = torch.tensor([float(sum(costs[p::programs])) for p in range(programs)])\n"
        "    return spent.mean() / spent.max()"
    ],
    "04.mended_kernel": [
        nb04.mended("", f"for row in {nb04.OF_A_PROGRAM}:", "row = row.to(tl.int64)" + nb04.ROW),
        nb04.mended("", f"for row in {nb04.OF_A_PROGRAM}:", nb04.wide_row("x", "y")),
        nb04.mended("", f"for row in {nb04.OF_A_PROGRAM[3:]}:", nb04.wide_row("x", "y")),
        nb04.mended("", f"for row in {_WIDE}:"),
        nb04.mended("", f"for row in {_WIDE[3:]}:"),
    ],
    "05.cache_key": [f"def cache_key(y, x):\n    {nb05.key(of='1 if n == 1 else 16 if n % 16 == 0 else 0')}"],
    "06.waiting_benchmark": [
        "def waiting_benchmark(gpu, work):\n"
        "    gpu.launch(work)\n"
        "    gpu.synchronize()\n"
        "    total = 0\n"
        "    for _ in range(10):\n"
        "        start = gpu.now()\n"
        "        gpu.launch(work)\n"
        "        gpu.synchronize()\n"
        "        total += gpu.now() - start\n"
        "    return total / 10"
    ],
    "06.typical_seconds": ["def typical_seconds(samples):\n    return torch.tensor(samples).quantile(0.5)"],
    "06.fair_gigabytes": [
        "def fair_gigabytes(rows, columns, itemsize, seconds):\n"
        "    return torch.tensor(2 * rows * columns * itemsize) / seconds / 1e9"
    ],
    "01.row_softmax": [
        "def row_softmax(x):\n    return torch.exp(x - torch.logsumexp(x, dim=1, keepdim=True))",
        "def row_softmax(x):\n    return torch.stack([torch.exp(r - r.max()) / torch.exp(r - r.max()).sum() for r in x])",
    ],
    "01.masked_softmax": [
        "def masked_softmax(x, keep):\n    return torch.softmax(x + torch.log(keep.float()), dim=1).nan_to_num(0)",
        "def masked_softmax(x, keep):\n"
        "    y = torch.zeros_like(x)\n"
        "    for i in range(len(x)):\n"
        "        if keep[i].any():\n"
        "            y[i, keep[i]] = torch.softmax(x[i, keep[i]], 0)\n"
        "    return y",
    ],
    "03.log_softmax_kernel": [
        _kernel(
            "log_softmax_kernel",
            """
row = tl.program_id(0)
columns = tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
highest = tl.max(x, axis=0)
y = x - (highest + tl.log(tl.sum(tl.exp(x - highest), axis=0)))
tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
""",
        )
    ],
    "03.causal_kernel": [
        _kernel(
            "causal_kernel",
            """
row = tl.program_id(0)
columns = tl.arange(0, BLOCK_SIZE)
seen = (columns < n_cols) & (columns <= row)
x = tl.load(x_ptr + row * x_stride + columns, mask=seen, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=0))
y = numerator / tl.sum(numerator, axis=0)
"""
            + stored,
        )
        for stored in (
            "tl.store(y_ptr + row * y_stride + columns, y, mask=seen)\n"
            "tl.store(y_ptr + row * y_stride + columns, 0.0, mask=(columns > row) & (columns < n_cols))",
            "tl.store(y_ptr + row * y_stride + columns, tl.where(columns <= row, y, 0.0), mask=columns < n_cols)",
        )
    ],
    "03.strided_kernel": [
        _kernel(
            "strided_kernel",
            """
columns = tl.arange(0, BLOCK_SIZE)[None, :]
rows = tl.program_id(0) + tl.arange(0, 1)[:, None]
mask = columns < n_cols
x = tl.load(x_ptr + rows * x_row_stride + columns * x_col_stride, mask=mask, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=1, keep_dims=True))
y = numerator / tl.sum(numerator, axis=1, keep_dims=True)
tl.store(y_ptr + rows * y_row_stride + columns * y_col_stride, y, mask=mask)
""",
            FOUR_STRIDES,
        )
    ],
}

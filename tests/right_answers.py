"""Right answers written otherwise than the notebooks write them, which every check must take: {exercise: [source, ...]}."""

from wrong_answers.nb03 import FOUR_STRIDES, _kernel

RIGHT = {
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

"""Right answers to the exercises of 11_attention, written otherwise than the notebook writes them."""

from wrong_answers.nb11 import (
    CACHED,
    CACHED_ARGUMENTS,
    GROUP,
    GROUP_ARGUMENTS,
    ROW,
    ROW_ARGUMENTS,
    kernel,
    tile,
)


def changed(body: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in body, old
        body = body.replace(old, new)
    return body


LOG2_E = 1.4426950408889634
MERGE = ("m_new = tl.maximum(m, tl.max(scores, axis=0))", "p, factor = tl.exp(scores - m_new), tl.exp(m - m_new)")

RIGHT = {
    "cached_causal_kernel": [
        kernel("cached_causal_kernel", CACHED_ARGUMENTS, body)
        for body in (
            changed(CACHED, ("s - tl.max(s, axis=0)", "s - tl.max(tl.where(seen, s, -float('inf')), axis=0)")),
            changed(CACHED, (".to(tl.float32) * scale", f".to(tl.float32) * (scale * {LOG2_E})"), ("tl.exp(", "tl.exp2(")),
            changed(
                CACHED,
                ("seen = columns <= row + n_cols - n_rows", "last = n_cols - n_rows + row\nseen = columns < last + 1"),
                ("columns, p, mask=columns < n_cols", "columns, tl.where(seen, p, 0.0), mask=columns < n_cols"),
            ),
            changed(
                CACHED,
                (
                    "columns, p, mask=columns < n_cols)",
                    "columns, p, mask=seen)\ntl.store(p_ptr + row * p_stride + columns, 0.0, mask=(columns < n_cols) & (columns > row + n_cols - n_rows))",
                ),
            ),
        )
    ],
    "attention_row_kernel": [
        kernel("attention_row_kernel", ROW_ARGUMENTS, body)
        for body in (
            changed(ROW, (".to(tl.float32) * scale", ".to(tl.float32)"), ("axis=1), -float", "axis=1) * scale, -float")),
            changed(
                ROW,
                (".to(tl.float32) * scale", f".to(tl.float32) * (scale * {LOG2_E})"),
                ("tl.exp(scores - m_new), tl.exp(m - m_new)", "tl.exp2(scores - m_new), tl.exp2(m - m_new)"),
            ),
            # the new tile as a pair of its own, and then the merge of two pairs
            changed(
                ROW,
                (MERGE[0], "m_tile = tl.max(scores, axis=0)\n    m_new = tl.maximum(m, m_tile)"),
                (MERGE[1], "p, factor, other = tl.exp(scores - m_tile), tl.exp(m - m_new), tl.exp(m_tile - m_new)"),
                ("+ tl.sum(p, axis=0)", "+ other * tl.sum(p, axis=0)"),
                ("+ tl.sum(p[:, None] * v, axis=0)", "+ other * tl.sum(p[:, None] * v, axis=0)"),
            ),
            # o normalised at every step, with the weights that takes
            changed(
                ROW,
                ("s = s * factor + tl.sum(p, axis=0)", "s_new = s * factor + tl.sum(p, axis=0)"),
                ("o = o * factor + tl.sum(p[:, None] * v, axis=0)", "o = (o * s * factor + tl.sum(p[:, None] * v, axis=0)) / s_new\n    s = s_new"),
                ("dims, o / s)", "dims, o)"),
            ),
        )
    ],
    "grouped_kernel": [
        kernel("grouped_kernel", GROUP_ARGUMENTS, body)
        for body in (
            changed(GROUP, ("tl.dot(p.to(v.dtype), v, o * factor[:, None])", "o * factor[:, None] + tl.dot(p.to(v.dtype), v)")),
            changed(GROUP, ("tl.trans(k)", "k.T"), ("q = tl.load(q_ptr + mine)", "q = (tl.load(q_ptr + mine) * scale).to(q_ptr.dtype.element_ty)"),
                    ("tl.dot(q, k.T) * scale", "tl.dot(q, k.T)")),
            changed(
                GROUP,
                ("tl.dot(q, tl.trans(k))", "tl.sum(q[:, None, :].to(tl.float32) * k[None, :, :].to(tl.float32), axis=2)"),
                ("tl.dot(p.to(v.dtype), v, o * factor[:, None])", "o * factor[:, None] + tl.sum(p[:, :, None] * v[None, :, :].to(tl.float32), axis=1)"),
            ),
        )
    ],
    "best_tile": [
        "def best_tile(n, d, itemsize, shared):\n    " + tile(key="2 * n * d + 2 * n * d * math.ceil(n / b)"),
        "def best_tile(n, d, itemsize, shared):\n    " + tile(key="(-(-n // b), b)"),
        "def best_tile(n, d, itemsize, shared):\n"
        "    b = 16\n"
        "    while b < n and (2 * b + 256) * d * itemsize <= shared:\n"
        "        b *= 2\n"
        "    return torch.tensor(b)",
    ],
}  # fmt: skip

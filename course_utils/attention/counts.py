"""How many elements a head moves: the formulas that the ledger is held against."""


def flash_elements(n, d, rows, causal=False):
    """Loaded and stored by `flash_kernel`, where its tiles of keys divide its tiles of queries: 2Nd + 2Nd·⌈N/B_q⌉."""
    ends = (min(start + rows, n) if causal else n for start in range(0, n, rows))
    return 2 * n * d + 2 * d * sum(ends)


def naive_elements(n, d, causal=False):
    """With a fused softmax between two matrix products: S and P are each written and read, beside Q, K, V and O.

    A causal softmax reads only the half of S that is in sight; the products still take all of P.
    """
    return 3 * n * n + (n * (n + 1) // 2 if causal else n * n) + 4 * n * d

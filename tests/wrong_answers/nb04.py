"""Plausible wrong answers to the exercises of 04_grid_stride_kernel, and a word of what the check must say of each."""

ROW = """
x = tl.load(x_ptr + row * x_stride + columns, mask=mask, other=-float("inf")).to(tl.float32)
numerator = tl.exp(x - tl.max(x, axis=0))
y = numerator / tl.sum(numerator, axis=0)
tl.store(y_ptr + row * y_stride + columns, y, mask=mask)
"""


def kernel(name: str, start: str, loop: str, row: str = ROW) -> str:
    """A kernel from what stands before its loop, the loop's head, and what the loop does."""
    head = f"@triton.jit\ndef {name}(y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr):\n"
    lines = [*start.strip().splitlines(), "columns = tl.arange(0, BLOCK_SIZE)", "mask = columns < n_cols", loop]
    inside = row.strip().splitlines()
    return head + "".join(f"    {line}\n" for line in lines) + "".join(f"        {line}\n" for line in inside)


def chunk(size: str, loop="for row in tl.range(first, tl.minimum(first + chunk, n_rows)):", row=ROW) -> str:
    return kernel("chunk_kernel", f"chunk = {size}\nfirst = tl.program_id(0) * chunk", loop, row)


def mended(start: str, loop: str, row: str = ROW) -> str:
    return kernel("mended_kernel", start, loop, row)


CEILING = "tl.cdiv(n_rows, tl.num_programs(0))"
WIDE = "row_start = tl.program_id(0).to(tl.int64)\nrow_step = tl.num_programs(0)"
STRIDED = "for row in tl.range(row_start, n_rows, row_step):"
OF_A_PROGRAM = "tl.range(tl.program_id(0), n_rows, tl.num_programs(0))"


def wide_row(*matrices: str) -> str:
    """What the loop does, with the row number widened for these."""
    row = ROW
    for matrix in matrices:
        row = row.replace(f"row * {matrix}_stride", f"row.to(tl.int64) * {matrix}_stride")
    return row


WRONG = {
    "busy": {
        "rounds = -(-len(costs) // programs)\nreturn len(costs) / (rounds * programs)": "all rows to be alike",
        "return 1.0": "ends last",
        "spent = [sum(costs[p::programs]) for p in range(programs)]\nreturn 100 * sum(costs) / (programs * max(spent))": "percentage",
        "spent = [sum(costs[p::programs]) for p in range(programs)]\nreturn (programs * max(spent)) / sum(costs)": "Upside down",
        "spent = [sum(costs[p::programs]) for p in range(programs)]\nreturn 1 - sum(costs) / (programs * max(spent))": "idle share",
        "c = -(-len(costs) // programs)\nspent = [sum(costs[p * c:(p + 1) * c]) for p in range(programs)]\nreturn sum(costs) / (programs * max(spent))": "contiguous chunks",
        "free = [0] * programs\nfor cost in costs:\n    free[free.index(min(free))] += cost\nreturn sum(costs) / (programs * max(free))": "whoever is free",
        "spent = [sum(costs[p::programs]) for p in range(programs)]\nreturn sum(costs) / max(spent)": "should be",
    },
    "fewest_programs": {
        "return most": "would too",
        "return min(rows, most)": "would too",
        "return rows // -(-rows // most)": "Round up",
        "return rows / -(-rows // most)": "not a whole number",
        "return -(-rows // (rows // most))": "",
        "return max(p for p in range(1, most + 1) if rows % p == 0)": "Round up",
        "return rows": "out of range",
    },
    "chunk_kernel": {
        chunk("n_rows // tl.num_programs(0)"): "nobody did",
        chunk(CEILING, "for row in tl.range(first, first + chunk):"): "end at n_rows",
        kernel(
            "chunk_kernel",
            "first = tl.program_id(0)\nstep = tl.num_programs(0)",
            "for row in tl.range(first, n_rows, step):",
        ): "not one chunk",
        kernel(
            "chunk_kernel",
            "chunk = n_rows // tl.num_programs(0)\nfirst = tl.program_id(0) * chunk\n"
            "last = tl.where(tl.program_id(0) == tl.num_programs(0) - 1, n_rows, first + chunk)",
            "for row in tl.range(first, last):",
        ): "none should do more",
        kernel("chunk_kernel", "first = tl.program_id(0)", "for row in tl.range(first, n_rows):"): "times",
        chunk(CEILING, row=ROW.replace("y, mask=mask", "y")): "leave their tensor",
        chunk(CEILING, row=ROW.replace(", axis=0)\ntl.store", ", axis=0) + 1\ntl.store")): "not its softmax",
        chunk(CEILING).removeprefix("@triton.jit\n"): "@triton.jit",
    },
    "mended_kernel": {
        mended("", f"for row in {OF_A_PROGRAM}:"): "int32",
        mended("", f"for row in {OF_A_PROGRAM[3:]}:"): "int32",
        mended("", f"for row in {OF_A_PROGRAM}:", wide_row("x")): "in the output",
        mended("row_start = tl.program_id(0)\nrow_step = tl.num_programs(0)", STRIDED): "int32",
        mended(
            "row_start = tl.program_id(0).to(tl.int64)\nrow_step = tl.num_programs(0)",
            "for k in tl.range(0, n_rows // row_step):",
            "row = row_start + k * row_step\n" + ROW.strip(),
        ): "nobody did",
        mended("row_start = tl.program_id(0).to(tl.int64)\nrow_step = 4", STRIDED): "nobody did",
        mended(
            WIDE, "for k in tl.range(0, tl.cdiv(n_rows, row_step)):", "row = row_start + k * row_step\n" + ROW.strip()
        ): "end at n_rows",
        mended(
            "row_start = tl.program_id(0)\nrow_step = tl.num_programs(0)",
            STRIDED,
            ROW.replace("row * x_stride", "tl.cast(row, tl.int64) * x_stride"),
        ): "in the output",
        mended(
            "row_start = tl.program_id(0)\nrow_step = tl.num_programs(0)",
            STRIDED,
            ROW.replace("row * x_stride", "tl.cast(row * x_stride, tl.int64)"),
        ): "in the input",
        mended(WIDE, "for row in tl.range(row_start, n_rows):"): "times",
        mended(WIDE, STRIDED, ROW.replace("tl.sum(numerator, axis=0)", "n_cols")): "not its softmax",
    },
    "most_stages": {
        "block = triton.next_power_of_2(n_cols)\nreturn max(1, (limit - 32) // (block * itemsize))": "s − 1 rows",
        "return (limit - 32) // (n_cols * itemsize) + 1": "whole block",
        "block = triton.next_power_of_2(n_cols)\nreturn limit // (block * itemsize) + 1": "32 bytes",
        "block = triton.next_power_of_2(n_cols)\nreturn (limit - 32) // (block * 4) + 1": "not always 4",
        "block = triton.next_power_of_2(n_cols)\nreturn (limit - 32) / (block * itemsize) + 1": "round down",
        "block = triton.next_power_of_2(n_cols)\nreturn (limit - 32) // (block * itemsize)": "always fits",
        "return 4 if limit > 200000 else 2": "",
    },
}

"""Right answers to the exercises of 04_grid_stride_kernel, written otherwise: {exercise: [answer, ...]}."""

from wrong_answers import nb04
from wrong_answers.nb04 import CEILING, chunk, kernel

_WIDE = nb04.OF_A_PROGRAM.replace("program_id(0)", "program_id(0).to(tl.int64)")
_LSE = nb04.ROW.replace(
    "numerator = tl.exp(x - tl.max(x, axis=0))\ny = numerator / tl.sum(numerator, axis=0)",
    "top = tl.max(x, axis=0)\nlse = top + tl.log(tl.sum(tl.exp(x - top), axis=0))\ny = tl.exp(x - lse)",
)
assert _LSE != nb04.ROW

RIGHT = {
    "busy": [
        "spent = torch.tensor([float(sum(costs[p::programs])) for p in range(programs)])\nreturn spent.mean() / spent.max()",
        "spent = [0] * programs\nfor i, cost in enumerate(costs):\n    spent[i % programs] += cost\n"
        "idle = sum(max(spent) - s for s in spent)\nreturn 1 - idle / (programs * max(spent))",
        "from fractions import Fraction\nlast = max(sum(costs[p::programs]) for p in range(min(programs, len(costs))))\n"
        "return Fraction(sum(costs), programs * last)",
    ],
    "fewest_programs": [
        "rounds = -(-rows // most)\nreturn -(-rows // rounds)",
        "return min(p for p in range(1, most + 1) if math.ceil(rows / p) == math.ceil(rows / most))",
        "rounds = (rows + most - 1) // most\nwhile most > 1 and (most - 1) * rounds >= rows:\n    most -= 1\nreturn most",
    ],
    "chunk_kernel": [
        chunk(CEILING, "for row in tl.range(tl.minimum(first + chunk, n_rows) - 1, first - 1, -1):"),
        chunk(CEILING, row=_LSE),
        chunk(CEILING, "for row in range(first, tl.minimum(first + chunk, n_rows)):"),
        kernel(
            "chunk_kernel",
            "p = tl.program_id(0).to(tl.int64)\nP = tl.num_programs(0)",
            "for row in tl.range(p * n_rows // P, (p + 1) * n_rows // P):",
        ),
        kernel(
            "chunk_kernel",
            f"chunk = {CEILING}\nfirst = (tl.num_programs(0) - 1 - tl.program_id(0)) * chunk",
            "for row in tl.range(first, tl.minimum(first + chunk, n_rows)):",
        ),
    ],
    "mended_kernel": [
        nb04.mended("", f"for row in {nb04.OF_A_PROGRAM}:", "row = row.to(tl.int64)" + nb04.ROW),
        nb04.mended("", f"for row in {nb04.OF_A_PROGRAM}:", nb04.wide_row("x", "y")),
        nb04.mended("", f"for row in {nb04.OF_A_PROGRAM[3:]}:", nb04.wide_row("x", "y")),
        nb04.mended("", f"for row in {_WIDE}:"),
        nb04.mended("", f"for row in {_WIDE[3:]}:", _LSE),
        nb04.mended(
            nb04.WIDE,
            "for k in tl.range(0, tl.cdiv(n_rows - row_start, row_step)):",
            "row = row_start + k * row_step\n" + nb04.ROW.strip(),
        ),
    ],
    "most_stages": [
        "s = 1\nwhile s * triton.next_power_of_2(n_cols) * itemsize + 32 <= limit:\n    s += 1\nreturn s",
        "block = 2 ** math.ceil(math.log2(n_cols))\nreturn 1 + math.floor((limit - 4 * 8) / (block * itemsize))",
        "row = triton.next_power_of_2(n_cols) * itemsize\nreturn max(s for s in range(1, 10000) if (s - 1) * row + 32 <= limit)",
    ],
}

"""Right answers to the exercises of 04_grid_stride_kernel, written otherwise: {exercise: [answer, ...]}."""

from wrong_answers import nb04
from wrong_answers.nb04 import CEILING

_WIDE = nb04.OF_A_PROGRAM.replace("program_id(0)", "program_id(0).to(tl.int64)")
_LSE = nb04.ROW.replace(
    "numerator = tl.exp(x - tl.max(x, axis=0))\ny = numerator / tl.sum(numerator, axis=0)",
    "top = tl.max(x, axis=0)\nlse = top + tl.log(tl.sum(tl.exp(x - top), axis=0))\ny = tl.exp(x - lse)",
)
assert _LSE != nb04.ROW

RIGHT = {
    "tail_time": [
        "tail = programs % fits\nfull = programs - tail\nreturn (full * ms[fits] + tail * ms.get(tail, 0)) / programs",
        "tail = programs % fits\nif tail == 0:\n    return ms[fits]\n"
        "return ms[fits] * (1 - tail / programs) + ms[tail] * tail / programs",
        "from fractions import Fraction\nleft, time = programs, 0\nwhile left:\n    now = min(fits, left)\n"
        "    time += Fraction(now, programs) * Fraction(ms[now])\n    left -= now\nreturn float(time)",
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
    "biased_kernel": [
        nb04.biased(
            nb04.BIASED.replace("+ bias", "").replace("x - tl.max(x, axis=0)", "x + bias - tl.max(x + bias, axis=0)")
        ),
        nb04.biased(_LSE.replace(".to(tl.float32)", ".to(tl.float32) + bias")),
        nb04.biased(
            nb04.BIASED,
            start=f"chunk = {CEILING}\nfirst = tl.program_id(0).to(tl.int64) * chunk",
            loop="for row in tl.range(first, tl.minimum(first + chunk, n_rows)):",
        ),
        nb04.biased(nb04.BIASED, loop="for row in range(row_start, n_rows, row_step):"),
        nb04.biased(
            nb04.BIASED.replace("+ bias", "- minus"),
            bias="minus = -tl.load(bias_ptr + columns, mask=columns < n_cols, other=0)",
        ),
    ],
}

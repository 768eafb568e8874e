"""Right answers to the exercises of 05_occupancy_launcher, written otherwise: {exercise: [answer, ...]}."""

from wrong_answers.nb05 import DRAW, ENOUGH, PREFETCH, prefetch

RIGHT = {
    "draw_waiting": [
        DRAW,
        "by = {}\nfor g in grids:\n    by.setdefault(g.stages, []).append(g)\n"
        "for stages, found in by.items():\n    found = sorted(found, key=lambda g: g.per_multiprocessor)\n"
        "    programs = [g.per_multiprocessor for g in found]\n"
        "    axes.semilogx(programs, [g.median_ms * 1000 * p * sms / g.rows for g, p in zip(found, programs)], 's--')\n"
        "axes.set(xlabel='programs', ylabel='us')\naxes.legend([f'{s}' for s in by])\naxes.grid(True)",
        "for stages in sorted({g.stages for g in grids}):\n"
        "    points = sorted((g.per_multiprocessor, 1e3 * g.median_ms / g.rows * g.per_multiprocessor * sms) for g in grids if g.stages == stages)\n"
        "    line, = axes.plot(*zip(*points))\n    line.set_label(f'{stages} stages')\naxes.set(xlabel='P', ylabel='us')\naxes.legend()",
        "import numpy as np\nfor stages, style in zip(sorted({g.stages for g in grids}), ('r-', 'b-')):\n"
        "    points = sorted((g.per_multiprocessor, g.median_ms / g.rows) for g in grids if g.stages == stages)\n"
        "    p, t = np.array(points).T\n    line, = axes.plot(p, 1000 * t * p * sms, style, label=str(stages))\n"
        "    line.set_linewidth(2)\naxes.set_xlabel('P')\naxes.set_ylabel('T')\n"
        "axes.axvline(8, color='gray')\naxes.legend(loc='best')",
    ],
    "prefetch_kernel": [
        PREFETCH,
        prefetch(
            (
                "    while row < n_rows:\n        ahead = row + step\n",
                "    for row in tl.range(tl.program_id(0).to(tl.int64), n_rows, step):\n        ahead = row + step\n",
            ),
            ("        row, x = ahead, following\n", "        x = following\n"),
        ),
        prefetch(
            (
                "        there = columns < tl.where(ahead < n_rows, n_cols, 0)\n",
                "        there = (columns < n_cols) & (ahead < n_rows)\n",
            ),
            (
                "    there = columns < tl.where(row < n_rows, n_cols, 0)\n",
                "    there = (columns < n_cols) & (row < n_rows)\n",
            ),
        ),
        prefetch(
            ("        row, x = ahead, following\n", "        row = ahead\n        x = following\n"),
            ("x = x.to(tl.float32)", "z = x.to(tl.float32)"),
            ("tl.exp(x - tl.max(x, axis=0))", "tl.exp2((z - tl.max(z, axis=0)) * 1.4426950408889634)"),
        ),
    ],
    "enough_programs": [
        ENOUGH,
        "on_each = 2 * (bandwidth / sms) * alone / row_bytes\ntotal = sms * min(round(on_each), fits)\n"
        "if total > rows:\n    total = rows\nreturn total or 1",
        "import math\nlaw = math.floor(2 * bandwidth * alone / (row_bytes * sms) + 0.5)\n"
        "return sorted([rows, sms * fits, sms * law])[0] if law else 1",
    ],
}

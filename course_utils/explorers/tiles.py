"""What was recorded of tiles at every number of rows and warps: what a thread holds, and what a rule loses to the best."""

from dataclasses import dataclass
from statistics import median

from ..figures.choices import elements_a_thread, regrets
from ..figures.picture import Picture
from ..language import Text
from ..table import Table

H100 = "h100-80gb-hbm3"
SIZES = {"float32": 4, "bfloat16": 2}


def what_a_thread_holds(*widths: int, dtype: str = "float32") -> Table:
    """A row a program at every number of warps: registers, spills, what fits on an SM, and the time."""
    from ..measurements import recorded

    table = Table(
        f"N ({dtype})",
        "warp · warps",
        "元素 · elements",
        "寄存器 · registers",
        "溢出 · spilled",
        "每个 SM 放得下 · fit on an SM",
        "µs",
    )
    for columns in widths:
        where = {"rows": 4096, "columns": columns, "dtype": dtype, "together": 1}
        lines = recorded("tiles", H100, **where) or recorded("climb", H100, step="tile", state="sustained", **where)
        times = {line.warps: line.median_us for line in lines}
        for line in recorded("held", H100, columns=columns, dtype=dtype):
            if line.warps in times:
                needs = line.registers, line.spills, line.programs
                table.add(columns, line.warps, line.elements, *needs, f"{times[line.warps]:.3g}")
    return table


def warps_at_every_width() -> Picture:
    """Each width by what a thread holds, one row a program: how near it comes to the best number of warps."""
    from ..measurements import recorded, tiles

    shares = {}
    for rows, columns in tiles.SCOREBOARD:
        block = 1 << (columns - 1).bit_length()
        if block < 1024:
            continue
        for dtype in SIZES:
            lines = recorded("tiles", H100, rows=rows, columns=columns, dtype=dtype, together=1)
            best = min(line.median_us for line in lines)
            shares[dtype, columns] = {
                block // (32 * line.warps): best / line.median_us for line in lines if block >= 128 * line.warps
            }
    return elements_a_thread(shares, "每个线程的元素数 · elements a thread (H100, 4096 × N)")


@dataclass(frozen=True)
class Regrets:
    """What a rule loses, shape by shape: its time over the best of all that was tried, 1 being none."""

    found: dict
    title: Text

    @property
    def median(self) -> float:
        return median(regret for regret, *_ in self.found.values())

    @property
    def worst(self) -> float:
        return max(regret for regret, *_ in self.found.values())

    def __repr__(self) -> str:
        return f"median {self.median:.3f}, worst {self.worst:.3f}"

    def picture(self) -> Picture:
        return regrets(self.found, f"{self.title.zh} · {self.title.en}")


def regrets_of(rule, shapes: str = "later") -> Regrets:
    """`rule(rows, columns, size)` returns (rows a program, warps). Judged on the shapes of the scoreboard, on those looked at while
    rules were chosen between, or on those named later, when the rule stood."""
    from ..measurements import tiles

    judged = {"scoreboard": tiles.SCOREBOARD, "looked at": tiles.LOOKED_AT, "later": tiles.LATER}[shapes]
    found = {}
    for rows, columns in judged:
        for dtype, size in SIZES.items():
            found[rows, columns, dtype] = (tiles.regret(rule, rows, columns, dtype), *rule(rows, columns, size))
    titles = {
        "scoreboard": Text("计分板的形状", "The scoreboard's shapes"),
        "looked at": Text("挑选规则时看过的形状", "Shapes looked at while choosing the rule"),
        "later": Text("规则没见过的形状", "Shapes that the rule never saw"),
    }
    return Regrets(found, titles[shapes])

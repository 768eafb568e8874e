"""`measure`: a cell's function beside the recording of that very call.

found = measure("tiles", tile_softmax, rows=4096, columns=(256, 1024), dtype="float32", together=1, warps=4)
found          # a line for each number of columns; on a GPU with what the function takes there
found[256]     # microseconds, as recorded
"""

import inspect
import itertools
from dataclasses import dataclass

from ... import backend
from ...language import both
from ...table import Table
from .experiment import experiment, measures_here, recorded, spoken_of
from .recording import matrix_bytes
from .stopwatch import inputs_for, timed


@dataclass(frozen=True)
class Found:
    """What was recorded of one call in several sizes, and what was measured here."""

    gpu: str
    varied: tuple[str, ...]
    us: dict
    copies: dict
    live: dict

    def __getitem__(self, size) -> float:
        return self.us[size]

    def __float__(self) -> float:
        """Where one line was asked for, its microseconds."""
        (us,) = self.us.values()
        return us

    def share(self, size) -> float:
        """The best copy's time ÷ this one's."""
        return self.copies[size] / self.us[size]

    def table(self) -> Table:
        shares, live = ["÷ 复制 · of a copy"] * bool(self.copies), ["这里 · here, µs"] * bool(self.live)
        table = Table(*self.varied, f"{self.gpu}, µs", *shares, *live)
        for size, us in self.us.items():
            sizes = size if isinstance(size, tuple) else (size,)
            table.add(
                *(sizes if self.varied else ()),
                _short(us),
                *([f"{self.share(size):.2f}"] if shares else []),
                *([_short(self.live[size])] if live else []),
            )
        return table

    def __repr__(self) -> str:
        return repr(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def measure(name: str, function=None, *, copy: bool = False, **columns) -> Found:
    """What an experiment recorded where its columns have these values: one line, or one for each value in a tuple; `...`: those there are.

    On a GPU `function` is timed beside it: called with an input `x`, if it takes one, and with those of the columns that it takes.
    With `copy`, each time is held against the best copy of the same bytes.
    """
    shown = [key for key, value in columns.items() if value is ...]
    for key in shown:
        given = {other: value for other, value in columns.items() if value is not ... and not isinstance(value, tuple)}
        columns[key] = tuple(sorted({getattr(line, key) for line in recorded(name, **given)}))
    varied = tuple(key for key, value in columns.items() if isinstance(value, tuple))
    lines = {}
    for values in itertools.product(*(columns[key] for key in varied)):
        wanted = columns | dict(zip(varied, values))
        found = recorded(name, **wanted)
        if found or not shown:
            lines[values if len(varied) != 1 else values[0]] = _one(name, wanted, found)
    return Found(
        spoken_of(name).partition("-")[0].upper(),
        varied,
        us={size: line.median_us for size, line in lines.items()},
        copies={size: copy_us(name, line) for size, line in lines.items()} if copy else {},
        live={s: _timed(function, vars(line)) for s, line in lines.items()} if function and measures_here() else {},
    )


def _short(us: float) -> str:
    return f"{us:,.0f}" if us >= 1000 else f"{us:.3g}"


def _one(name: str, wanted: dict, found: list):
    if len(found) == 1:
        return found[0]
    asked = ", ".join(f"{key}={value!r}" for key, value in wanted.items())
    if not found:
        raise LookupError(both(f"{name} 的录制里没有 {asked}。", f"Nothing is recorded in {name} for {asked}."))
    open_ = ", ".join(key for key in vars(found[0]) if key not in wanted and not key.endswith("_us"))
    raise LookupError(
        both(
            f"{name} 的录制里，{asked} 有 {len(found)} 行：还要说明 {open_}。",
            f"{name} holds {len(found)} lines for {asked}: say {open_} as well.",
        )
    )


def copy_us(name: str, line) -> float:
    """The best copy's microseconds: on the same buffers where the experiment has them, else those of the ruler."""
    own = getattr(experiment(name), "COPY", None)
    if not own:
        size = matrix_bytes(line.rows, line.columns, line.dtype)
        return experiment("ruler").best(size, getattr(line, "state", "sustained")).median_us
    alike = ("rows", "columns", "dtype", "state", "early")
    same = {column: getattr(line, column) for column in alike if hasattr(line, column)}
    return min(copy.median_us for copy in recorded(name, **same | own))


def _timed(function, columns: dict) -> float:
    takes = inspect.signature(function).parameters
    given = {key: value for key, value in columns.items() if key in takes}
    if "bytes" in columns:  # of a copy, which does not ask what they mean
        sizes = [1, columns["bytes"] // 4, "float32"]
    else:
        sizes = [columns.get(key, usual) for key, usual in (("rows", 64), ("columns", 64), ("dtype", "float32"))]

    def launch(x):
        y = function(x, **given) if "x" in takes else function(**given)
        return x if y is None else y

    return 1e6 * timed(launch, inputs_for(*sizes, backend.device), state=columns.get("state", "sustained")).median

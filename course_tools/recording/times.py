"""The recorder: measures every provider over the course's sweep of shapes and writes CSV that says where it comes from."""

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path

import torch

from course_utils import hardware
from course_utils.backend import device, mode
from course_utils.language import both
from course_utils.softmax.choose import choose
from course_utils.softmax.npu import choose_on_npu
from course_utils.timing.recorded import FOLDER, load, write
from course_utils.timing.stopwatch import SECONDS, STATES, accelerator, host_times, inputs_for, measure

from .ahead import compile_ahead
from .counters import (
    count_attention,
    count_dram,
    count_hints,
    count_limits,
    count_naive,
    count_passes,
    count_states,
)
from .provenance import provenance, short_name
from .providers import PEERS, providers

ROWS = 4096
SWEEP = [128 * i for i in range(2, 100)]
ODD = [781, 1000, 4001, 12671, 40001, 50000, 100001]
POWERS = [16384, 32768, 65536, 131072]
FEW_ROWS = [(rows, columns) for columns in (2**17, 2**20) for rows in (1, 8, 64)]
DTYPES = ["float32", "bfloat16", "float16"]
STATE_WIDTHS = [
    256,
    512,
    781,
    1024,
    1536,
    2048,
    3072,
    4001,
    4096,
    8192,
    12672,
    32768,
    65536,
    131072,
]  # of the other states
TUNED = {
    (dtype, n) for dtype in ("float32", "bfloat16") for n in (1024, 4096, 12672, 32768)
}  # what takes minutes to tune
IN_EVERY_STATE = {"copy", "copy early", *PEERS, "tutorial", "row", "occupancy", "softmax", "softmax again"}
HOST = [("float32", 128, 256), ("float32", 4096, 1024), ("bfloat16", 128, 256)]


@dataclass(frozen=True)
class Shape:
    dtype: str
    rows: int
    columns: int
    slow_too: bool  # whether what takes long to compile is measured as well

    def asks(self, provider, state: str) -> bool:
        """Whether a provider is measured here, in this state of the cache."""
        if state != "sustained" and (provider.name not in IN_EVERY_STATE or not self.in_every_state):
            return False
        if provider.tunes and (self.rows != ROWS or (self.dtype, self.columns) not in TUNED):
            return False
        return provider.is_asked(self.columns, self.slow_too)

    @property
    def in_every_state(self) -> bool:
        return self.columns in STATE_WIDTHS or self.rows != ROWS


def shapes(quick: bool = False) -> list[Shape]:
    """What is measured; first what can least be spared, should the time run out."""
    widths = sorted({*SWEEP, *ODD, *POWERS})
    few = {*STATE_WIDTHS, *ODD, *POWERS, *(2**k for k in range(8, 14))}
    found = [Shape(d, ROWS, n, n in few or widths.index(n) % 4 == 0) for n in widths for d in DTYPES]
    found += [Shape(d, rows, n, True) for d in DTYPES for rows, n in FEW_ROWS]
    if quick:
        return [shape for shape in found if shape.rows == ROWS and widths.index(shape.columns) % 12 == 0]
    return sorted(found, key=lambda shape: (not shape.in_every_state, not shape.slow_too))


def record(folder=FOLDER, states=STATES, quick: bool = False, seconds: float = SECONDS, limit: float = 1e9,
           most: int | None = None, further: bool = False) -> list:  # fmt: skip
    """Measures and writes a file for each state; returns the paths.

    `limit`: after so many seconds no further shape is begun; `most`: only so many are measured, the most wanted first. The files
    say so. A long recording can thus be made in several sessions: one state, or some, at a time, or `further` from where the
    last session stopped.
    """
    begun = time.monotonic()
    told = provenance("python -m course_tools.recording times --state {state}" + " --quick" * quick)
    told["command"] += f" --seconds {seconds:g}" * (seconds != SECONDS)
    wanted = [shape for shape in shapes(quick) if shape.in_every_state or "sustained" in states]
    recordings = {state: _Recording(state, told, folder) for state in states}
    total = len(wanted)
    if further:
        for recording in recordings.values():
            recording.resume()
        wanted = [shape for shape in wanted if any(recording.lacks(shape) for recording in recordings.values())]
    had = total - len(wanted)
    compile_ahead(_compile, [(shape, states) for shape in wanted[:most]])
    print(f"compiled, {time.monotonic() - begun:.0f} s", flush=True)
    for done, shape in enumerate(wanted):
        late = done and time.monotonic() - begun > limit or done == most
        if late or done % 40 == 39:  # so that what was measured is not lost if the session is cut off
            for recording in recordings.values():
                recording.write(f"stopped after {had + done} of {total} shapes")
        if late:
            break
        _measure_all(shape, recordings.values(), seconds)
    else:
        for recording in recordings.values():
            recording.write()
    print(f"all, {time.monotonic() - begun:.0f} s", flush=True)
    return [recording.path for recording in recordings.values()]


class _Recording:
    """The lines of one state."""

    def __init__(self, state: str, told: dict[str, str], folder):
        self.state, self.folder = state, folder
        self.told = {"state": state, **told, "command": told["command"].format(state=state)}
        self.lines, self.measured, self.refused, self.tuned, self.path = [], set(), {}, {}, None

    def resume(self) -> None:
        """Takes over what the last session recorded with the same device and the same versions."""
        name = f"{short_name(self.told)}-times-{self.state}.csv"
        earlier = load(next(path for path in (Path(self.folder) / name, FOLDER / name) if path.exists()))
        for key in ("versions", "released"):
            self.told[key] = _of_both(earlier.provenance[key], self.told[key])
        was, now = _setup(earlier.provenance), _setup(self.told)
        for key in was.keys() & now.keys():
            if was[key] != now[key]:
                raise SystemExit(
                    both(
                        f"接着录不行，{key} 变了：上次 {was[key]}，这次 {now[key]}。",
                        f"Can't go on with this recording, {key} has changed: {was[key]}, now {now[key]}.",
                    )
                )
        dates = [*earlier.provenance["date"].split(", "), self.told["date"]]
        self.told["date"] = ", ".join(dict.fromkeys(dates))
        self.lines = [dict(line) for line in earlier.lines]
        self.measured = {(m.dtype, m.rows, m.columns, m.provider) for m in earlier.measurements}
        told = earlier.provenance.items()
        self.refused = {which: shapes.split() for which, shapes in told if which.startswith("refused")}
        self.tuned = {which: config for which, config in told if which.startswith("tuned")}

    def lacks(self, shape: Shape) -> bool:
        return any(self.asks(shape, provider) for provider in providers())

    def asks(self, shape: Shape, provider) -> bool:
        """Whether a provider is still to be measured at a shape."""
        found = (shape.dtype, shape.rows, shape.columns, provider.name) in self.measured
        which, refused = f"refused, {provider.name}, {shape.dtype}, ", f"{shape.rows}x{shape.columns}"
        found = found or any(key.startswith(which) and refused in shapes for key, shapes in self.refused.items())
        return not found and shape.asks(provider, self.state)

    def add(self, shape: Shape, provider, timing, x, tuned: str = "") -> None:
        line = _line(shape.dtype, shape.rows, shape.columns, provider.name, timing, x)
        self.lines.append({"state": self.state, **line})
        self.measured.add((shape.dtype, shape.rows, shape.columns, provider.name))
        if tuned:
            self.tuned[f"tuned, {provider.name}, {shape.dtype}, {shape.rows}x{shape.columns}"] = tuned

    def refuse(self, shape: Shape, provider, error) -> None:
        which = f"refused, {provider.name}, {shape.dtype}, {type(error).__name__}"
        self.refused.setdefault(which, []).append(f"{shape.rows}x{shape.columns}")

    def write(self, incomplete: str = "") -> None:
        told = self.told | ({"incomplete": incomplete} if incomplete else {})
        told |= {which: " ".join(refused) for which, refused in self.refused.items()} | self.tuned
        lines = sorted(
            self.lines, key=lambda line: (DTYPES.index(line["dtype"]), -int(line["rows"]), int(line["columns"]))
        )
        if lines:
            self.path = write(f"times-{self.state}", short_name(told), told, lines, self.folder)


def _of_both(was: str, now: str) -> str:
    """Of what is absent this time, what was said of it the last time."""
    found = _by_name(was) | {name: said for name, said in _by_name(now).items() if said != "-"}
    return ", ".join(f"{name} {said}" for name, said in found.items())


def _by_name(told: str) -> dict[str, str]:
    """What the provenance says of packages: "liger-kernel 0.8.5, flag-gems -"."""
    return dict(each.split(" ") for each in told.split(", ") if each)


def _setup(told: dict[str, str]) -> dict[str, str]:
    """What has to stay the same: the device, its driver, the version of every package that is there."""
    versions = _by_name(told["versions"])
    return {key: told[key] for key in ("device", "driver")} | {
        name: found for name, found in versions.items() if found != "-"
    }


def _measure_all(shape: Shape, recordings: list[_Recording], seconds: float) -> None:
    """One shape, everybody who is asked, in every state that is recorded."""
    inputs = inputs_for(shape.rows, shape.columns, getattr(torch, shape.dtype), device)
    for provider in providers():
        function = None
        for recording in recordings:
            if not recording.asks(shape, provider):
                continue
            try:
                function = function or provider.prepare(inputs[0])
                timing = measure(function, inputs, seconds, recording.state)
                recording.add(shape, provider, timing, inputs[0], getattr(function, "tuned", ""))
            except Exception as error:  # a library that refuses a shape is one more result
                recording.refuse(shape, provider, error)
    del inputs
    accelerator(device).empty_cache()


def record_dram(folder=FOLDER) -> list:
    """What the hardware counts; nothing where it may not be asked."""
    told = provenance("python -m course_tools.recording dram")
    counting = {
        "dram": count_dram,
        "states": count_states,
        "passes": count_passes,
        "limits": count_limits,
        "hints": count_hints,
        "naive": count_naive,
        "attention-dram": count_attention,
    }
    counted = {what: count() for what, count in counting.items()} if mode == "cuda" else {}
    return [write(what, short_name(told), told, lines, folder) for what, lines in counted.items() if lines]


def record_host(folder=FOLDER) -> list:
    """What a call costs the CPU, by itself: seconds instead of minutes, for a CPU that was busy when all was recorded."""
    told = provenance("python -m course_tools.recording host")
    return [write("host", short_name(told), told, _host_lines(), folder)]


def _line(dtype, rows, columns, provider, timing, x) -> dict:
    line = {"dtype": dtype, "rows": rows, "columns": columns, "provider": provider}
    line |= timing.in_microseconds("apart")
    return line | {"kernel": _kernel(x) if provider == "softmax" else ""}


def _kernel(x) -> str:
    """The one kernel that the course's softmax takes for `x`; nothing where it takes two."""
    if mode == "npu":
        kernel, _ = choose_on_npu(x.shape[1], hardware.here())
    else:
        launch = choose(torch.empty_like(x), x)
        kernel = launch and launch.kernel
    return kernel.fn.__name__.removesuffix("_kernel") if kernel else ""


def _host_lines() -> list[dict]:
    lines = []
    for dtype, rows, columns in HOST:
        x = torch.randn(rows, columns, device=device).to(getattr(torch, dtype))
        functions = {}
        for provider in providers():
            try:
                function = provider.prepare(x)
                function(x)
            except Exception:
                continue
            functions[provider.name] = function
        for name, timing in host_times(functions, x).items():
            lines.append(_line(dtype, rows, columns, name, timing, x))
    return lines


def _compile(asked: tuple[Shape, list[str]]) -> None:
    """Has every provider compile what it needs for a shape."""
    shape, states = asked
    x = torch.zeros(shape.rows, shape.columns, dtype=getattr(torch, shape.dtype), device=device)
    for provider in providers():
        if provider.name in ("naive", "torch", "softmax again", "occupancy", "helion"):
            continue  # nothing to compile, or compiled on the way
        if any(shape.asks(provider, state) for state in states):
            with contextlib.suppress(Exception):
                provider.prepare(x)(x)
                accelerator(device).synchronize()

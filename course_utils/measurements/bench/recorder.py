"""Measures an experiment case by case and writes its recording, so that whoever is stopped loses one case and no more."""

import time
from pathlib import Path

from ...language import both
from .ahead import compile_ahead
from .experiment import Note, agrees, experiment
from .provenance import provenance, short_name
from .recording import FOLDER, load, path_of, write

WRITE_EVERY = 5  # seconds


def record(name: str, command: str, folder: Path = FOLDER, limit: float = 1e9, further: bool = False) -> Path:
    """`command` makes the recording again, and stands in it. After `limit` seconds no further case is begun, and the file says so; `further` goes on where the last session stopped."""
    begun, module = time.monotonic(), experiment(name)
    told = provenance(command)
    path = path_of(name, short_name(told), folder)
    notes, lines = {}, []
    if further:
        told, notes, lines = _earlier(path, told, module.Line)
    cases = list(module.cases())
    wanted = [
        case for case in cases if _refused(case) not in notes and not any(agrees(vars(line), case) for line in lines)
    ]
    if getattr(module, "COMPILES", False):
        compile_ahead(name, wanted)
        print(f"{name}: compiled, {time.monotonic() - begun:.0f} s", flush=True)
    written = time.monotonic()
    for done, case in enumerate(wanted):
        incomplete = {"incomplete": f"stopped after {len(cases) - len(wanted) + done} of {len(cases)} cases"}
        if done and time.monotonic() - begun > limit:
            break
        if lines and time.monotonic() - written > WRITE_EVERY:
            write(path, told | notes | incomplete, lines)
            written = time.monotonic()
        try:
            for found in module.measure(**case):
                if isinstance(found, Note):
                    notes[found.about] = " ".join(filter(None, [notes.get(found.about), found.value]))
                else:
                    lines.append(found)
        except Exception as error:  # one case is no reason to lose the others
            notes[_refused(case)] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            print(f"{name}, {_refused(case)}: {error}", flush=True)
    else:
        incomplete = {}
    if not lines:
        raise SystemExit(both(f"{name}：什么也没测到。", f"{name}: nothing was measured."))
    write(path, told | notes | incomplete, lines)
    print(f"{name}: {len(lines)} lines, {time.monotonic() - begun:.0f} s", *incomplete.values(), flush=True)
    return path


def _refused(case: dict) -> str:
    return "refused, " + ", ".join(f"{column} {value}" for column, value in case.items())


def _earlier(path: Path, told: dict[str, str], kind: type) -> tuple[dict, dict, list]:
    """Provenance, notes and lines of the last session, which had the same device and the same versions."""
    earlier = load(next(each for each in (path, FOLDER / path.name) if each.exists()))
    for key in ("device", "driver", "versions"):
        if earlier.provenance[key] != told[key]:
            raise SystemExit(
                both(
                    f"接着录不行，{key} 变了：上次 {earlier.provenance[key]}，这次 {told[key]}。",
                    f"Can't go on with this recording, {key} has changed: {earlier.provenance[key]}, now {told[key]}.",
                )
            )
    dates = dict.fromkeys([*earlier.provenance["date"].split(", "), told["date"]])
    notes = {key: value for key, value in earlier.provenance.items() if key not in told and key != "incomplete"}
    return told | {"date": ", ".join(dates)}, notes, earlier.typed(kind)

"""Measures an experiment case by case and writes its recording, so that whoever is stopped loses one case and no more."""

import multiprocessing
import os
import sys
import time
from pathlib import Path

from ... import backend
from ...language import both
from .experiment import Note, experiment
from .provenance import provenance, short_name
from .recording import FOLDER, path_of, write
from .stopwatch import ONLY_COMPILES, accelerator


def record(name: str, command: str, folder: Path = FOLDER, limit: float = 1e9) -> Path:
    """`command` makes the recording again, and stands in it. After `limit` seconds no further case is begun, and the file says so."""
    begun, module = time.monotonic(), experiment(name)
    told = provenance(command)
    path = path_of(name, short_name(told), folder)
    notes, lines, left = {}, [], len(module.CASES)
    if getattr(module, "COMPILES", False):
        _compile_ahead(name, module.CASES)
        print(f"{name}: compiled, {time.monotonic() - begun:.0f} s", flush=True)
    for done, case in enumerate(module.CASES):
        if done and (time.monotonic() - begun > limit or not _device_answers()):
            break
        _measure(name, case, notes, lines)
        left -= 1
        stopped = f"stopped after {done + 1} of {len(module.CASES)} cases"
        if lines:
            write(path, told | notes | ({"incomplete": stopped} if left else {}), lines)
    if not lines:
        raise SystemExit(both(f"{name}：什么也没测到。", f"{name}: nothing was measured."))
    print(f"{name}: {len(lines)} lines, {time.monotonic() - begun:.0f} s, {left} cases left", flush=True)
    return path


def _compile_ahead(name: str, cases: list[dict]) -> None:
    """Goes through the cases in processes of their own, and times nothing. What fails here fails again where it is recorded."""
    cases = list({tuple((key, case[key]) for key in case if key != "state"): case for case in cases}.values())
    workers = max(1, min(16, (os.cpu_count() or 2) - 1))
    context = multiprocessing.get_context("spawn")
    children = [
        context.Process(target=_compile_some, args=(name, cases[i::workers])) for i in range(min(workers, len(cases)))
    ]
    for child in children:
        child.start()
    for child in children:
        child.join()


def _compile_some(name: str, cases: list[dict]) -> None:
    os.environ |= {ONLY_COMPILES: "1", "TORCHINDUCTOR_COMPILE_THREADS": "1"}  # or each child starts as many again
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    for case in cases:
        try:
            list(experiment(name).measure(**case))
        except Exception:
            continue


def _measure(name: str, case: dict, notes: dict[str, str], lines: list) -> None:
    """Adds what one case yields; nothing of a case that fails, which is no reason to lose the others."""
    try:
        found = list(experiment(name).measure(**case))
    except Exception as error:
        notes[_refused(case)] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        print(f"{name}, {_refused(case)}: {error}", flush=True)
        return
    for each in found:
        if isinstance(each, Note):
            told = [notes[each.about]] if each.about in notes else []
            if f" {each.value} " not in f" {' '.join(told)} ":
                notes[each.about] = " ".join([*told, each.value])
        else:
            lines.append(each)


def _device_answers() -> bool:
    """A kernel that went astray takes the whole process with it."""
    try:
        accelerator(backend.device).synchronize()
    except RuntimeError:
        return False
    return True


def _refused(case: dict) -> str:
    return "refused, " + ", ".join(f"{column} {value}" for column, value in case.items())

"""Finds what is live in a notebook, makes it again, and holds it against what the notebook stores."""

import ast
import copy
import functools
import html
import json
import zlib

import torch

from course_utils.language import both
from course_utils.worker.source import remember

from ..grading.answers import needed_of_each
from . import positions
from .film import film, packed

STEPS = '<div class="course-step">'  # a stepper may have been made in an earlier cell, and only be shown in this one
_SHOWN = "_shown_by_this_cell"


class Stale(Exception):
    """What a cell makes now is not what the notebook stores."""

    def __init__(self, source: str):
        line = source.strip().splitlines()[-1]
        super().__init__(
            both(
                f"{line}：现在得到的和笔记本里存着的不一样。先 make execute。",
                f"{line}: what this makes now is not what the notebook stores. Run make execute first.",
            )
        )


def bring_to_life(notebook):
    """A copy in which steppers, explorers and predictions carry what it takes to play them."""
    notebook = copy.deepcopy(notebook)
    before = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        before.append(cell.source)
        output = next((each for each in cell.outputs if "text/html" in each.get("data", {})), None)
        if output and (is_live(cell.source) or STEPS in output.data["text/html"]):
            stored = None if "nbval-ignore-output" in cell.metadata.get("tags", []) else output.data["text/plain"]
            told = _shot((*before[:-1], _named(cell.source)), stored)
            if told:
                output.data["text/html"] = _markup(told, output.data["text/html"])
    return notebook


def is_live(source: str) -> bool:
    """Whether a cell ends in something to play: predict(…), step(…), explorers.explore_…(…)."""
    try:
        last = ast.parse(source).body[-1]
    except (SyntaxError, IndexError):  # a cell of IPython's own: %pip install
        return False
    return isinstance(last, ast.Expr) and any(map(_makes_live, ast.walk(last.value)))


def _makes_live(node) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return name == "predict" or name.startswith(("step", "explore_"))


def _named(source: str) -> str:
    """The same cell, with its last value given a name."""
    lines = source.splitlines()
    last = ast.parse(source).body[-1]
    lines[last.lineno - 1] = f"{_SHOWN} = {lines[last.lineno - 1]}"
    return "\n".join(lines)


@functools.lru_cache(maxsize=512)
def _shot(cells: tuple[str, ...], stored: str | None) -> dict | None:
    """What a page carries of the thing that the last of these cells shows, which describes itself as it is stored."""
    from course_utils.exercises.prediction import Prediction
    from course_utils.explorers import Explorer

    thing = _run(cells, _needed)
    if stored is not None and repr(thing) != stored:
        thing = _run(cells, _all)  # it may rest on what no name tells, such as a tensor that a launch filled
        if repr(thing) != stored:
            raise Stale(cells[-1])
    if isinstance(thing, Prediction):
        return {"kind": "prediction", **_prediction(thing)}
    if isinstance(thing, Explorer):
        return {"kind": "explorer", **positions.shoot(thing)}
    if hasattr(thing, "still"):
        return {"kind": "steps", **_steps(thing)}
    return None


def _run(cells: tuple[str, ...], chosen):
    """The value that the last cell ends in, by running of all the cells what is chosen."""
    namespace = {"__name__": "__main__", "torch": torch}  # seeding needs it, wherever the notebook imports it
    for number, (source, body) in enumerate(zip(cells, chosen(cells))):
        filename = (
            f"<cell {number} {zlib.crc32(source.encode())}>"  # the same cell, the same name: kernels are cached by it
        )
        remember(filename, source)
        exec(compile(ast.Module(body, []), filename, "exec"), namespace)
    return namespace[_SHOWN]


def _needed(cells: tuple[str, ...]):
    """What the last cell stands on, and the seeds of random numbers."""
    for source, body in zip(cells, needed_of_each(list(cells), _SHOWN)):
        seeds = (
            [node for node in ast.parse(source).body if "manual_seed(" in ast.unparse(node)]
            if "manual_seed" in source
            else []
        )
        lines = {node.lineno for node in body}
        yield sorted(body + [seed for seed in seeds if seed.lineno not in lines], key=lambda node: node.lineno)


def _all(cells: tuple[str, ...]):
    """Everything but questions and checks."""
    for source in cells:
        yield [node for node in ast.parse(source).body if not ast.unparse(node).startswith(("check(", "predict("))]


def _prediction(thing) -> dict:
    said = [
        [html.escape(option.says.zh, quote=False), html.escape(option.says.en, quote=False)] for option in thing.options
    ]
    return {"options": said, "feedback": [thing.feedback(k) for k in range(len(thing.options))]}


def _steps(thing) -> dict:
    """One program line by line, or several side by side."""
    from course_utils.stepper.style import STYLE

    pictures = [thing.at(index).still().removeprefix(STYLE) for index in range(len(thing))]
    said = [f"{index} / {len(thing) - 1}: {_line(moment)}" for index, moment in enumerate(thing)]
    control = {"zh": "步", "en": "step", "kind": "range", "said": said, "start": thing.start, "play": 900}
    at = {str(index): index for index in range(len(thing))}
    return {"controls": [control], "at": at, "actual": {}, "part": False, "film": packed(film(pictures))}


def _line(moment) -> str:
    program, moment = moment if isinstance(moment, tuple) else (None, moment)
    return moment.line if program is None else f"program {program}: {moment.line}"


def _markup(told: dict, still: str) -> str:
    """The still picture, and beside it what player.js needs to make it move. The film is read at the first move."""
    told = dict(told)
    kind, reel = told.pop("kind"), told.pop("film", "")
    scripts = _data("told", told) + (f'<script type="text/plain" class="film">{reel}</script>' if reel else "")
    return f'<div class="player {kind}"><div class="still">{still}</div>{scripts}</div>'


def _data(name: str, value) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f'<script type="application/json" class="{name}">{text}</script>'

"""Finds what is live in a notebook, makes it again, and holds it against what the notebook stores."""

import ast
import contextlib
import copy
import functools
import html
import io
import json
import re
import zlib
from dataclasses import replace

from course_utils.figures import Picture
from course_utils.figures.style import for_a_phone
from course_utils.language import both, code
from course_utils.worker.source import remember

from ..live.launches import Log, logged
from . import positions
from .film import film, packed

PICTURE = '<img class="course-picture"'
STEPS = '<div class="course-step">'  # a stepper may have been made in an earlier cell, and only be shown in this one
_ONLY_SHOW = ("check(", "predict(", "figures.", "print(", "notebook.start(")  # what nothing below rests on


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
    """A copy in which steppers, explorers and predictions carry what it takes to play them, and pictures their form for a phone."""
    notebook = copy.deepcopy(notebook)
    films, _ = _filmed(_cells(notebook))
    for cell, told in zip(_code(notebook), films):
        if told:
            data = _shown(cell).data
            still = data["text/html"]
            data["text/html"] = told["phone"] + still if told["kind"] == "picture" else _markup(told, still)
    return notebook


def launches_of(notebook) -> Log:
    """What the kernels of a notebook are launched on; `name_of` says which cell a kernel is from."""
    return _filmed(_cells(notebook))[1]


def name_of(source: str) -> str:
    """The file that a cell's text passes for: the same cell, the same name, for kernels are cached by it."""
    return f"<cell {zlib.crc32(source.encode())}>"


def _code(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code" and "%pip" not in cell.source]


def _cells(notebook) -> tuple[tuple[str, str | None], ...]:
    """Every code cell and what it stores. The language that a handout begins with changes no film."""
    start = re.compile(r"notebook\.start\(.*\)")
    return tuple((start.sub("notebook.start()", cell.source), _stored(cell)) for cell in _code(notebook))


def _shown(cell):
    """The output of a cell that shows something to play, or a picture, if it does."""
    output = next((each for each in cell.outputs if "text/html" in each.get("data", {})), None)
    if output and isinstance(ast.parse(cell.source).body[-1], ast.Expr):
        html = output.data["text/html"]
        return output if is_live(cell.source) or STEPS in html or PICTURE in html else None


def _stored(cell) -> str | None:
    """How the thing to play describes itself, as it is stored: "" where that depends on the machine."""
    output = _shown(cell)
    if output is None:
        return None
    return "" if "nbval-ignore-output" in cell.metadata.get("tags", []) else output.data["text/plain"]


def is_live(source: str) -> bool:
    """Whether a cell ends in something to play: predict(…), step(…), explorers.explore_…(…)."""
    last = ast.parse(source).body[-1:]
    return bool(last) and isinstance(last[0], ast.Expr) and any(map(_makes_live, ast.walk(last[0].value)))


def _makes_live(node) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return name == "predict" or name.startswith(("step", "explore_"))


@functools.lru_cache(maxsize=64)
def _filmed(cells: tuple[tuple[str, str | None], ...]) -> tuple[list[dict | None], Log]:
    """What a page carries of the thing that each of these cells shows, and what their kernels were launched on: the cells run
    top to bottom, as in the notebook."""
    namespace = {"__name__": "__main__", "display": lambda *_: None}
    with contextlib.redirect_stdout(io.StringIO()), logged(Log()) as log:
        films = []
        for source, stored in cells:
            films.append(_shot(source, stored, namespace))
            log.defined(name_of(source), namespace)
        return films, log


def _shot(source: str, stored: str | None, namespace: dict) -> dict | None:
    from course_utils.exercises.prediction import Prediction
    from course_utils.explorers import Explorer

    filename = name_of(source)
    remember(filename, source)
    body = ast.parse(source).body
    last = body.pop().value if stored is not None else None
    body = [node for node in body if not ast.unparse(node).startswith(_ONLY_SHOW)]
    exec(compile(ast.Module(body, []), filename, "exec"), namespace)
    if last is None:
        return None
    with for_a_phone():
        thing = eval(compile(ast.Expression(last), filename, "eval"), namespace)
    if isinstance(thing, Picture):  # what it shows may rest on the machine: no other form then
        phone = replace(thing, note=None).html(" phone")
        return {"kind": "picture", "phone": phone} if repr(thing) == stored else None
    if stored and repr(thing) != stored:
        raise Stale(source)
    if isinstance(thing, Prediction):
        return {"kind": "prediction", **_prediction(thing)}
    if isinstance(thing, Explorer):
        return {"kind": "explorer", **positions.shoot(thing)}
    return {"kind": "steps", **_steps(thing)} if hasattr(thing, "still") else None


def _prediction(thing) -> dict:
    said = [
        [code(html.escape(each, quote=False)) for each in (option.says.zh, option.says.en)] for option in thing.options
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
    kind, reel, phone = told.pop("kind"), told.pop("film", ""), told.pop("phone", "")
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    scripts = f'<script type="application/json" class="told">{text}</script>'
    scripts += f'<script type="text/plain" class="film">{reel}</script>' if reel else ""
    scripts += f'<script type="text/plain" class="phone">{phone}</script>' if phone else ""
    return f'<div class="player {kind}"><div class="still">{still}</div>{scripts}</div>'

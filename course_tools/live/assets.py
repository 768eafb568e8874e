"""What every page with a kernel loads: one script, one style sheet."""

from pathlib import Path

from course_utils.stepper.style import STYLE as STEPS

from .bundle import engine, small

HERE = Path(__file__).parent / "page"
SCRIPT, STYLE = "live.js", "live.css"
WORK = ("inputs", "work")  # done in a worker
PAGE = ("editor", "picture", "desk", "kept", "result", "cell", "exercise", "cells", "own", "minutes")


def _joined(names: tuple[str, ...]) -> str:
    return "\n".join((HERE / f"{name}.js").read_text(encoding="utf-8") for name in names)


def script() -> str:
    """The engine as a function, for a worker is made of its text; and the page's own scripts in a room of their own, since the
    site's have names too."""
    live = f"const LIVE = () => {{\n{engine()}\n{_joined(WORK)}\nreturn Object.assign(Live, {{work}});\n}};\nconst Live = LIVE();\n"
    return small(f"{live}(() => {{\n'use strict';\n{_joined(PAGE)}\n}})();\n")


def write(folder: Path) -> None:
    steps = STEPS.removeprefix("<style>").removesuffix("</style>")
    (folder / SCRIPT).write_text(script(), encoding="utf-8")
    (folder / STYLE).write_text(f"{steps}\n{(HERE / STYLE).read_text(encoding='utf-8')}", encoding="utf-8")

"""The engine as one classic script: a page opened as a file may not load modules."""

from pathlib import Path

import minify

HERE = Path(__file__).parent
PARTS = (
    "refuse",
    "types",
    "parse",
    "operators",
    "memory",
    "language",
    "run",
    "trace",
    "races",
    "agree",
    "probes",
    "torch",
    "observe",
    "laws",
    "judge",
)  # each uses those before it
OFFERED = (
    "Argument", "Kernel", "Run", "T", "Trace", "calculate", "check", "findRaces", "finish", "foresee", "general", "launch", "load", "located", "normal", "noted",
    "parse", "plainly", "prepare", "settings", "together",
)  # fmt: skip


def engine() -> str:
    """`Live`, an object with the names that pages and tests use; every other name stays inside."""
    parts = "\n".join((HERE / "engine" / f"{name}.js").read_text(encoding="utf-8") for name in PARTS)
    return f"const Live = (() => {{\n'use strict';\n{parts}\nreturn {{{', '.join(OFFERED)}}};\n}})();\n"


def small(script: str) -> str:
    """Minified. Two rules for what is minified. `Math.trunc(x)` is called `trunc(x)`, for this minifier makes `x | 0` of it, which
    cuts an int64 to 32 bits. A `const {a} = …` must not wait for what a call just before it does: it is moved to the front."""
    return minify.string("application/javascript", script)

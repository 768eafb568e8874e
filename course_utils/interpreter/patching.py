"""A repair: Triton patches its language for a launch, and then again, at great length, for every call of a helper such as
`tl.max`: half the time of a small kernel. Once a launch for each module of theirs will do.
"""

from ..backend import tl
from .interpreter import interpreter, replaced

_launch = interpreter.GridExecutor.__call__


def _once(patch):
    done = {}

    def patched(function):
        names = frozenset(id(value) for value in function.__globals__.values() if value is tl or value is tl.core)
        if names not in done:
            done[names] = patch(function)
        return done[names]

    return patched


def _call(executor, *arguments, **options):
    with replaced(interpreter, "_patch_lang", _once(interpreter._patch_lang)):
        return _launch(executor, *arguments, **options)


interpreter.GridExecutor.__call__ = _call

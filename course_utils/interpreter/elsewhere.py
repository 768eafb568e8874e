"""What has to be interpreted, done where kernels are: in this process, or on a machine that compiles them in a worker."""

import importlib

from .. import worker
from ..backend import mode


def interpreted(function: str, *job, seconds: float, returns=()):
    """What "course_utils.module:function" gives for these arguments. `returns`: the dataclasses in it."""
    if mode == "interpreter":
        result = attempt(function, *job)
    else:
        result = worker.run(f"{__name__}:attempt", function, *job, seconds=seconds, returns=returns)
    if isinstance(result, Exception):
        raise result
    return result


def attempt(function: str, *job):
    """Returns what it would raise: an error then reads the same from a worker, and has no long traceback."""
    module, _, name = function.partition(":")
    try:
        return getattr(importlib.import_module(module), name)(*job)
    except Exception as error:
        return error.with_traceback(None)

"""Launches of a learner's kernel: asked for by a grader, done in the locked process, and what came of them."""

from collections.abc import Callable
from contextlib import ExitStack

import torch

from ..interpreter.undefined import undefined_as_nan
from ..traffic.kernels import Astray, LaunchTraffic, Repeat, TensorTraffic, counted_launches
from ..worker.pupil import Fallen
from .answer import Answer, same
from .wrong import Refused, Wrong

_TOLD = (LaunchTraffic, TensorTraffic, Repeat, Astray)


def launched(answer: Answer, grid, y: torch.Tensor, x: torch.Tensor, *rest, watch: str = "", **constexprs):
    """Launches the kernel on (y, x, *rest). What it stored is in `y` then; a kernel that stores to `x` is refused.

    Gives the lanes that strayed, and what the course's context manager `watch` ("module:name") saw over there."""
    traffic, seen = counted(answer, grid, y, x, *rest, watch=watch, **constexprs)
    return traffic.astray, seen


def counted(answer: Answer, grid, *arguments, writes: int | tuple[int, ...] = 0, watch: str = "", **constexprs):
    """Launches the kernel on any arguments. What it stored is in argument `writes` (or several) then; no other may have changed.

    Gives the traffic of the launch, and what the course's context manager `watch` ("module:name") saw over there. Whether the
    result rests on what a masked load without `other` leaves behind is kept in `answer.undefined`."""
    if not getattr(answer, "is_kernel", False):
        raise Wrong("kernel 要有 @triton.jit 这一行。", "A kernel needs the line @triton.jit.")
    outputs = (writes,) if isinstance(writes, int) else writes
    answer.launches.append((arguments, constexprs))
    job = f"{__name__}:count_there", grid, arguments, constexprs, watch
    told = answer.pupil.apply(*job, True, returns=_TOLD)
    try:
        (traffic,), after, seen, undefined = told
        for found in traffic.astray:
            _check(found)
        if undefined:
            with_nan, after = after, answer.pupil.apply(*job, False, returns=_TOLD)[1]
            rests = any(not same(with_nan[output], after[output]) for output in outputs)
            answer.undefined |= rests and not traffic.astray
        changed = []
        for position, (given, now) in enumerate(zip(arguments, after, strict=True)):
            if isinstance(given, torch.Tensor):
                if now.shape != given.shape or now.dtype != given.dtype:
                    raise TypeError
                if position in outputs:
                    given.copy_(now)
                elif not same(now, given):
                    changed.append(position)
    except (AttributeError, IndexError, TypeError, ValueError):
        raise Fallen("meddled") from None
    if changed and not traffic.astray:
        name, output = answer.parameter(changed[0]), answer.parameter(outputs[0])
        raise Refused(
            f"你的 kernel 写进了输入 {name}。输入只读，结果写到 {output}。",
            f"Your kernel stored into {name}, its input. Only read from it, and store the result to {output}.",
        )
    return traffic, seen


def _check(found: Astray) -> None:
    """What was told of a lane that strayed will stand in a sentence."""
    numbers = (found.line, found.total, *found.program, *found.lanes, *found.offsets)
    texts = (found.kind, found.tensor, found.source)
    if not all(type(one) is int for one in numbers) or not all(isinstance(one, str) for one in texts):
        raise TypeError
    found.source, found.tensor = found.source[:200], found.tensor[:40]


# ---- over there


def count_there(kernel, grid, arguments, constexprs, watch, strict):
    from ..worker.child import find

    launches, seen, undefined = [], None, []
    with ExitStack() as stack:
        stack.enter_context(counted_launches(launches.append))
        if strict:
            undefined = stack.enter_context(undefined_as_nan())
        if watch:
            seen = stack.enter_context(find(watch)())
        _configured(kernel)(grid, arguments, constexprs)
    tensors = [one if isinstance(one, torch.Tensor) else None for one in arguments]
    return launches, tensors, seen.told() if seen else None, bool(undefined)


def _configured(kernel) -> Callable:
    """How to launch it: an autotuned kernel has no GPU to try its configurations on, so it is given each in turn."""
    tuner = kernel
    while tuner is not None and not hasattr(tuner, "configs"):
        tuner = getattr(tuner, "fn", None)
    if tuner is None:
        return lambda grid, arguments, constexprs: kernel[grid](*arguments, **constexprs)
    tuner.course_turns = turn = getattr(tuner, "course_turns", -1) + 1
    if turn == 0:
        tuner.course_configs = list(tuner.configs)
    config = tuner.course_configs[turn % len(tuner.course_configs)]
    tuner.configs = [config]

    def launch(grid, arguments, constexprs):
        # What a configuration sets, the launch leaves to it.
        constexprs = {name: value for name, value in constexprs.items() if name not in config.kwargs}
        kernel[grid](*arguments, **constexprs)

    return launch

"""Several programs of a launch, side by side: they each goes on until it ends or has to wait for another."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..interpreter.arguments import Arguments
from ..interpreter.elsewhere import interpreted
from ..interpreter.turns import Turns, taking_turns
from ..language import Text, both, spans
from .stepper import Moment
from .style import STYLE
from .trace import TRACED, Trace
from .tracer import MOST_SECONDS, Tracer, read_elements
from .view import legend, memory, source_of_all, variables
from .widget import Moving

MOST = 4  # programs shown
STATES = {
    "queued": Text("还没有驻留", "no place yet"),
    "ready": Text("可以走", "can go on"),
    "moving": Text("走了这一步", "took this step"),
    "waiting": Text("在等", "waiting"),
    "ended": Text("结束了", "ended"),
}


@dataclass
class Timeline:
    """The traces of the programs, and who took which step when: (program, its step, the state of each program shown)."""

    traces: list[Trace]
    moves: list[tuple[int, int, tuple[str, ...]]]
    deadlock: bool = False


class _Side(Tracer):
    """Traces one of several programs. What others write is seen from its next step on."""

    def __init__(self, program, watch):
        super().__init__(program)
        self.watch = watch

    def program_started(self, launch) -> None:
        if launch.program == self.trace.program:
            super().program_started(launch)

    def accessed(self, launch, access) -> None:
        if launch.program == self.trace.program:
            super().accessed(launch, access)
        elif access.kind != "load" and self.trace.tensors:
            for owner in set(access.owner[access.mask & access.inside].tolist()):
                offsets = access.offset[access.mask & access.inside & (access.owner == owner)]
                tensor = self.trace.tensors[owner]
                after = read_elements(launch.arguments[owner], offsets)
                self.trace.writes.append(
                    (len(self.trace.steps), (tensor.memory, tensor.dtype), offsets + tensor.start, after)
                )

    def close(self, frame, kind, returned=None) -> None:
        super().close(frame, kind, returned)
        self.watch.moved(len(self.trace.steps) - 1)


class _Watch:
    """Keeps the timeline, and hands the turn on after each line."""

    def __init__(self, shown: int, turns: Turns):
        self.shown, self.turns, self.moves = shown, turns, []

    def moved(self, step: int) -> None:
        number, turns = self.turns.now.number, self.turns
        states = tuple(self.state(program) for program in turns.programs[: self.shown])
        self.moves.append((number, step, states))
        turns.pause()

    def state(self, program) -> str:
        if program in self.turns.queue:
            return "queued"
        if program.ended:
            return "ended"
        if program.fruitless >= 2:
            return "waiting"
        return "moving" if program is self.turns.now else "ready"


def trace_programs(kernel, grid, places, arguments: Arguments) -> Timeline:
    turns = Turns(places, by_access=False)
    positional, named = arguments.tensors()
    count = min(MOST, grid[0])
    watch = _Watch(count, turns)
    sides = [_Side((number, 0, 0), watch) for number in range(count)]
    with taking_turns(turns, *sides):
        kernel[grid](*positional, **named)
    moves = watch.moves
    if turns.deadlock:  # what comes after the first moment in which all wait is the same again and again
        still = {"waiting", "queued", "ended"}
        end = next((k for k, move in enumerate(moves) if set(move[2]) <= still), len(moves) - 1)
        moves = moves[: end + 1]
    return Timeline([side.trace for side in sides], moves, bool(turns.deadlock))


def step_together(kernel, grid, /, *args, places: int | None = None, **constexprs) -> "Together":
    """Run `kernel[grid](*args, **constexprs)` with its programs taking turns; `places`: how many the GPU holds at a time."""
    job = (kernel, grid, places, Arguments.copy(args, constexprs))
    trace = "course_utils.stepper.together:trace_programs"
    return Together(interpreted(trace, *job, seconds=MOST_SECONDS + 60, returns=(Timeline, *TRACED)))


class Together(Moving, Sequence):
    """The steps of several programs in the order in which they were taken. A sequence for code; in a notebook, to move through."""

    def __init__(self, timeline: Timeline, start: int = 0):
        self.timeline, self.start = timeline, start

    def __len__(self) -> int:
        return len(self.timeline.moves)

    def __getitem__(self, index: int) -> tuple[int, Moment]:
        """The program that moved, and its moment."""
        number, step, _ = self.timeline.moves[index]
        return number, Moment(self.timeline.traces[number], step)

    def states(self, index: int) -> tuple[str, ...]:
        """Of each program after this step: queued, ready, moving, waiting, ended."""
        return self.timeline.moves[index][2]

    def at(self, where: int | str) -> "Together":
        """The same steps, opened at one of them: its number, or a state such as "waiting" that some program is in by then."""
        if isinstance(where, int):
            return Together(self.timeline, range(len(self))[where])
        for index in range(len(self)):
            if where in self.states(index):
                return Together(self.timeline, index)
        raise ValueError(
            both(f"没有 program 到过这个状态：{where!r}。", f"No program was ever in this state: {where!r}.")
        )

    def picture(self, index: int) -> str:
        return render(self.timeline, index)

    def __repr__(self) -> str:
        number, moment = self[self.start]
        lines = [f"{moment.trace.kernel}, {len(self.timeline.traces)} programs, {len(self)} steps"]
        lines += [f"program {k}: {state}" for k, state in enumerate(self.states(self.start))]
        return "\n".join([*lines, f"{self.start}: program {number}, line {moment.line_number}: {moment.line}"])


def render(timeline: Timeline, index: int) -> str:
    """The picture of one moment: memory and the kernel once, with where each program is, then each one's variables."""
    number, step, states = timeline.moves[index]
    latest = {}
    for program, at, _ in timeline.moves[: index + 1]:
        latest[program] = at
    columns = "".join(
        _column(program, trace, latest.get(program), states[program], program == number)
        for program, trace in enumerate(timeline.traces)
    )
    steps = [trace.steps[latest[k]] if k in latest else None for k, trace in enumerate(timeline.traces)]
    moving = timeline.traces[number]
    code = source_of_all(moving.sources[moving.kernel], steps, number)
    last = len(timeline.moves) - 1
    head = spans(f"第 {index} / {last} 步，program {number} 走", f"step {index} / {last}, program {number} moves")
    end = ""
    if timeline.deadlock and index == last:
        text = spans("死锁：驻留的都在等。", "Deadlock: all that have a place are waiting.")
        end = f'<div class="bad"><b>{text}</b></div>'
    return (
        f'{STYLE}<div class="course-step"><div class="head"><b>{moving.kernel}</b> &nbsp; {head}</div>{end}'
        f'{memory(moving, step)}{code}<div class="together">{columns}</div>{legend()}</div>'
    )


def _column(program: int, trace: Trace, at: int | None, state: str, moves: bool) -> str:
    said = STATES[state]
    mark = "▶ " if moves else ""
    helper = f" <code>{trace.steps[at].function}</code>" if at is not None and trace.steps[at].callers else ""
    head = f'<div class="head {state}">{mark}<b>program {program}</b> {spans(said.zh, said.en)}{helper}</div>'
    if not trace.steps:  # it never began
        return f'<div class="one">{head}</div>'
    return f'<div class="one">{head}<div{" hidden" * (at is None)}>{variables(trace, at or 0)}</div></div>'

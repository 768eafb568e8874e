"""The programs of a launch taking turns, as on a GPU they do, so that one can wait for another.

The interpreter runs one program to its end before it begins the next, and a program that waits for a later one would wait for
ever. Here every program has a thread of its own, of which one runs at a time: it hands the turn on after each access to memory
(or where a listener calls `pause`). The GPU holds `places` programs; another one starts when one of these has ended.

A program whose accesses repeat, with nothing changed in memory, is waiting. Where all that have a place are waiting, nothing
will ever change: that is a deadlock.
"""

import random
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from . import interpreter
from .addresses import Access, WatchedLaunch

REPEATS = 50  # of a fruitless access, before a program is believed to wait for good


class Stopped(BaseException):
    """Ends a program from inside. No Exception, so that nothing on the way takes it for an error of the kernel."""


@dataclass(eq=False)
class Program:
    """One program of a launch, with the thread it runs in."""

    number: int
    index: tuple[int, int, int]
    body: object
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    thread: threading.Thread | None = None
    seen: dict = field(default_factory=dict)  # place in the source → what the last access there was
    fruitless: int = 0  # accesses since it did anything new
    woken: bool = False  # whether somebody changed memory while it waited, and it has not waited since
    waits: Access | None = None
    ended: bool = False


class Turns(interpreter.Listener):
    """Conducts one launch. `order`: which program starts first, "up" or "down"; or a number that shuffles starts and turns; or
    "eager": the last starts first, each goes as far as it gets, and whoever waited goes on at once when memory changes; or whose
    turn it is, program by program, and "up" from there on.

    Not `by_access`: a program goes on until it waits, and may be watched at every `pause`.
    """

    def __init__(self, places: int | None = None, order: str | int | tuple[int, ...] = "up", by_access: bool = True):
        self.script = list(order) if isinstance(order, tuple) else []
        self.places, self.order, self.by_access = places, "up" if isinstance(order, tuple) else order, by_access
        self._last = -1
        self.chance = random.Random(order if isinstance(order, int) else 0)
        self.programs: list[Program] = []  # by number
        self.queue: list[Program] = []  # those that have no place yet
        self.resident: list[Program] = []
        self.now: Program | None = None
        self.deadlock: list[Program] = []
        self.stopping, self.error = False, None
        self._back = threading.Semaphore(0)

    # ---- called by the interpreter, in the launching thread

    def collect(self, launch: WatchedLaunch, body, set_index, listeners) -> object:
        """What the launch calls for each program in turn: after the last, all of them run."""
        self.launch, self.set_index, self.listeners = launch, set_index, listeners

        def called(**arguments):
            number = len(self.programs)
            self.programs.append(Program(number, launch.program, lambda: body(**arguments)))
            if number + 1 == int(np.prod(launch.grid)):
                self._run_all()

        return called

    def _run_all(self) -> None:
        self.queue = list(self.programs)
        if self.order in ("down", "eager"):
            self.queue.reverse()
        elif self.order != "up":
            self.chance.shuffle(self.queue)
        while (self.queue or self.resident) and not (self.stopping or self.deadlock):
            self._fill()
            self._give_turn(self._next())
            if all(program.fruitless >= REPEATS for program in self.resident) and self.resident:
                self.deadlock = list(self.resident)
        self.stopping = True
        for program in self.resident:
            program.turn.release()
            program.thread.join()
        if self.error:
            raise self.error

    def _fill(self) -> None:
        while self.queue and len(self.resident) < (self.places or len(self.programs)):
            program = self.queue.pop(0)
            program.thread = threading.Thread(target=self._live, args=(program,), daemon=True)
            self.resident.append(program)
            program.thread.start()

    def _next(self) -> Program:
        """In turn, those that get on before those that wait."""
        while self.script:
            number = self.script.pop(0)
            if found := [program for program in self.resident if program.number == number]:
                return found[0]
        if isinstance(self.order, int):
            return self.chance.choice(self.resident)
        busy = [program for program in self.resident if program.fruitless < 2] or self.resident
        if self.order == "eager" and any(program.woken for program in busy):
            return next(program for program in busy if program.woken)
        if (self.order == "eager" or not self.by_access) and self.now in busy and self.now.fruitless < 2:
            return self.now
        return next((program for program in busy if self.resident.index(program) > self._last), busy[0])

    def _give_turn(self, program: Program) -> None:
        self.now, self._last = program, self.resident.index(program)
        self.set_index(*program.index)
        self.launch.program = program.index
        program.turn.release()
        self._back.acquire()
        if program.ended:
            self.resident.remove(program)
            self._last -= 1

    # ---- called in a program's own thread

    def _live(self, program: Program) -> None:
        program.turn.acquire()
        try:
            if not self.stopping:
                with np.errstate(all="ignore"):
                    for listener in self.listeners:
                        listener.program_started(self.launch)
                    program.body()
        except Stopped:
            pass
        except BaseException as error:
            self.error, self.stopping = error, True
        program.ended = True
        self._back.release()

    def pause(self) -> None:
        """Hand the turn on, and come back when it is this program's again."""
        program = self.now
        self._back.release()
        program.turn.acquire()
        if self.stopping:
            raise Stopped

    def accessed(self, launch: WatchedLaunch, access: Access) -> None:
        program, changed = self.now, access.changed
        what = (access.owner.tobytes(), access.offset[access.mask].tobytes(), np.asarray(access.seen).tobytes())
        where = (access.filename, access.line, access.kind)
        if changed or program.seen.get(where) != what:
            program.fruitless, program.waits = 0, None
        else:
            program.fruitless, program.waits = program.fruitless + 1, access
            program.woken = program.woken and program.fruitless < 2
        program.seen[where] = what
        if changed:
            for other in self.programs:
                other.woken, other.fruitless = other.woken or other.fruitless > 1, 0
        if self.by_access:
            self.pause()


@contextmanager
def taking_turns(turns: Turns, *listeners):
    """The launch in this block is conducted by `turns`; listeners hear of each access before the turn is handed on."""
    with interpreter.conducted(turns), _all_listening((*listeners, turns)):
        yield turns


@contextmanager
def _all_listening(listeners):
    if not listeners:
        yield
        return
    with interpreter.listening(listeners[0]), _all_listening(listeners[1:]):
        yield

"""What each program of a launch touched, in which order, and what it could know of the others by then.

What a program knows is a vector clock (Lamport's and Mattern's idea, as in FastTrack, doi.org/10.1145/1542476.1542490): how far every
other program had come when it last told, directly or through others, by a release that was acquired. A release tells of a block only
after a barrier: until then, other threads of the program may still be at it.

Where programs run on several GPUs (ranks), an atomic is one only for those that its scope names: beyond its own GPU, "sys".
"""

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass, field

from ..interpreter import Listener
from ..interpreter.addresses import Access, WatchedLaunch

_ACQUIRES, _RELEASES = {"acquire", "acquire_release"}, {"release", "acquire_release"}


@dataclass(eq=False)
class Entry:
    """One access of one program, and what that program knew."""

    program: int
    place: tuple[str, str, int]  # function, file, line
    kind: str  # load, store, atomic
    alone: bool  # whether others see all or nothing of it: an atomic, or a volatile load
    far: bool  # whether other GPUs do
    known: tuple[int, ...]
    told: float  # the first of its program's releases to tell of it

    @property
    def writes(self) -> bool:
        return self.kind != "load"

    def is_known_to(self, later: "Entry") -> bool:
        return later.known[self.program] >= self.told

    def meets(self, later: "Entry", ranks: int) -> bool:
        """Whether one of the two sees all or nothing of the other, ordered or not."""
        together = (self.program - later.program) % ranks == 0 or (self.far and later.far)
        return self.alone and later.alone and together

    def lacks_a_barrier(self, later: "Entry") -> bool:
        """Whether a release came between the two, and spoke for one thread alone."""
        return self.known[self.program] <= later.known[self.program] < self.told


@dataclass
class Log(Listener):
    number_of: object = None  # a function: which program is running
    programs: int = 0
    ranks: int = 1  # a program's number says which it runs on: the last axis of the grid counts ranks
    entries: dict = field(default_factory=lambda: defaultdict(list))  # (argument, element) → entries
    moved: dict = field(default_factory=lambda: defaultdict(lambda: [0, 0]))  # argument → elements loaded, stored

    def launch_started(self, launch: WatchedLaunch) -> None:
        self.programs = launch.grid[0] * launch.grid[1] * launch.grid[2]
        self.clocks = [[int(a == b) for b in range(self.programs)] for a in range(self.programs)]
        # What was released to an element: by which rank, and for others to see or not.
        self.told: dict[tuple, list[int]] = {}
        self.unsettled: list[list[Entry]] = [[] for _ in range(self.programs)]  # blocks since the last barrier

    def accessed(self, launch: WatchedLaunch, access: Access) -> None:
        number = self.number_of()
        clock, hits = self.clocks[number], access.mask & access.inside
        elements = sorted(set(zip(access.owner[hits].tolist(), access.offset[hits].tolist())))
        rank, far = number % self.ranks, access.scope == "system" or access.volatile
        if access.order in _ACQUIRES:
            heard = {(rank, False), (rank, True)} | ({(other, True) for other in range(self.ranks)} if far else set())
            for released in itertools.product(elements, heard):
                clock[:] = map(max, clock, self.told.get(released, clock))
        place = (access.function, access.filename, access.line)
        alone = access.kind == "atomic" or access.volatile
        block = access.owner.size > 1
        entry = Entry(number, place, access.kind, alone, far, tuple(clock), math.inf if block else clock[number])
        if block:
            self.unsettled[number].append(entry)
        for element in elements:
            self._keep(self.entries[element], entry)
            self.moved[element[0]][0] += access.kind != "store"
            self.moved[element[0]][1] += access.kind != "load"
        if access.order in _RELEASES:
            for released in itertools.product(elements, [(rank, far)]):
                self.told[released] = list(map(max, clock, self.told.get(released, clock)))
            clock[number] += 1

    def barrier_passed(self, launch: WatchedLaunch) -> None:
        number = self.number_of()
        for entry in self.unsettled[number]:
            entry.told = self.clocks[number][number]
        self.unsettled[number].clear()

    @staticmethod
    def _keep(entries: list[Entry], entry: Entry) -> None:
        """Of a program that spins on one line, the first and the latest will do."""
        same = [k for k, each in enumerate(entries) if (each.program, each.place) == (entry.program, entry.place)]
        if len(same) > 1:
            del entries[same[-1]]
        entries.append(entry)

    def races(self):
        """Pairs of accesses to one element that nothing orders, of which one writes and one is not atomic."""
        for element, entries in self.entries.items():
            if not any(entry.writes for entry in entries):
                continue
            for k, later in enumerate(entries):
                for earlier in entries[:k]:
                    if (
                        earlier.program != later.program
                        and (earlier.writes or later.writes)
                        and not earlier.meets(later, self.ranks)
                        and not earlier.is_known_to(later)
                    ):
                        yield element, earlier, later

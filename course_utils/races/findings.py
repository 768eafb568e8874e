"""What was found, and the sentences that say it."""

from dataclasses import dataclass, field

from ..language import Text

MOST_SECONDS = 20  # of looking

_NO_BARRIER = Text(
    "一块由许多线程读写，原子操作却只由一个线程来做：在它前面加 `tl.debug_barrier()`。",
    " Many threads touch a block, and one performs the atomic: put `tl.debug_barrier()` before it.",
)
_TOO_NEAR = Text(
    '这个原子操作只对自己那块 GPU 是一步：写 `scope="sys"`。',
    ' To another GPU this atomic is not one step: write `scope="sys"`.',
)


@dataclass(frozen=True)
class Place:
    """A line of a kernel, and one program that came there."""

    function: str
    line: int
    source: str
    program: int
    kind: str


@dataclass
class Race:
    """Two programs at one element, in no order. Of a load and a store, the store comes first."""

    tensor: str
    element: int
    first: Place
    second: Place
    no_barrier: bool = False  # all that is missing is a barrier before the release
    too_near: bool = False  # all that is missing is a scope that reaches the other GPU

    @property
    def text(self) -> Text:
        hint = _NO_BARRIER if self.no_barrier else _TOO_NEAR if self.too_near else Text("", "")
        return Text(self._clash.zh + hint.zh, self._clash.en + hint.en)

    @property
    def _clash(self) -> Text:
        a, b, what = self.first, self.second, f"{self.tensor}[{self.element}]"
        at_a, at_b = _at(a), _at(b)
        if b.kind != "load":
            same = (a.function, a.line) == (b.function, b.line)
            zh = "" if same else f"、{at_b[0]}"
            en = "" if same else f" and {at_b[1]}"
            return Text(
                f"数据竞争。{at_a[0]}{zh}：program {a.program} 和 program {b.program} 都写 {what}，没有先后。",
                f"Race at {at_a[1]}{en}: programs {a.program} and {b.program} both write {what}, in no order.",
            )
        return Text(
            f"数据竞争。{at_b[0]}：program {b.program} 读 {what}，而 program {a.program} 在{at_a[0]} 写它，可能还没有写。",
            f"Race at {at_b[1]}: program {b.program} reads {what}, which program {a.program} writes at {at_a[1]}, perhaps not yet.",
        )


@dataclass
class Deadlock:
    """Programs that wait, each at a line for an element, and programs that have no place."""

    waiting: list[tuple[Place, str, int]]
    places: int
    without: list[int]

    @property
    def text(self) -> Text:
        lines: dict[tuple, list] = {}
        for place, tensor, element in self.waiting:
            lines.setdefault((place.function, place.line, place.source, tensor, element), []).append(place)
        zh, en = [], []
        for (_, _, _, tensor, element), found in lines.items():
            who, at = _names([place.program for place in found]), _at(found[0])
            verb = "waits" if len(found) == 1 else "wait"
            zh.append(f"{at[0]}：program {who[0]} 在等 {tensor}[{element}] 改变")
            en.append(f"{at[1]}: program{'s' * (len(found) > 1)} {who[1]} {verb} for {tensor}[{element}] to change")
        zh, en = "；".join(zh), "; ".join(en)
        if not self.without:
            return Text(f"死锁。{zh}，可是没有谁会再改它。", f"Deadlock at {en}, and nobody will ever change it.")
        who, several = _names(self.without), len(self.without) > 1
        return Text(
            f"死锁。{zh}。program {who[0]} 没有驻留：GPU 上同时只能驻留 {self.places} 个，驻留的都在等。",
            f"Deadlock at {en}. Program{'s' * several} {who[1]} {'have' if several else 'has'} no place: the GPU holds {self.places} at a time, "
            "and those that have one all wait.",
        )


@dataclass
class Findings:
    """What was found. Shows as sentences; `outcomes` are the different values at the end of small tensors that were written."""

    kernel: str
    grid: tuple[int, int, int]
    orders: int
    races: list[Race] = field(default_factory=list)
    deadlock: Deadlock | None = None
    outcomes: dict[str, list] = field(default_factory=dict)
    # tensor → elements loaded and stored, in the first order
    moved: dict[str, tuple[int, int]] = field(default_factory=dict)
    late: bool = False

    @property
    def clean(self) -> bool:
        return not (self.races or self.deadlock or self.late)

    @property
    def text(self) -> Text:
        found = [race.text for race in self.races] + ([self.deadlock.text] if self.deadlock else [])
        if self.late:
            found.append(Text(f"{MOST_SECONDS} 秒内没有结束。", f"It did not end within {MOST_SECONDS} seconds."))
        if not found:
            found = [Text(f"没有数据竞争，没有死锁。试了 {self.orders} 种次序。", f"No race, no deadlock. Orders tried: {self.orders}.")]  # fmt: skip
        return Text("\n".join(each.zh for each in found), "\n".join(each.en for each in found))

    def __repr__(self) -> str:
        return str(self.text)

    def _repr_html_(self) -> str:
        return self.text._repr_html_().replace("\n", "<br>")


def _at(place: Place) -> tuple[str, str]:
    source = place.source.removesuffix(":")
    return f"第 {place.line} 行 `{source}`", f"line {place.line}, `{source}`"


def _names(numbers: list[int]) -> tuple[str, str]:
    if len(numbers) == 1:
        return str(numbers[0]), str(numbers[0])
    head, last = ", ".join(map(str, numbers[:-1])), numbers[-1]
    return f"{head.replace(', ', '、')} 和 {last}", f"{head} and {last}"

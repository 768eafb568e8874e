"""An exercise is one file of plain data: `asked/NAME.txt`. This reads it; `asked/README.md` says how one is written.

Nothing here runs a program. What a page needs to judge the same answers, `course_tools.live.exercises` makes of it.
"""

import ast
import functools
import itertools
import math
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from ..language import Text
from . import tensors
from .laws import LAWS

LAUNCHED = ("kernel", "races")  # the kinds whose answer is a kernel that is launched as it stands
HIDDEN = ("gpu", "work", "suspect", "~")  # what a learner is not told of a probe, its title apart
SIGNATURE = re.compile(r"\A.*?^def .*?:\n(?=    )", flags=re.M | re.S)
ASKED, FAMILIES = (Path(__file__).parent / folder for folder in ("asked", "families"))


@dataclass(frozen=True)
class Diff:
    """A known mistake: the right program with this changed, or a program of its own (`whole`), and what is said of it."""

    changes: tuple[tuple[str, str], ...]
    whole: str
    says: Text
    given: bool = False  # the learner is handed it: any number of these may stand together
    own: bool = True  # written for this exercise, not for a family

    def of(self, source: str) -> str | None:
        """The program with this changed; None where there is no such thing to change."""
        if self.whole:
            return self.whole
        for old, new in self.changes:
            if old not in source:
                return None
            if "⏎" in new:
                indent = re.search(rf"^( *).*{re.escape(old.splitlines()[0])}", source, flags=re.M)[1]
                new = re.sub(" *⏎", "\n" + indent, new)
            source = source.replace(old, new)
        return source


@dataclass(frozen=True)
class Probe:
    """An input: what is special about it, its values by name (numbers, lists, or a few words for a tensor)."""

    says: Text
    given: dict
    near: tuple[float, float] | None = None

    def names(self, arrays: list[str]) -> bool:
        return any(isinstance(value, str) and value.split()[0] in arrays for value in self.given.values())


@dataclass(frozen=True)
class Law:
    """What a right result must also keep to; `laws.py` holds the names."""

    name: str
    of: tuple[str, ...]
    says: Text


@dataclass(frozen=True)
class Budget:
    """What a right kernel may take: so many registers a thread, no spills, and at least so many loads and stores of 16 bytes."""

    arguments: tuple  # of the launch it is compiled for
    constants: dict
    registers: int
    wide: int = 0


@dataclass(frozen=True)
class Exercise:
    name: str
    notebook: str
    kind: str  # how a program is run and what is seen of it: a name in `observe.KINDS`
    stub: str
    right: str
    praise: Text
    probes: tuple[Probe, ...]
    wrong: tuple[Diff, ...]
    also_right: tuple[str, ...] = ()
    laws: tuple[Law, ...] = ()
    arrays: dict = None
    settings: dict = None  # what else a kind wants to know: `writes`, `grid`, `near`

    @property
    def identifier(self) -> str:
        return f"{self.notebook}.{self.name}"

    @functools.cached_property
    def parameters(self) -> list[str]:
        return [argument.arg for argument in _definition(self.right, self.name).args.args]

    @functools.cached_property
    def constants(self) -> list[str]:
        arguments = _definition(self.right, self.name).args.args
        return [one.arg for one in arguments if one.annotation and "constexpr" in ast.unparse(one.annotation)]

    @property
    def budget(self):
        """What a right kernel may take, from "48 registers 1 wide; bfloat16 bfloat16 4096 1024; ROWS 8 num_warps 4"; None without one."""
        if "budget" not in self.settings:
            return None
        from ..compiler import Pointer

        registers, arguments, constants = self.settings["budget"].split(";")
        arguments = tuple(int(each) if each.isdigit() else Pointer(each) for each in arguments.split())
        names, values = constants.split()[::2], constants.split()[1::2]
        most, _, *wide = registers.split()
        return Budget(
            arguments, dict(zip(names, map(int, values), strict=True)), int(most), int(wide[0]) if wide else 0
        )

    def programs(self, together: int = 2):
        """The known wrong programs, the simplest explanations first: (the mistakes in it, the program)."""
        for size in range(1, together + 1):
            for chosen in itertools.combinations(self.wrong, size):
                if size > 1 and any(diff.whole for diff in chosen):
                    continue
                if (program := applied(chosen, self.right)) and len({diff.says for diff in chosen}) == size:
                    yield chosen, program
        given = [diff for diff in self.wrong if diff.given]
        for size in range(together + 1, len(given) + 1):
            for chosen in itertools.combinations(given, size):
                if program := applied(chosen, self.right):
                    yield chosen, program


def applied(diffs, program: str | None) -> str | None:
    for diff in diffs:
        program = program and diff.of(program)
    return program


@functools.cache
def read(name: str) -> Exercise | None:
    """The exercise of this name; None where there is no such file."""
    file = ASKED / f"{name}.txt"
    if not name.isidentifier() or not file.exists():
        return None
    settings, parts = _sections(file.read_text(encoding="utf-8"))
    families = [
        _sections((FAMILIES / f"{each}.txt").read_text(encoding="utf-8"))[1]
        for each in settings.pop("families", "").split()
    ]
    right = parts["right"].strip() + "\n"
    stub = parts["stub"].strip() + "\n" if "stub" in parts else empty(right)
    wrong = _diffs(parts.get("wrong", ""), stub, True)
    strides = "|".join(re.findall(r"\w+_stride\b", SIGNATURE.search(right)[0]))
    for family in families:
        own = {right, *(diff.of(right) for diff in wrong)}
        those = _diffs(family.get("wrong", "").replace("STRIDES", strides), stub, False)
        wrong += [diff for diff in those if diff.of(right) not in (None, *own)]
    arrays, probes, laws = {}, [], []
    for each in (*families, parts):
        arrays |= {name: value_of(value) for name, value in _named(each.get("arrays", "")).items()}
    left_out, shown = settings.pop("leaves out", "").split(), ["grid", "one", "other"]
    shown += [each.arg.removesuffix("_ptr") for each in _definition(right, name).args.args]
    for each in (parts, *families):
        found = _probes(each.get("probes", ""), arrays, shown if settings["kind"] != "choice" else None)
        probes += [probe for probe in found if each is parts or not ("all" in left_out or probe.names(left_out))]
        laws += _laws(each.get("laws", ""))
    return Exercise(
        name=name,
        notebook=settings.pop("notebook"),
        kind=settings.pop("kind"),
        stub=stub,
        right=right,
        praise=Text(*parts["praise"].strip().splitlines()),
        probes=tuple(probes),
        wrong=tuple(wrong),
        also_right=tuple(_otherwise(each, right, stub) for each in _pieces(parts.get("also right", ""))),
        laws=tuple(laws),
        arrays=arrays,
        settings=settings,
    )


def everything() -> list[Exercise]:
    return sorted((read(file.stem) for file in ASKED.glob("*.txt")), key=lambda exercise: exercise.identifier)


# ---- how a file is written


def _sections(text: str) -> tuple[dict, dict]:
    """The settings at the top, and what stands under each `== heading ==`."""
    head, *rest = re.split(r"^== (.+?) ==$", text, flags=re.M)
    return _named(head, ":"), dict(zip(rest[::2], rest[1::2], strict=True))


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]


def _named(text: str, mark: str = " =") -> dict:
    return {name.strip(): value.strip() for name, value in (line.split(mark, 1) for line in _lines(text))}


def _pieces(text: str) -> list[str]:
    return [piece.strip("\n") for piece in re.split(r"^--$", text, flags=re.M) if piece.strip()]


def _paragraphs(text: str) -> list[list[str]]:
    found = ([*map(str.rstrip, _lines(paragraph))] for paragraph in re.split(r"\n\s*\n", text))
    return [lines for lines in found if lines]


def _otherwise(piece: str, right: str, stub: str) -> str:
    """A right program written otherwise: changes of the right one, a body under the stub's signature, or a whole program."""
    if piece.startswith("~ "):
        program = Diff(_changes(piece.splitlines()), "", Text("", "")).of(right)
        if program is None:
            raise ValueError(f"nothing to change: {piece}")
        return program
    return whole(piece, stub)


def empty(right: str) -> str:
    """What the learner's cell holds where nothing else is said: the signature, and dots where the answer goes."""
    signature = SIGNATURE.search(right)[0]
    return signature + (
        "    # 写在这里 · your lines here\n    ...\n" if "@triton.jit" in signature else "    return ...\n"
    )


def whole(body: str, stub: str) -> str:
    """A program with this body: it goes under the signature of the stub, unless it is a program already."""
    name = re.search(r"^def (\w+)", stub, flags=re.M)[1]
    if re.search(rf"^def {name}\(", body, flags=re.M):
        return body + "\n"
    return SIGNATURE.search(stub)[0] + textwrap.indent(body, "    ") + "\n"


def _changes(lines: list[str]) -> tuple[tuple[str, str], ...]:
    for number, line in enumerate(lines):
        if not line.startswith("~ ") and number or " →" not in line:
            raise ValueError(f"no change of the right program: {line}")
    pairs = (line.removeprefix("~ ").split(" →", 1) for line in lines)
    return tuple((old, new.removeprefix(" ")) for old, new in pairs)


def _diffs(text: str, stub: str, own: bool) -> list[Diff]:
    """Paragraphs: changes ("~ old → new") or a program's lines ("= …"), others of them from "or" on, then zh, then en."""
    found = []
    for *lines, zh, en in _paragraphs(text):
        given = lines[0] == "given"
        for alternative in re.split(r"\nor ", "\n".join(lines[given:])):
            for one in _alternatives(alternative):
                if one.startswith("= "):
                    body = "\n".join(line.removeprefix("=").removeprefix(" ") for line in one.split("\n"))
                    found.append(Diff((), whole(body, stub), Text(zh, en), given, own))
                else:
                    changes = _changes(one.split("\n"))
                    found.append(
                        Diff(changes, "", Text(*(_named_in(each, *changes[0]) for each in (zh, en))), given, own)
                    )
    return found


def _named_in(says: str, old: str, new: str) -> str:
    """A sentence may name what was changed, {old}, and what for, {new}: of "* x_stride → * n_cols", x_stride and n_cols."""
    return says.replace("{old}", old.removeprefix("* ")).replace("{new}", new.removeprefix("* "))


def _alternatives(text: str) -> list[str]:
    """`other=⟨0.0|1.0⟩` is two texts."""
    rest, choices = re.split(r"⟨.*?⟩", text), [one.split("|") for one in re.findall(r"⟨(.*?)⟩", text)]
    mixed = (itertools.zip_longest(rest, chosen, fillvalue="") for chosen in itertools.product(*choices))
    return ["".join(itertools.chain(*pairs)) for pairs in mixed]


def _probes(text: str, arrays: dict, shown: list[str] | None) -> list[Probe]:
    """A probe a line, "x = 3x8; ROWS = 2". A title, "zh | en", is for the lines below it, to the next title or an empty line."""
    found, title = [], None
    for line in text.splitlines():
        if " | " in line or not line.strip():
            title = Text(*line.split(" | ")) if line.strip() else None
        elif not line.startswith("# "):
            found += [_probe(title, _named(one.replace(";", "\n")), arrays, shown) for one in _alternatives(line)]
    return found


def _probe(title: Text | None, words: dict, arrays: dict, shown: list[str] | None) -> Probe:
    near = words.pop("near", None)
    given = {name: value_of(value) for name, value in words.items()}
    says = [] if shown is None else [each for each in _described(given, words, arrays) if each.split()[0] in shown]
    said = Text("，".join(says), ", ".join(says))
    if title:
        said = Text(f"{title.zh}（{said.zh}）", f"{title.en} ({said.en})") if says else title
    return Probe(said, given, tuple(map(float, near.split())) if near else None)


def _described(given: dict, words: dict, arrays: dict):
    """ "x 3×8 bfloat16", "x_stride = 12", "ROWS = 2": what a learner needs to make the same input."""
    known = dict(arrays)
    for name, value in given.items():
        first = value.split()[0] if isinstance(value, str) else ""
        if first in known or first in tensors.OF or re.match(r"fresh$|\d+(x\d+)*$", first):
            known[name] = one = tensors.tensor(value, known)
            known.setdefault("fresh", one)
            yield " ".join(
                [name, "×".join(map(str, one.shape)), *str(one.dtype).removeprefix("torch.").split("float32")]
            ).strip()
            if one.dim() == 2 and one.stride(0) != one.shape[1]:
                yield f"{name}_stride = {one.stride(0)}"
        elif first not in HIDDEN and (not isinstance(value, list) or name == "grid"):
            yield words[name] if first == name else f"{name} = {words[name]}"


def value_of(text: str):
    """A number, a list, a text in quotes; or words, for `tensors` to make sense of."""
    try:
        return _literal(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        return text


def _literal(node):
    if isinstance(node, ast.List):
        return [_literal(each) for each in node.elts]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_literal(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return _literal(node.left) ** _literal(node.right)
    if isinstance(node, ast.Name) and node.id in ("inf", "nan"):
        return getattr(math, node.id)
    if isinstance(node, ast.Constant):
        return node.value
    raise ValueError


def _laws(text: str) -> list[Law]:
    """A law a line: "loads x", or "loads x: zh | en" with a hint."""
    found = []
    for line in _lines(text):
        head, _, hint = line.partition(": ")
        name, *of = head.split()
        halves = ("：{}", ": {}"), [each for each in hint.split(" | ") if each]
        said = [one + mark.format(each) for one, mark, each in zip((LAWS[name].zh, LAWS[name].en), *halves)]
        zh, en = said or (LAWS[name].zh, LAWS[name].en)
        named = of[: of.index("over")] if "over" in of else of
        of_zh, of_en = (mark.join(named) for mark in (" 和 ", " and "))
        found.append(Law(name, tuple(of), Text(f"{zh.replace('{of}', of_zh)}。", f"{en.replace('{of}', of_en)}.")))
    return found


def _definition(source: str, name: str) -> ast.FunctionDef:
    return next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef) and node.name == name)


# ---- by name


def find(identifier: str) -> Exercise:
    """The exercise called, say, "03.causal_kernel"."""
    found = read(identifier.partition(".")[2])
    if found and found.identifier == identifier:
        return found
    if found:
        raise LookupError(f"{identifier} 现在是 {found.identifier}。\n{identifier} is {found.identifier} now.")
    raise LookupError(f"这一版没有练习 {identifier}。\nThis edition has no exercise {identifier}.")

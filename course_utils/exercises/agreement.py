"""Whether two programs did the same on a probe; and where they first differ, in words."""

import math
import numbers

import torch

from ..language import Text
from .files import LAUNCHED
from .launch import UNTOUCHED
from .sayings import Sayings, few

NEAR = {torch.float16: (2e-3, 1e-4), torch.bfloat16: (1e-2, 1e-3)}  # what a type itself rounds away
KERNEL, FUNCTION = (1e-4, 1e-6), (1e-6, 1e-12)


# What ends it, and what is the same in two that end alike.
FATES = {"raised": "type", "astray": "kind", "finding": "key"}


def nearness(exercise, probe, to: str = "near") -> tuple[float, float]:
    """How far a right result may stray; or, `to` "apart", how far from a known mistake an answer may be and still be called it."""
    if to == "apart" and to in exercise.settings:
        return float(exercise.settings[to]), 1e-12
    if probe.near:
        return probe.near if len(probe.near) == 2 else (*probe.near, 1e-12)
    if "near" in exercise.settings:
        relative, *absolute = map(float, exercise.settings["near"].split())
        return relative, *(absolute or [1e-12])
    return KERNEL if exercise.kind in LAUNCHED else FUNCTION


def same(a: dict, b: dict, near: tuple[float, float], rows: bool = False) -> bool:
    """`rows`: who did which row counts as well."""
    for fate, what in FATES.items():
        if fate in a or fate in b:
            return fate in a and fate in b and a[fate][what] == b[fate][what] and a.get("reach") == b.get("reach")
    if rows and a.get("rows") != b.get("rows"):
        return False
    if "written" in a:
        return all(values_agree(a["written"][name], value, near) for name, value in b["written"].items())
    return values_agree(a["value"], b["value"], near)


def values_agree(a, b, near) -> bool:
    if isinstance(b, torch.Tensor):
        return isinstance(a, torch.Tensor) and a.shape == b.shape and bool(_close(a, b, near).all())
    if isinstance(b, list | tuple):
        a = a.tolist() if isinstance(a, torch.Tensor) else a
        return isinstance(a, list | tuple) and len(a) == len(b) and all(values_agree(x, y, near) for x, y in zip(a, b))
    if isinstance(a, torch.Tensor) and a.numel() == 1:
        a = a.item()
    if isinstance(b, bool) or not isinstance(b, numbers.Real):
        return type(a) is type(b) and a == b
    if isinstance(a, bool) or not isinstance(a, numbers.Real):
        return False
    if not (math.isfinite(a) and math.isfinite(b)):
        return a == b or (math.isnan(a) and math.isnan(b))
    return abs(a - b) <= near[0] * abs(b) + near[1]


def _close(a: torch.Tensor, b: torch.Tensor, near) -> torch.Tensor:
    relative, absolute = (max(pair) for pair in zip(near, NEAR.get(b.dtype, (0, 0))))
    return torch.isclose(a.double(), b.double(), rtol=relative, atol=absolute, equal_nan=True)


# ---- what is said of a difference that no known mistake explains

SAID = Sayings("""
nothing returned
函数没有返回值：别忘了 return。
The function returns nothing: mind the return.

kind
这里要返回{zh}，得到的是 {got}。
{en} is wanted here; this is {a} {got}.

count
要返回 {want} 个值，你给了 {got} 个。
Return {want} values; you gave {got}.

shape
结果的形状应是 {want}，得到的是 {got}。
The result should have shape {want}; this one has {got}.

number
{asked}：应得 {want}，你给的是 {got}。
{asked}: should give {want}; you gave {got}.

row
{asked}：第 {row} 行应是 {want}，你给的是 {got}。
{asked}: row {row} should be {want}; you gave {got}.

place
{asked}：{name} 的 {place} 应是 {want:.4g}，得到的是 {got:.4g}。
{asked}: {name}{place} should be {want:.4g}; you gave {got:.4g}.

narrow
{asked}：{name} 的 {place} 应是 {want:.4g}，得到的是 {got:.4g}。float32 的输入都对：读进来以后，要先变成 float32 再算。
{asked}: {name}{place} should be {want:.4g}; you gave {got:.4g}. All float32 inputs are right: make what you load float32 before you compute.

unwritten
{asked}：{name} 的 {place} 没有写，里面还是原来的内容。
{asked}: {name}{place} was not written and holds what was there before.

slips
{asked}：你的输入揭不穿它，它在上面做的与对的 kernel 一样。
{asked}: your inputs do not expose it; on them it does what the right kernel does.

nothing written
输出里什么也没有写。
Nothing was written to the output.

load
{asked}：load 越界了，少了 mask，或者 mask、步幅不对（第 {line} 行：{source}；program {program}，{tensor} 的 {offsets}）。
{asked}: the load leaves its tensor: its mask is missing, or mask or stride is wrong (line {line}: {source}; program {program}, places {offsets} of {tensor}).

store
{asked}：store 越界了，写回时也要 mask，换行要用它自己的步幅（第 {line} 行：{source}；program {program}，{tensor} 的 {offsets}）。
{asked}: the store leaves its tensor: writing back needs the mask too, and its own stride from row to row (line {line}: {source}; program {program}, places {offsets} of {tensor}).

atomic
{asked}：原子操作越界了（第 {line} 行：{source}；program {program}，{tensor} 的 {offsets}）。
{asked}: the atomic operation leaves its tensor (line {line}: {source}; program {program}, places {offsets} of {tensor}).

never ends
{asked}：它等的东西不会来，启动不结束（死锁）。
{asked}: it waits for what never comes, and the launch never ends (deadlock).

race
{asked}：两个 program 访问 {tensor}，没有先后。
{asked}: two programs touch {tensor} in no order.

at
{said}（{tensor}，第 {lines} 行）
{said} ({tensor}, line {lines})

costs
{asked}：这样选比最快的慢 {got:.3g}%，最多可以慢 {want:.3g}%。
{asked}: what you choose is {got:.3g} % slower than the fastest; {want:.3g} % is allowed.

no choice
{asked}：warp 数只能是 1、2、4、8、16 或 32。
{asked}: the number of warps can only be 1, 2, 4, 8, 16 or 32.

too coarse
两次启动用了同一个键，编译出来的却是两个 kernel。{asked}
Two launches share a key, yet compile to two kernels. {asked}

too fine
两次启动的键不同，编译出来的却是同一个 kernel。{asked}
Two launches have different keys, yet compile to one and the same kernel. {asked}

function changed
你的函数改动了输入 {name}。先复制，别用原地操作（名字以 _ 结尾的、-=、pop、sort、append）。
Your function changed its input {name}. Work on a copy; avoid in-place operations (names that end in _, -=, pop, sort, append).

kernel changed
你的 kernel 写进了输入 {name}。输入只读。
Your kernel stored into {name}, its input. Only read from it.

shares
{asked}：program {program} 做了第 {got} 行，应当做第 {want} 行。
{asked}: program {program} did rows {got}; its rows are {want}.
""")
_KINDS = {float: ("一个数", "A number"), tuple: ("几个数", "A tuple"), torch.Tensor: ("一个张量", "A tensor")}


def difference(got: dict, want: dict, probe, near, kind: str) -> Text:
    """What is wrong with `got`, which neither raised nor agrees."""
    if "astray" in got:
        return _astray(got["astray"], probe)
    if "finding" in got:
        key = "never ends" if got["finding"]["key"] == "never ends" else "race"
        return with_place(SAID.say(key, asked=probe.says, tensor=got["finding"]["tensor"]), got)
    if kind == "exposing":
        return SAID.say("slips", asked=probe.says)
    if kind == "choice" and got["value"] == "no choice":
        return SAID.say("no choice", asked=probe.says)
    if kind == "choice" and isinstance(got["value"], numbers.Real):
        return SAID.say("costs", asked=probe.says, got=got["value"], want=want["value"])
    if kind == "keys" and isinstance(got["value"], bool):
        return SAID.say("too coarse" if got["value"] else "too fine", asked=probe.says)
    if kind not in LAUNCHED:
        return _value(got["value"], want["value"], probe, near)
    if all(bool((one == UNTOUCHED).all()) for one in got["written"].values()):
        return SAID["nothing written"]
    for name, value in want["written"].items():
        if not values_agree(got["written"][name], value, near):
            return _place(name, got["written"][name], value, probe, near)
    return _shares(got, want, probe)


def with_place(said: Text, seen: dict) -> Text:
    """A race is between lines."""
    found = seen.get("finding") or {}
    if not found.get("lines"):
        return said
    return SAID.say("at", said=said, tensor=found["tensor"], lines=", ".join(map(str, found["lines"])))


def _astray(one: dict, probe) -> Text:
    kind = one["kind"] if one["kind"] in ("load", "store") else "atomic"
    said = {name: str(one[name])[:200] for name in ("line", "source", "tensor", "program", "offsets")}
    return SAID.say(kind, asked=probe.says, **said)


def _value(got, want, probe, near) -> Text:
    if got is None:
        return SAID["nothing returned"]
    if isinstance(got, torch.Tensor) and not isinstance(want, torch.Tensor):
        got = got.tolist()
    if isinstance(got, list) and len(got) == 1 and isinstance(got[0], str):
        got, name = object(), got[0]
    else:
        name = type(got).__name__
    for kinds, (zh, en) in _KINDS.items():
        if isinstance(want, kinds) or (kinds is float and isinstance(want, int) and not isinstance(want, bool)):
            fits = numbers.Real if kinds is float else (list, tuple) if kinds is tuple else kinds
            if not isinstance(got, fits) or isinstance(got, bool):
                return SAID.say("kind", zh=zh, en=en, a="an" if name[0] in "aeiou" else "a", got=name)
    if isinstance(want, list | tuple) and len(got) != len(want):
        return SAID.say("count", want=len(want), got=len(got))
    if not isinstance(want, torch.Tensor):
        return SAID.say("number", asked=probe.says, want=_short(want), got=_short(got))
    if got.shape != want.shape:
        return SAID.say("shape", want=tuple(want.shape), got=tuple(got.shape))
    row = next((k for k in range(len(want)) if not values_agree(got[k], want[k], near)), 0) if want.dim() else 0
    got, want = (few(one[row].reshape(-1).tolist()) if one.dim() else f"{one.item():.4g}" for one in (got, want))
    return SAID.say("row", asked=probe.says, row=row, want=want, got=got)


def _short(value) -> str:
    if isinstance(value, list | tuple):
        return f"({', '.join(map(_short, value))})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _place(name: str, got: torch.Tensor, want: torch.Tensor, probe, near) -> Text:
    place = tuple((~_close(got, want, near)).nonzero()[0].tolist())
    told, right = got[place].item(), want[place].item()
    key = "unwritten" if told == UNTOUCHED else "narrow" if want.dtype in NEAR else "place"
    return SAID.say(key, asked=probe.says, name=name, place=list(place), want=right, got=told)


def _shares(got: dict, want: dict, probe) -> Text:
    programs = sorted({*got["rows"], *want["rows"]})
    program = next(each for each in programs if got["rows"].get(each) != want["rows"].get(each))
    rows = (few(each["rows"].get(program, [])) or "–" for each in (got, want))
    return SAID.say("shares", asked=probe.says, program=program, got=next(rows), want=next(rows))

"""What a right result must also keep to: names that another judge can hold a program to as well.

loads x          no more elements of x are loaded than the course's program loads, on any probe
loads x over 1.3 no more than so many times as many
holds            a function makes no tensor larger than the course's largest
products         and multiplies matrices no more often
stores y         no more elements of y are stored
uses BLOCK       blocks get wider where the launch asks for wider ones (every kernel is held to it)
"""

from ..language import Text
from .sayings import Sayings, few

LAWS = Sayings("""
loads
{asked}：结果对，可是 {of} 读了 {got} 个元素，{most} 个就够
{asked}: the result is right, but {got} elements of {of} were loaded, where {most} would do

stores
{asked}：结果对，可是 {of} 写了 {got} 个元素，{most} 个就够
{asked}: the result is right, but {got} elements of {of} were stored, where {most} would do

together
{asked}：program {program} 做了第 {got} 行，不是连着的一段
{asked}: program {program} did rows {got}, which is no run of neighbours

evenly
{asked}：program {program} 做了 {got} 行，这里最多 {most} 行
{asked}: program {program} did {got} rows, and here {most} is the most

holds
{asked}：最大的新张量有 {got} 个元素，{most} 个就够
{asked}: your largest new tensor has {got} elements, where {most} would do

products
{asked}：做了 {got} 次矩阵乘，{most} 次就够
{asked}: {got} matrix products, where {most} would do
""")
OURS = Sayings("""
uses
不管启动时给的 {name} 是多少，你的块都是 {got} 个元素：用参数，别把大小写死。
Whatever {name} the launch gives, your blocks have {got} elements: use the parameter, with no size of your own.
""")


def broken(exercise, seen: list[dict], want: list[dict], parameters: list[str]) -> Text | None:
    for law in exercise.laws:
        for got, right, probe in zip(seen, want, exercise.probes):
            if filled := _LAWS[law.name](law, got, right, exercise, parameters):
                return Sayings(f"law\n{law.says.zh}\n{law.says.en}").say("law", asked=probe.says, **filled)
    blocks = [name for name in exercise.constants if name.startswith("BLOCK") and exercise.kind == "kernel"]
    if blocks:
        widest = {one["widest"] for one in seen}  # 1 where numbers come one at a time: slow, and right
        if len(widest) == 1 < len({one["widest"] for one in want}) and widest != {1}:
            return OURS.say("uses", name=blocks[0], got=seen[0]["widest"])
    return None


def _moves(law, got, right, exercise, parameters) -> dict | None:
    of, times = (law.of[:-2], float(law.of[-1])) if "over" in law.of else (law.of, 1)
    names = [parameters[exercise.parameters.index(f"{name}_ptr")] for name in of]
    count = sum(got[law.name].get(name, 0) for name in names)
    most = sum(right[law.name].get(f"{name}_ptr", 0) for name in of)
    return {"got": count, "most": most} if count > times * most else None


def _together(law, got, right, *_) -> dict | None:
    for program, rows in got["rows"].items():
        if max(rows) - min(rows) >= len(rows):
            return {"program": program, "got": few(rows)}
    return None


def _evenly(law, got, right, *_) -> dict | None:
    most = max(map(len, right["rows"].values()))
    for program, rows in got["rows"].items():
        if len(rows) > most:
            return {"program": program, "got": len(rows), "most": most}
    return None


def _most(law, got, right, *_) -> dict | None:
    most = right[law.name]
    return {"got": got[law.name], "most": most} if got[law.name] > most else None


_LAWS = {
    "holds": _most,
    "products": _most,
    "loads": _moves,
    "stores": _moves,
    "together": _together,
    "evenly": _evenly,
}

"""What a right result must also keep to: names that another judge can hold a program to as well.

loads x          no more elements of x are loaded than the course's program loads, on any probe
stores y         no more elements of y are stored
uses BLOCK       blocks get wider where the launch asks for wider ones (every kernel is held to it)
"""

from ..language import Text
from .sayings import Sayings

OURS = Sayings("""
uses
不管启动时给的 {name} 是多少，你的块都是 {got} 个元素：用参数，别把大小写死。
Whatever {name} the launch gives, your blocks have {got} elements: use the parameter, with no size of your own.
""")


def broken(exercise, seen: list[dict], want: list[dict], parameters: list[str]) -> Text | None:
    for law in exercise.laws:
        for got, right, probe in zip(seen, want, exercise.probes):
            kind = law.name
            names = [parameters[exercise.parameters.index(f"{name}_ptr")] for name in law.of]
            count = sum(got[kind].get(name, 0) for name in names)
            most = sum(right[kind].get(f"{name}_ptr", 0) for name in law.of)
            if count > most:
                filled = {"asked": probe.says, "got": count, "most": most}
                return Sayings(f"law\n{law.says.zh}\n{law.says.en}").say("law", **filled)
    blocks = [name for name in exercise.constants if name.startswith("BLOCK")]
    if blocks and len({one["widest"] for one in seen}) == 1 < len({one["widest"] for one in want}):
        return OURS.say("uses", name=blocks[0], got=seen[0]["widest"])
    return None

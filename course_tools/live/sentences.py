"""What the page's judge says: the tables of the notebook's judge, and what a notebook says of an answer before and beside judging.

Places in braces are filled in by `inWords` in engine/agree.js."""

from course_utils.exercises.agreement import SAID
from course_utils.exercises.judging import OURS as JUDGE
from course_utils.exercises.laws import OURS as LAWS
from course_utils.exercises.sayings import Sayings

PAGE = Sayings("""
stub
把 {name} 里的 ... 换成你的代码，再按“检查”。
Replace the ... in {name} with your code, then press Check.

missing
这里还没有 {name}：用 def {name}(…) 定义它。
There is no {name} here yet: define it, def {name}(…).

syntax
第 {line} 行有 SyntaxError：{what}。改好再检查。
There is a SyntaxError in line {line}: {what}. Mend it, then check again.

raised
代码出错了：{what}⏎  第 {line} 行：{code}
The code raised an error: {what}⏎  line {line}: {code}

late
代码运行了 {seconds} 秒还没有结束，已被停止。是不是有循环停不下来？
The code had not ended after {seconds} s and was stopped. Is there a loop that never ends?
""")


_ANY = ("stub", "missing", "syntax", "raised", "late")
_VALUE = ("nothing returned", "kind", "count", "number")
_OF = {
    "kernel": (
        "no kernel",
        "renamed",
        "kernel changed",
        "undefined",
        "uses",
        "load",
        "store",
        "atomic",
        "nothing written",
        "unwritten",
        "place",
        "narrow",
    ),
    "combine": ("no kernel", "renamed", *_VALUE),
    "function": ("function changed", *_VALUE),
    "exposing": ("slips",),
    "choice": ("costs", *_VALUE),
}


def sentences(kind: str, rows: bool) -> dict[str, list[str]]:
    """[Chinese, English] by key: all that is said of such an exercise. `rows`: who did which counts."""
    found = {**SAID, **JUDGE, **LAWS, **PAGE}
    keys = [*_ANY, *_OF.get(kind, _VALUE), *(["shares"] if rows else [])]
    return {key: [found[key].zh, found[key].en] for key in keys}

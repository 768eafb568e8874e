"""What the page's judge says: the tables of the notebook's judge, and what a notebook says of an answer before and beside judging.

Places in braces are filled in by `inWords` in engine/agree.js."""

from course_utils.exercises.agreement import SAID
from course_utils.exercises.judging import OURS as JUDGE
from course_utils.exercises.laws import OURS as LAWS
from course_utils.exercises.sayings import Sayings
from course_utils.exercises.written import OURS as WRITTEN
from course_utils.worker import errors

PAGE = {
    **Sayings("""
stub
把 {name} 里的 ... 换成你的代码，再按“检查”。
Replace the ... in {name} with your code, then press Check.

missing
这里还没有 {name}：用 def {name}(…) 定义它。
There is no {name} here yet: define it, def {name}(…).
"""),
    "syntax": WRITTEN["syntax"],
    "raised": errors.RAISED,
    "late": errors.LATE,
    "where": errors.WHERE,
}


_ANY = ("stub", "missing", "parameters", "syntax", "raised", "late", "where")
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
    "choice": ("costs", "no choice", *_VALUE),
}


def sentences(kind: str, rows: bool) -> dict[str, list[str]]:
    """[Chinese, English] by key: all that is said of such an exercise. `rows`: who did which counts."""
    found = {**SAID, **JUDGE, **LAWS, **PAGE}
    keys = [*_ANY, *_OF.get(kind, _VALUE), *(["shares"] if rows else [])]
    return {key: [found[key].zh, found[key].en] for key in keys}

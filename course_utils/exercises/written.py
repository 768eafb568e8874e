"""What can be said of an answer before anything of it is run: missing, untouched, no function, or its cell no Python."""

import ast
import re

from ..worker.errors import RAISED, WHERE
from ..worker.worded import of_syntax
from .sayings import Sayings
from .verdict import Verdict

OURS = Sayings("""
syntax
{name} 的代码第 {line} 行有 SyntaxError：{what}改好再检查。
The code of {name} has a SyntaxError in line {line}: {what} Mend it, then check again.

kind
{name} 现在是 {kind}，这里要的是一个函数（def {name}(…)）。
{name} is a {kind} now; a function is wanted here (def {name}(…)).

stub
把 {name} 里的 ... 换成你的代码，再运行这一格。
Replace the ... in {name} with your code, then run this cell again.

started
还没有 {name}。这个笔记本刚启动：先从上到下运行第一格（import 在那里）到 {name} 的单元格，菜单里是“运行 → 运行选中单元格之前的所有单元格”。
There is no {name} yet. This notebook has just been started: first run its cells from the top, where the imports are, down to that of {name}. The menu has Run → Run All Above Selected Cell.

refused
kernel 里不能用 {what}：编译器不认。
A kernel has no {what}: the compiler does not take it.

missing
还没有 {name}。先运行上面的单元格；如果它报 SyntaxError，从它指出的那一行改起。
There is no {name} yet. Run the cell above; if it shows a SyntaxError, start at the line it names.
""")

_WORDS = ["Break", "Continue", "Try", "With", "Raise", "Yield", "Global", "Nonlocal", "Lambda", "Import"]
_REFUSED = {name: name.lower() for name in _WORDS} | {
    "Dict": "{}", "FunctionDef": "def", "ClassDef": "class", "ImportFrom": "from", "Delete": "del", "TryStar": "try"
}  # fmt: skip
_NOT_TRITON = ("torch", "np", "numpy")


def broken(name: str, cells: list[str]) -> Verdict | None:
    """For a SyntaxError in the newest cell that was to define `name`. Python then keeps the older definition, if any."""
    for cell in reversed(cells):
        if re.search(rf"^\s*(?:def {name}\b|{name}\s*\(.*\)\s*:$)", cell, flags=re.M):
            try:
                ast.parse(cell)
            except SyntaxError as error:
                return Verdict("wrong", OURS.say("syntax", name=name, line=error.lineno, what=of_syntax(error)))
            return None
    return None


def not_yet(name: str, namespace: dict) -> Verdict | None:
    answer = namespace.get(name)
    if answer is None:
        started = "In" in namespace and not {"torch", "tl"} & namespace.keys()
        return Verdict("not yet", OURS.say("started" if started else "missing", name=name))
    if not callable(answer) and not hasattr(answer, "fn"):
        return Verdict("wrong", OURS.say("kind", name=name, kind=type(answer).__name__))
    return Verdict("not yet", OURS.say("stub", name=name)) if untouched(answer) else None


def refused(answer) -> Verdict | None:
    """For what no compiler takes in a kernel; Triton's interpreter, being Python, would run most of it."""
    from ..worker.source import definition_of, is_kernel, place_of, unwrap

    tree = definition_of(answer) if is_kernel(answer) else None
    inside = [node for statement in getattr(tree, "body", ()) for node in ast.walk(statement)]
    found = [(node.lineno, _REFUSED[type(node).__name__]) for node in inside if type(node).__name__ in _REFUSED]
    found += [(node.lineno, node.id) for node in inside if isinstance(node, ast.Name) and node.id in _NOT_TRITON]
    found += [(node.lineno, "x = y = …") for node in inside if isinstance(node, ast.Assign) and len(node.targets) > 1]
    if not found:
        return None
    line, what = min(found)
    code = place_of(unwrap(answer)[0])[1].splitlines()[line - 1].strip()
    said = RAISED.filled(what=OURS.say("refused", what=what))
    return Verdict("wrong", WHERE.filled(said=said, line=line, code=code))


def untouched(answer) -> bool:
    """Whether a stub still has the `...` that stands where the answer goes (in `x[..., 0]` it stands for something else)."""
    from ..worker.source import definition_of

    tree = definition_of(answer)
    return tree is not None and has_dots(tree)


def has_dots(tree: ast.AST) -> bool:
    indices = {id(n) for node in ast.walk(tree) if isinstance(node, ast.Subscript) for n in ast.walk(node.slice)}
    dots = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value is ...]
    return any(id(node) not in indices for node in dots)

"""Who may import whom: only downwards, and never in a circle. Lazy imports and modules named in strings count too."""

import ast
import re
from collections import defaultdict

import pytest
from course import ROOT

# From the ground up. A module imports from its own floor or from those below it; inside a floor nothing goes in a circle.
FLOORS = [
    {"language"},
    {
        "backend",
        "glossary",
        "hardware",
        "worker",
        "interpreter",
        "machine",
        "notebook",
        "pretend_gpu",
        "lab",
        "switch",
        "table",
    },
    {"softmax", "attention", "occupancy", "compiler", "ranks"},
    {"figures", "stepper", "traffic", "measurements", "races"},
    {"explorers", "exercises", "board"},
    {"course_tools"},
]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("course_utils", "course_tools")
    for path in (ROOT / package).rglob("*.py")
}
# A module that a string names: "course_utils.x:y" for a worker, f"{__package__}.x" for importlib or another Python.
NAMED = re.compile(r"\b(?:course_utils|course_tools)(?:\.\w+)+")


def room(module: str) -> str:
    """What a module belongs to: the folder or file in course_utils, or course_tools as a whole."""
    package, _, rest = module.partition(".")
    return rest.partition(".")[0] if package == "course_utils" else package


def known(name: str) -> str | None:
    """The module that a dotted name is, or is something inside of."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or None


def strings(tree: ast.AST, package: str):
    """Every text in the code, docstrings left out, with the package's name where the code asks for it."""
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    prose = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented)
             and node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                part.value if isinstance(part, ast.Constant) else package if ast.unparse(part.value) == "__package__" else "*"
                for part in node.values
            )  # fmt: skip


def imports(module: str) -> set[str]:
    """The modules of the course that this one imports, or has imported, anywhere in its code."""
    path, found = MODULES[module], set()
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join(
                    [*package.split(".")[: len(package.split(".")) - node.level + 1], *filter(None, [base])]
                )
            found |= {f"{base}.{alias.name}" for alias in node.names}
    for text in strings(tree, package):
        found |= set(NAMED.findall(text))
    return {each for each in map(known, found) if each} - {module}


@pytest.fixture(scope="module")
def imported():
    return {module: imports(module) for module in MODULES}


def test_every_module_has_a_floor():
    rooms = {room(module) for module in MODULES} - {""}
    assert rooms == set().union(*FLOORS) - {"recorded"}


def test_imports_go_down(imported):
    floor = {name: number for number, names in enumerate(FLOORS) for name in names}
    for module, others in imported.items():
        for other in others:
            if room(module) and room(other):  # the root of course_utils names its modules and loads none
                assert floor[room(other)] <= floor[room(module)], f"{module} imports {other}, which lies above it"


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A way round that ends where it began; empty where there is none."""
    done: set[str] = set()

    def walk(here: str, way: list[str]) -> list[str]:
        if here in way:
            return [*way[way.index(here) :], here]
        if here in done:
            return []
        for there in sorted(graph[here]):
            if found := walk(there, [*way, here]):
                return found
        done.add(here)
        return []

    return next(filter(None, (walk(start, []) for start in sorted(graph))), [])


def test_no_circle_among_the_rooms(imported):
    graph = defaultdict(set)
    for module, others in imported.items():
        graph[room(module)] |= {room(other) for other in others} - {room(module), ""}
    graph.pop("", None)
    assert not circle({name: graph[name] for name in {*graph, *set().union(*graph.values())}})


def test_no_circle_among_the_modules(imported):
    roots = {module for module in MODULES if MODULES[module].name == "__init__.py"}  # they hand on what lies inside
    assert not circle({module: others - roots for module, others in imported.items()})

"""Who may import whom: only downwards, and never in a circle. Lazy imports and modules named in strings count too."""

import ast
import re
from collections import defaultdict
from graphlib import TopologicalSorter

import pytest
from course import ROOT

# From the ground up. A module imports from its own floor or from those below it; inside a floor nothing goes in a circle.
FLOORS = """
    language
    backend glossary hardware worker interpreter machine notebook pretend_gpu lab switch table
    softmax attention occupancy compiler ranks
    figures stepper traffic measurements races
    explorers exercises board
    course_tools
"""
FLOOR = {room: number for number, rooms in enumerate(FLOORS.split("\n")) for room in rooms.split()}
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


def imports(module: str) -> set[str]:
    """The modules of the course that this one imports, or has imported, anywhere in its code."""
    path, found = MODULES[module], set()
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            found |= {f"{base}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.JoinedStr):
            found |= set(NAMED.findall(ast.unparse(node).replace("{__package__}", package)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            found |= set(NAMED.findall(node.value))
    return {each for each in map(known, found) if each} - {module}


@pytest.fixture(scope="module")
def imported():
    return {module: imports(module) for module in MODULES}


def test_every_module_has_a_floor():
    assert {room(module) for module in MODULES} - {""} == set(FLOOR)


def test_imports_go_down(imported):
    for module, others in imported.items():
        for other in others:
            if room(module) and room(other):  # the root of course_utils names its modules and loads none
                assert FLOOR[room(other)] <= FLOOR[room(module)], f"{module} imports {other}, which lies above it"


def test_no_circle_among_rooms_or_modules(imported):
    """A circle is told as `CycleError`, with the way round."""
    rooms = defaultdict(set)
    for module, others in imported.items():
        rooms[room(module)] |= {room(other) for other in others} - {room(module), ""}
    del rooms[""]
    TopologicalSorter(rooms).prepare()
    roots = {module for module in MODULES if MODULES[module].name == "__init__.py"}  # they hand on what lies inside
    TopologicalSorter({module: others - roots for module, others in imported.items()}).prepare()

"""Right answers with one thing changed: an operator, a number, a name, a mask, a cast, a statement."""

import ast
import copy
from collections.abc import Iterator

OPERATORS = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Div),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
}
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq, ast.LtE),
}
NAMES = {
    "x_stride": ("y_stride", "n_cols", "BLOCK_SIZE"),
    "y_stride": ("x_stride", "n_cols", "BLOCK_SIZE"),
    "x_row_stride": ("x_col_stride", "y_row_stride"),
    "x_col_stride": ("x_row_stride", "y_col_stride"),
    "y_row_stride": ("y_col_stride", "x_row_stride"),
    "y_col_stride": ("y_row_stride", "x_col_stride"),
    "n_rows": ("n_cols",),
    "n_cols": ("BLOCK_SIZE",),
    "rows": ("columns",),
    "columns": ("rows", "row"),
    "M": ("N",),
    "N": ("M",),
    "min": ("max",),
    "max": ("min",),
    "sum": ("max",),
    "itemsize": ("1",),
}
ATTRIBUTES = {
    "max": ("min", "sum"),
    "sum": ("max", "mean"),
    "exp": ("log", "exp2"),
    "log": ("exp", "log2"),
    "minimum": ("maximum",),
    "any": ("all",),
    "floor": ("ceil",),
    "ceil": ("floor",),
    "program_id": ("num_programs",),
    "num_programs": ("program_id",),
    "x_ptr": ("y_ptr",),
}


def _of_a_node(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of an expression."""
    if isinstance(node, ast.BinOp):
        for other in OPERATORS.get(type(node.op), ()):
            yield ast.BinOp(node.left, other(), node.right)
        yield from (node.left, node.right)
        if isinstance(node.op, ast.Sub | ast.Div | ast.FloorDiv):
            yield ast.BinOp(node.right, node.op, node.left)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in COMPARISONS.get(type(node.ops[0]), ()):
            yield ast.Compare(node.left, [other()], node.comparators)
    if isinstance(node, ast.UnaryOp):
        yield node.operand
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        large = abs(node.value) > 1e6  # one more would be lost in rounding
        yield from map(ast.Constant, (2 * node.value, node.value / 2) if large else (node.value + 1, node.value - 1))
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (ast.Name(other, ast.Load()) for other in NAMES.get(node.id, ()))
    if isinstance(node, ast.Attribute):
        yield from (ast.Attribute(node.value, other, node.ctx) for other in ATTRIBUTES.get(node.attr, ()))
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            yield ast.Call(node.func, node.args, [k for k in node.keywords if k is not keyword])
            if keyword.arg == "other":
                yield ast.Call(node.func, node.args, [*_except(node, keyword), ast.keyword("other", ast.Constant(0.0))])
        if isinstance(node.func, ast.Attribute) and node.func.attr == "to":
            yield node.func.value  # without the cast
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max") and len(node.args) == 2:
            yield from node.args
    if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
        yield ast.Tuple(node.elts[::-1], node.ctx)


def _except(call: ast.Call, keyword: ast.keyword) -> list[ast.keyword]:
    return [k for k in call.keywords if k is not keyword]


def _replaced(tree: ast.Module, target: int, new: ast.AST) -> ast.Module:
    """A copy of the tree in which the node number `target`, in the order of `ast.walk`, is another."""
    changed = copy.deepcopy(tree)
    wanted = list(ast.walk(changed))[target]

    class Swap(ast.NodeTransformer):
        def visit(self, node):
            return copy.deepcopy(new) if node is wanted else self.generic_visit(node)

    return ast.fix_missing_locations(Swap().visit(changed))


def _without(tree: ast.Module) -> Iterator[ast.Module]:
    """Copies that lack a statement: not a return, and not the only one of its block."""
    bodies = [node for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)]
    for number, node in enumerate(bodies):
        for k, statement in enumerate(node.body):
            if len(node.body) > 1 and not isinstance(statement, ast.Return | ast.FunctionDef):
                changed = copy.deepcopy(tree)
                del [n for n in ast.walk(changed) if isinstance(getattr(n, "body", None), list)][number].body[k]
                yield changed


def mutants(source: str) -> dict[str, str]:
    """Every mutant of this cell: what changed, in words (`- old` and `+ new` lines), and the whole cell."""
    tree = ast.parse(source)
    found = {}
    whole = ast.unparse(tree).splitlines()
    inside = {
        id(n)
        for f in ast.walk(tree)
        if isinstance(f, ast.FunctionDef)
        for d in (f.args, *f.decorator_list)
        for n in ast.walk(d)
    }
    trees = [
        _replaced(tree, number, new)
        for number, node in enumerate(ast.walk(tree))
        if id(node) not in inside
        for new in _of_a_node(node)
    ]
    for changed in (*trees, *_without(tree)):
        text = ast.unparse(changed)
        lines = text.splitlines()
        if lines != whole:
            found.setdefault(_difference(whole, lines), text)
    return found


def _difference(old: list[str], new: list[str]) -> str:
    lost = [line.strip() for line in old if old.count(line) > new.count(line)]
    come = [line.strip() for line in new if new.count(line) > old.count(line)]
    return " / ".join([*(f"- {line}" for line in dict.fromkeys(lost)), *(f"+ {line}" for line in dict.fromkeys(come))])

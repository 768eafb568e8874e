"""Cells of a notebook that a page need not show at once, and paper not at all: what they print counts, not how they are called."""

import ast

_CALLS = ("check", "predict", "step", "step_together", "explorers.", "figures.", "scoreboard")


def fold(notebook) -> None:
    """Folds away cells that only import, or only ask the course for a picture, a stepper, a question, a verdict."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and all(map(_is_plumbing, ast.parse(cell.source).body)):
            cell.metadata.setdefault("jupyter", {})["source_hidden"] = True


def _is_plumbing(statement) -> bool:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return True
    return isinstance(statement, ast.Expr) and ast.unparse(statement).startswith(_CALLS)

"""Runs notebooks top to bottom and stores clean outputs: python -m course_tools.execute NOTEBOOK …"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def merge_streams(outputs: list) -> list:
    """What a cell printed, in one piece: in how many it came is chance."""
    merged = []
    for output in outputs:
        before = merged[-1] if merged else {}
        if output["output_type"] == "stream" and before.get("name") == output["name"]:
            before["text"] += output["text"]
        else:
            merged.append(output)
    return merged


def clean(notebook) -> None:
    """Keep what a reader or a test needs, so that a diff of two runs shows content and nothing else."""
    spec = notebook.metadata.get("kernelspec", {})
    course = {"course": notebook.metadata["course"]} if "course" in notebook.metadata else {}
    notebook.metadata = course | {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": spec.get("name", "python3")},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in ("tags", "slideshow", "jupyter") if key in cell.metadata}
        if "answer" in cell.metadata.get("tags", []) or cell.source.startswith("check("):
            # No place in a talk, unless somebody chose one.
            cell.metadata.setdefault("slideshow", {"slide_type": "skip"})
        if "outputs" in cell:
            cell.outputs = merge_streams(cell.outputs)
        for output in cell.get("outputs", []):
            output.pop("transient", None)
            if "metadata" in output:
                output["metadata"] = {}
            # A live widget dies with its kernel; what stays is the still picture beside it.
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)


def execute(path: Path) -> None:
    """Runs a notebook top to bottom in a fresh kernel of this environment and stores clean outputs.

    Tags and slide types stay as they were: a teacher may have chosen them.
    """
    os.environ["COURSE_MEASURE"] = "recorded"  # so that outputs agree on every machine
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        store_widget_state=False,
        resources={"metadata": {"path": path.parent}},
    )
    client.execute()
    clean(notebook)
    nbformat.write(notebook, path)


def main(arguments: list[str]) -> int:
    if not arguments:
        print("python -m course_tools.execute NOTEBOOK …", file=sys.stderr)
        return 2
    for name in arguments:
        execute(Path(name))
        print(f"{name}: ok", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

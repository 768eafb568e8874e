"""What a notebook of the course starts with, and how its stored outputs are made.

`start()` shows the language switch: radio buttons and style rules, no script and no kernel, so that it also works in an
exported page. `python -m course_utils.notebook execute …` runs notebooks top to bottom and stores clean outputs.
"""

import os
import sys
from pathlib import Path

from .language import LANGUAGES, both

_CHOICES = {"zh": "中文", "en": "English", "both": "中文 + English"}

# All switches on a page share one radio group, and none is checked at first: a notebook opened later follows the choice
# already made. The labels are drawn from the page's state, not from their own input, so that every switch shows it.
_RULES = """
<style>
body:has(input[name="course-language"][value="en"]:checked) .jp-Cell [lang="zh"],
body:has(input[name="course-language"][value="zh"]:checked) .jp-Cell [lang="en"],
body:has(input[name="course-language"]:is([value="zh"], [value="en"]):checked) .jp-Cell .course-both,
body:has(input[name="course-language"][value="en"]:checked) .jp-MarkdownCell:has([lang="zh"]):not(:has([lang="en"])),
body:has(input[name="course-language"][value="zh"]:checked) .jp-MarkdownCell:has([lang="en"]):not(:has([lang="zh"]))
{ display: none !important; }
[data-jp-theme-light="false"] .jp-RenderedMarkdown img { color-scheme: dark; }
.course-switch { display: inline-flex; gap: 2px; margin: 4px 0; padding: 2px; border-radius: 6px; font-size: 14px;
  background: var(--jp-layout-color2, #eee); color: var(--jp-ui-font-color1, #222); }
.course-switch label { padding: 4px 12px; border-radius: 5px; cursor: pointer; }
.course-switch input { position: absolute; opacity: 0; }
.course-switch label:focus-within { outline: 2px solid var(--jp-brand-color1, #1976d2); }
body:has(input[name="course-language"][value="zh"]:checked) .course-switch label.zh,
body:has(input[name="course-language"][value="en"]:checked) .course-switch label.en,
body:has(input[name="course-language"][value="both"]:checked) .course-switch label.both,
body:not(:has(input[name="course-language"]:checked)) .course-switch label.both
{ background: var(--jp-layout-color0, #fff); box-shadow: 0 1px 2px rgb(0 0 0 / 30%); font-weight: 600; }
</style>
"""


class Switch:
    """The language switch. `COURSE_LANG=zh` or `en` makes a choice beforehand, for a class."""

    def __init__(self, chosen: str = ""):
        self.chosen = chosen if chosen in LANGUAGES else ""

    def __repr__(self) -> str:
        return " | ".join(_CHOICES.values())

    def _repr_html_(self) -> str:
        buttons = "".join(
            f'<label class="{value}"><input type="radio" name="course-language" value="{value}"'
            f"{' checked' if value == self.chosen else ''}>{label}</label>"
            for value, label in _CHOICES.items()
        )
        return f'{_RULES}<div class="course-switch" role="radiogroup" aria-label="语言 · Language">{buttons}</div>'


class Only:
    """Stands in for the switch in a handout that holds one language: hides the other one, in this notebook alone."""

    def __init__(self, language: str):
        if language not in LANGUAGES:
            raise ValueError(both(f"只有 zh 与 en，没有 {language!r}。", f"There are zh and en, but no {language!r}."))
        self.language = language

    def __repr__(self) -> str:
        return _CHOICES[self.language]

    def _repr_html_(self) -> str:
        other = next(language for language in LANGUAGES if language != self.language)
        hidden = f'.jp-Notebook:has(.course-only-{self.language}) .jp-Cell :is([lang="{other}"], .course-both)'
        return (
            f'<style>{hidden} {{ display: none !important; }}</style><span class="course-only-{self.language}"></span>'
        )


def start(language: str = "") -> Switch | Only:
    """The first line of every notebook: chooses where kernels run, and returns the language switch to show.

    A handout in one language names it, and has no switch.
    """
    from . import backend  # noqa: F401  decides before the notebook imports triton

    return Only(language) if language else Switch(os.environ.get("COURSE_LANG", ""))


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
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": spec.get("name", "python3")},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in ("tags", "slideshow", "jupyter") if key in cell.metadata}
        if "outputs" in cell:
            cell.outputs = merge_streams(cell.outputs)
        for output in cell.get("outputs", []):
            output.pop("transient", None)
            if "metadata" in output:
                output["metadata"] = {}
            # A live widget dies with its kernel; what stays is the still picture beside it.
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)


def execute(path: Path) -> None:
    """Run a notebook top to bottom in a fresh kernel of this environment, store clean outputs, and mark its slides."""
    import nbformat
    from nbclient import NotebookClient

    from .handout.talk import mark

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
    mark(notebook)
    nbformat.write(notebook, path)


def main(arguments: list[str]) -> int:
    if len(arguments) < 2 or arguments[0] != "execute":
        print("python -m course_utils.notebook execute NOTEBOOK …", file=sys.stderr)
        return 2
    for name in arguments[1:]:
        execute(Path(name))
        print(f"{name}: ok", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What of a notebook goes into a handout: one language or both, exercises with or without their answers."""

import ast
import copy
import functools
import re

from course_utils.exercises import engine
from course_utils.language import Text
from course_utils.notebook import Only
from course_utils.worker.source import outside_names, remember

from ..grading.answers import needed

_CJK = "\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_TWO = re.compile(rf"(?P<zh>.*?[{_CJK}].*?) · (?P<en>[^{_CJK}]*)", re.DOTALL)  # what page.js holds for two languages
_ALT = re.compile(r"(?<=!\[)[^\]\n]*(?=\]\()")
_LINK = re.compile(r"(?<=\]\()(?P<file>[^)#\s]*)#(?P<place>[^)\s]+)(?=\))")
START = "notebook.start()"
ASKS = re.compile(r"\b(?:[Pp]redict|[Gg]uess)\b|先猜")  # words with which a reader is asked to guess


def leads_on(text: str) -> bool:
    """Whether a text ends by announcing what comes next."""
    return text.rstrip().endswith((":", "："))


def tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def two(text: str) -> Text:
    """A text such as "掩码 · The mask" in its languages; any other text is the same in both."""
    found = _TWO.fullmatch(text.strip())
    return Text(found["zh"].lstrip(), found["en"].rstrip()) if found else Text(text.strip(), text.strip())


def one(text: str, language: str) -> str:
    """A line such as "## 掩码 · The mask" in one of its languages; a text that is not of this form stays as it is."""
    lead, said = re.fullmatch(r"(#* *)(.*)", text, re.DOTALL).groups()
    return text if language == "both" or not _TWO.fullmatch(said.strip()) else lead + getattr(two(said), language)


def place(text: str, language: str) -> str:
    """The address of a heading, which is made of its words, after the heading was put into one language."""
    return one(text.replace("-", " "), language).replace(" ", "-")


def in_language(notebook, language: str):
    """A copy in one language. Code and its outputs stay: they must be what a run of the notebook yields."""
    notebook = copy.deepcopy(notebook)
    if language == "both":
        return notebook
    left_out = {{"zh": "en", "en": "zh"}[language], "switch"}  # what speaks of the switch has nothing to speak of
    notebook.cells = [cell for cell in notebook.cells if not left_out & set(tags(cell))]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if START in cell.source:
                _choose(cell, language)
        elif language not in tags(cell):
            pieces = re.split(r"(^```.*?^```)", cell.source, flags=re.DOTALL | re.MULTILINE)
            pieces[::2] = (_lines(text, language) for text in pieces[::2])  # what is between is code
            cell.source = _ALT.sub(lambda alt: one(alt[0], language), "".join(pieces))
        else:
            cell.source = _LINK.sub(lambda link: f"{link['file']}#{place(link['place'], language)}", cell.source)
    return notebook


def _lines(text: str, language: str) -> str:
    return "\n".join(line if line.startswith("![") else one(line, language) for line in text.split("\n"))


def _choose(cell, language: str) -> None:
    """The first cell says which language this notebook is in, and its output hides the other one."""
    cell.source = cell.source.replace(START, f'notebook.start("{language}")')
    for output in cell.outputs:
        _show(output, Only(language))


def _show(output, thing) -> None:
    output.data = {"text/plain": repr(thing), "text/html": thing._repr_html_()}


def _code(answer) -> str:
    return re.search(r"```python\n(.*?)\n```", answer.source, flags=re.DOTALL)[1]


def answer_lengths(notebook) -> list[int]:
    """Of each exercise, how many lines the course's own answer takes."""
    return [_code(cell).count("\n") + 1 for cell in notebook.cells if "answer" in tags(cell)]


def without_answers(notebook):
    """A copy in which no answer is left."""
    notebook = copy.deepcopy(notebook)
    notebook.cells = [cell for cell in notebook.cells if "answer" not in tags(cell)]
    return notebook


def with_answers(notebook) -> tuple[object, bool]:
    """A copy with every answer in its place, checked; and whether other cells use the answers, so that it must be run."""
    notebook = copy.deepcopy(notebook)
    answered, used, before = set(), set(), []
    for position, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        if "exercise" in tags(cell):
            check, answer = notebook.cells[position + 1 : position + 3]
            cell.source = _code(answer)
            before.append(cell.source)
            identifier = re.search(r'check\("(.*?)"\)', check.source)[1]
            answered.add(engine.find(identifier).name)
            for output in check.outputs:
                _show(output, _verdict(identifier, before))
        else:
            before.append(cell.source)
            used |= _uses(cell.source)
    return without_answers(notebook), bool(answered & used)


def _verdict(identifier: str, cells: list[str]):
    return _judge(identifier, needed(cells, engine.find(identifier).name))


@functools.lru_cache
def _judge(identifier: str, answer: str):
    """What the check says of the course's own answer: it is run, not taken for granted."""
    filename, namespace = f"<{identifier}>", {"__name__": "__main__"}
    remember(filename, answer)
    exec(compile(answer, filename, "exec"), namespace)
    return engine.judge(identifier, namespace)


def _uses(source: str) -> set[str]:
    return outside_names(ast.parse(source))

"""An exercise as a page has it: its file, as JSON, for the judge in `engine/` to do with what `course_utils.exercises` does in a notebook."""

import ast
import functools
import inspect
import json
import math
import re
import textwrap

import numpy as np
import torch

from course_utils.exercises import combining, exposing, files, scheduled
from course_utils.exercises.agreement import nearness
from course_utils.exercises.launch import UNTOUCHED
from course_utils.exercises.observe import launched, values
from course_utils.exercises.tensors import OF
from course_utils.language import Text
from course_utils.softmax import merge
from course_utils.softmax.combine import finite
from course_utils.softmax.ragged import body_of, ends_of

from .sentences import sentences

_HELPERS = {"merge": merge, "finite": finite, "body_of": body_of, "ends_of": ends_of}
_TORCH = Text(
    "这道题要用 PyTorch，网页里没有：请在笔记本里做。",
    "This exercise takes PyTorch, which a page does not have: do it in the notebook.",
)
_GPU = Text(
    "这道题要对着一块 GPU 计时，网页里没有：请在笔记本里做。",
    "This exercise takes the time of a GPU, which a page does not have: do it in the notebook.",
)
_TURNS = Text(
    "这道题要看 program 之间的每一种先后，检查只有笔记本里有：请在笔记本里做。",
    "This exercise is judged by what programs do to each other in many orders, which only the notebook looks at: do it there.",
)
_KEYS = Text(
    "这道题要用 Python 的对象来试，网页里没有：请在笔记本里做。",
    "This exercise is tried on Python's own objects, which a page does not have: do it in the notebook.",
)
_NOT_HERE = {
    **dict.fromkeys(("masked_softmax", "loss_by_words", "exposes"), _TORCH),
    "sustained_benchmark": _GPU,
    **dict.fromkeys(("last_kernel", "mended_share_kernel"), _TURNS),
    "cache_key": _KEYS,
}
_COMPILED = Text(
    "这一页不编译：笔记本还会看它编译不编译得了。",
    "A page does not compile: the notebook also sees whether the kernel compiles.",
)
_BUDGET = Text(
    "这一页不编译：笔记本还会看它编译不编译得了，要几个寄存器。",
    "A page does not compile: the notebook also sees whether the kernel compiles, and how many registers it takes.",
)


def why_not(name: str) -> tuple[str, str] | None:
    """Why a page cannot judge it; None where it can."""
    found = _NOT_HERE.get(name)
    return (found.zh, found.en) if found else None


def beyond(name: str) -> tuple[str, str] | None:
    """What the notebook looks at beside what a page does."""
    found = None if name in _NOT_HERE else files.read(name)
    if found is None or found.kind not in ("kernel", "combine"):
        return None
    said = _BUDGET if found.budget else _COMPILED
    return said.zh, said.en


@functools.cache
def exported(name: str) -> dict | None:
    """What `Live.check` takes; None where a page cannot judge it."""
    found = None if name in _NOT_HERE else files.read(name)
    if found is None:
        return None
    apart = [nearness(found, probe, "apart") for probe in found.probes]
    arrays = {key: plain(value, float) for key, value in found.arrays.items()}
    return {
        "name": found.name,
        "notebook": found.notebook,
        "kind": found.kind,
        "stub": found.stub,
        "right": found.right,
        "praise": _said(found.praise),
        "says": sentences(found.kind, "rows" in found.settings),
        "parameters": found.parameters,
        "constants": found.constants,
        "rows": "rows" in found.settings,  # it counts who did which
        "allowed": found.settings.get("allowed"),
        "writes": [words.split()[0] for words in found.settings.get("writes", "").split(", ") if words],
        "arrays": arrays,
        "helpers": _helpers(found),
        "probes": [_probe(found, probe, close, arrays) for probe, close in zip(found.probes, apart)],
        "wrong": _wrong(found),
        "laws": [[law.name, list(law.of), *_said(law.says)] for law in found.laws],
    }


def _said(text: Text) -> list[str]:
    return [text.zh, text.en]


def _probe(found, probe, apart, arrays) -> list:
    """[Chinese, English, values, how near a right result is, how near a known mistake] without the last where it is the same."""
    near = nearness(found, probe)
    given = {name: plain(value) for name, value in probe.given.items()}
    if found.kind == "kernel":
        given = _launch(found, probe, given, arrays)
    told = [probe.says.zh, probe.says.en, given, list(near)]
    return told if near == apart else [*told, list(apart)]


def _launch(found, probe, given, arrays) -> dict:
    """Every argument by name: inputs in the probe's words, outputs in words that make such a tensor, numbers; and the grid."""
    known = values(probe, found)
    arguments, constants, grid, _ = launched(known, found)
    told = {
        name: _derived(value, known[name], arrays)
        for name, value in given.items()
        if not str(value).startswith("fresh")
    }
    for words in found.settings["writes"].split(", "):
        name, *how = words.split()
        if how != ["itself"]:
            told[name] = _output(
                arguments[f"{name}_ptr"], 0 if how[-1] == "zero" else UNTOUCHED, str(given.get(name, ""))
            )
    told |= {
        name: plain(value) for name, value in {**arguments, **constants}.items() if not isinstance(value, torch.Tensor)
    }
    if any(name.endswith("_stride") for name in given):
        told["far"] = 1  # then it counts how far a program reaches
    return told | {"grid": list(grid)}


def _output(tensor, value: float, layout: str) -> str:
    shape, dtype = "x".join(map(str, tensor.shape)), str(tensor.dtype).removeprefix("torch.")
    return " ".join([shape, "all", f"{value:g}", dtype, *layout.split()[1:]])


def _derived(words, tensor, arrays: dict):
    """What another kernel would have made, "softmax of x", as an array of its own."""
    if not isinstance(words, str) or words.split()[0] not in OF:
        return words
    numbers = json.loads(json.dumps(tensor.float().tolist()), parse_float=lambda text: float(str(np.float32(text))))
    name = next((each for each, array in arrays.items() if array == numbers), f"derived{len(arrays)}")
    arrays[name] = plain(numbers, float)
    return f"{name} {str(tensor.dtype).removeprefix('torch.')}"


def _wrong(found) -> list:
    """[Chinese, English, 1 if given, [old, new, …] or a program …]: all those of which the same is said stand together."""
    told: list = []
    for diff in found.wrong:
        change = diff.whole or [each for pair in diff.changes for each in pair]
        head = [diff.says.zh, diff.says.en, int(diff.given)]
        if told and told[-1][:3] == head:
            told[-1].append(change)
        else:
            told.append([*head, change])
    return told


def plain(value, numbers=None):
    """As JSON: a float that looks like an integer there is {"f": …}, for 2.0 is not 2 in a formula; arrays hold floats anyway."""
    if isinstance(value, list):
        return [plain(each, numbers) for each in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value) if numbers else {"f": str(value)}
        return {"f": repr(value)} if value == int(value) and not numbers else value
    return value


def _helpers(found) -> str:
    """The course's own functions that the notebook has by then, and what else a kind runs."""
    spellings = [found.stub, found.right, *found.also_right, *(diff.whole or str(diff.changes) for diff in found.wrong)]
    named = {name for name in _HELPERS if re.search(rf"\b{name}\(", "\n".join(spellings))}
    if "merge" in named:
        named.add("finite")
    source = [_source(kernel) for name, kernel in _HELPERS.items() if name in named]
    if found.kind == "combine":
        source += [_source(combining._two_kernel), _source(combining._several_kernel)]
    if found.kind == "turns":
        source.append(_source(scheduled.twice_kernel))
    if found.kind == "exposing":
        source.append(exposing.ROW)
    return "\n".join(source)


def _source(kernel) -> str:
    """Its code, without what it says of itself."""
    [definition] = ast.parse(textwrap.dedent(inspect.getsource(kernel.fn))).body
    if ast.get_docstring(definition):
        del definition.body[0]
    return ast.unparse(definition) + "\n"


def names() -> list[str]:
    """All exercises of the course."""
    return [one.name for one in files.everything()]

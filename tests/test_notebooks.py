"""The conventions that make the notebooks one course: parity of languages, headings, typography, links, clean files."""

import ast
import functools
import importlib
import inspect
import re
import subprocess
import sys
import textwrap
import unicodedata

import nbformat
import pytest
from course import NOTEBOOKS, ROOT, code_cells, compared_share, is_compared, read, tags

CJK = "\u4e00-\u9fff"
NUMBER = r"(?<![\w.])\d+(?:\.\d+)?(?![\d.]*\d)"
NO_RESULTS = {1, 20, 50, 80, 100}  # per cent: "less than 1", quantiles, one half, the whole


def prose(cell) -> str:
    """A prose cell's text without its wrapper."""
    match = re.fullmatch(r'<div lang="(?:zh|en)">\n\n(.*)\n\n</div>', cell.source, flags=re.S)
    assert match, f'prose is wrapped in <div lang="…"> with blank lines inside:\n{cell.source[:80]}'
    return match[1]


def words(text: str) -> str:
    """Prose without what is not language: code, mathematics, HTML, link targets, table rules."""
    text = re.sub(r"```.*?```|\$\$.*?\$\$", "\n", text, flags=re.S)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"</?[a-z][^>]*>|\[|\]|\*\*", "", text)


def is_zh(cell) -> bool:
    return "zh" in tags(cell)


def is_en(cell) -> bool:
    return "en" in tags(cell)


def paragraphs(notebook) -> list[str]:
    return [prose(cell) for cell in notebook.cells if is_zh(cell) or is_en(cell)]


def test_every_zh_cell_has_its_en_partner_next_to_it(notebook):
    cells = notebook.cells
    for position, cell in enumerate(cells):
        if is_zh(cell):
            partner = cells[position + 1]
            assert is_en(partner), f"no English after: {cell.source[:60]}"
            zh, en = prose(cell), prose(partner)
            assert len(re.findall(f"[{CJK}]", zh)) >= 8, f"hardly any Chinese: {zh}"
            assert len(re.findall(r"[A-Za-z]+", words(en))) >= 6, f"hardly any English: {en}"
            assert not re.search(f"[{CJK}]", words(re.sub("`.*?`", "", en))), f"Chinese in the English text: {en}"
        elif is_en(cell):
            assert position and is_zh(cells[position - 1]), f"no Chinese before: {cell.source[:60]}"


def test_partners_say_the_same_about_code_and_numbers(notebook):
    """What a translation must not lose: the code, the formulas, the links and the numbers named in a paragraph."""
    zh_cells = [cell for cell in notebook.cells if is_zh(cell)]
    en_cells = [cell for cell in notebook.cells if is_en(cell)]
    for zh, en in zip(zh_cells, en_cells, strict=True):
        zh, en = prose(zh), prose(en)
        zh, en = (re.sub(r"/blob/[0-9a-f]{40}/docs/(zh|en)/", "/docs/", text) for text in (zh, en))  # two editions
        for what, pattern in {
            "display formulas": r"\$\$.*?\$\$",
            "blocks of code": r"```.*?```",
            "links": r"\]\(([^)]*)\)",
            "numbers with a point": r"(?<![\d.])\d+\.\d+(?!\d|\.\d)",
            "large numbers": r"(?<![\d.])\d{4,}(?!\d|\.\d)",
        }.items():
            found = [sorted(re.findall(pattern, text, flags=re.S)) for text in (zh, en)]
            assert found[0] == found[1], f"{what} differ:\n{zh}\n{en}"
        zh, en = (re.sub(r"```.*?```", "", text, flags=re.S) for text in (zh, en))
        for text, other in ((zh, en), (en, zh)):
            for code in re.findall(r"`([^`]+)`", text):
                assert code in other, f"`{code}` is named in one language alone:\n{text}"


def computed(notebook) -> str:
    """The code, and what its compared cells have put out."""
    found = ["\n".join(cell.source for cell in code_cells(notebook))]
    for cell in filter(is_compared, code_cells(notebook)):
        for output in cell.outputs:
            found += [output.text] if output.output_type == "stream" else [output.data.get("text/plain", "")]
    return "\n".join(found)


@functools.cache
def whole_percents(number: str) -> frozenset[int]:
    """What a notebook's computed numbers say in whole per cents; a ratio says two: 0.94 is 94 % of something, and 6 % less."""
    text = computed(next(read(path) for path in NOTEBOOKS if path.stem.startswith(number)))
    found = {round(float(percent)) for percent in re.findall(r"(\d+(?:\.\d+)?) ?%", text)}
    for ratio in re.findall(r"(?<![\w.])\d\.\d{2,}(?!\d)", text):
        found |= {round(100 * float(ratio)), round(abs(100 * float(ratio) - 100))}
    return frozenset(found)


def test_every_whole_per_cent_in_the_prose_is_computed(path, notebook):
    """In a compared cell of this notebook, or of another that the paragraph names."""
    numbers = {path.stem.split("_")[0] for path in NOTEBOOKS}
    for text in paragraphs(notebook):
        named = numbers & set(re.findall(r"(?<![\w.])(?:\d\d|A\d)(?![\w.])", text))
        known = NO_RESULTS.union(*map(whole_percents, {path.stem.split("_")[0], *named}))
        unknown = {percent for percent in re.findall(r"(?<![\d.])(\d+)%", text) if int(percent) not in known}
        assert not unknown, f"{unknown} % is computed nowhere:\n{text}"


def test_every_number_in_the_prose_stands_in_a_compared_cell(notebook):
    """A decimal fraction, a percentage or a number of four digits and more: computed, or the code's own input."""
    known = set(re.findall(NUMBER, computed(notebook).replace(",", "")))
    for said in paragraphs(notebook):
        text = re.sub(r"\[[^]]*\]\(https:[^)]*\)", " ", said)  # a source, with its year
        text = re.sub(r"`[^`]*`|(?:#\d+)?\]\([^)]*\)", " ", text).replace(",", "")
        for number in re.findall(NUMBER, text):
            if "." in number or len(number) >= 4:
                assert number in known, f"{number} is in no compared cell:\n{said}"


def listing(cell):
    """The code of a cell that shows it folded, in full: what a first reading can do without. None for any other cell."""
    folded = rf"<details(?: open)?><summary>.*[{CJK}].* · .*</summary>\n\n```python\n(.*)\n```\n\n</details>"
    return "answer" not in tags(cell) and (found := re.fullmatch(folded, cell.source, flags=re.S)) and found[1]


def test_prose_is_marked_and_headings_are_bilingual(notebook):
    for cell in notebook.cells:
        if cell.cell_type != "markdown" or is_zh(cell) or is_en(cell):
            continue
        if "answer" in tags(cell) or cell.source.startswith("![") or listing(cell):
            continue
        heading = re.fullmatch(rf"#+ (.*[{CJK}].*) · ([A-Za-z].*)", cell.source)
        assert heading, f"neither prose, heading, answer, folded listing nor picture: {cell.source[:60]}"


def test_chinese_typography(notebook):
    for cell in filter(is_zh, notebook.cells):
        text = words(prose(cell))
        text = re.sub(r"`[^`]*`", "`x`", text)
        text = re.sub(r"\$[^$]*\$", "$x$", text)
        for problem, pattern in {
            "a space is missing between Chinese and Latin text": rf"[{CJK}][A-Za-z0-9`$]|[A-Za-z0-9`$%][{CJK}]",
            "half-width punctuation after Chinese": rf"[{CJK}] ?[,;:?!.](?!\w)|[{CJK}]\(|\)[{CJK}]",
            "a space beside full-width punctuation": r"[，。；：？！、（）“”] (?!\|)|(?<!\|) [，。；：？！、）”]",
        }.items():
            # A code span opens and closes with the same mark: judge only what stands outside of it.
            outside = re.sub(r"(`x`|\$x\$)", "Q", text)
            assert not (found := re.search(pattern, outside)), (
                f"{problem}: …{outside[max(0, found.start() - 10) : found.end() + 10]}…"
            )


def loose_bold(text: str) -> list[str]:
    """Where ** stays on the page as two asterisks, by CommonMark's rule: between a mark and a letter they neither open nor close.

    `**好。**然后` shows its asterisks; `**好**。然后` does not.
    """
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    text = re.sub(r"\$[^$]*\$", "$x$", re.sub(r"`[^`]*`", "`x`", text))

    def mark(letter):
        return unicodedata.category(letter)[0] in "PS"

    found = []
    for block in re.split(r"\n\s*\n|\n(?=[-|>]|\d+\.)", text):
        runs = list(re.finditer(r"\*\*", block))
        for number, run in enumerate(runs):
            before, after = (" " + block)[run.start()], (block + " ")[run.end()]
            inside, outside = (before, after) if number % 2 else (after, before)
            if inside.isspace() or mark(inside) and not (outside.isspace() or mark(outside)):
                found.append(block[max(0, run.start() - 12) : run.end() + 8])
        if len(runs) % 2:
            found.append(block[:60])
    return found


def test_bold_never_shows_its_asterisks(notebook):
    assert not [bold for cell in notebook.cells if cell.cell_type == "markdown" for bold in loose_bold(cell.source)]


@pytest.mark.parametrize("name", ["README.md", "GLOSSARY.md", "TEACHING.md", "CONTRIBUTING.md", "HARDWARE.md"])
def test_bold_in_a_document_never_shows_its_asterisks(name):
    assert not loose_bold((ROOT / name).read_text())


def test_links_and_pictures_resolve(notebook, path):
    """Prose may link to its sources; nothing is fetched at run time: pictures are files of the course, and there are no scripts."""
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        assert "<script" not in cell.source
        for target in re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", cell.source):
            name = "".join(target).partition("#")[0]
            if name.startswith("https://"):
                fetched = re.search(rf"!\[[^\]]*\]\({re.escape(name)}|src=[\"']{re.escape(name)}", cell.source)
                assert not fetched and (is_zh(cell) or is_en(cell)), f"no network at run time: {name}"
            elif name:
                assert not name.startswith("http:"), name
                assert (path.parent / name).exists(), name


def test_metadata_is_clean(notebook):
    assert set(notebook.metadata) == {"course", "kernelspec", "language_info"}
    assert notebook.metadata.language_info == {"name": "python"}
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags", "slideshow", "jupyter"}
        assert "attachments" not in cell
        for output in cell.get("outputs", []):
            assert not output.get("metadata")
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})


def test_stored_outputs_come_from_one_clean_run(notebook):
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    for cell in code_cells(notebook):
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", cell.source


def test_the_first_code_cell_is_the_switch(notebook):
    assert code_cells(notebook)[0].source == "from course_utils import notebook\n\nnotebook.start()"


def test_code_cells_are_short(notebook):
    lengths = sorted(len(cell.source.splitlines()) for cell in code_cells(notebook))
    assert lengths[len(lengths) // 2] <= 5
    longest = {True: 60, False: 30}  # a kernel that the course launches is shown whole
    for cell in code_cells(notebook):
        assert len(cell.source.splitlines()) <= longest[cell.source.startswith("@triton.jit")], cell.source


def test_at_least_90_percent_of_outputs_are_compared(notebook):
    compared, outputs = compared_share(notebook)
    assert outputs >= 5
    assert compared / outputs >= 0.9


def test_what_is_folded_away_is_plumbing_or_an_answer(notebook):
    """Code is hidden where it only fetches and shows; a result where a reader was asked to guess it first, or where it backs
    what is folded away in the text above it."""
    asked = None
    for cell in notebook.cells:
        folds = cell.metadata.get("jupyter", {})
        assert set(folds) <= {"source_hidden", "outputs_hidden"} and all(folds.values())
        if is_en(cell):
            asked = re.search("[Pp]redict|Before you look|^<details>", prose(cell))
        elif cell.cell_type == "code":
            asked = asked or cell.source.startswith("predict(")
            assert cell.outputs or "outputs_hidden" not in folds, cell.source
            assert asked or "outputs_hidden" not in folds, f"nobody was asked to guess: {cell.source}"
            assert "source_hidden" not in folds or "@triton.jit" not in cell.source, f"a kernel: {cell.source}"


def test_each_notebook_asks_and_checks(notebook):
    code = "\n".join(cell.source for cell in code_cells(notebook))
    assert re.search(r"\bcheck\(", code) and re.search(r"\bpredict\(", code)


@pytest.mark.slow
def test_a_run_of_nbval_fails_on_changed_outputs(tmp_path):
    """Through `pytest --nbval` itself, so that a wrong flag or tag would show: each changed cell fails, no other."""
    source = read(min(NOTEBOOKS, key=lambda path: path.stat().st_size))
    changed = [position for position, cell in enumerate(code_cells(source)) if is_compared(cell)][1::2]
    for position in changed:
        for output in code_cells(source)[position].outputs:
            held, key = (output, "text") if output.output_type == "stream" else (output.data, "text/plain")
            if key in held:
                held[key] = "?" + held[key]
    nbformat.write(source, tmp_path / "changed.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run([*command, "changed.ipynb"], cwd=tmp_path, capture_output=True, text=True, timeout=240)
    failed = sorted({int(number) for number in re.findall(r"^FAILED .*::Cell (\d+)", run.stdout, flags=re.M)})
    assert failed == changed, run.stdout[-3000:]


def test_a_notebook_shows_the_very_code_the_package_holds(notebook, path):
    """Where a notebook shows code that `course_utils.softmax` or `attention` also holds, the two are the same syntax tree."""

    def body(tree):
        function = tree.body[0]
        if isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant):
            function.body.pop(0)
        function.returns, function.args = None, [argument.arg for argument in function.args.args]
        return [ast.dump(node) for node in function.body]

    # What is taught and not among the names of the package; 11 has a tile kernel of its own.
    taught = ("two_passes", "steps", "team", "split", "tile")
    named = ["attention"] if path.stem.startswith("11") else [*(f"softmax.{file}" for file in taught), "softmax"]
    timed = {
        "02": "measurements.copying",
        "06": "measurements.answers",
        "09": "measurements.sharing",
        "12": "measurements.sharded",
    }
    named += [timed[path.stem[:2]]] if path.stem[:2] in timed else []
    holders = [importlib.import_module(f"course_utils.{name}") for name in named]
    shown = 0
    for cell in notebook.cells:
        code = cell.source if cell.cell_type == "code" and "exercise" not in tags(cell) else listing(cell)
        for node in ast.parse(code or "").body:
            if not isinstance(node, ast.FunctionDef):
                continue
            found = (getattr(holder, node.name, None) for holder in holders)
            held = next((each for each in found if each and not inspect.ismodule(each)), None)
            if held:
                held = ast.parse(textwrap.dedent(inspect.getsource(getattr(held, "fn", held))))
                assert body(ast.Module([node], [])) == body(held), node.name
                shown += 1
    assert shown or path.stem[:2] in ("A1", "A2")

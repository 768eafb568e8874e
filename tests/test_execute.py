"""How notebooks are executed and stored: what a run adds by chance goes, what somebody chose stays."""

import nbformat
from course import read

from course_tools.execute import execute


def test_slide_types_stay_and_what_a_cell_printed_is_one_piece(tmp_path):
    cells = [
        nbformat.v4.new_markdown_cell("# 题目 · Title", metadata={"slideshow": {"slide_type": "slide"}}),
        nbformat.v4.new_code_cell("1 + 1", metadata={"slideshow": {"slide_type": "fragment"}}),
        nbformat.v4.new_code_cell("print('a')\nprint('b')"),
    ]
    path = tmp_path / "00_small.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    execute(path)
    made = read(path)
    assert [cell.metadata.get("slideshow", {}).get("slide_type") for cell in made.cells] == ["slide", "fragment", None]
    assert made.cells[1].outputs[0].data["text/plain"] == "2" and made.cells[2].outputs[0].text == "a\nb\n"

"""A table of numbers, in a notebook and in a terminal."""

import pytest

from course_utils.table import Table


def numbers():
    table = Table("级 · stages", "GB/s")
    table.add(1, "1,000")
    table.add("很多 · a < b", "2")
    return table


def test_the_text_is_aligned_and_carries_both_languages():
    assert repr(numbers()).splitlines() == [
        "级 · stages    GB/s",
        "1             1,000",
        "很多 · a < b      2",
    ]


def test_the_html_obeys_the_switch_and_escapes():
    html = numbers()._repr_html_()
    assert (
        '<th scope="col"><span lang="zh">级</span><span class="course-both"> · </span><span lang="en">stages</span></th>'
        in html
    )
    assert '<th scope="col">GB/s</th>' in html and "<td>1,000</td>" in html
    assert '<span lang="en">a &lt; b</span>' in html


def test_a_head_that_says_nothing_is_no_head():
    """A screen reader would announce it."""
    assert "<thead><tr><td></td><th" in Table("", "µs")._repr_html_()


def test_a_line_with_a_cell_too_few_says_so_in_both_languages():
    with pytest.raises(ValueError, match="(?s)2 列.*2 columns"):
        numbers().add("alone")

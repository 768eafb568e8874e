"""Two languages, one switch."""

from course_utils.language import Text, blocks, both, spans
from course_utils.notebook import Switch


def test_both_languages_travel_together():
    text = Text("甲<乙", "a<b")
    assert str(text) == both("甲<乙", "a<b") == "甲<乙\na<b"
    assert text._repr_html_() == blocks("甲&lt;乙", "a&lt;b")
    assert spans("甲", "a") == '<span lang="zh">甲</span><span class="course-both"> · </span><span lang="en">a</span>'
    assert spans("NaN", "NaN") == "NaN"


def test_the_switch_offers_three_positions():
    html = Switch()._repr_html_()
    assert html.count('type="radio"') == 3 and " checked>" not in html
    assert 'const asked = ""' in html and 'const asked = "en"' in Switch("en")._repr_html_()
    assert 'value="en" checked' in Switch("en")._repr_html_()
    assert " checked>" not in Switch("klingon")._repr_html_()
    assert repr(Switch()) == "中文 | English | 中文 + English"

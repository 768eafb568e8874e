"""The glossary: whole, current, and linked to."""

import re

from course import NOTEBOOKS, ROOT, read, tags

from course_tools.contents import entries
from course_tools.glossary import page
from course_utils.glossary import GLOSSARY


def test_the_page_is_current_and_the_core_links_to_it():
    assert (ROOT / "GLOSSARY.md").read_text() == page(entries()), "run `make derive`"
    for path in NOTEBOOKS:
        for language in ("zh", "en"):
            cells = [cell.source for cell in read(path).cells if language in tags(cell)]
            assert any("](../GLOSSARY.md)" in source for source in cells), path.stem


def test_terms_are_whole_and_named_once():
    terms = [term for group in GLOSSARY.values() for term in group]
    for language in ("zh", "en"):
        names = [getattr(term.name, language) for term in terms]
        assert len(set(names)) == len(names)
    for term in terms:
        assert re.search("[\u4e00-\u9fff]", term.says.zh) and term.says.zh.endswith("。") and term.says.en.endswith(".")
        assert len(re.findall(r"\w+", term.says.en)) <= 30, f"more than a sentence or two: {term.name.en}"
        assert re.fullmatch(r"\d\d|A\d", term.taught) and term.cuda


def test_the_words_of_the_field_are_in_it():
    names = " ".join(f"{term.name.zh} {term.name.en}" for group in GLOSSARY.values() for term in group)
    for word in ("延迟", "在途字节", "合并访存", "占用率", "尾部效应", "特化", "自动调优", "访存受限", "latency", "warp", "lane",
                 "wave quantization", "coalesced access", "bytes in flight", "occupancy", "specialization", "autotuning",
                 "persistent kernel", "deadlock", "data race", "register spill", "launch overhead"):  # fmt: skip
        assert word in names, word

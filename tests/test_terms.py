"""One word for one thing: the field's. The private words of the first edition stay out of whatever is in its second."""

import ast
import re

import pytest
from course import NOTEBOOKS, ROOT, code_cells, read, tags

from course_tools.contents import entries
from course_tools.glossary import page
from course_utils.glossary import GLOSSARY

# What stands in neither language's text, with what to write instead.
ZH = {
    "下单": "发起（异步拷贝）",
    "受带宽限制": "访存受限",
    "靠人多": "隐藏延迟",
    "通气": "交换中间结果",
    "流传": "点名，给链接",
    "好说话": "恰好不吃亏",
    "治好": "解决",
    "重量一次": "重新测一次",
    "不是这个，就是那个": "非此即彼",
    "拦住了路|手里拿着": "卡在哪种硬件资源上；此刻是什么值",
    "warp ?位|程序位": "最多驻留的 warp / program 数",
    "(?<!流式)多处理器": "SM",
    "二级缓存": "L2 缓存",
    r"(?<!Jupyter )内核": "kernel",
    r"(?:个|每|号)程序": "program",
    "DRAM": "显存",
}
EN = {
    "order(?:ed)? (?:ahead|before)": "issue an async copy, prefetch",
    "widely copied|famous formula|one often hears": "name it and link it",
    "the dearest": "the most expensive",
    "in company": "latency hiding",
    r"\bin hand\b": "in flight",
    "ours to say": "you choose",
    "how many times as many|the least one can do": "a plain question",
    "of no use, but no harm": "useless but harmless",
    r"(?<!streaming )\bmultiprocessor": "SM",
    r"\bDRAM\b": "memory; the counters' names are dram__…",
}
LANGUAGES = {"zh": ZH, "en": EN}

PAGES = ("README.md", "TEACHING.md", "GLOSSARY.md")


def found(text: str, languages=("zh", "en")) -> list[str]:
    """The private words in a text. Titles of notebooks are the notebooks' own, and what is quoted is somebody else's."""
    text = re.sub(r"\[[^\]]*\]\([^)]*\.ipynb[^)]*\)|`[^`]*`|<!-- (\w+) -->.*?<!-- /\1 -->", " ", text, flags=re.S)
    return [
        f"{match[0]!r} → {instead}"
        for language in languages
        for pattern, instead in LANGUAGES[language].items()
        for match in re.finditer(pattern, text)
    ]


def told_by(notebook) -> list[str]:
    """Its prose, and what its cells print: not the ledger's table, whose words stand in every notebook."""
    texts = [cell.source for cell in notebook.cells if {"zh", "en"} & set(tags(cell)) and "contents" not in tags(cell)]
    for cell in code_cells(notebook):
        for output in cell.outputs:
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            if "operation" not in text and "Metric Name" not in text:  # that is the ledger's table, this ncu's
                texts.append(text)
    return texts


def labels(path) -> list[str]:
    """The texts in a module's code, without its documentation."""
    tree = ast.parse(path.read_text())
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    silent = {
        id(n.body[0].value) for n in ast.walk(tree) if isinstance(n, documented) and isinstance(n.body[0], ast.Expr)
    }
    return [
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in silent
    ]


CODE = sorted(path for room in ("figures", "explorers") for path in (ROOT / "course_utils" / room).glob("[!_]*.py"))


def place(path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_uses_the_fields_words(path):
    assert not [word for text in told_by(read(path)) for word in found(text)]


@pytest.mark.parametrize("path", CODE, ids=place)
def test_labels_use_the_fields_words(path):
    assert not [word for text in labels(path) for word in found(text)]


@pytest.mark.parametrize("name", PAGES)
def test_pages_use_the_fields_words(name):
    assert not found((ROOT / name).read_text())


# The glossary.


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

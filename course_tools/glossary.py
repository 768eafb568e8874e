"""GLOSSARY.md, written from `course_utils.glossary`: tables in both languages, readable on GitHub and in JupyterLab."""

from course_utils.glossary import GLOSSARY

from .contents import Entry

HEAD = """# 词汇表 · Glossary

课程里的主要术语：中文、英文、CUDA 的叫法、一句话，以及在哪一本里讲。拿着这些词，就能去查厂商的手册。
The main terms of the course: in Chinese, in English, what CUDA calls it, one sentence, and the notebook that teaches it. With these words you can look things up in the vendors' manuals.
"""


def page(found: list[Entry]) -> str:
    names = {entry.number: entry.path.name for entry in found}
    parts = [HEAD]
    for heading, terms in GLOSSARY.items():
        rows = ["| 中文 | English | CUDA | 一句话 · In one sentence | |", "|---|---|---|---|---|"]
        for term in terms:
            where = f"[{term.taught}](notebooks/{names[term.taught]})" if term.taught in names else term.taught
            says = f"{term.says.zh}<br>{term.says.en}"
            rows.append(f"| **{term.name.zh}** | **{term.name.en}** | {term.cuda} | {says} | {where} |")
        parts.append(f"## {heading.zh} · {heading.en}\n\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)

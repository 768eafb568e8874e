"""A notebook as a web page that needs nothing else: no network, no other file, no font; readable on a phone.

Its steppers, explorers and predictions play (`course_tools.player`); with no script they are still pictures and fold-outs."""

import re
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup
from latex2mathml.converter import convert
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from course_utils.language import spans

from .. import look
from ..gallery import on_a_page
from ..player import bring_to_life
from .select import one, two

TEMPLATES = Path(__file__).parent / "templates"
_ON_ONE_LINE = 20  # letters of code in the text that are never broken: -inf, x_ptr + 1
_INDENT = re.compile("(?:<[^>]*>)*( *)")
_UPRIGHT = re.compile(r'(?:<mi mathvariant="normal">[^<]</mi>)+')


def formula(latex: str, display: str) -> str:
    """A formula as MathML, which browsers and screen readers read without a script."""
    word = lambda run: f"<mi>{re.sub('<[^>]*>', '', run[0])}</mi>"  # noqa: E731  `softmax` is one word, not seven letters
    return _UPRIGHT.sub(word, convert(latex, display=display))


class _Renderer(IPythonRenderer):
    def block_math(self, body):
        return formula(body, "block")

    def inline_math(self, body):
        return formula(body, "inline")


class Formulas:
    """For nbconvert's exporters: formulas become MathML, where nbconvert would fetch MathJax from the network."""

    def markdown2html(self, source):
        return MarkdownWithMath(
            renderer=_Renderer(escape=False, exclude_anchor_links=self.exclude_anchor_links)
        ).render(source)


class PageExporter(Formulas, HTMLExporter):
    pass


def title(notebook) -> str:
    return next(cell.source.lstrip("# ") for cell in notebook.cells if cell.source.startswith("# "))


def tidy(soup: BeautifulSoup, language: str) -> None:
    """What a browser forgives and a page should not need forgiven; and one language, where one was asked for."""
    for image in soup.select('body img[src^="images/"]'):
        image.find_parent("p").replace_with(BeautifulSoup(on_a_page(Path(image["src"]).stem), "html.parser"))
    for comment in soup.select(".highlight .c1"):
        before, _, said = comment.get_text().partition("# ")
        if (text := two(said)).zh != text.en:
            comment.clear()
            comment.append(f"{before}# ")
            comment.append(BeautifulSoup(spans(escape(text.zh), escape(text.en)), "html.parser"))
    if language != "both":
        other = {"zh": "en", "en": "zh"}[language]
        for element in soup.select(f'body [lang="{other}"], .course-both'):
            element.decompose()
        for element in soup.select("body :is([alt], [aria-label], [title])"):
            for name in {"alt", "aria-label", "title"} & set(element.attrs):
                element[name] = one(element[name], language)
        for cell in soup.select(f".jp-Cell:has(.course-only-{language})"):
            cell.decompose()
    for memory in soup.select(".jp-Cell script:not(.player script), .course-switch-untrusted"):
        memory.decompose()  # of the switch: its rules suffice here
    styles = {style.get_text(): style.extract() for style in soup.select("body style")}
    for style in reversed(styles.values()):  # before the page's own, which have the last word
        soup.head.style.insert_before(style)
    for head in soup.select("body th"):
        if not head.get_text(strip=True):
            head.name = "td"  # an empty corner heads nothing
    for table in soup.select("body table, body img.course-picture"):  # what scrolls, without the text around it
        if not table.find_parent(class_="wide"):
            table.wrap(soup.new_tag("div", attrs={"class": "wide"}))
    for paragraph in soup.select("body p:has(> img:only-child)"):
        paragraph.name, paragraph["class"] = "div", "wide"
    for code in soup.select("body code:not(pre code)"):
        if len(code.get_text()) <= _ON_ONE_LINE:
            code["class"] = [*code.get("class", []), "short"]
    for link in soup.select("body a[href]"):
        address, hash, place = link["href"].partition("#")
        if address.endswith(".ipynb") and ":" not in address:
            link["href"] = f"{address.removesuffix('.ipynb')}.html{hash}{place}"


def in_lines(soup: BeautifulSoup) -> None:
    """Each line of code is an element of its own, and knows where it goes on if it is too long."""
    for pre in soup.select(".highlight pre"):
        lines = (
            f'<span class="line" style="--in:{len(_INDENT.match(line)[1]) + 4}ch">{line}\n</span>'
            for line in pre.decode_contents().rstrip("\n").split("\n")
        )
        pre.replace_with(BeautifulSoup(f"<pre>{''.join(lines)}</pre>", "html.parser"))


def soup_of(notebook, language: str, exporter=PageExporter, template: str = "course_page", **more) -> BeautifulSoup:
    """A notebook as `template` has it, where `more` stands beside what every page of the course needs or in its place."""
    settings = {
        "extra_template_basedirs": [str(TEMPLATES)],
        "exclude_input_prompt": True,
        "exclude_output_prompt": True,
        "language_code": "en" if language == "en" else "zh",
    }
    resources = {
        "title": title(notebook),
        "language": language,
        "style": look.style(),
        "start": look.start(),
        "script": look.script(),
    }
    made = exporter(template_name=template, **settings).from_notebook_node(bring_to_life(notebook), resources | more)
    soup = BeautifulSoup(made[0], "html.parser")
    tidy(soup, language)
    return soup

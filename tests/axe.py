"""What is wrong with a page: its HTML, what it would fetch, and what a person with a screen reader or weak eyes cannot use."""

import collections
import re

import html5lib
import pytest
from bs4 import BeautifulSoup

CONTRAST = "color-contrast"  # by far the slowest rule, and the only one that a theme can break
# What is still fading in has no contrast yet. reveal.js's arrow beckons for 100 s: nobody waits for that.
RUN = """async ([within, options]) => {
    const ends = a => a.effect.getComputedTiming().endTime < 10000
    await Promise.all(document.getAnimations().filter(ends).map(a => a.finished.catch(() => {})))
    return (await axe.run(within || document, options)).violations
}"""


def faults(page, *, within=None, only=None, without=None) -> list[str]:
    """Every violation of any impact, and where: `within` a part of the page, of one rule `only`, or of all but one."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    options = {"resultTypes": ["violations"]}
    if only:
        options["runOnly"] = {"type": "rule", "values": [only]}
    if without:
        options["rules"] = {without: {"enabled": False}}
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe.axe_script)
    found = page.evaluate(RUN, [within, options])
    return [f"{each['id']} ({each['impact']}): {node['html'][:160]}" for each in found for node in each["nodes"]]


def sound(html: str) -> BeautifulSoup:
    """A page that is valid and fetches nothing (a source may be linked: whoever follows the link fetches it)."""
    parser = html5lib.HTMLParser()
    parser.parse(html)
    assert parser.errors == [], parser.errors[:3]
    soup = BeautifulSoup(html, "html.parser")
    ids = collections.Counter(element["id"] for element in soup.select("[id]"))
    assert not [name for name, count in ids.items() if count > 1]
    assert all(image.get("alt") for image in soup.select("img"))
    fetching = re.sub(r'<a [^>]*href="https://', "<a ", html)
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//|url\((?!"?data:)""", fetching)
    return soup


# Everything that a reader can make appear: each question answered, each fold opened, each control moved.
USE_ALL = """async () => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    for (const field of document.querySelectorAll('fieldset')) field.querySelector('.card').click();
    for (const input of document.querySelectorAll('.dials input[type=range]')) {
        input.value = input.value === '0' ? 1 : 0;
        input.dispatchEvent(new Event('input'));
        await new Promise(requestAnimationFrame);
    }
}"""

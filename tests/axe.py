"""axe-core on what the browser shows: what of it a person with a screen reader, a keyboard or weak eyes cannot use."""

import pytest

CONTRAST = "color-contrast"  # by far the slowest rule, and the only one that a theme can break


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
    run = "async ([within, options]) => (await axe.run(within || document, options)).violations"
    found = page.evaluate(run, [within, options])
    return [f"{each['id']} ({each['impact']}): {node['html'][:160]}" for each in found for node in each["nodes"]]


def faults_of_what_is_visible(page, selector: str) -> set[str]:
    """The same of the parts that are laid out at present. A picture that matplotlib drew has no words: that is not asked."""
    faults(page, within="body", only="html-has-lang")  # brings axe
    look = """async selector => {
        const include = [...document.querySelectorAll(selector)].filter(e => e.getClientRects().length);
        const exclude = [...document.querySelectorAll('img[src^="data:image/png"]')];
        return include.length ? (await axe.run({include, exclude}, {resultTypes: ['violations']})).violations : [] }"""
    return {f"{each['id']}: {node['html'][:160]}" for each in page.evaluate(look, selector) for node in each["nodes"]}


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

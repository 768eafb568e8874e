"""axe-core on what the browser shows: what of it a person with a screen reader, a keyboard or weak eyes cannot use."""

import pytest


def faults(page) -> list[str]:
    """Every violation of any impact, and where."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']} ({each['impact']}): {node['html'][:160]}" for each in found for node in each["nodes"]]


# Everything that a reader can make appear: each question answered, each fold opened, each control moved.
USE_ALL = """async () => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    for (const field of document.querySelectorAll('fieldset')) {
        field.querySelector('input').click();
        field.querySelector('button').click();
    }
    for (const input of document.querySelectorAll('.dials input[type=range]')) {
        input.value = input.value === '0' ? 1 : 0;
        input.dispatchEvent(new Event('input'));
        await new Promise(requestAnimationFrame);
    }
}"""

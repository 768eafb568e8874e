"""A question's options as cards to click: each is HTML, with a button over it that the mouse, the keyboard and a screen reader find."""

from html import unescape
from re import sub

from ..language import spans

STYLE = """<style>
.course-question { max-width: 960px; }
.course-cards { display: grid !important; grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr)); gap: 8px; margin: 4px 0 8px; overflow: visible; }
.course-card { position: relative; overflow: visible; margin: 0; border: 1.5px solid var(--jp-border-color1, #999); border-radius: 8px; }
.course-card .widget-html { margin: 0; width: auto; height: auto; }
.course-card .course-option { display: grid; grid-template-columns: 2em 1fr 1.2em; gap: 8px; align-items: center; min-height: 54px; padding: 6px 14px; font-size: 16px; line-height: 1.4; box-sizing: border-box; white-space: normal; }
.course-card .course-option b { display: grid; place-items: center; width: 2em; height: 2em; border-radius: 50%; background: var(--jp-layout-color2, #eee); }
.course-card .widget-button { position: absolute; inset: 0; width: auto; height: auto; margin: 0; background: none; color: transparent; border-radius: 8px; cursor: pointer; overflow: hidden; }
.course-card .widget-button:disabled { cursor: default; opacity: 0; }
.course-card:has(.widget-button:hover:enabled) { border-color: var(--jp-brand-color1, #1976d2); background: var(--jp-layout-color2, #eee); }
.course-card:has(.widget-button:focus-visible) { outline: 3px solid var(--jp-brand-color1, #1976d2); outline-offset: 1px; }
.course-card.right { border-color: #009e73; background: rgba(0, 158, 115, .14); } .course-card.right .course-option::after { content: "✓"; font-weight: 700; }
.course-card.wrong { border-color: #d55e00; background: rgba(213, 94, 0, .14); } .course-card.wrong .course-option::after { content: "✗"; font-weight: 700; }
.course-card.other { opacity: .65; }
.course-question .course-told { max-width: 600px; padding-left: 12px; border-left: 4px solid #009e73; font-size: 16px; line-height: 1.65; }
.course-question .course-told.wrong { border-color: #d55e00; }
</style>"""


def cards(letters: str, options: list[str], right: int, feedback):
    """`options` are HTML; `feedback(k)` is what is said to whoever chose the k-th."""
    import ipywidgets as widgets

    told = widgets.HTML()
    found = []

    def choose(chosen: int) -> None:
        for k, card in enumerate(found):
            card.children[1].disabled = True
            card.add_class("right" if k == right else "wrong" if k == chosen else "other")
        told.value = f'<div class="course-told {"right" if chosen == right else "wrong"}">{feedback(chosen)}</div>'
        box.remove_class("course-open")

    for k, (letter, option) in enumerate(zip(letters, options)):
        shown = widgets.HTML(f'<div class="course-option"><b>{letter}</b><span>{option}</span></div>')
        button = widgets.Button(description=f"{letter}: {unescape(sub('<[^>]+>', '', option))}")
        button.on_click(lambda _, k=k: choose(k))
        card = widgets.Box([shown, button])
        card.add_class("course-card")
        found.append(card)
    shelf = widgets.Box(found)
    shelf.add_class("course-cards")
    asked = widgets.HTML(
        f"{STYLE}<b>{spans('先猜：选一个，下文才出现', 'Predict: choose one, and the text goes on')}</b>"
    )
    box = widgets.VBox([asked, shelf, told])
    for name in ("course-question", "course-open"):
        box.add_class(name)
    return box

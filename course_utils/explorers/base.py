"""The one mechanism of every explorer: a picture, and controls below it that it follows, and a still for where nothing is live."""

import html

import ipywidgets as widgets

from ..figures.picture import Picture
from ..language import spans

_INPUT = widgets.Layout(width="240px", flex="0 1 auto")


class Explorer:
    """Controls and the picture that `draw` makes of their values.

    A notebook shows it live; an exported page, GitHub and nbval see the still picture of the starting values and its
    description. `draw` takes the controls' names as keyword arguments and returns a `Picture`.
    """

    def __init__(self, draw, **controls: widgets.Widget):
        self._draw = draw
        self.controls = controls
        self.view = widgets.HTML()
        row = widgets.Layout(flex_flow="row wrap", align_items="flex-end", grid_gap="6px 24px")
        self.widget = widgets.VBox([self.view, widgets.Box([*map(_control, controls.values())], layout=row)])
        for control in controls.values():
            control.observe(self.redraw, names="value")
        self.redraw()

    @property
    def values(self) -> dict:
        return {name: control.value for name, control in self.controls.items()}

    def picture(self) -> Picture:
        """The picture of the controls' present values."""
        return self._draw(**self.values)

    def redraw(self, _change=None) -> None:
        try:
            self.view.value = self.picture().inline()
        except (ValueError, LookupError, RuntimeError) as error:  # values that do not go together: say so here
            self.view.value = f'<pre role="alert">{html.escape(str(error))}</pre>'

    def __repr__(self) -> str:
        return str(self.picture())

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        still = self.picture()._repr_mimebundle_()
        live = self.widget._repr_mimebundle_()
        # a widget's own text/plain names its Python object: the picture's description says more, and never changes
        return {**live, **still}


def _number(kind, zh, en, value, low, high, step):
    """A slider that reaches as far as the value it starts from."""
    return kind(value=value, min=min(low, value), max=max(high, value), step=step, **_named(zh, en))


def _named(zh: str, en: str) -> dict:
    """A name in both languages: the control keeps it as its tooltip, `_control` shows it."""
    return {"tooltip": f"{zh} · {en}", "layout": _INPUT}


def _control(control: widgets.Widget) -> widgets.VBox:
    """The control below its name. JupyterLab strips `lang` from a widget's own description, so the name is HTML."""
    zh, en = map(html.escape, control.tooltip.split(" · "))
    name = widgets.HTML(f'<div style="line-height:1.3">{zh if zh == en else spans(zh, en)}</div>')
    shown = [control] + ([control.player] if hasattr(control, "player") else [])
    return widgets.VBox([name, widgets.HBox(shown)], layout=widgets.Layout(max_width="100%"))


def slider(zh: str, en: str, value: int, low: int, high: int, step: int = 1) -> widgets.IntSlider:
    return _number(widgets.IntSlider, zh, en, value, low, high, step)


def film(zh: str, en: str, value: int, low: int, high: int, milliseconds: int) -> widgets.IntSlider:
    """A slider that can also play by itself, from its low end to its high end."""
    control = slider(zh, en, value, low, high)
    control.player = widgets.Play(min=low, max=high, value=value, interval=milliseconds, show_repeat=False)
    control.player.layout.width = "80px"
    widgets.jslink((control.player, "value"), (control, "value"))
    return control


def dial(zh: str, en: str, value: float, low: float, high: float, step: float) -> widgets.FloatSlider:
    return _number(widgets.FloatSlider, zh, en, value, low, high, step)


def steps(zh: str, en: str, value, options) -> widgets.SelectionSlider:
    """A slider over given values, such as powers of two."""
    return widgets.SelectionSlider(value=value, options=list(options), **_named(zh, en))


def choice(zh: str, en: str, value, options) -> widgets.Dropdown:
    """One of several; options are values, or (label, value) pairs with the label in both languages."""
    return widgets.Dropdown(value=value, options=list(options), **_named(zh, en))


def switch(zh: str, en: str, value: bool) -> widgets.Checkbox:
    return widgets.Checkbox(value=value, indent=False, **_named(zh, en))

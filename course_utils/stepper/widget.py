"""The controls of the stepper: play, previous, next and a slider, around the picture of a step."""

import ipywidgets as widgets

from ..language import spans


def build(start: int, count: int, picture_of) -> widgets.VBox:
    """`picture_of(step)` is the HTML of one of `count` steps."""
    last = count - 1
    picture = widgets.HTML(picture_of(start), layout=widgets.Layout(width="100%", margin="0"))
    label = widgets.HTML(f'<span style="padding-left:14px">{spans("步", "step")}</span>')
    slider = widgets.IntSlider(start, 0, last, layout=widgets.Layout(width="300px"))
    play = widgets.Play(value=start, min=0, max=last, interval=900, show_repeat=False)
    back = widgets.Button(icon="step-backward", tooltip="上一步 · previous step", layout=widgets.Layout(width="44px"))
    forth = widgets.Button(icon="step-forward", tooltip="下一步 · next step", layout=widgets.Layout(width="44px"))
    widgets.jslink((play, "value"), (slider, "value"))

    def move(by: int) -> None:
        slider.value = min(max(slider.value + by, 0), last)

    def draw(change) -> None:
        picture.value = picture_of(change["new"])

    back.on_click(lambda _: move(-1))
    forth.on_click(lambda _: move(1))
    slider.observe(draw, names="value")
    return widgets.VBox([widgets.HBox([back, play, forth, label, slider]), picture])


class Moving:
    """Steps to move through: the picture of the one it is opened at, and in a notebook the controls around it."""

    start: int  # beside `__len__`, and `picture(index)`, which is HTML

    def still(self) -> str:
        """The picture of the step it is opened at."""
        return self.picture(self.start)

    def widget(self) -> widgets.VBox:
        return build(self.start, len(self), self.picture)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        # Where no kernel answers (an exported page, GitHub) the still picture remains; the text has nothing that varies.
        return {**self.widget()._repr_mimebundle_(), "text/plain": repr(self), "text/html": self.still()}

"""What a check says, as a page and as text."""

import html
from dataclasses import dataclass

from ..language import Text, blocks, code
from ..worker.message import cut

MOST = 3000  # characters: some of them may be the learner's


@dataclass(frozen=True)
class Verdict:
    """`status` is "not yet", "right", "wrong" or "unjudged"."""

    status: str
    text: Text

    _LOOK = {
        "not yet": ("…", "还没有", "Not yet", "#8a6d00"),
        "right": ("✓", "对了", "Right", "#1b7f4d"),
        "wrong": ("✗", "还不对", "Not right yet", "#b3541e"),
        "unjudged": ("?", "没能判断", "Could not judge", "#5b5b5b"),
    }

    def __post_init__(self):
        object.__setattr__(self, "text", Text(cut(self.text.zh, MOST), cut(self.text.en, MOST)))

    def __repr__(self) -> str:
        mark, zh, en, _ = self._LOOK[self.status]
        return f"{mark} {zh}：{self.text.zh}\n{mark} {en}: {self.text.en}"

    def _repr_html_(self) -> str:
        mark, zh, en, color = self._LOOK[self.status]
        said = [code(html.escape(text).replace("\n", "<br>")) for text in (self.text.zh, self.text.en)]
        body = blocks(f"<b>{mark} {zh}</b>　{said[0]}", f"<b>{mark} {en}</b>&emsp;{said[1]}")
        return f'<div role="status" style="border-left:4px solid {color};padding:6px 12px;line-height:1.6">{body}</div>'

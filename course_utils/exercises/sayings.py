"""What a check says, as a table of plain text: a key, a line of Chinese, a line of English, an empty line. ⏎ starts a new line."""

import re

from ..language import Text

# Tables say "{rows} rows"; of one there is no plural.
_ONE = re.compile(r"(?<![\d.,\-])1 (row|column|element|part|block|program|stage|warp|byte|register)s\b")


class Sayings(dict):
    """The sentences of a module by their keys. Places in braces are filled in when a sentence is used."""

    def __init__(self, table: str):
        for paragraph in table.strip().split("\n\n"):
            key, zh, en = paragraph.strip().splitlines()
            if key in self:
                raise ValueError(f"{key!r} stands in the table twice")
            self[key] = Text(*(half.strip().replace("⏎", "\n") for half in (zh, en)))

    def say(self, key: str, **values) -> Text:
        """The sentence in both languages. A value that is a `Text` goes in half by half."""
        said = self[key].filled(**values)
        return Text(said.zh, _ONE.sub(r"1 \1", said.en))


def few(numbers, most: int = 4) -> str:
    """The first of many numbers."""
    return ", ".join(f"{n:.4g}" for n in numbers[:most]) + (", …" if len(numbers) > most else "")

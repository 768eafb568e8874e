"""What a check says, as a table of plain text: a key, a line of Chinese, a line of English, an empty line."""

from ..language import Text
from .wrong import Wrong


class Sayings(dict):
    """The sentences of a module by their keys. Places in braces are filled in when a sentence is used."""

    def __init__(self, table: str):
        for paragraph in table.strip().split("\n\n"):
            key, zh, en = paragraph.strip().splitlines()
            if key in self:
                raise ValueError(f"{key!r} stands in the table twice")
            self[key] = Text(zh.strip(), en.strip())

    def say(self, key: str, **values) -> Text:
        """The sentence in both languages. A value that is a `Text` goes in half by half."""
        halves = []
        for language in ("zh", "en"):
            sentence = getattr(self[key], language)
            inside = {k: getattr(v, language) if isinstance(v, Text) else v for k, v in values.items()}
            halves.append(sentence.format(**inside))
        return Text(*halves)

    def wrong(self, key: str, **values) -> Wrong:
        """The mistake to raise."""
        said = self.say(key, **values)
        return Wrong(said.zh, said.en)


def counted(number, word: str) -> str:
    """English for so many of something: 1 row, 3 rows."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def few(numbers, most: int = 4) -> str:
    """The first of many numbers."""
    return ", ".join(f"{n:.4g}" for n in numbers[:most]) + (", …" if len(numbers) > most else "")

"""A table of text in which Chinese and English line up, on any terminal."""

import unicodedata


def width(text: str) -> int:
    """How many columns a terminal needs: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def aligned(table: list[list[str]]) -> list[str]:
    widths = [max(width(row[k]) for row in table) for k in range(len(table[0]))]
    return ["  ".join(text + " " * (wide - width(text)) for text, wide in zip(row, widths)).rstrip() for row in table]

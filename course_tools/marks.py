"""Places in a document that are written by the course: between <!-- mark --> and <!-- /mark -->."""

import re


def between(text: str, mark: str, inside: str) -> str:
    """`text` with what stands between <!-- mark --> and <!-- /mark --> replaced."""
    place = re.compile(rf"(?<=<!-- {mark} -->\n).*?(?=<!-- /{mark} -->)", re.DOTALL)
    if not place.search(text):
        raise LookupError(f"<!-- {mark} --> … <!-- /{mark} -->")
    return place.sub(lambda _: inside + "\n", text)


def inside(text: str, mark: str) -> str:
    return re.search(rf"<!-- {mark} -->\n(.*?)<!-- /{mark} -->", text, re.DOTALL)[1]

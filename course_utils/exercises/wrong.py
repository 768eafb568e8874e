"""Mistakes, as graders and probes report them."""


class Refused(Exception):
    """What no grader need look at more closely, such as an input that was stored to. Said in both languages."""

    def __init__(self, zh: str, en: str):
        super().__init__(zh, en)


class Wrong(Exception):
    """A mistake that a grader recognised, said in both languages."""

    def __init__(self, zh: str, en: str):
        super().__init__(zh, en)

"""What runs in the locked process: makes a learner's answer, and sees what it does on every probe. Nothing is concluded here."""

from ..worker.child import find
from ..worker.message import cut
from ..worker.portable import Packed, pack, unpack
from ..worker.source import signature_of
from .files import LAUNCHED
from .observe import Asked, observe


def seen(load: str, packed: Packed, asked: Asked) -> tuple[dict, list[dict], tuple | None]:
    """Facts about the answer, what was observed, and a kernel once more for the compiler: no other process unpacks it, unless locked."""
    answer, facts = find(load)(*unpack(packed.data))
    facts = {name: cut(value, 20_000) if isinstance(value, str) else value for name, value in facts.items()}
    if facts["status"] != "defined":
        return facts, [], None
    return facts, observe(answer, asked, packed.texts), pack(answer) if asked.kind in LAUNCHED else None


def as_sent(answer) -> tuple:
    """What a notebook defined, and what is worth knowing about it."""
    return answer, facts_of(answer)


def facts_of(answer) -> dict:
    kernel, names = signature_of(answer)
    return {"status": "defined", "kernel": kernel, "parameters": names}

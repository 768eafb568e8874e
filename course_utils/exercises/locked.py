"""What runs in the locked process: makes a learner's answer, and sees what it does on every probe. Nothing is concluded here."""

from ..worker.child import find
from ..worker.errors import describe
from ..worker.message import cut
from ..worker.portable import Packed, pack, unpack
from ..worker.source import is_kernel, signature_of, unwrap
from .files import LAUNCHED, Exercise
from .observe import observe


def seen(load: str, packed: Packed, exercise: Exercise) -> tuple[dict, list[dict], tuple | None]:
    """Facts about the answer, what was observed, and a kernel once more for the compiler: no other process unpacks it, unless locked."""
    answer, facts = find(load)(*unpack(packed.data))
    facts = {name: cut(value, 20_000) if isinstance(value, str) else value for name, value in facts.items()}
    if facts["status"] != "defined":
        return facts, [], None
    if exercise.kind in LAUNCHED and _calls_itself(answer):
        return facts, [{"raised": describe(RecursionError(), {})}] * len(exercise.probes), None
    observed = [observe(answer, probe, exercise, packed.texts) for probe in exercise.probes]
    return facts, observed, pack(answer) if exercise.kind in LAUNCHED else None


def _calls_itself(kernel) -> bool:
    """Or a helper of it does: no compiler takes that, and the interpreter needs minutes and gigabytes to fall."""
    function, _ = unwrap(kernel)
    helpers = [each for each in function.__globals__.values() if is_kernel(each)] if function else []
    inside = [unwrap(each)[0] for each in helpers]
    return any(
        one and one.__globals__.get(name) is each
        for each, one in zip(helpers, inside)
        if one
        for name in one.__code__.co_names
    )


def as_sent(answer) -> tuple:
    """What a notebook defined, and what is worth knowing about it."""
    return answer, facts_of(answer)


def facts_of(answer) -> dict:
    kernel, names = signature_of(answer)
    return {"status": "defined", "kernel": kernel, "parameters": names}

"""Judges one answer, in a worker process: a grader here, the answer in a locked process below (`worker.pupil`)."""

from ..worker.plain import clean, cut
from ..worker.portable import unpack
from ..worker.pupil import Fallen, Pupil
from . import files
from . import judging_kit as judge_kit
from .answer import Answer
from .exercise import find
from .observe import asked, observe
from .wrong import Refused, Wrong

MOST_SAID = 3000  # characters
UNDEFINED = (
    "load 有 mask 而没有 other：没有读的那些位置是什么值，Triton 没有规定，你的结果却用到了它们。用 other 说明该填什么。",
    "A load has a mask and no other: what stands in the places it does not load is undefined, and the result depends on it. Say "
    "with other what they are to hold.",
)


def grade(identifier: str, load: str, arguments: tuple, limits: dict, texts: dict) -> dict:
    """What became of it, as plain data: {"right": …}, {"wrong": [zh, en]}, {"fallen": …} or {"puzzled": …}.

    `load` names what makes the answer of `arguments`, over there. Nothing here has ever held it."""
    from .. import pretend_gpu

    exercise, pupil = find(identifier), None
    lent = (pretend_gpu.PretendGPU, pretend_gpu.Event)
    try:
        pupil = Pupil(load, *arguments, texts=texts, classes=(pretend_gpu.Work,), lent=lent, **limits)
        if pupil.facts.get("status") != "defined":
            return {"facts": _short(pupil.facts)}
        graded = _judged(exercise, pupil, texts) if isinstance(exercise, files.Exercise) else _graded(exercise, pupil)
        return {**graded, "facts": _short(pupil.facts)}
    except Fallen as fall:  # before there was anything to judge
        return {"fallen": _told(fall)}
    except OSError as error:  # no process, or no pipe to it, could be had
        return {"not started": [error.errno, str(error)]}
    finally:
        if pupil:
            pupil.end()


def _judged(exercise, pupil: Pupil, texts: dict) -> dict:
    """Everything is asked at once: the learner's program on all probes, and a kernel's text for the compiler."""
    seen, packed = pupil.apply(f"{__name__}:seen_there", asked(exercise), texts)
    pupil.settle()
    try:
        told = judge_kit.judge(exercise, seen, pupil.facts)
    except Exception as error:  # the answer was nothing that the judge was ready for
        return {"puzzled": cut(clean(f"{type(error).__name__}: {error}"), 500)}
    if "raised" in told:
        return {"fallen": {"how": "ended", "status": 0, "fault": "", "raised": told["raised"]}}
    if "wrong" in told:
        return {"wrong": [cut(clean(each), MOST_SAID) for each in (told["wrong"].zh, told["wrong"].en)]}
    return told | {"packed": packed if isinstance(packed, tuple) and isinstance(packed[0], bytes) else None}


def seen_there(answer, questions, texts) -> tuple:
    seen = observe(answer, questions, texts)
    return seen, pack_answer(answer) if questions.kind == "kernel" else None


def _graded(exercise, pupil: Pupil) -> dict:
    answer = Answer(pupil)
    try:
        exercise.grade(answer)
        pupil.settle()
        if answer.undefined:
            return {"wrong": list(UNDEFINED)}
        return {"right": answer.launches, "packed": _packed(pupil, answer)}
    except (Wrong, Refused) as mistake:
        return {"wrong": [cut(clean(str(each)), MOST_SAID) for each in mistake.args]}
    except Fallen as fall:
        return {"fallen": _told(fall)}
    except Exception as error:  # the answer was nothing that the grader was ready for
        return {"puzzled": cut(clean(f"{type(error).__name__}: {error}"), 500)}


def _told(fall: Fallen) -> dict:
    raised = vars(fall.raised) if fall.raised else None
    return {"how": fall.how, "status": fall.status, "fault": fall.fault, "raised": raised}


def _short(facts: dict) -> dict:
    return {
        cut(str(name), 40): cut(value, 20_000) if isinstance(value, str) else value for name, value in facts.items()
    }


def _packed(pupil: Pupil, answer: Answer):
    """The kernel, packed over there, for the compiler to be given: bytes that nobody unpacks but another locked process."""
    if not answer.launches:
        return None
    told = pupil.apply(f"{__name__}:pack_answer")
    return told if isinstance(told, tuple) and len(told) == 2 and isinstance(told[0], bytes) else None


def pack_answer(answer):
    from ..worker.portable import pack

    return pack(answer)


def unpacked(data: bytes) -> tuple:
    """Over there: what a notebook defined, and what is worth knowing about it."""
    answer = unpack(data)
    return answer, facts_of(answer)


def facts_of(answer) -> dict:
    from ..worker.wrapped import signature_of

    kernel, names = signature_of(answer)
    return {"status": "defined", "kernel": kernel, "parameters": names}

"""The locked half of a `pupil`: holds a learner's code, and calls it when the judge asks."""

import builtins
import contextlib
import io
import os
import pickle
import struct
import tempfile

from . import jail
from .describe import describe
from .plain import JUDGED, clean, cut, encode


def attend(channel, fault, nonce, load, arguments, seconds, memory_mb, lock, texts) -> None:
    """Never returns to what the process was before: it ends with its judge, or when its time is up."""
    from .child import find, start_clock

    pupil = _Attending(channel, nonce)
    _close_all_but(channel, fault)
    os.nice(5)  # whoever has to stop it goes first
    start_clock(seconds, fault)
    load = find(load)  # the course's own code: the learner's is among the arguments
    if lock == "must":
        _forget_the_owner()
    try:
        jail.limit(seconds, memory_mb)
        jail.lock(lock)
    except jail.NoJail as error:
        pupil.say("value", str(error))
        return
    pupil.say("value", "locked")
    try:
        answer, facts = load(*arguments)
        pupil.say("value", facts)
    except BaseException as error:
        pupil.say("raised", describe(error, texts))
        return
    while True:
        pupil.nonce, function, arguments = pupil.hear()
        try:
            pupil.say("value", find(function)(answer, *arguments))
        except BaseException as error:
            pupil.say("raised", describe(error, texts))


def _close_all_but(*kept: int) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in kept:
            with contextlib.suppress(OSError):
                os.close(int(name))


def _forget_the_owner() -> None:
    """Whoever grades has tokens in the environment and files in the folder; neither is the learner's business."""
    empty = tempfile.gettempdir()
    kept = {name: os.environ[name] for name in _HARMLESS if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, HOME=empty, TMPDIR=empty)
    os.chdir("/")


_HARMLESS = ("TRITON_INTERPRET", "COURSE_BACKEND", "OMP_NUM_THREADS", "PATH", "LANG", "LC_ALL", "PYTHONIOENCODING")


class _Attending:
    def __init__(self, channel: int, nonce: str):
        self._channel, self.nonce = channel, nonce
        self._numbers: dict[object, int] = {}
        self.given: dict[int, object] = {}  # kept, too, so that no two tensors are ever given the same memory
        self._count = 0

    def say(self, what: str, value) -> None:
        message = encode([self.nonce, what, value], self._opaque, JUDGED)
        while message:
            message = message[os.write(self._channel, message) :]

    def hear(self):
        size = struct.unpack("<Q", self._exactly(8))[0]
        return _Borrowing(io.BytesIO(self._exactly(size)), self).load()

    def ask(self, number: int, name: str, arguments, named):
        self.say("ask", [number, name, arguments, named])
        what, value, words = self.hear()
        if what == "raise":
            raise getattr(builtins, value)(words)
        return value

    def _exactly(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            some = os.read(self._channel, count - len(data))
            if not some:
                os._exit(0)  # the judge has gone
            data += some
        return bytes(data)

    def _opaque(self, thing):
        """A thing that must stay here: lent ones by their number, others as something equal or unequal to others."""
        if isinstance(thing, Lent):
            return ["held", thing._number]
        self._count += 1
        try:
            return [
                "opaque",
                cut(clean(type(thing).__name__), 60),
                self._numbers.setdefault(thing, self._count),
                True,
            ]
        except Exception:
            return ["opaque", cut(clean(type(thing).__name__), 60), self._count, False]


class Lent:
    """Stands for an object that the judge keeps: its methods and attributes are asked for, one by one."""

    def __init__(self, pupil: _Attending, number: int, kind: str, methods: list[str]):
        vars(self).update(_pupil=pupil, _number=number, _kind=kind, _methods=methods)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._methods:
            return lambda *arguments, **named: self._pupil.ask(self._number, name, arguments, named)
        return self._pupil.ask(self._number, name, None, None)

    def __setattr__(self, name, value):
        raise AttributeError(f"{self._kind}.{name} 改不了 · {self._kind}.{name} can't be changed")

    def __repr__(self):
        return f"{self._kind}()"


class _Borrowing(pickle.Unpickler):
    def __init__(self, file, pupil: _Attending):
        super().__init__(file)
        self._pupil = pupil

    def persistent_load(self, lent):
        if lent[0] != "tensor":
            return type(lent[1], (Lent,), {})(self._pupil, *lent)  # errors call it by this name
        _, number, content = lent
        if content is not None:
            self._pupil.given[number] = pickle.loads(content)
        return self._pupil.given[number]

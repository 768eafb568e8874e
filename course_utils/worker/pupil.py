"""A locked process that holds a learner's code, seen from the process that judges it.

The judge never holds the code: it asks the pupil to call one of the course's functions on it, with arguments that the pupil
gets a copy of, and takes back plain data (`plain`), in time and of bounded size. What the pupil says is a value to be judged
and nothing else; an answer to another question, a second answer or rubbish is `Fallen`, and so is no answer. What the pupil
may ask of the judge meanwhile: the public methods of objects that were lent to it, such as a pretend GPU whose true times
are nobody's business.

The pupil's own half is `attend`.
"""

import builtins
import contextlib
import io
import os
import pickle
import secrets
import select
import signal
import socket
import struct
import time
from dataclasses import dataclass

from . import leftovers
from .attend import attend
from .errors import Described
from .plain import HEAD_BYTES, JUDGED, Garbled, lengths
from .read import decode

_MOST_FAULT = 20_000
_GRACE = 0.5  # its own clock should have stopped it: that one knows the line


@dataclass(eq=False)
class Fallen(Exception):
    """The pupil gave no answer. The fields are those of `pipe.Ended`; or `raised`, what its code raised."""

    how: str  # "ended", "late", "meddled", or "no jail"
    status: int = 0
    fault: str = ""
    raised: Described | None = None


class Pupil:
    def __init__(self, load: str, *arguments, seconds, memory_mb, lock, texts, classes=(), lent=()):
        """`load` names the function that makes the answer of `arguments`, with the lock closed, and facts about it."""
        self._until = time.monotonic() + seconds + _GRACE
        self._classes, self._lent_classes, self._lent = tuple(classes), tuple(lent), {}
        self._given: dict[tuple, tuple] = {}
        self._channel, far_end = socket.socketpair()
        self._fault, far_fault = os.pipe()
        nonce = secrets.token_hex(8)
        self._pid = os.fork()
        if self._pid == 0:
            try:
                leftovers.die_with_parent()
                self._channel.close()
                attend(far_end.detach(), far_fault, nonce, load, arguments, seconds, memory_mb, lock, texts)
            finally:
                os._exit(1)
        far_end.close()
        os.close(far_fault)
        self._channel.setblocking(False)
        locked = self._heard(nonce, ())  # said before anything of the learner's ran
        if locked != "locked":
            raise self._fallen("no jail")
        self.facts = self._heard(nonce, ())
        if not isinstance(self.facts, dict):
            raise self._fallen("meddled")

    def apply(self, function: str, *arguments, returns=(), again=False):
        """What the course's `function` ("module:name"), called there with the answer and `arguments`, returns.

        `again`: a tensor that was given before is the same tensor over there, at the same address, and not another copy."""
        self.settle()
        nonce = secrets.token_hex(8)
        self._send((nonce, function, arguments), again)
        return self._heard(nonce, returns)

    def settle(self) -> None:
        """Nothing may be left to read: one question, one answer."""
        if select.select([self._channel], [], [], 0)[0]:
            raise self._fallen("meddled" if self._channel.recv(1, socket.MSG_PEEK) else "ended")

    def end(self) -> int:
        """Ends the process; gives its exit code, or minus the signal that killed it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self._pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):  # asked before
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        self._channel.close()
        return self._status

    # ---- what is said and heard

    def _heard(self, nonce: str, returns):
        while True:
            try:
                message = decode(self._receive(), JUDGED, (*self._classes, *returns), self._lent)
                about, what, value = message
            except (Garbled, TypeError, ValueError):
                raise self._fallen("meddled") from None
            if about != nonce:
                raise self._fallen("meddled")
            if what == "value":
                return value
            if what == "raised":
                raise self._raised(value)
            self._send(self._asked(what, value))

    def _raised(self, value) -> Exception:
        """What the learner's code raised, as something that `except ZeroDivisionError` catches if it is one."""
        try:
            raised = Described(**value)
        except (TypeError, ValueError):
            return self._fallen("meddled")
        kind = getattr(builtins, raised.type, None) if raised.type in _CAUGHT else None
        return (type("FallenBy", (Fallen, kind), {}) if kind else Fallen)("ended", raised=raised)

    def _asked(self, what, value) -> tuple:
        """A question of the pupil's: an attribute of something that was lent, or a call of a method."""
        try:
            number, name, arguments, named = value
            thing = self._lent[number]
            if what != "ask" or not name.isidentifier() or name.startswith("_"):
                raise ValueError
            call = arguments is not None
            found = getattr(thing, name)(*arguments, **named) if call else getattr(thing, name)
        except _RELAYED as error:
            return "raise", type(error).__name__, str(error)[:500]
        return "value", found, None

    def _send(self, thing, again=False) -> None:
        buffer = io.BytesIO()
        _Lending(buffer, self, again).dump(thing)
        left = memoryview(struct.pack("<Q", buffer.tell()) + buffer.getvalue())
        while left:
            self._wait(writing=True)
            with contextlib.suppress(BlockingIOError):
                try:
                    left = left[self._channel.send(left) :]
                except OSError:
                    raise self._fallen("ended") from None

    def _receive(self) -> bytes:
        head = self._exactly(HEAD_BYTES)
        return head + self._exactly(lengths(head, JUDGED))

    def _exactly(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            self._wait()
            try:
                some = self._channel.recv(min(count - len(data), 1 << 20))
            except BlockingIOError:
                continue
            except OSError:
                some = b""
            if not some:
                raise self._fallen("meddled" if data else "ended")
            data += some
        return bytes(data)

    def _wait(self, writing: bool = False) -> None:
        seconds = self._until - time.monotonic()
        channel = [self._channel]
        if seconds <= 0 or not any(select.select([] if writing else channel, channel if writing else [], [], seconds)):
            raise self._fallen("late")

    def _fallen(self, how: str) -> Fallen:
        """How the pupil fell, when nothing more is to be heard from it."""
        if how == "ended":  # it has closed the channel: by ending, one should think
            until = time.monotonic() + 1
            while time.monotonic() < until and not os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                time.sleep(0.002)
        status = self.end()
        os.set_blocking(self._fault, False)
        with contextlib.suppress(BlockingIOError):
            return Fallen(how, status, os.read(self._fault, _MOST_FAULT).decode(errors="replace"))
        return Fallen(how, status)

    def lend(self, thing):
        """The number and the methods of an object that stays here, or None for what may travel."""
        if not isinstance(thing, self._lent_classes):
            return None
        number = next((known for known, each in self._lent.items() if each is thing), len(self._lent))
        self._lent[number] = thing
        public = [name for name in dir(type(thing)) if not name.startswith("_")]
        return number, type(thing).__name__, [name for name in public if callable(getattr(type(thing), name))]

    def given(self, tensor) -> tuple[str, int, bytes | None]:
        """A tensor by its number; with its content, if it is new over there or has changed here."""
        key = (id(tensor), tensor._version)
        known = key in self._given
        number, _ = self._given.setdefault(key, (len(self._given), tensor))  # held, so that no other gets its id
        return "tensor", number, None if known else pickle.dumps(tensor)


class _Lending(pickle.Pickler):
    def __init__(self, buffer, pupil: Pupil, again: bool):
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self._pupil, self._again = pupil, again

    def persistent_id(self, thing):
        if self._again and hasattr(thing, "data_ptr") and hasattr(thing, "_version"):
            return self._pupil.given(thing)
        return self._pupil.lend(thing)


# What a grader may want to catch, and what a lent object's methods may raise at the learner.
_CAUGHT = ["ZeroDivisionError", "OverflowError", "IndexError", "KeyError", "TypeError", "ValueError", "AssertionError"]
_RELAYED = (RuntimeError, TypeError, ValueError, AttributeError, ArithmeticError, LookupError)

"""How often a launch used a mask, whatever its source looks like: a mask that no lane needs is one all the same."""

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from ..interpreter.interpreter import interpreter, replaced


@dataclass
class Masks:
    load: int = 0
    store: int = 0

    def told(self) -> tuple[int, int]:
        return self.load, self.store


@contextmanager
def counting_masks():
    """Over there. The interpreter makes a load without a mask out of one with a mask: those do not count."""
    builder, found = interpreter.interpreter_builder, Masks()

    def adding(kind, number, plain):
        def call(*operands):
            setattr(found, kind, getattr(found, kind) + number)
            return plain(*operands)

        return call

    with ExitStack() as stack:
        for kind in ("load", "store"):
            for name, number in ((f"create_masked_{kind}", 1), (f"create_{kind}", -1)):
                stack.enter_context(replaced(builder, name, adding(kind, number, getattr(builder, name))))
        yield found

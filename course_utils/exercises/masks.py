"""How often a launch used a mask, whatever its source looks like: a mask that no lane needs is one all the same."""

from contextlib import ExitStack, contextmanager

from ..interpreter.interpreter import interpreter, replaced


@contextmanager
def counting_masks():
    """Yields a list with a 1 for each. The interpreter makes a load without a mask out of one with a mask: a −1 takes it back."""
    builder, found = interpreter.interpreter_builder, []

    def adding(number, plain):
        def call(*operands):
            found.append(number)
            return plain(*operands)

        return call

    with ExitStack() as stack:
        for kind in ("load", "store"):
            for name, number in ((f"create_masked_{kind}", 1), (f"create_{kind}", -1)):
                stack.enter_context(replaced(builder, name, adding(number, getattr(builder, name))))
        yield found

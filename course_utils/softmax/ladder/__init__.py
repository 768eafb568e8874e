"""`softmax` built a change at a time: a file for each kernel on the way, and `steps`, which says what each step launches."""

from .meeting import meeting_kernel
from .pieces import pieces_kernel
from .powers import powers_kernel
from .several import several_kernel
from .steps import NUMBERS, STEPS, launch_for, launch_of, launch_on, same_launches

__all__ = [
    "NUMBERS",
    "STEPS",
    "launch_for",
    "launch_of",
    "launch_on",
    "meeting_kernel",
    "pieces_kernel",
    "powers_kernel",
    "same_launches",
    "several_kernel",
]

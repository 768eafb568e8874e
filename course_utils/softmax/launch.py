"""Launches a compiled kernel again without Triton's look at every argument.

`kernel[grid](...)` looks at each to find out which compiled kernel they need; that takes longer than a small softmax.
A `Launch` has been through it once. It belongs to one shape, one dtype and one device, and to pointers on the 16-byte grid, so
the answer cannot change, and it goes straight to the launcher. That touches what Triton does not promise to keep: where
attributes are missing that are known here, every launch is an ordinary one.
"""

import contextlib
import warnings
from dataclasses import dataclass, field

import numpy as np
import torch

from ..backend import mode, triton
from . import mailbox

_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)
_current_device = getattr(torch._C, "_cuda_getDevice", None)
DIRECT = mode == "cuda" and _stream is not None and _current_device is not None


@dataclass
class Launch:
    """A kernel, how many programs of it, and every argument but the tensors."""

    kernel: object
    programs: int
    sizes: tuple[int, ...]
    constants: dict
    options: dict = field(default_factory=dict)
    mailbox: int = 0  # words that a team needs to talk
    short: object = None  # the short way, once the ordinary one has been gone

    def __call__(self, *tensors) -> None:
        """The ordinary way: results first, then what they are computed from."""
        x, pair = tensors[-1], len(tensors) == 2
        with quiet(), mailbox.lock if self.mailbox else contextlib.nullcontext():
            if self.mailbox:
                stream = torch.cuda.current_stream(x.device).cuda_stream
                tensors += (mailbox.empty_mailbox(self.mailbox, x.device, stream),)
            compiled = self.kernel[(self.programs,)](*tensors, *self.sizes, **self.constants, **self.options)
        if DIRECT and pair and on_grid(*(tensor.data_ptr() for tensor in tensors)):
            self.short = self._short(compiled, x.device)

    def _short(self, compiled, device):
        """A function of two addresses that launches on the current stream, or says False where it cannot."""
        try:
            run, function, metadata = compiled.run, compiled.function, compiled.packed_metadata
            before = (function, metadata, None, None, None)
            if triton.__version__.startswith("3.6.") and not run.global_scratch_size and not run.profile_scratch_size:
                # Its launcher is wrapped in Python that looks for scratch memory to allocate.
                before = (function, run.launch_cooperative_grid, run.launch_pdl, None, None, metadata, None, None, None)
                run = run.launch
        except AttributeError:
            return None
        index, programs, words = device.index, self.programs, self.mailbox
        named = self.kernel.arg_names  # the launcher takes all by position
        rest = (*self.sizes, *(self.constants[name] for name in named if name in self.constants))

        def launch(y: int, x: int) -> bool:
            if (y | x) & 15 or index != _current_device():
                return False
            stream = _stream(index)
            if words:
                with mailbox.lock:
                    letters = mailbox.empty_mailbox(words, device, stream)
                    run(programs, 1, 1, stream, *before, y, x, letters.data_ptr(), *rest)
            else:
                run(programs, 1, 1, stream, *before, y, x, *rest)
            return True

        return launch


def on_grid(*pointers: int) -> bool:
    """Wide loads start at multiples of 16 bytes; a compiled kernel counts on it."""
    return not any(pointer & 15 for pointer in pointers)


@contextlib.contextmanager
def quiet():
    """The interpreter computes with NumPy, which warns of every inf - inf; here NaN is the right answer."""
    if mode != "interpreter":
        yield
        return
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield

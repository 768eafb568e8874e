"""Empty mailboxes for teams: torn off a long strip of zeros, which is wiped when it is used up, not at every call."""

import threading

import torch

STRIP = 1 << 20  # words of 8 bytes; a call takes one for each program and one for the counter

# To be held from tearing off a mailbox until its kernel is launched: another thread might wipe the strip in between.
lock = threading.Lock()

_strips: dict[tuple[int, int], tuple[torch.Tensor, int]] = {}


def empty_mailbox(words: int, device: torch.device, stream: int) -> torch.Tensor:
    """`words` zeros that nobody else uses. Every stream has a strip of its own: wiping is ordered with its kernels."""
    if words > STRIP or torch.cuda.is_current_stream_capturing():  # a graph wipes what it replays with
        return torch.zeros(words, dtype=torch.int64, device=device)
    words += words % 2  # mailboxes stay on the 16-byte grid
    strip, used = _strips.get((device.index, stream), (None, STRIP))
    if strip is None:
        with torch.inference_mode(False):  # or it could be wiped only in that mode
            strip, used = torch.zeros(STRIP, dtype=torch.int64, device=device), 0
    elif used + words > STRIP:
        strip.zero_()
        used = 0
    _strips[device.index, stream] = strip, used + words
    return strip[used : used + words]

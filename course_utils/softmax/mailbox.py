"""Empty mailboxes for teams: torn off a long strip of zeros, which is wiped when it is used up, not at every call."""

import ctypes
import threading

import torch

STRIP = 1 << 20  # words of 8 bytes; a call takes one for each program
CAPTURED_STRIP = 1 << 15  # words: a CUDA graph wipes its own at every replay, and keeps it for good, so it is shorter
UNKNOWN = -1
RELAXED = 2  # CUstreamCaptureMode

# To be held from tearing off a mailbox until its kernel is launched: another thread might wipe the strip in between.
lock = threading.Lock()

# By device, stream and graph. All are kept: nobody says when a graph dies, and until then its replays write here.
_strips: dict[tuple[int, int, int], tuple[torch.Tensor, int]] = {}


def empty_mailbox(words: int, device: torch.device, stream: int) -> torch.Tensor:
    """`words` zeros that nobody else uses.

    Every stream has a strip of its own, and so has every graph that is being captured on it: wiping is ordered with its
    kernels, in a graph as one more step of it.
    """
    capture = capture_on(stream)
    most = CAPTURED_STRIP if capture else STRIP
    if words > most or capture == UNKNOWN:
        return torch.zeros(words, dtype=torch.int64, device=device)
    words += words % 2  # mailboxes stay on the 16-byte grid
    strip, used = _strips.get((device.index, stream, capture), (None, most))
    if strip is None:
        strip = _of_no_pool(most, device)
    if used + words > most:
        strip.zero_()
        used = 0
    _strips[device.index, stream, capture] = strip, used + words
    return strip[used : used + words]


def _of_no_pool(words: int, device: torch.device) -> torch.Tensor:
    """Memory for longer than a call. A graph's pool is for what the graph makes; another thread gets none of it, and may
    allocate while this one captures, once it has said that it takes no part in that."""
    made = []

    def allocate():
        if device.type == "cuda":
            ctypes.CDLL("libcuda.so.1").cuThreadExchangeStreamCaptureMode(ctypes.byref(ctypes.c_int(RELAXED)))
        with torch.inference_mode(False):  # or it could be wiped only in that mode
            made.append(torch.empty(words, dtype=torch.int64, device=device))

    thread = threading.Thread(target=allocate)
    thread.start()
    thread.join()
    return made[0]


def capture_on(stream: int) -> int:
    """The number of the graph that is being captured on this stream; 0 if none is."""
    if not torch.cuda.is_current_stream_capturing():
        return 0
    state, number = ctypes.c_int(), ctypes.c_ulonglong()
    try:
        ask = ctypes.CDLL("libcuda.so.1").cuStreamGetCaptureInfo_v2
    except (OSError, AttributeError):
        return UNKNOWN
    failed = ask(ctypes.c_void_p(stream), ctypes.byref(state), ctypes.byref(number), None, None, None)
    return UNKNOWN if failed else number.value

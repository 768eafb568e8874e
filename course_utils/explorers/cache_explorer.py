"""One launch of softmax and the cache: what the pretend GPU's L2 holds before and after it, and what a real memory moved meanwhile."""

from ..figures import cache_state
from ..figures.picture import Picture
from ..pretend_gpu import PretendGPU, Work

SHAPE = {"provider": "row", "dtype": "float32", "columns": 1024}
NBYTES = 4096 * 1024 * 4  # of that shape's input, and of its output


def softmax_on(i: int) -> Work:
    """A launch with an input and an output of its own."""
    return Work("softmax", NBYTES, reads=f"x{i}", writes=f"y{i}")


def watch_cache(state: str, prepare) -> Picture:
    """`prepare(gpu)` brings the pretend GPU into the `state`; beside it what was counted on a real one in that state."""
    from ..measurements import provenance, recorded

    gpu = PretendGPU()
    prepare(gpu)
    before = gpu.cached
    gpu.launch(softmax_on(0))
    (line,) = recorded("states", **SHAPE, state=state)
    counted = {f"{provenance('states')['device']} · counted": (line.read_bytes, line.written_bytes)}
    return cache_state(before, gpu.cached, counted, title=state)

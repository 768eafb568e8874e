"""A GPU made of arithmetic, to learn measuring on: asynchronous, with a compiler, a cache and noise, and an exact clock.

Its cache writes back: what a kernel writes stays there until something else needs the room, and whoever needs it pays.

On a real GPU nobody knows the true time of a kernel, so nobody can say how wrong a benchmark is. Here both are known, on
every machine the same. Nothing waits: time is a number that is added to.
"""

from dataclasses import dataclass

from .language import both


@dataclass(frozen=True)
class Work:
    """A kernel that reads `nbytes` and writes as many; where it says which buffers, the cache is modelled byte by byte."""

    name: str
    nbytes: int
    reads: str = ""
    writes: str = ""


MOST_DIRTY = 1 / 2  # of the cache: what an H100 leaves unwritten, as its counters show in `measurements/states.py`


class WriteBackCache:
    """Buffers in the cache, the one used longest ago first: how many bytes of each, and how many must still be written.

    It starts writing before it must: no more than a part of it stays dirty. What was written first, is written back first.
    """

    def __init__(self, size: float, most_dirty: float = MOST_DIRTY):
        self.size, self.most_dirty = size, most_dirty * size
        self._held: dict[str, tuple[float, float]] = {}

    @property
    def held(self) -> list[tuple[str, float, float]]:
        """(buffer, bytes, dirty bytes), the one that goes first first."""
        return [(buffer, *kept) for buffer, kept in self._held.items()]

    def read(self, buffer: str, nbytes: float) -> tuple[float, float]:
        """Bytes that had to come from memory, and bytes that others wrote and that had to make room."""
        held, dirty = self._held.pop(buffer, (0.0, 0.0))
        missed = max(0.0, nbytes - held)
        return missed, self._keep(buffer, nbytes, dirty)

    def write(self, buffer: str, nbytes: float) -> float:
        """Bytes that had to be written to memory first: to make room, or because too much was dirty."""
        self._held.pop(buffer, None)
        return self._keep(buffer, nbytes, nbytes)

    def _keep(self, buffer: str, nbytes: float, dirty: float) -> float:
        self._held[buffer] = nbytes, dirty
        return self._make_room() + self._write_back()

    def _make_room(self) -> float:
        written, excess = 0.0, sum(held for held, _ in self._held.values()) - self.size
        while excess > 0:
            oldest = next(iter(self._held))
            held, dirty = self._held.pop(oldest)
            gone = min(held, excess)
            lost = max(0.0, gone - (held - dirty))  # of a buffer, what was written back already goes first
            written += lost
            excess -= gone
            if held > gone:  # the rest is still the oldest
                self._held = {oldest: (held - gone, dirty - lost), **self._held}
        return written

    def _write_back(self) -> float:
        written = excess = max(0.0, sum(dirty for _, dirty in self._held.values()) - self.most_dirty)
        for buffer, (held, dirty) in self._held.items():
            gone = min(dirty, excess)
            self._held[buffer] = held, dirty - gone
            excess -= gone
        return written


class Event:
    """A mark in the queue of the GPU. It gets its time when the GPU comes by."""

    def __init__(self, gpu: "PretendGPU", at: float):
        self._gpu, self._at = gpu, at

    @property
    def at(self) -> float:
        if self._gpu.now() < self._at:
            raise RuntimeError(
                both(
                    "GPU 还没有走到这个事件：先 synchronize()。",
                    "The GPU has not reached this event yet: synchronize() first.",
                )
            )
        return self._at


@dataclass
class PretendGPU:
    """Times in seconds, bandwidths in bytes a second. Roughly an H200."""

    bandwidth: float = 4.1e12
    cache: float = 60 << 20  # bytes
    cache_speed: float = 3.0  # times as fast as DRAM
    launch_cost: float = 5e-6  # of the host, for every launch
    compile_cost: float = 0.35  # of the host, for the first launch of a kernel
    jitter: float = 0.02
    hiccup: float = 9.0  # every 16th launch takes so many times as long: somebody else was served

    def __post_init__(self):
        self._host = self._device = 0.0
        self._compiled: set[str] = set()
        self._cached: Work | None = None
        self._write_back = WriteBackCache(self.cache)
        self._launches = 0
        # of the last launch that named its buffers: what a counter would show
        self.read_bytes = self.written_bytes = 0.0

    @property
    def cached(self) -> list[tuple[str, float, float]]:
        """What is in the cache after everything launched so far: (buffer, bytes, dirty bytes), the one that goes first first."""
        return self._write_back.held

    def true_seconds(self, work: Work) -> float:
        """What nobody knows of a real GPU: the time of this work with nothing in the cache and no noise."""
        return 2 * work.nbytes / self.bandwidth

    def launch(self, work: Work) -> None:
        """Put work into the queue. The host does not wait for it."""
        if work.name not in self._compiled:
            self._compiled.add(work.name)
            self._host += self.compile_cost
        in_cache = self._cached == work and 2 * work.nbytes <= self.cache
        seconds = self.true_seconds(work) / (self.cache_speed if in_cache else 1.0)
        if work.reads or work.writes:
            seconds = self._seconds_with_buffers(work)
        self._enqueue(seconds * self._noise())
        self._cached = work

    def _seconds_with_buffers(self, work: Work) -> float:
        """The memory takes its time for what it must move, the cache for everything; the slower of the two counts."""
        self.read_bytes = self.written_bytes = 0.0
        if work.reads:
            self.read_bytes, self.written_bytes = self._write_back.read(work.reads, work.nbytes)
        if work.writes:
            self.written_bytes += self._write_back.write(work.writes, work.nbytes)
        moved = (bool(work.reads) + bool(work.writes)) * work.nbytes
        memory = (self.read_bytes + self.written_bytes) / self.bandwidth
        return max(memory, moved / (self.bandwidth * self.cache_speed))

    def flush(self, by_reading: bool = False) -> None:
        """Write over the whole cache, or read it full, so that the next launch finds nothing in it.

        Written over, it holds as many bytes that must still go to memory as it may; the next launch's output drives them out.
        """
        self._enqueue(self.cache / self.bandwidth)
        self._cached = None
        if by_reading:
            self._write_back.read("冲缓存时读的 · flush: read", self.cache)
        else:
            self._write_back.write("冲缓存时写的 · flush: written", self.cache)

    def synchronize(self) -> None:
        """Let the host wait until the queue is empty."""
        self._host = max(self._host, self._device)

    def event(self) -> Event:
        """Put a mark into the queue."""
        self._device = max(self._device, self._host)
        return Event(self, self._device)

    def now(self) -> float:
        """The host's clock."""
        return self._host

    def _enqueue(self, seconds: float) -> None:
        self._host += self.launch_cost
        self._device = max(self._device, self._host) + seconds

    def _noise(self) -> float:
        self._launches += 1
        wobble = (self._launches * 7919 % 101) / 50 - 1  # −1 … 1, the same on every machine
        return (1 + self.jitter * wobble) * (self.hiccup if self._launches % 16 == 0 else 1.0)

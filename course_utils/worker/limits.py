"""What a job may use at most: time, memory, no byte in any file. Limits hold on every Linux, with or without the `sandbox`."""

import contextlib
import faulthandler
import resource
import signal

_RESERVED_MB = 512  # address space that threads and allocators reserve beyond what they use


def start_clock(seconds: float, fault: int) -> None:
    """The job's own clock: SIGALRM writes where Python stands and kills, with no help from Python or the notebook, so it also
    stops a job that sits in C, and one whose notebook is gone. (`dump_traceback_later` reads frames while they move.)"""
    faulthandler.enable(fault)
    faulthandler.register(signal.SIGALRM, fault, all_threads=False, chain=True)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def limit(seconds: float, memory_mb: int | None, files: bool = False) -> None:
    """What the calling process may use at most, from now on. `files`: whether it may write any."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Two threads may share the work; the clock on the wall is for whoever waits.
    lower(resource.RLIMIT_CPU, int(2 * seconds) + 1)
    if not files:
        lower(resource.RLIMIT_FSIZE, 0)
    if memory_mb is None:
        return
    with open("/proc/self/status") as status:
        sizes = {line.split(":")[0]: int(line.split()[1]) for line in status if line.startswith("Vm")}
    # RLIMIT_DATA counts what is allocated, not the gigabytes of address space that libraries reserve. It leaves out memory
    # that could be shared with other processes; that, the address space bounds.
    lower(resource.RLIMIT_DATA, sizes["VmData"] * 1024 + memory_mb * 2**20)
    if not files:
        lower(resource.RLIMIT_AS, sizes["VmSize"] * 1024 + (memory_mb + _RESERVED_MB) * 2**20)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")  # if the machine's memory runs out, this is the process to end


def lower(what: int, most: int) -> None:
    _, now = resource.getrlimit(what)
    value = most if now == resource.RLIM_INFINITY else min(most, now)
    resource.setrlimit(what, (value, value))

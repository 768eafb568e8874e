"""What a program costs that does nothing: empty kernels, launched one after the other in a graph."""

from .bench import compare, empty_kernel, every, inputs_for, timed_line

CASES = every(programs=(4096, 16384, 65536), warps=(4,)) + every(programs=(262144,), warps=(4, 1, 8))
Line = timed_line(programs=int, warps=int)


def measure(programs, warps):
    def launch(x):
        empty_kernel[(programs,)](num_warps=warps)
        return x

    (timing,) = compare({"empty": launch}, lambda: inputs_for(64, 64, "float32", "cuda")[:100]).values()
    yield Line(programs, warps, **timing.us)

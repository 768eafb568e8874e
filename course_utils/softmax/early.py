"""Starting early: on NVIDIA GPUs from compute capability 9.0 on, a kernel may come in while the one before it still works.

Between two kernels the GPU stands idle for half a microsecond and more: the last programs of one run out, then the first of the
next are set up. A kernel launched early (CUDA calls it programmatic dependent launch) is set up in that time, and waits on the
spot until everything before it has been done and written. It reads nothing earlier, so nothing changes but the clock.
"""

from ..backend import tl, triton


@triton.jit
def wait_for_the_kernel_before(EARLY: tl.constexpr):
    if EARLY:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()  # and now the next one may come in

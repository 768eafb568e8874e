"""The small steps that the fast kernels share. A part of a row is told by two numbers: its maximum m, and its sum Σ exp(x − m).

Exponentials are powers of two: 2^((x − m)·log₂e) is one instruction where e^(x − m) takes several more for tiny results.
"""

from ..backend import tl, triton

LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def exponential(x, m):
    return tl.exp2((x - m) * LOG2_E)


@triton.jit
def finite(m):
    # A part of nothing but -inf has the maximum -inf, and -inf - -inf is NaN where 0 is meant.
    return tl.where(m == -float("inf"), 0.0, m)


@triton.jit
def merge(m1, s1, m2, s2):
    """Two parts become one: the online softmax, in one line."""
    m = tl.maximum(m1, m2)
    return m, s1 * exponential(m1, finite(m)) + s2 * exponential(m2, finite(m))


@triton.jit
def greatest(pieces, PIECES: tl.constexpr):
    top = pieces[0]
    for i in tl.static_range(1, PIECES):
        top = tl.maximum(top, pieces[i])
    return top


@triton.jit
def total(pieces, PIECES: tl.constexpr):
    sum_ = pieces[0]
    for i in tl.static_range(1, PIECES):
        sum_ += pieces[i]
    return sum_


@triton.jit
def exponentials(pieces, m, PIECES: tl.constexpr):
    out = ()
    for i in tl.static_range(PIECES):
        out += (exponential(pieces[i], m),)
    return out


@triton.jit
def answer(x, numerator, m, s, LOG: tl.constexpr):
    """Of an element and its e^(x − m), once the whole row's m and s are known: softmax, or its logarithm."""
    if LOG:
        return x - m - tl.log(s)
    else:
        return numerator * (1.0 / s)


@triton.jit
def as_int64(number):
    """64 bits: a row's number times its stride passes 2³¹ in a tensor of more elements than that."""
    return tl.cast(number, tl.int64)


@triton.jit
def wait_for_the_kernel_before(EARLY: tl.constexpr):
    """Starting early: from compute capability 9.0 on, a kernel may come in while the one before it still works.

    Between two kernels the GPU stands idle for half a microsecond and more: the last programs of one run out, then the first of
    the next are set up. A kernel launched early (CUDA calls it programmatic dependent launch) is set up in that time, and waits
    on the spot until the kernel before has ended and written. As every one of ours waits first, that one's end comes after the
    end of all before it. Nothing is read earlier: nothing changes but the clock.
    """
    if EARLY:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()  # and now the next one may come in

"""What the checks of 08_online_softmax say of merging three numbers, and of a row that is shared among programs."""

from .sayings import Sayings

MERGE = Sayings("""
no kernel
它要给 kernel 用，所以也要有 @triton.jit 这一行。
Kernels are to use it, so it needs the line @triton.jit too.

not three
要返回三个数：m、s、w。
It is to return three numbers: m, s and w.

example
{a} ⊕ {b}：{said}
{a} ⊕ {b}: {said}

order
三个数都对，次序不对：先 m，再 s，再 w。
The three numbers are right, their order is not: m, then s, then w.

factors of w
w 的两个系数用反了：每一边乘自己的那个。
The factors of w are swapped: each side gets its own.

m
m 应是两个最大值中较大的。
m is the larger of the two maxima.

added up
{which} 直接相加了：最大值较小的那一边，先乘 e^(自己的 m − 新的 m)。
{which} merely added up: the side with the smaller maximum is first multiplied by e^(its own m − new m).

sign
指数的符号反了：是 e^(自己的 m − 新的 m)，不大于 1。
The sign in the exponent is wrong: e^(its own m − new m) is at most 1.

factors
两个系数用反了：每一边乘自己的那个。
The factors are swapped: each side gets its own.

divided
w 已经除过 s 了：除法留到最后，否则不能再合并。
w is divided by s already: leave that to the end, or it cannot be merged again.

differs
应得 {want}，得到的是 {got}。
It should give {want}; this gives {got}.

nan
{a} ⊕ {b} 得到了 NaN：−inf − (−inf) 没有定义。最大值是 −inf 时，改减 0。
{a} ⊕ {b} gives NaN: −inf − (−inf) is undefined. Where the maximum is −inf, subtract 0 instead.

empty part
与空的一部分合并，应当什么也不变。
Merging with an empty part should change nothing.

reduced
放进 tl.reduce，8 个数的结果不对。
In a tl.reduce over 8 numbers the result is wrong.
""")

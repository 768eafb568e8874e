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

SHARED = Sayings("""
blocks of nobody
{parts} 份、{rows} 行 {columns} 列：只读了 {loads} 个元素，有的块没有 program 去读。
{parts} parts, {rows} rows of {columns}: only {loads} elements were read, so some blocks are nobody's.

read again
{parts} 份、{rows} 行 {columns} 列：读了 {loads} 个元素，{most} 个就够。每一块只归一个 program，最大值与和在同一遍里求。
{parts} parts, {rows} rows of {columns}: {loads} elements were read, where {most} would do. A block belongs to one program, and maximum and sum come out of one pass.

no block, no pair
{parts} 份、{blocks} 块：有的 (m, s) 没有写。没分到块的 program 也要写 (−inf, 0)。
{parts} parts, {blocks} blocks: some pairs were not written. A program that gets no block writes (−inf, 0) as well.

pairs unwritten
{parts} 份、{blocks} 块：有的 (m, s) 没有写。m 的位置是 (row * P + part) * 2，s 紧跟在后面。
{parts} parts, {blocks} blocks: some pairs were not written. The place of m is (row * P + part) * 2, and s comes right after.

not shifted
s 应是减去最大值以后的指数之和。
s is the sum of the exponentials after the maximum is subtracted.

log s
存的是 log s；要存 s，取对数是合并以后的事。
That is log s; store s, the logarithm comes after merging.

s first
顺序反了：先写 m，再写 s。
The wrong way round: m comes first, then s.

one block
4 列、一块、一份就算错了。
Wrong already with 4 columns, one block, one part.

one part
只有一份、共三块时错了。
Wrong with one part of three blocks.

three parts
一份时对，三份时错了：看看每一份从哪一块开始、隔几块取一块，(m, s) 又写到了哪里。
Right with one part, wrong with three: see at which block each part begins, how far on its next one is, and where its pair is stored.

falling
最大值在前面的块里时错了。
Wrong where the maximum is in an early block.

more parts than blocks
份数比块数多时错了：没分到块的 program 写 (−inf, 0)。
Wrong with more parts than blocks: a program that gets no block writes (−inf, 0).

nan
输入里有 NaN 时，NaN 没有传到结果里。
NaN in the input was not passed on.

sizes
{columns} 列、{parts} 份时错了。
Wrong with {columns} columns in {parts} parts.

stores
结果对，可是一个 program 写了不止两个数：m 和 s 各写一次，写在循环之后。
The result is right, but a program stores more than two numbers: store m and s once, after the loop.

unfair
{columns} 列、{parts} 份、块长 4：最忙的 program 读了 {most} 个元素，平分时最多 {fair} 个。
{columns} columns, {parts} parts, blocks of 4: the busiest program read {most} elements; evenly shared it is {fair} at most.
""")

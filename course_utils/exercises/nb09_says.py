"""What the checks of 09_one_row_many_sms say."""

from .sayings import Sayings

SAYS = Sayings("""
finish_row_kernel
两次启动，谁也不等谁，再宽的行也能做；代价是读了两遍。
Two launches, nobody waits, and no row is too wide; the price is a second reading.

last_kernel
一次启动，也谁都没有等：最后到的关灯。位置再少，也不会死锁。
One launch, and still nobody waited: the last one turns off the light. With however few places, it can't deadlock.

mended_share_kernel
三处都定下了先后。它仍然要等，所以每个 program 都要有位置。
All three are ordered now. It still waits, so every program must have a place.

no kernel
kernel 要有 @triton.jit 这一行。
A kernel needs the line @triton.jit.

pairs astray
对子读到外面去了（第 {line} 行）：一行的第一对在 row * PARTS * 2。
It reads pairs that are not there (line {line}): a row's first pair is at row * PARTS * 2.

stride astray
张量不连续时 {kind} 越界了：换行要加 {stride}，不是列数。
With a tensor that is not contiguous, a {kind} leaves it: the next row is {stride} further on, not n_cols.

astray
{kind} 越界了（第 {line} 行）：最后一段多半不满，掩码要比 columns < n_cols。
A {kind} leaves its tensor (line {line}): the last part is rarely full, so mask with columns < n_cols.

nothing written
输出里什么也没有写。
Nothing was written to the output.

row 0 alone
只写了第 0 行：行是 tl.program_id(0)，段是 tl.program_id(1)。
Row 0 alone was written: the row is tl.program_id(0), the part tl.program_id(1).

row 1
第 0 行对，第 1 行错：看看这一行的各对从哪里开始。
Row 0 is right, row 1 is wrong: see where the pairs of a row begin.

no quotient
忘了除以整行的和。
The division by the row's sum is missing.

no shift
分子里忘了减整行的最大值。
The numerator is not shifted by the row's maximum.

one part
一行只有一段时就错了：先核对公式 exp(x − m) / s。
Wrong already with a single part: check exp(x − m) / s.

columns unwritten
8 列、两段：有的列没有写。第 part 段从 part * BLOCK_SIZE 开始。
8 columns in two parts: some were not written. Part number `part` begins at part * BLOCK_SIZE.

part apart
每一段各自成了 softmax：要用整行的 m 和 s，合并这一行的各对。
Each part became a softmax of its own: merge all pairs of the row for its m and s.

sums as they are
各段的 s 直接相加了：先乘 e^(自己的 m − 整行的 m)。
The parts' sums were added as they are: multiply each by e^(its own m − the row's m) first.

sums behind
s 读错了地方：它紧跟在自己的 m 后面，不是先放完所有的 m，再放所有的 s。
The sums are read in the wrong place: each lies right behind its own m, not behind the m of all parts.

pairs overlap
两对之间隔 2 个位置，不是 1 个：m 在偶数位置，s 在奇数位置。
From pair to pair it is 2 places, not 1: every m is at an even place, every s at an odd one.

merging
一段时对，两段时错了：看看各对怎样读、怎样合并。
Right with one part, wrong with two: see how the pairs are read and merged.

stripes
一个 program 做的列不挨着：第 part 段是从 part * BLOCK_SIZE 起连续的 BLOCK_SIZE 列。
A program's columns are not adjacent: part number `part` is the BLOCK_SIZE columns from part * BLOCK_SIZE on.

own part
结果对，可是 x 读了 {count} 个元素，{most} 个就够：每个 program 只读自己那一段。
The result is right, but {count} elements of x were read, where {most} would do: a program reads its own part alone.

falling
最大值在第一段时错了。
Wrong where the maximum is in the first part.

tall
分数在 1000 左右时溢出了：取指数之前先减最大值。
It overflows at scores around 1000: subtract the maximum before the exponential.

not full
7 列、段长 4 时错了：最后一段不满。
Wrong on 7 columns in parts of 4: the last is not full.

padding
7 列、段长 4 时错了：多余的位置按 0 分参加了计算，other 该填 −inf。
Wrong on 7 columns in parts of 4: spare places take part with a score of 0; let other be −inf.

empty part
有一段全是 −inf 时错了。
Wrong where a part is all −inf.

empty part is NaN
有一段全是 −inf 时得到了 NaN：−inf − (−inf) 没有定义，最大值是 −inf 时改减 0。
A part of nothing but −inf gives NaN: −inf − (−inf) is undefined. Where the maximum is −inf, subtract 0 instead.

empty row
整行都是 −inf 时，结果应是 NaN，与 torch.softmax 一样。
A row of nothing but −inf should give NaN, as torch.softmax does.

sum of an empty row
整行都是 −inf 时，结果应是 −inf：合并各对时也要防 −inf − (−inf)。
A row of nothing but −inf should give −inf: beware of −inf − (−inf) when merging the pairs as well.

NaN
输入里有 NaN 时，结果应是 NaN。
With NaN in the input the result should be NaN.

x stride
输入是从 8 列里切出的 7 列时错了：换行要加 x_stride。
Wrong on 7 columns cut out of 8: the next row is x_stride further on.

y stride
输出的行之间有空隙时错了：换行要加 y_stride。
Wrong where the output's rows have gaps: the next row is y_stride further on.

half
float16 的输入错了：读进来先变成 float32。
Wrong on float16 input: make it float32 once loaded.

sizes
{columns} 列、{parts} 段时错了。
Wrong with {columns} columns in {parts} parts.
""")

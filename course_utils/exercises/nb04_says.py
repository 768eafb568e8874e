"""What the checks of 04_grid_stride_kernel say, where it is not said of every row kernel (see `row_sayings`)."""

from .sayings import Sayings

SAYS = Sayings("""
tail_time
把尾部当成一个小 grid：它的那些行，按驻留得少时的速度跑。录下的 9 到 24 个都在 4% 以内。
Treat the tail as a small grid of its own: its rows run at the speed of so few programs. All the recorded ones, from 9 to 24, agree to within 4 %.

biased_kernel
偏置每个 program 只读一遍，不是每行一遍：program 多半比行少得多，常驻的便宜就占在这里。
Each program reads the bias once, not once a row. There are usually far fewer programs than rows, and this is where persistence pays.

chunk_kernel
每一行都做了一遍，也只做了一遍。换一种分法，答案和搬运都不变。
Every row was done, and done once. With another schedule the result and the traffic stay the same.

mended_kernel
几个 program 都行，剩几行都行，第 2³¹ 个元素之后也行。
Right for any number of programs, any number of rows left over, and beyond element 2³¹.

most_stages
能放下不等于该用满：存得越多，同一个 SM 上放得下的 program 越少。
What fits is not what pays: the more a program stores, the fewer programs fit on an SM.

waves
这是数波次：你当尾部也要跑一整波那么久。只有几个 program 时，一行快得多。
That counts waves: you let the tail take as long as a full wave. With few programs, a row is done much faster.

bytes
这是数字节：你当尾部跑得和整波一样快。只剩几个 program 时，在途字节不够。
That counts bytes: you let the tail go as fast as full waves. With few programs left, too few bytes are in flight.

unweighted
`ms[j]` 是做完**全部**行的时间；整波和尾部各只做一部分行，要各乘上自己的份额。
`ms[j]` is the time for **all** rows; full waves and the tail do a part each, so multiply each by its share.

no tail
尾部没有算：它的那些行也要时间。
The tail is missing: its rows take time as well.

one wave
整波不止一个：programs 可以是 fits 的好几倍。
There may be several full waves: programs can be a multiple of fits.

of a wave
尾部的份额算错了：它是总数 programs 的几分之几，不是 fits 的。
The tail's share is out of all the programs, not out of fits.

whole shares
份额是分数，整除把它变成了 0。
A share is a fraction; a whole division makes it 0.

not in ms
ms 里只有 1 到 fits：做完所有整波，还剩几个才是尾部；一个不剩时，没有尾部要查。
ms goes from 1 to fits: the tail is what remains after all the full waves, and where nothing remains there is no tail to look up.

exchanged
两个份额放反了：尾部只做 `programs % fits` 那几个 program 的行。
The two shares are exchanged: the tail does the rows of `programs % fits` programs only.

alone
尾部不总是每个 SM 一个 program：剩几个，就用几个的时间。
The tail is not always one program an SM: use the time for as many as are left.

seconds
给的是毫秒，要的也是毫秒。
Milliseconds are given, and milliseconds are asked for.

columns for block
占地方的是整个块（BLOCK_SIZE），不是 n_cols 列。
A whole block (BLOCK_SIZE) takes up room, not n_cols columns.

four bytes
一个元素不总是 4 字节，看 itemsize。
An element is not always 4 bytes; see itemsize.

nothing for the reductions
还有归约用的共享内存没有算：8 个 warp，每个一个 float32。
The shared memory of the reductions is missing: a float32 for each of the 8 warps.

reductions in itemsize
归约用的是 float32：不管 itemsize 是几，8 个 warp 每个占 4 字节。
The reductions work in float32: 4 bytes for each of the 8 warps, whatever itemsize is.

as many rows as stages
共享内存里存的行比级数少一行：正在算的那一行在寄存器里。
Shared memory holds one row fewer than there are stages: the row being computed is in registers.

stages unrounded
级数要是整数，放不下的半级不算。
The number of stages must be whole; half a stage that fits does not count.

one too many
多了一级：s 级要存 s − 1 行。
One stage too many: of all the stages, every one but one stores a row.

next block
列数正好是 2 的幂时，块就是这么大，不用再翻倍。
Where the number of columns is a power of two, the block is just as large; don't double it.

at most four
不止 4 级：放得下几级就是几级。
There may be more than 4: as many stages as fit.

rule of the tutorial
这是教程的规则，它不问一行有多宽。
That is the rule of the tutorial, which never asks how wide a row is.

divided first
先减后除：`//` 比 `-` 先算，要加括号。
Subtract first, then divide: `//` binds more tightly than `-`; use brackets.

reductions added
归约用的 32 字节要占地方：是减去，不是加上。
The 32 bytes of the reductions take up room: subtract them; you added them.

reductions too large
归约一共只用 32 字节：8 个 warp，每个一个 float32，4 字节。
The reductions take 32 bytes in all: 8 warps, each a float32 of 4 bytes.

at least two
放不下第二级时，还有 1 级：它不在共享内存里存行。
Where a second stage does not fit there is still 1: it keeps no row in shared memory.

chunk beyond
{rows} 行、{programs} 个 program：program {program} 做的是第 {done} 行，不是连续的一段。
{rows} rows, {programs} programs: program {program} did rows {done}, which are not one chunk.

too many rows
{rows} 行、{programs} 个 program：program {program} 做了 {count} 行，最忙的也不该超过 {most} 行。
{rows} rows, {programs} programs: program {program} did {count} rows; none should do more than {most}.

int32
{side}的行步幅是 2³⁰ 时，第 2 行的偏移成了 {offset}：行号乘步幅仍按 int32 算，绕回了负数。
With a row stride of 2³⁰ in the {side}, row 2 lands at offset {offset}: row times stride is still computed in int32 and wraps around to the negative.

far rows
{side}的行步幅是 2³⁰ 时，碰到的元素不对：最小的偏移是 {offset}，应是 0。
With a row stride of 2³⁰ in the {side}, the wrong elements are touched: the smallest offset is {offset}; it should be 0.

bias forgotten
偏置没有用上：这是 x 本身的 softmax。
The bias is not used: this is the softmax of x alone.

bias subtracted
偏置要加上，你减去了它。
The bias is to be added; you subtracted it.

bias multiplied
偏置要加到分数上，不是乘上去。
The bias is to be added to the scores, not multiplied with them.

bias after
偏置要在 softmax 之前加到分数上，你加到了概率上。
Add the bias to the scores, before softmax; you added it to the probabilities.

bias beside the exponentials
偏置要加到分数上，你加到了分数的 exp 上。
Add the bias to the scores; you added it to their exponentials.

biased after the maximum
分子里有偏置，分母里没有：和也要用加了偏置的分数来算。
The bias is in the numerator and not in the denominator: the sum, too, is of the biased scores.

bias read again
结果都对，可是 {rows} 行、{programs} 个 program、8 列时，偏置读了 {read} 个元素，{least} 个就够：它对每一行都一样，放到循环外面去读。
All results are right, but with {rows} rows, {programs} programs and 8 columns the bias was read as {read} elements, where {least} would do: it is the same for every row, so load it before the loop.

x read again
结果都对，可是 {rows} 行、{programs} 个 program、8 列时，x 读了 {read} 个元素，{least} 个就够：一行只读一遍。
All results are right, but with {rows} rows, {programs} programs and 8 columns x was read as {read} elements, where {least} would do: read each row once.
""")

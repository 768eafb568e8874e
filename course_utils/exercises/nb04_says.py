"""What the checks of 04_grid_stride_kernel say, where it is not said of every row kernel (see `row_sayings`)."""

from .sayings import Sayings

SAYS = Sayings("""
busy
行一样长时，它就是 M ÷ (轮数 × P)；有长有短时，事先分好的份会让人白等。
With rows all alike this is M ÷ (rounds × P); with long and short ones, shares dealt out beforehand make programs wait.

fewest_programs
同样的轮数，更少的 program：4096 行、最多 1056 个 program 时，1024 个正好，一个也不闲。
The same rounds with fewer programs: for 4096 rows and at most 1056 programs, 1024 do it and none is idle.

chunk_kernel
每一行都做了一遍，也只做了一遍。换一种分法，答案和搬运都不变。
Every row was done, and done once. With another schedule the result and the traffic stay the same.

mended_kernel
几个 program 都行，剩几行都行，第 2³¹ 个元素之后也行。
Right for any number of programs, any number of rows left over, and beyond element 2³¹.

most_stages
能放下不等于该用满：存得越多，同一个 SM 上放得下的 program 越少。
What fits is not what pays: the more a program stores, the fewer programs fit on an SM.

percentage
要的是 0 到 1 之间的份额，不是百分数。
A share between 0 and 1 is asked for, not a percentage.

inverse
除反了：份额是干活的时间除以全部的时间。
Upside down: the share is time spent working over all the time.

idle share
这是闲着的份额，要的是干活的。
That is the idle share; the busy one is asked for.

rows alike
这个公式当每一行都一样长。长短不一时，要看哪个 program 最后做完。
That formula takes all rows to be alike. When they are not, see which program ends last.

chunks
这是连续分段的份额；网格跨步里，相邻的两行归不同的 program。
That is the share for contiguous chunks; in a grid-stride loop, neighbouring rows go to different programs.

handed out
这是谁空下来就把下一行交给谁；网格跨步里，谁做哪一行是事先定好的。
That hands the next row to whoever is free; in a grid-stride loop it is fixed beforehand who does which row.

nobody waits
你的结果总是 1：先做完的 program 要等最后一个，等的时间也要算进去。
You always get 1: a program that is done waits for the last one, and that time counts as well.

idle left out
一行也没分到的 program 也在等：它们的时间也是“全部的时间”的一部分。
Programs with no row at all wait as well, and their time is part of all the time.

longest row
用时不是由最长的那一行决定的，而是由总共做得最久的那个 program。
Not the longest row decides how long it takes, but the program with the most work in all.

all programs together
分母只算了一个 program 的时间；一共有 `programs` 个。
The denominator is the time of one program; there are `programs` of them.

rounds
这是轮数；题目问的是 program 的个数。
Those are rounds; the question is how many programs.

rounded down
除不尽时你向下取整了：剩下的行要再多走一轮。
Where it does not come out even you rounded down: the rows left over take another round.

unrounded
program 的个数要是整数。
The number of programs must be whole.

all of them
轮数没有变多，可这不是最少的：少几个也不会多走一轮。
The rounds stay the same, but this is not the fewest: with some programs fewer there is no round more.

one for each row
一行一个会超出上限：最多启动 `most` 个。
One for each row exceeds the limit: at most `most` may be launched.

divisor
你找的是能整除行数的个数；最后一轮不满也没有关系，只要轮数不变多。
You looked for a number that divides the rows; the last round need not be full, as long as there is no round more.

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

at least two
放不下第二级时，还有 1 级：它不在共享内存里存行。
Where a second stage does not fit there is still 1: it keeps no row in shared memory.

chunk beyond
{rows} 行、{programs} 个 program：program {program} 做的是第 {done} 行，不是连续的一段。
{rows_en}, {programs_en}: program {program} did rows {done}, which are not one chunk.

chunk too long
{rows} 行、{programs} 个 program：program {program} 做了 {count} 行，最忙的也不该超过 {most} 行。
{rows_en}, {programs_en}: program {program} did {count} rows; none should do more than {most}.

int32
{side}的行步幅是 2³⁰ 时，第 2 行的偏移成了 {offset}：行号乘步幅仍按 int32 算，绕回了负数。
With a row stride of 2³⁰ in the {side}, row 2 lands at offset {offset}: row times stride is still computed in int32 and wraps around to the negative.

far rows
{side}的行步幅是 2³⁰ 时，碰到的元素不对：最小的偏移是 {offset}，应是 0。
With a row stride of 2³⁰ in the {side}, the wrong elements are touched: the smallest offset is {offset}; it should be 0.
""")

"""What the checks of 05_occupancy_launcher say."""

from .sayings import Sayings

SAYS = Sayings("""
mended_formula
这就是 course_utils.occupancy 用的算法；它与驱动逐一对过。
This is the arithmetic of course_utils.occupancy, which was checked against the driver.

enough_programs
利特尔法则给出够用的个数，占用率给出放得下的个数，取小的。
Little's law says how many are enough, occupancy how many fit; take the smaller.

prefetch_kernel
下一行在路上，这一行在算，一个字节也没有多搬，也不用共享内存。
The next row is on its way while this one is computed: not a byte more, and no shared memory.

draw_waiting
曲线先平后升：过了拐点，多放的 program 只是排队更久。
Flat at first, then rising: past the knee, more programs only queue for longer.

across schedulers
一个 warp 的寄存器全在同一个调度器里，不能一半在这里、一半在那里：先看一个调度器放得下几个 warp。
A warp has all its registers with one scheduler, never half here and half there: first see how many warps fit on one scheduler.

one scheduler
这是一个调度器放得下的；一个 SM 有好几个调度器。
That is what fits on one scheduler; an SM has several.

no warps
还少一个限制：一个 SM 最多驻留 chip.warps 个 warp。
One limit is missing: at most chip.warps warps are resident on an SM.

no programs
还少一个限制：一个 SM 最多驻留 chip.programs 个 program。
One limit is missing: at most chip.programs programs are resident on an SM.

no registers
还少一个限制：寄存器。
One limit is missing: the registers.

no shared
还少一个限制：共享内存。
One limit is missing: the shared memory.

no granule
寄存器是一份一份地发的：要向上取整到 chip.register_granule 的倍数。
Registers are given out in pieces: round up to a multiple of chip.register_granule.

no reserved
共享内存：系统还要为每个 program 留一份，chip.shared_reserved 字节。
Shared memory: the system takes some with every program, chip.shared_reserved bytes.

no shared granule
共享内存也是一份一份地发的：要向上取整到 chip.shared_granule 的倍数。
Shared memory is given out in pieces, too: round up to a multiple of chip.shared_granule.

reserved after rounding
系统留的那份共享内存要先加上，再取整。
The shared memory that the system takes is added first, and rounded then.

largest
最先用完的说了算：取最小的，不是最大的。
What runs out first decides: the smallest, not the largest.

at least one
放不下就是放不下：这时要返回 0，不是 1。
What does not fit does not fit: return 0 then, not 1.

shared always counts
shared 为 0 时，共享内存不算限制：系统的那份也不算。
With shared at 0, shared memory is no limit, the system's part included.

lane is fixed
每个调度器有几个寄存器，各种芯片不一样：看 chip.registers_per_lane。
How many registers a scheduler has differs from chip to chip: see chip.registers_per_lane.

schedulers are fixed
调度器不总是 4 个：看 chip.schedulers。
There are not always 4 schedulers: see chip.schedulers.

granule is fixed
寄存器不总是每 8 个一份地发：看 chip.register_granule。
Registers are not always given out in eights: see chip.register_granule.

system share is fixed
系统为每个 program 留的共享内存不总是 1024 字节：看 chip.shared_reserved。
The system does not always take 1024 bytes with a program: see chip.shared_reserved.

pieces of shared are fixed
共享内存不总是每 128 字节一份地发：看 chip.shared_granule。
Shared memory is not always given out in pieces of 128 bytes: see chip.shared_granule.

another chip
这是 H200 的数：各种芯片不一样，要从 chip 里取。
These are the H200's figures; they differ from chip to chip: take them from chip.

registers rounded down
寄存器是一份一份地发的，不满一份也要发一份：要向上取整，你向下取整了。
Registers are given out in pieces, and part of one takes a whole: round up; you rounded down.

of one program
chip.shared_per_program 是一个 program 最多能用的；一个 SM 一共有的是 chip.shared。
chip.shared_per_program is the most that one program may use; all that an SM has is chip.shared.

reserved once
系统给**每个** program 都留一份共享内存，不是一个 SM 只留一份。
The system takes its share with **every** program, not once on an SM.

none without shared
shared 为 0 时，放得下几个由别的限制决定，不是 0 个。
With shared at 0 the other limits decide how many fit; that is not 0.

warps for programs
有的限制数的是 warp：要除以 num_warps 才是 program 数。
Some of the limits count warps: divide those by num_warps to count programs.

within a scheduler
一个 program 的 warp 分在各个调度器上：先数所有调度器一共放得下几个 warp，再除以 num_warps。
A program's warps are spread over the schedulers: first count the warps that fit on all of them, then divide by num_warps.

division by zero
除以了 0：shared = {shared}。不用共享内存的 program，不受共享内存限制。
A division by zero, with shared = {shared}. A program that needs no shared memory is not limited by it.

not doubled
没有乘 2：显存一忙，一行要等的时间大约翻倍。
The factor of 2 is missing: on a busy memory a row takes about twice as long.

rounded up
要取最接近的整数，不是向上取整。
Round to the nearest, not up.

rounded down
要取最接近的整数，不是去掉小数。
Round to the nearest; don't cut the fraction off.

doubled late
先乘 2 再取整；你先取整，再乘 2。
Double first, then round; you rounded and then doubled.

everywhere one
每个 SM 上取整得 0 时就是 0；至少 1 个，说的是总数。
Where rounding gives 0 for an SM, it is 0; the minimum of 1 is of all together.

rounded in all
每个 SM 上的个数要取整，你只对总数取了整。
The number on each SM is to be rounded; you rounded only that of all together.

fits in all
fits 是每个 SM 上的，不是整块 GPU 的。
fits is for each SM, not for the whole GPU.

doubled beyond
fits 是最后的上限：先乘 2、取整，再和 fits 比。
fits has the last word: double and round first, then compare with fits.

of one SM
这是一个 SM 上的个数；要的是整块 GPU 一共启动几个。
That is for one SM; the number to launch on the whole GPU is asked for.

does not fit
比放得下的还多：每个 SM 最多 fits 个。
More than fit: at most fits on an SM.

more than rows
program 比行还多：多出来的无事可做。
More programs than rows: the others have nothing to do.

every SM alone
bandwidth 是整块 GPU 的，够用的个数也是；要分给 sms 个 SM。
The bandwidth is the whole GPU's, and so are the programs it takes: divide them among the sms SMs.

as many as fit
这是放得下的个数；够用的可能更少。
That is how many fit; fewer may be enough.

as many as rows
一行一个 program 总够用，可这里要的是常驻的 program，够用就停。
A program a row is always enough, but resident programs are asked for, and no more than are.

none at all
一个也不启动，就什么也没算：至少 1 个。
With none launched nothing is computed: at least 1.
""")

AHEAD = Sayings("""
beyond
{grid}：program {program} 去读第 {row} 行，可是行号只到 {last}。没有下一行时，掩码要全是 False。
{grid_en}: program {program} loads row {row}, but the last is {last}. Where there is no next row, the mask must be all False.

not ahead
{grid}：program {program} 先写完第 {stored} 行，才去读第 {loaded} 行。写之前就要发出下一行的 load。
{grid_en}: program {program} stored row {stored} before it loaded row {loaded}. Issue the load of the next row before you store this one.

int32
行步幅是 2³⁰ 时，{kind} 落到了偏移 {offset}：行号乘步幅按 int32 算，绕回了负数。行号要先变成 int64。
With a row stride of 2³⁰ a {kind} lands at offset {offset}: row times stride is computed in int32 and wraps around. Make the row an int64 first.

not its row
{grid}：program {program} 提前读了第 {row} 行，可那一行不归它：它的下一行在一整个 grid 之后。
{grid_en}: program {program} loaded row {row} ahead, which is not its own: its next row is a whole grid further on.

nothing next
{grid}：program {program} 没有下一行了，却还读了第 {row} 行。没有下一行时，什么也不读。
{grid_en}: program {program} has no next row, yet it loaded row {row}. Where there is no next row, load nothing.

not kept
{grid}：第 {row} 行里是第 {other} 行的结果：提前读到的那一行，到了下一圈没有用上。
{grid_en}: row {row} holds the result of row {other}: the row that was loaded ahead was not used in the next turn.

too early
{grid}：第 {row} 行里是第 {other} 行的结果：这一行还没有算，就被下一行换掉了。
{grid_en}: row {row} holds the result of row {other}: the present row was replaced by the next before it was computed.

loaded again
{grid}：第 {row} 行读了 {times} 遍。提前读到的那一行，留到下一圈用，别再读。
{grid_en}: row {row} was loaded {times} times. Keep the row that was loaded ahead for the next turn instead of loading it again.
""")

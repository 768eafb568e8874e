"""What the checks of A1_amd_and_ascend say."""

from .sayings import Sayings

SAYS = Sayings("""
amd_programs
同一个算法，换一行硬件数据：warp 叫 wave，调度器叫 SIMD。
The same arithmetic with another line of hardware figures: warps are called waves, schedulers SIMDs.

no wave slots
少了一个限制：chip.warps 是整个 CU 最多驻留的 wave 数，平分给各个 SIMD。
One limit is missing: chip.warps waves at most are resident on the whole CU, dealt evenly to its SIMDs.

one SIMD
这只是一个 SIMD 上的；一共有 chip.schedulers 个。
That is on one SIMD; there are chip.schedulers of them.

waves
这是 wave 数；一个 program 有 num_warps 个 wave。
Those are waves; a program has num_warps of them.

slots of all
chip.warps 是整个 CU 的，不是一个 SIMD 的。
chip.warps is for the whole CU, not for one SIMD.

SIMD by SIMD
先算一个 SIMD 放得下几个 program 再乘，就把不够一个 program 的 wave 丢掉了；一个 program 的 wave 可以分在几个 SIMD 上。
To count the programs of one SIMD and multiply loses the waves that are too few for a program; a program's waves may lie on several SIMDs.

registers of all
一个 wave 的寄存器全在同一个 SIMD 里：先看一个 SIMD 放得下几个 wave。
A wave has all its registers on one SIMD: first see how many waves fit on one SIMD.

no granule
寄存器是一份一份地发的：要向上取整到 chip.register_granule 的倍数。
Registers are given out in pieces: round up to a multiple of chip.register_granule.

granule is fixed
寄存器不总是每 8 个一份地发：看 chip.register_granule。
Registers are not always given out in eights: see chip.register_granule.

lane is fixed
每个调度器有几个寄存器，各种芯片不一样：看 chip.registers_per_lane。
How many registers a scheduler has differs from chip to chip: see chip.registers_per_lane.

schedulers are fixed
调度器不总是 4 个：看 chip.schedulers。
There are not always 4 schedulers: see chip.schedulers.

at least one
放不下就是放不下：这时要返回 0，不是 1。
What does not fit does not fit: return 0 then, not 1.

one chip
这是 MI300X 的数：别的芯片不一样，每个数都从 chip 里取。
Those are the MI300X's figures: other chips have others, so take every one from chip.

rounded down
寄存器要向上取整到 chip.register_granule 的倍数，你向下取整了。
Round registers up to a multiple of chip.register_granule; you rounded down.

most_warps
num_warps 再多，就有 lane 分不到元素，只能重复别人的工作。
With more warps some lanes have no element of their own, and repeat the work of others.

npu_bytes
窄行读一遍、写一遍；宽行多读一遍。
Narrow rows are read once and written once; wide rows are read once more.

no limit on threads
一个 program 最多 1024 个线程。
A program has 1024 threads at most.

wave is fixed
一个 warp 有几个线程，NVIDIA 和 AMD 不一样：用 wave。
How many threads a warp has differs between NVIDIA and AMD: use wave.

none for small blocks
块比一个 warp 还小时，也要 1 个 warp。
A block smaller than a warp still takes 1 warp.

threads for warps
这是线程数；要的是 warp 数。
Those are threads; warps are asked for.

two elements
你让每个 lane 至少有两个元素；有一个就够。
With yours each lane has two elements or more; one is enough.

part of a warp
块比一个 warp 还小时，你返回了零点几；这时也要 1 个 warp。
For a block smaller than a warp you return a fraction; that takes 1 warp as well.

always one
不管块多大，你总是返回 1。
You return 1, however large the block is.

elements of a lane
这是每个 lane 的元素数；要的是 warp 数。
Those are the elements of a lane; warps are asked for.

not a power of two
块的宽度总是 2 的幂：放得下 5461 个时，最宽的块是 4096。
Blocks are powers of two: where 5461 elements fit, the widest block is 4096.

types mixed up
中间都按 float32 算，块按每个元素 4 字节占缓冲区，与输入的类型无关。
All is computed in float32, so a block takes 4 bytes an element of the buffer, whatever the type of the input.

bytes of a block
buffer 是字节数，块的宽度是元素数：一个 float32 占 4 字节。
buffer counts bytes, the width of a block counts elements: a float32 has 4 bytes.

just fits
与最宽的块一样宽的行，正好放得下。
A row just as wide as the widest block does fit.

rounded up
2 的幂取大了：那样的 6 块，缓冲区放不下。
The power of two is too large: 6 blocks of that width do not fit.

buffer is fixed
缓冲区不总是 192 KiB：看 buffer。
A buffer does not always have 192 KiB: see buffer.

padding moved
掩码遮住的不搬：只算 columns 个元素。
What the mask hides is not moved: count columns elements alone.

always four bytes
缓冲区里按 4 字节算，可搬的是 itemsize 字节的元素。
In the buffer an element takes 4 bytes, but what is moved has itemsize.

one block alone
缓冲区要同时放 6 块，不是 1 块。
The buffer holds 6 blocks at once, not 1.

no double buffering
双缓冲：每样都有两块，一共 6 块，不是 3 块。
Double buffering: two of each, 6 blocks in all, not 3.

read once
宽行要读两遍：一遍求最大值和总和，一遍写结果。
Wide rows are read twice: once for maximum and sum, once for the result.

read twice
窄行放得进缓冲区，读一遍就够。
Narrow rows fit the buffer: reading them once is enough.

nothing written
结果也要写回去：写的字节也算。
The result is written back: count those bytes, too.

written twice
宽行读两遍，可只写一遍。
Wide rows are read twice, but written once.

elements for bytes
这是元素数；要的是字节。
Those are elements; bytes are asked for.
""")

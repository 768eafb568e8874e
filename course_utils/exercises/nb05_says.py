"""What the checks of 05_occupancy_launcher say."""

from .sayings import Sayings

SAYS = Sayings("""
mended_formula
这就是 course_utils.occupancy 用的算法；它与驱动逐一对过。
This is the arithmetic of course_utils.occupancy, which was checked against the driver.

cache_key
编译器被告知的，一件不少；它不知道的，一件不多。
All that the compiler is told, and nothing that it is not.

amd_programs
同一个算法，换一行硬件数据：warp 叫 wave，调度器叫 SIMD。
The same arithmetic with another line of hardware figures: warps are called waves, schedulers SIMDs.

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

division by zero
除以了 0：shared = {shared}。不用共享内存的 program，不受共享内存限制。
A division by zero, with shared = {shared}. A program that needs no shared memory is not limited by it.

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
""")

KEYS = Sayings("""
nothing
函数没有返回值：别忘了 return。
The function returns nothing: mind the return.

unhashable
{kind} 不能当字典的键；用元组。
A {kind} cannot be the key of a dict; use a tuple.

tensor
键里有张量：每次调用都是新的张量，缓存永远命不中。
There is a tensor in the key: every call brings a new one, and nothing is ever found.

same launch twice
同一次启动问了两次，得到的键不同，缓存永远命不中：地址本身、随机数这类每次都变的东西，不能放进键里。
Asked twice about one launch, it gives two keys, and nothing is ever found: what changes every time, such as the address itself or a random number, has no place in a key.

too coarse
{one} 和 {other} 用了同一个键，编译出来的却是两个 kernel：{why}。
{one} and {other} share a key, yet compile to two kernels: {why}.

too fine
{one} 和 {other} 得到了不同的键，编译出来的却是同一个 kernel：{why}。
{one} and {other} get different keys, yet compile to one and the same kernel: {why}.

divisible
16 只能整除其中一个
16 divides only one of the two

one
等于 1 的整数会被写死在 kernel 里，不等于 1 的不会
an integer that equals 1 is written into the kernel for good, any other is not

block
BLOCK_SIZE 不同
their BLOCK_SIZE differs

dtype
元素的类型不同
their elements are of different types

aligned
只有一个的起始地址是 16 的倍数
the address of only one is a multiple of 16

wide
一个装得进 32 位，另一个（≥ 2³¹）装不进，参数就成了 64 位的
one fits in 32 bits, the other (≥ 2³¹) does not and becomes a 64-bit argument

which
是哪个参数，也有关系
it matters which of the arguments it is

address
地址本身不要紧，只看它是不是 16 的倍数
the address itself does not matter, only whether it is a multiple of 16

neither
两个都不能被 16 整除，也都不是 1，余数是几编译器不知道
16 divides neither and neither is 1; the compiler does not know what remains

both
两个都能被 16 整除，别的编译器不知道
16 divides both; the compiler knows no more of them

packed
两者的步幅都能被 16 整除；紧不紧挨着，编译器不知道
16 divides both strides; whether rows are packed the compiler does not know
""")

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
""")

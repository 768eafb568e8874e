"""What the checks of 09 say of programs that take turns."""

from .sayings import Sayings

TURNS_SAY = Sayings("""
lines
第 {a} 行和第 {b} 行
lines {a} and {b}

line
第 {a} 行
line {a}

counter loaded
计数器 {tensor} 是用普通的 load 看的（{at}）：要用原子操作，例如 atomic_add 加 0。
The counter {tensor} is read by a plain load ({at}): use an atomic, such as an atomic_add of 0.

counter stored
计数器 {tensor} 不是用原子操作改的（{at}），更新会丢。
The counter {tensor} is not changed by an atomic ({at}), so updates get lost.

both write
两个 program 都写 {tensor}，没有先后（{at}）：更新会丢，或者结果写了不止一次。
Two programs both write {tensor} in no order ({at}): updates get lost, or the result is stored more than once.

volatile
读 {tensor} 时，别的 program 可能还没有写（{at}）：计数器是用 load 看的，volatile 每次都去问内存，却不 acquire。
{tensor} is read while another program may not have written it yet ({at}): the counter is looked at by a load, and volatile asks memory each time, yet acquires nothing.

reports early
读 {tensor} 时，别的 program 可能还没有写（{at}）：它在第 {line} 行报到，那时还没有写完。先写再报到。
{tensor} is read while another program may not have written it yet ({at}): that one reports at line {line}, before it has written all. First write, then report.

no barrier
读 {tensor} 时，别的 program 可能还没有写（{at}）：一块由许多线程来写，报到的却只有一个线程。报到之前加 tl.debug_barrier()。
{tensor} is read while another program may not have written it yet ({at}): many threads store a block, and one of them reports. Put tl.debug_barrier() before the report.

no release
读 {tensor} 时，别的 program 可能还没有写（{at}）：第 {line} 行的报到是 {sem}，不 release，报到之前写的可以后到。
{tensor} is read while another program may not have written it yet ({at}): the report at line {line} is {sem} and releases nothing, so what was written before it may arrive later.

no acquire
读 {tensor} 时，别的 program 可能还没有写（{at}）：第 {line} 行看计数器，用的是 {sem}，不 acquire，之后读的可能还是旧的。
{tensor} is read while another program may not have written it yet ({at}): the look at the counter at line {line} is {sem} and acquires nothing, so what is read after it may be old.

looks count
读 {tensor} 时，别的 program 可能还没有写（{at}）：第 {line} 行每看一次计数器就把它改一次，人没有到齐，数已经够了。
{tensor} is read while another program may not have written it yet ({at}): each look at the counter at line {line} changes it, and the number is reached before everybody is there.

not all there
读 {tensor} 时，别的 program 可能还没有写（{at}）：那时还没有全报到。
{tensor} is read while another program may not have written it yet ({at}): by then not all have reported.

waits
它在等，位置不够时就死锁了。这里谁也不必等：不是最后一个的，报到完就结束。
It waits, and deadlocks where places are few. Nobody need wait here: whoever is not the last just ends after reporting.

never comes
它等的那个数永远不会来（死锁）：先报到，再等，等到 PARTS 个为止。
It waits for a number that never comes (deadlock): report first, then wait until there are PARTS.

one counter
有的行写了结果，有的没有：每一行要有自己的计数器，arrived_ptr + row。
Some rows have a result and some have none: each row needs a counter of its own, arrived_ptr + row.

nobody is last
只有一段时，没有写结果：看看最后一个报到的，从 atomic_add 得到的是几。
With a single part there is no result: see what atomic_add gives to the last to report.

nobody is last of two
两段时，有的行没有写结果：看看最后一个报到的，从 atomic_add 得到的是几。
With two parts some rows have no result: see what atomic_add gives to the last to report.

no maximum
差了最大值：log s 之后还要加回 m。
The maximum is missing: after log s, add m back.

no logarithm
少了对数：要的是 m + log s。
The logarithm is missing: m + log s is wanted.

one part
一段时就错了：先核对公式 m + log s。
Wrong already with one part: check m + log s.

two parts
一段时对，两段时错了。
Right with one part, wrong with two.

sums as they are
各段的 s 直接相加了：先乘 e^(自己的 m − 整行的 m)。
The parts' sums were added as they are: multiply each by e^(its own m − the row's m) first.

read once
结果对，可是 x 读了 {count} 个元素，{most} 个就够。
The result is right, but {count} elements of x were read, where {most} would do.

still there
结果对，可是 x 读了 {count} 个元素，{most} 个就够：等完以后，它还在寄存器里。
The result is right, but {count} elements of x were read, where {most} would do: after the wait they are still in registers.

unwritten
有的地方没有写结果。
Some of the output was not written.

own total
没有竞争，可是结果不对：每个元素要除以整行的总和。
No race, but the result is wrong: divide each element by the total of the row.

many parts
{parts} 段时错了。
Wrong with {parts} parts.
""")

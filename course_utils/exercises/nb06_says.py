"""What the checks of 06_benchmark say."""

from .sayings import Sayings

SAYS = Sayings("""
warm_benchmark
预热不只是为了编译：时钟频率、缓存、分配器，都要先动起来。
Warming up is not for the compiler alone: clocks, caches and allocators want to get going as well.

waiting_benchmark
异步是 GPU 快的原因之一；测量时要记得等它。
Being asynchronous is part of what makes a GPU fast; when you measure, wait for it.

cold_benchmark
冷缓存是最坏的情形，也最公平；热缓存有时更接近真实用法。说明是哪一种就行。
A cold cache is the worst case and the fairest; a warm one is sometimes closer to real use. Say which it was.

sustained_benchmark
每次启动各有各的输入和输出，合计几倍于缓存：每个都替自己付账，谁也不替别人付。
Every launch has an input and an output of its own, several times the cache in all: each pays for its own bytes and for nobody else's.

same buffers
每次启动读写的都是同一块内存，数据一直在 L2 里：让 reads 和 writes 每次都换一个名字。
Every launch reads and writes the same memory, which stays in L2: give reads and writes another name each time.

half paid
只有一半的字节付了账，另一半一直留在 L2 里。reads 和 writes 都要每次换名字，启动也不能只有一次。
Only half of the bytes were paid for; the other half never left L2. Give both reads and writes another name each time, and launch more than once.

few buffers
轮流用的内存太少，下次轮到时还有一部分在 L2 里：让它们合起来有几倍缓存那么多。
Too few buffers take turns, and some are still in L2 when their turn comes again: let them be several times the cache in all.

too few
开始计时的时候缓存里还有空地方，前几次的输出不用写回：先让缓存满起来，再多跑几次。
When the clock starts there is still room in the cache, so the first outputs need not be written back: fill the cache first, and time more launches.

differs
真值是 {truth} 微秒，你量到 {got} 微秒。
The truth is {truth} µs; you measured {got} µs.

not positive
测得的时间不是正数。
The measured time is not positive.

milliseconds
单位应是秒，这是毫秒。
The unit should be seconds; these are milliseconds.

microseconds
单位应是秒，这是微秒。
The unit should be seconds; these are microseconds.

answer key
true_seconds 是标准答案，考试时不说真话；要把它测出来。
true_seconds is the answer key and does not tell the truth in an exam; measure it.

by the figures
这是按标称带宽算出来的（或者是你自己另造的一块 GPU 的），不是眼前这块 GPU 的：要测的是传进来的 gpu。
That is what the nominal bandwidth says (or another GPU that you made yourself), not this GPU: measure the one that is passed in.

compiled
第一次启动要编译，编译的时间也算进去了。
The first launch compiles, and that is in your time.

spread
编译的时间还分摊在里面：第一次启动不能计时。
The compilation is still spread over it: the first launch must not be timed.

subtracted
编译要多久，每台机器都不一样，不能当常数减掉：让它在开始计时之前就编译完。
How long compiling takes differs from machine to machine and is no constant to subtract: let it be over before the clock starts.

launch alone
launch() 立刻就返回：你量的是把工作放进队列的时间，停表的时候 GPU 还没有做完。
launch() returns at once: you measured how long it takes to queue the work, and the GPU is not done when your clock stops.

still queued
开始计时的时候，预热的那一次还在队列里，它的时间也算了进去。
When your clock starts the warm-up is still in the queue, and its time is counted too.

not divided
跑了好几次，得到的是总时间；要的是一次的。
That is the time of several runs together; one is asked for.

divided too often
除以的次数比计时的次数多。
You divided by more runs than you timed.

miscounted
除以的数和跑的次数差一。
The number you divide by is not the number of runs; they differ by one.

not flushed
没有 flush()，数据还在 L2 里；放下第一个事件时队列又是空的，主机启动的时间也算了进去。
There is no flush(), and the data is still in L2; and the queue was empty when the first event was placed, so the launch itself is counted as well.

flushed
flush() 在缓存里留下要写回的字节，先跑的几次替它付了账。持续状态只靠许多次启动，不用 flush()。
flush() leaves bytes in the cache that must be written back, and the first launches pay for them. Many launches make the sustained state, without flush().

hot
数据还在 L2 里，这次没有从显存读：计时的那一次启动之前，要把缓存冲掉。
The data is still in L2 and does not come from device memory: flush the cache before the launch that is timed.

hot times three
热缓存的时间乘一个常数不是冷缓存的时间：快几倍，每块 GPU 不一样。
The time with a hot cache times a constant is not the time with a cold one: how much faster it is differs from GPU to GPU.

flush timed
flush() 自己也要时间，它也算进去了：它不能在两个事件之间。
flush() takes time as well, and it is in yours: it must not lie between the two events.

flushed once
缓存只冲掉了一次：只有第一次启动是冷的，后面几次都从 L2 读。
The cache was flushed once only: the first launch is cold, the others read from L2.

queue ran dry
开始的事件放下时，队列是空的，于是主机启动 kernel 的那几微秒也算进了两个事件之间。flush() 之后不要等，事件和启动紧跟着放进队列。
When the first event was placed the queue was empty, so the microseconds that the host takes to launch lie between the two events. Don't wait after flush(): queue the event and the launch right behind it.

stopwatch
你用的是主机的钟：它走得粗，还把启动的时间也算了进去。这一题要用两个事件。
You used the host's clock, which ticks coarsely and counts the launch as well. Here two events are asked for.
""")

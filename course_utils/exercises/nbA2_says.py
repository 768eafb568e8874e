"""What the checks of A2_compiled_kernels_and_launches say."""

from .sayings import Sayings

SAYS = Sayings("""
cache_key
编译器被告知的，一件不少；它不知道的，一件不多。
All that the compiler is told, and nothing that it is not.

elements_at_once
编译器不看 16 字节，只看 16 整除不整除：它只被告知了这一件事。
The compiler does not look at bytes, only at whether 16 divides: that is all it was told.

enough_rows
行数不到这个数，主机还在启动下一个，GPU 已经闲下来了。
With fewer rows the GPU is idle before the host has launched the next kernel.

bytes divide
硬件允许的，编译器不一定敢做：它只知道列数能不能被 16 整除，不知道字节数能不能。
The compiler need not dare what the hardware would allow: it knows whether 16 divides the columns, not the bytes.

no address
还要看起点：address 不是 16 的倍数，第一行就不对齐。
The beginning counts, too: unless 16 divides address, even the first row is not aligned.

no columns
还要看列数：16 不能整除 columns，后面的行就不一定对齐。
The columns count, too: unless 16 divides columns, later rows need not be aligned.

no share
一个线程一共只有 each 个元素，读不了更多。
A thread has no more than each elements to read.

always four
元素不总是 4 字节：16 字节里放得下几个，看 itemsize。
An element does not always take 4 bytes: how many fit into 16 depends on itemsize.

bytes
这是字节数；要的是元素个数。
Those are bytes; the number of elements is asked for.

bytes of a row
16 要整除的是 columns，不是一行的字节数：编译器被告知的是元素个数。
What 16 must divide is columns, not the bytes of a row: the compiler was told the number of elements.

sixteen elements
一次最多 16 字节，不是 16 个元素。
It is 16 bytes at most, not 16 elements.

part of an address
地址也一样：编译器只知道 16 整不整除它，不知道 4 或 8 能不能。
The same with the address: the compiler knows only whether 16 divides it, not whether 4 or 8 does.

either
columns 和 address 两样都要能被 16 整除，少一样也不行。
16 must divide both columns and address; one of them is not enough.

no vectors
只返回 1，等于说从来不能一次多读几个：两样都能被 16 整除时可以。
Always 1 says that a thread can never read several at once; it can where 16 divides both.

one way
每个元素要读一次、写一次：是两倍的字节。
Every element is read once and written once: twice the bytes.

elements
搬的是字节：每个元素有 itemsize 个。
What moves is bytes: itemsize of them an element.

always four bytes
元素不总是 4 字节：看 itemsize。
An element does not always take 4 bytes: see itemsize.

rounded down
向下取整就差一点：这么多行，GPU 还是先做完。
Rounded down it falls just short: with so many rows the GPU is still done first.

not whole
行数是整数：向上取整。
Rows come whole: round up.

nearest
四舍五入有时会差一点：行数不够，GPU 就先做完。
Rounding to the nearest may fall short: with too few rows the GPU is done first.

one more
正好整除的时候，你多要了一行。
Where it comes out even, you ask for one row too many.

binary
1 GB 是 10⁹ 字节，不是 2³⁰。
A GB is 10⁹ bytes, not 2³⁰.

no units
microseconds 是 10⁻⁶ 秒，gigabytes 是 10⁹ 字节：两个要一起换算。
microseconds are 10⁻⁶ of a second, gigabytes are 10⁹ bytes: convert both.

total bytes
这是那段时间里搬得了的字节；还要除以一行的字节。
Those are the bytes that can be moved in that time; divide by the bytes of a row.

milliseconds
microseconds 是微秒，1 微秒是 10⁻⁶ 秒。
microseconds are microseconds: 10⁻⁶ of a second each.

no gigabytes
gigabytes 是每秒多少 GB，1 GB 是 10⁹ 字节。
gigabytes are GB a second, of 10⁹ bytes each.

naive bytes
融合的 kernel 每个元素只搬两次，不是八次。
A fused kernel moves each element twice, not eight times.
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

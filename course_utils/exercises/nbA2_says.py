"""What the checks of A2_compiled_kernels_and_launches say."""

from .sayings import Sayings

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

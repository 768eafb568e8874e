"""The questions of 11_attention: the size of what is never needed, and what tiles save."""

import math

from ..attention.counts import flash_elements, naive_elements
from ..measurements import decode, recorded
from .prediction import questions


def _lonely() -> float:
    """One program for each head of keys, beside one reading, as recorded on an H100."""
    n = decode.LENGTHS[-1]
    return decode.speeds("course", 1, parts=1)[n] / decode.speeds("read", 1)[n]


def _halved() -> float:
    """Heads of 64 beside heads of 128, as recorded on an H100: as many operations, twice the scores."""
    narrow, wide = (recorded("attention", provider="course", n=16384, d=d)[0].median_us for d in (64, 128))
    return narrow / wide


QUESTIONS = questions(
    """
square
S 是 Q 的 {:g} 倍。 | S is {:g} times as large as Q.
1: 一样大 | the same size
Q 的一行有 d 个数，S 的一行有 N 个。
A row of Q has d numbers, a row of S has N.
16: 16 倍 | 16 times
再算一次 N ÷ d。
Work out N ÷ d once more.
128: 128 倍 | 128 times
S 有 N² 个数，Q 有 Nd 个：是 N ÷ d 倍。
S has N² numbers and Q has Nd: N ÷ d times as many.
16384: 16384 倍 | 16384 times
Q 的每一行也有 d 个数，不是一个。
Each row of Q has d numbers, not one.

rescale
旧的 s 和 o 都要乘 {:.3f}。 | The old s and o are both multiplied by {:.3f}.
1: 不用改 | nothing changes
旧的权重是对着 3 算的，新的对着 5：两种不能直接相加。
The old weights are relative to 3 and the new ones to 5: they cannot simply be added.
0.6: 乘 0.6 | times 0.6
3 ÷ 5 是分数之比；权重是指数，看的是差。
3 ÷ 5 is the ratio of the scores; weights are exponentials and depend on the difference.
–: 丢掉，从头再算 | throw it away and start again
那就又要读一遍前面的 K 和 V 了。
Then the earlier K and V would have to be read again.
0.135: 乘 0.135 | times 0.135
和 s 一样乘 e 的 −2 次方：o 是同样那些权重的和。
Like s it takes a factor of e to the −2: o is a sum of the very same weights.

fewer
两者之比是 {:.2f}。 | The ratio is {:.2f}.
2: 约 2 倍 | about 2 times
每块查询都要把 K 和 V 读一遍，一共 N ÷ B_q 遍。N² 还在，只是换成了读。
Each tile of queries loads all of K and V, N ÷ B_q times over. N² is still there, as loads.
32: 约 32 倍 | about 32 times
要让 K 和 V 读得这么少，一块得有两千个查询。
For K and V to be loaded that rarely, a tile would need two thousand queries.
128: 约 128 倍 | about 128 times
那是只看 S 与 Q 的大小之比，漏了 K 和 V 的重复读取。
That is the size of S over that of Q. It forgets that K and V are loaded again and again.
16384: 约 16384 倍 | about 16384 times
S 不写了，K 和 V 却要读很多遍。
S is written no more, but K and V are loaded many times.

alone
合计的 {:.2f} 倍。 | {:.2f} times that total.
0.5: 少一半 | half as much
S 和 P 的读写省了，可是每个查询都要自己读一遍 K 和 V。
S and P are saved, but every query loads K and V for itself.
1: 差不多 | about the same
省下的是 6N²，多出来的是 2N²d：d 是 16，不是 3。
It saves 6N² and adds 2N²d: here d is 16, not 3.
5: 将近五倍 | nearly five times
64 个查询各读一遍 K 和 V，比 S、P 的来回还多。
64 queries load all of K and V each, which is more than S and P ever cost.

halved
H100 上录下的是 {:.2f} 倍。 | Recorded on an H100: {:.2f} times.
1: 不变：运算一样多 | none: as many operations
矩阵乘一样多，指数却多了一倍，还有它们的最大值与和。
As many products, but twice as many exponentials, with their maxima and sums.
1.2: 约 1.2 倍 | about 1.2 times as long
多出来的时间都花在分数上：每个分数要算一个指数。
The time is added by the scores: each takes an exponential.
2: 2 倍：分数多了一倍 | twice: there are twice as many scores
那样矩阵乘就不花时间了；它的运算数没有变。
Then the products would take no time at all, and they are as many as before.

lonely
H100 上录下的是 {:.0%}。 | Recorded on an H100: {:.0%}.
0.09: 约 9% | about 9 %
8 个 program 只占 132 个 SM 里的 8 个，在途的字节太少。
8 programs keep 8 of 132 SMs busy, and too few bytes are in flight.
0.3: 约 30% | about 30 %
一个 SM 的在途字节有限，8 个 SM 拉不满显存。
What one SM keeps in flight is limited: 8 of them cannot fill the memory's bandwidth.
0.75: 约 75% | about 75 %
字节数是下限，可是搬它们的只有 8 个 SM。
The bytes are at the lower bound, but only 8 SMs move them.
0.95: 约 95% | about 95 %
每个字节只读一次，没错；但要有足够多的 SM 一起读。
Each byte is read once, true; but that takes enough SMs reading at a time.
""",
    square=lambda: 16384 / 128,
    rescale=lambda: math.exp(3.0 - 5.0),
    fewer=lambda: naive_elements(16384, 128) / flash_elements(16384, 128, 128),
    alone=lambda: flash_elements(64, 16, 1) / (6 * 64**2 + 4 * 64 * 16),
    halved=_halved,
    lonely=_lonely,
)

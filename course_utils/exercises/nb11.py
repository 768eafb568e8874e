"""The questions of 11_attention: the size of what is never needed, and what tiles save."""

import math

from ..attention.counts import flash_elements, naive_elements
from ..figures.attention import key_tiles
from ..measurements import decode
from .prediction import questions


def _lonely() -> float:
    """One program for each head of keys, beside one reading, as recorded on an H100."""
    n = decode.LENGTHS[-1]
    return decode.speeds("course", 1, parts=1)[n] / decode.speeds("read", 1)[n]


def _more_parts() -> float:
    """128 parts beside 33, as recorded on an H100."""
    n = decode.LENGTHS[-1]
    return decode.speeds("course", 1, parts=33)[n] / decode.speeds("course", 1, parts=128)[n]


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

skipped
跳过 {} 块。 | {} are skipped.
4: 4 块 | 4
第 0 块查询就能跳过 3 块键，第 1 块还能跳过 2 块。
Tile 0 of queries alone skips 3 tiles of keys, tile 1 skips 2.
6: 6 块 | 6
3 + 2 + 1。对角线上的 4 块只挡住一部分，还得算。
3 + 2 + 1. The 4 on the diagonal are masked only in part and must be computed.
8: 8 块，正好一半 | 8, exactly half
被遮的分数将近一半，但对角线上的块跳不过去。
Nearly half the scores are masked, but tiles on the diagonal cannot be skipped.
10: 10 块 | 10
那是要算的块数。
That is how many are computed.

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

parts
H100 上录下的是 33 段用时的 {:.2f} 倍。 | Recorded on an H100: {:.2f} times that of 33 parts.
4: 长得多：多数 program 要排队 | far longer: most programs queue
要排队，可是每一段也只有原来的四分之一长。
They queue, but each part is a quarter as long.
1: 几乎不变 | hardly anything
33 段已经到了单纯读一遍的九成；再拆，要搬的字节也不会少。
33 parts are already at nine tenths of a mere reading, and splitting further saves no bytes.
0.25: 约四分之一 | it falls to about a quarter
那样就比单纯读一遍还快了：33 段已经到了它的九成。
That would be faster than a mere reading: 33 parts are at nine tenths of it.
""",
    square=lambda: 16384 / 128,
    rescale=lambda: math.exp(3.0 - 5.0),
    fewer=lambda: naive_elements(16384, 128) / flash_elements(16384, 128, 128),
    skipped=lambda: 16 - sum(key_tiles(16, 4, 4, tile, True) for tile in range(4)),
    lonely=_lonely,
    parts=_more_parts,
)

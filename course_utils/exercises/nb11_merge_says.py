"""What the checks of 11_attention say of kernels with a running (m, s, o)."""

from .sayings import Sayings

MERGE = Sayings("""
o not rescaled
最大值变了，s 乘了系数，o 没有乘：o 里旧的那些权重还是对着旧的最大值算的。
When the maximum moves, s is rescaled and o is not: the older weights in o are still relative to the older maximum.

s not rescaled
最大值变了，o 乘了系数，s 没有乘。
When the maximum moves, o is rescaled and s is not.

neither rescaled
最大值变了，s 和 o 都没有乘上 exp(m − m_new)。
When the maximum moves, neither s nor o is multiplied by exp(m − m_new).

never divided
o 还没有除以 s：走完全部的键之后除一次。
o is not divided by s yet: divide once, after all the keys.

divided each time
每一块之后都除了一次 s。o 是没有归一化的，走完之后只除一次。
It divides by s after every tile. o runs on unnormalised; divide once, at the end.

padding
最后一块不满，多出来的键被当成了分数 0：给它们 −inf。
The last tile is not full, and the keys past the end count with a score of 0: give them −inf.

last tile alone
结果里只剩最后一块键：前面的都被丢了。m 更新了吗？
Only the last tile of keys is left in the result; the earlier ones are lost. Is m updated?

first tile alone
结果里只有第一块键。
Only the first tile of keys is in the result.

no last tile
最后一块键没有算进去：n 不一定是 BLOCK 的倍数。
The last tile of keys is left out: n need not be a multiple of BLOCK.

K for V
加权求和的应是 V 的行，不是 K 的。
What the weights sum up are rows of V, not of K.

divided by n
最后要除以 s，不是 n。
In the end divide by s, not by n.

divided by scale
分数要乘 scale，不是除以它。
Multiply the scores by scale; don't divide by it.

scaled twice
scale 乘了两次。
scale is multiplied in twice.

all zeros
结果全是 0。
The result is all zeros.

all NaN
结果全是 NaN。最初 m 是 −inf：系数是 exp(m − m_new)，反过来写就成了 exp(+inf)。
The result is all NaN. At first m is −inf: the factor is exp(m − m_new); the other way round it is exp(+inf).

more than one pass
结果对了，但每个 program 把 {name} 读了 {times:.3g} 遍：m、s、o 在同一遍里更新。
The result is right, but each program loads {name} {times:.3g} times: update m, s and o in one and the same pass.

not shared
结果对了，但 {name} 一共读了 {times:.3g} 遍：一块键读进来，给整组查询头用。
The result is right, but {name} is loaded {times:.3g} times in all: load a tile once and use it for the whole group.

keys
只有 {keys} 个键时错了。
Wrong with {keys} keys.

overflow
分数在 200 左右时溢出了：每一块都先减去到目前为止的最大值。
It overflows at scores about 200: subtract the maximum so far in every tile.

low
分数都低到 −200 左右时错了：m 要从 −inf 开始，不是 0 或别的数。
Wrong where all scores are about −200: m begins at −inf, not at 0 or some other number.

float16
float16 的输入错了。
Wrong on float16 input.

row 0 alone
第 0 行对，后面的行错：第 i 个 program 做第 i 个查询。
Row 0 is right and the later ones are not: program i does query i.

rows
14 个键、一块 4 个时就不对。先不管 scale，用两块键在纸上走一遍 m、s、o。
Wrong already with 14 keys in tiles of 4. Walk m, s and o through two tiles on paper.

heads woven
第 h 个查询头用了第 h % 3 个 K/V 头。一组是相邻的 GROUP 个查询头：第 h 个用第 h // GROUP 个 K/V 头。
Query head h uses K/V head h % 3. A group is GROUP neighbours: query head h uses K/V head h // GROUP.

head 0 for all
所有的 program 都用了第 0 个 K/V 头：换一个头要加 n · D。
Every program uses K/V head 0: the next head is n · D further on.

groups
3 个 K/V 头、每组 16 个查询头、40 个键时就不对。第 i 组查询头是第 i · GROUP 到 i · GROUP + GROUP − 1 个，它们的 K 和 V 从 i · n · D 开始。
Wrong already with 3 K/V heads, groups of 16 and 40 keys. Group i is query heads i · GROUP to i · GROUP + GROUP − 1, and its K and V begin at i · n · D.

maximum of the group
同一组里，各个查询头的分数相差几百时错了：每个头减去它自己的最大值。
Wrong where the scores of a group's heads are hundreds apart: subtract the maximum of each head, not of the group.
""")

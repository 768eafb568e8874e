"""What the checks of 10_training say of the loss, and of its gradient."""

from .sayings import Sayings

LOSS = Sayings("""
target not subtracted
这是 log Σ eˣ；还要减去目标那一列的分数。
This is log Σ eˣ; the target's score is still to be subtracted.

sign
正负号反了：损失是 −log p，不会是负数。
The sign is wrong: a loss is −log p and never negative.

probability
这是目标的概率；损失是它的负对数。
This is the target's probability; the loss is minus its logarithm.

log s subtracted
log s 要加上，不是减去：m + log s − x。
log s is added, not subtracted: m + log s − x.

targets of row 0
目标的分数都取自第 0 行：要读 x_ptr + row * x_stride + target。
Every target's score came from row 0: load x_ptr + row * x_stride + target.

next column
目标差了一列：列从 0 数起。
Off by one column: they count from 0.

minus probability
这是概率的相反数，少了对数：损失是 −log p。
That is minus the probability; a logarithm is missing: a loss is −log p.

maximum never back
最大值没有加回来：log Σ eˣ = m + log Σ e^(x−m)。
The maximum was not added back: log Σ eˣ = m + log Σ e^(x−m).

m + s
少了对数：是 m + log s，不是 m + s。
The logarithm is missing: m + log s, not m + s.

number of the target
减去了目标的编号；要减的是那一列的分数。
The target's number was subtracted; subtract the score in that column.

spare elements
5 列、一块 8 个元素时错了：多出来的元素要填 −inf。
Wrong with 5 columns in a block of 8: fill the spare elements with −inf.

repair
最大值变大时，已经加好的和没有乘 e^(旧 m − 新 m)。
When the maximum grows, the sum so far must be multiplied by e^(old m − new m).

last block alone
只剩最后一块：前面的块要合并进来。
Only the last block is left: the blocks before must be merged in.

first block alone
只做了第一块：一行有 n_cols 列，要循环。
Only the first block was done: a row has n_cols columns, so loop.

sums as they are
各块的和有各自的最大值，要先折算再相加。
The blocks' sums belong to different maxima: rescale them before adding.

overflow
分数在 ±1000 左右，或一块接一块升高时，得到了 inf 或 NaN：指数里要减去到目前为止的最大值。
At scores around ±1000, or rising from block to block, it gives inf or NaN: subtract the maximum so far.

four blocks
16 列分成 4 个一块时错了。
Wrong with 16 columns in blocks of 4.

empty block
有一整块 −inf 时错了。
Wrong where a whole block is −inf.

leading block
开头整块都是 −inf 时得到了 NaN：−inf − (−inf) 没有定义。最大值还是 −inf 时，改减 0。
Where the first block is all −inf it gives NaN: −inf − (−inf) is undefined. While the maximum is −inf, subtract 0 instead.

loads
结果对，可是分数读了 {times:.3g} 遍。最大值和总和可以在同一遍里求（08）。
Right, but the scores are read {times:.3g} times. Maximum and sum come out of one pass (08).
""")

GRADIENT = Sayings("""
1 not subtracted
目标那一列还要减 1。
1 is still to be subtracted in the target's column.

no scale
还要乘上 scale。
scale is still to be multiplied in.

scale of p alone
scale 要乘整个括号，目标的那个 1 也在内。
scale multiplies the whole bracket, the target's 1 included.

1 added
正负号反了：目标那一列要减 1。
The sign is wrong: 1 is subtracted in the target's column.

sign
正负号整个反了：照这个梯度走，损失会变大。
The whole sign is wrong: following it, the loss would grow.

1 everywhere
每一列都减了 1：只有目标那一列要减。
1 was subtracted in every column: only the target's.

logarithms
这是对数概率；要先取指数。
These are log-probabilities; take the exponential first.

not divided
指数还没有除以它们的和。
The exponentials are still to be divided by their sum.

no lse
取指数之前没有减 lse。
lse was not subtracted inside the exponential.

lse too late
lse 要在取指数之前减。
lse is subtracted before the exponential, not after.

lse of row 0
每一行都用了第 0 行的 lse：要读 lse_ptr + row。
Every row used row 0's lse: lse_ptr + row.

row for target
减 1 的是 target 那一列，不是第 row 列。
1 is subtracted in column `target`, not in column `row`.

in place
8 列的矩阵就算错了：先核对公式。
Wrong on 8 columns already: check the formula.

unwritten
只有前面的块写了梯度：第二轮也要走完一行。
Only the first blocks hold a gradient: the second round, too, must go to the end of the row.

too early
还没走完一行就写了梯度：后面的块没有算进最大值与和里。分成两轮。
It writes gradients before the row is summed: later blocks are missing from the maximum and the sum. Make it two rounds.

no loss
损失没有写。
The loss was not written.

overwritten
损失里的目标分数已经被梯度盖掉了：先取出来，再写梯度。
The target's score in the loss had already been overwritten by its gradient: take it out before you store.

loss scaled
scale 只乘梯度，不乘损失。
scale is for the gradient, not for the loss.

loss
损失错了：它是 m + log s 减去目标的分数。
The loss is wrong: it is m + log s minus the target's score.

rounded first
bfloat16、目标的概率 {p:.4f} 时，目标的梯度应是 {want:.2g}，得到 {got:.2g}：先舍入、后减 1，就剩不下什么了。在 float32 里减完再存。
In bfloat16, with {p:.4f} as the target's probability, its gradient should be {want:.2g} and is {got:.2g}: round first, subtract 1 later, and little is left. Subtract in float32, then store.

traffic
结果对，可是分数读了 {loads:.2g}MN、写了 {stores:.2g}MN；读 2MN、写 MN 就够。
Right, but of scores it reads {loads:.2g}MN and writes {stores:.2g}MN; 2MN read and MN written are enough.
""")

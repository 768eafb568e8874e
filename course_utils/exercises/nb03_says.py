"""What the checks of 03_masked_row_kernel say, where it is not said of every row kernel (see `row_sayings`)."""

from .sayings import Sayings

SAYS = Sayings("""
log_softmax_kernel
对和取对数，不对商取对数：交叉熵损失用的就是它。搬运还是 2MN。
The logarithm of the sum, not of the quotient: this is what cross-entropy uses. The traffic is still 2MN.

causal_kernel
注意力里“不许看后面”就是这样做的。没看的列要是连读都没有读，还省下了流量。
Attention hides the future in this way. Where the hidden columns are not even loaded, it saves traffic as well.

layer_norm_kernel
02 里的六个调用成了一个 kernel：读 MN，写 MN。求和时填 0 无害，求方差时却要再遮一次：填什么，要看后面算什么。
The six calls of 02 have become one kernel: MN read, MN written. A 0 is harmless in a sum, but the variance needs the mask once more: what to pad with depends on what comes after.
""")

LOG_SAID = Sayings("""
softmax
这是 softmax；还差一个对数。
This is softmax; the logarithm is still missing.

maximum twice
最大值减了两次。
The maximum was subtracted twice.

maximum never back
对数里的和减过最大值，外面的 x 却没有减，两边差了一个最大值。
The sum inside the logarithm has lost the maximum, the x outside has not: the two differ by it.

sum itself
减去的要是和的对数，不是和本身。
Subtract the logarithm of the sum, not the sum.

after the quotient
先算出 softmax 再取对数：分数相差几百时，小的概率早已下溢成 0，对数就成了 −inf。
The logarithm comes after softmax: with scores hundreds apart the small probabilities have underflowed to 0 by then, and it gives −inf.

after the quotient, no maximum
先算商再取对数，exp 之前也没有减最大值：分数大了会溢出，相差几百时小的概率又下溢成 0。
The logarithm comes after the quotient, and no maximum is subtracted before exp: large scores overflow, and of scores hundreds apart the small ones underflow to 0.

small number in the logarithm
对数里多加了一个小数，躲开了 −inf，结果却错了：分数相差几百时，对数就该是负几百。
A small number in the logarithm avoids −inf, but the result is wrong: with scores hundreds apart, the logarithm should be hundreds below 0.

log without maximum
公式没有错，但 exp 之前没有减最大值，分数大了就溢出。
The formula is right, but no maximum is subtracted before exp, and large scores overflow.

sign
正负号反了：概率不超过 1，它的对数不会是正的。
The sign is wrong: a probability is at most 1, and its logarithm never positive.

base 2
softmax 用的是 e 的幂，对数也要以 e 为底。
Softmax takes powers of e, so the logarithm is to the base e as well.

added
和的对数要减去，你加上了它。
The logarithm of the sum is to be subtracted; you added it.
""")

CAUSAL_SAID = Sayings("""
rising
每列比前一列高 200
Every column 200 above the one before

tall
9 行 5 列
9 rows, 5 columns

own column hidden
program i 连第 i 列也看不到了，于是第 0 行一列也没有，成了 NaN。
Program i does not even see column i, so that row 0 has no column at all and becomes NaN.

one column ahead
program i 多看了一列：它看得见第 i + 1 列。
Program i sees one column too many: column i + 1.

nothing hidden
这是普通的 softmax：program i 还看得见它后面的列。
This is plain softmax: program i still sees the columns after it.

wrong way round
方向反了：你遮住的是前面的列，该遮的是后面的。
The wrong way round: you hid the columns before; hide those after.

hidden as 0
遮住的分数填成了 0，exp(0 − 最大值) 照样进了和。它们的 exp 应当是 0。
Hidden scores are filled with 0, and exp(0 − maximum) is still part of the sum. Their exp should be 0.

not low enough
遮住的分数填了一个负数，可它还不够小：看得见的分数比它更低时，它反而占了上风。
Hidden scores are filled with a negative number that is not low enough: where the scores in sight are lower still, it wins.

after normalising
先归一化再遮，行和就不到 1 了。
Masked after normalising, the rows sum to less than 1.

maximum of the future
后面的分数高出 200 时错了，前面的都下溢成了 0：最大值也只能在看得见的列里求。
Wrong when the scores to come are 200 higher: those before underflow to 0. The maximum, too, is of the columns in sight alone.

future not written
后面的列没有写，输出里留着原来的内容。它们的概率是 0，也要写回去。
The later columns were not written and keep what was there. Their probability is 0 and must be stored too.

no bound on the load
load 越界了：行号大过列数时，只看行号不够，列数仍是界限。
The load leaves its tensor: once the row's number exceeds n_cols, the row is no bound; n_cols still is.

no bound on the store
store 越界了：行号大过列数时，只看行号不够，列数仍是界限。
The store leaves its tensor: once the row's number exceeds n_cols, the row is no bound; n_cols still is.
""")

NORM_SAID = Sayings("""
far from 0
分数在 1000 左右
Scores around 1000

alike
一行里的数都一样
All the numbers of a row alike

close
分数相差不到千分之几
Scores within a few thousandths

padding counted
多余的元素减去平均值以后不再是 0，它们的平方也进了方差：减完要再遮一次。
Once the mean is subtracted, the spare elements are no longer 0, and their squares are part of the variance: mask again after subtracting.

over the block
平均要除以列数，你除以了块的大小。
A mean divides by n_cols; you divided by the block's size.

over the block, padding counted
平均要除以列数，你除以了块的大小；多余的元素减去平均值以后也要再遮一次。
A mean divides by n_cols, and you divided by the block's size; and the spare elements need the mask once more after the mean is subtracted.

padded with -inf
多余的元素填了 −inf，于是和也成了 −inf：这里求的是和，不是最大值。
The spare elements are −inf, and so is the sum: what is taken here is a sum, not a maximum.

no eps
没有加 1e-5：一行里的数都一样时方差是 0，结果成了 0 ÷ 0。
The 1e-5 is missing: where all the numbers of a row are alike the variance is 0, and the result 0 ÷ 0.

eps outside
1e-5 要加在根号里面，加到方差上。
Add the 1e-5 under the root, to the variance.

no root
除以的要是方差的平方根，不是方差。
Divide by the square root of the variance, not by the variance.

one less
方差除以列数，你除以了列数减 1。
The variance divides by n_cols; you divided by n_cols − 1.

from squares
数都在 1000 左右时错了：平方的平均减平均的平方，是两个很大的数相减，float32 留不住那点差别。先减平均值，再平方。
Wrong where the numbers are around 1000: the mean of squares less the square of the mean subtracts two large numbers, and float32 cannot keep the small rest. Subtract the mean first, then square.

not divided
方差是平方的平均：和还要除以列数。
The variance is the mean of the squares: the sum is still to be divided by n_cols.

absolute
方差是差的平方的平均，你用的是差的绝对值。
The variance is the mean of squared differences; you took their absolute values.

not centred
分母对了，分子还没有减平均值。
The denominator is right, but the mean is not subtracted above it.

root mean square
这是 RMS 归一化：平均值一次也没有减。
This is RMS normalisation: the mean is never subtracted.

only centred
只减了平均值，还没有除以标准差。
Only the mean is subtracted; the division by the standard deviation is missing.
""")

"""What the checks of 03_masked_row_kernel say, where it is not said of every row kernel (see `row_sayings`)."""

from .sayings import Sayings

SAYS = Sayings("""
idle_share
781 列空着 23.7%。空着的元素不搬字节，只占着寄存器和指令。
With 781 columns 23.7 % are idle. Idle elements move no bytes; they only take up registers and instructions.

mended_kernel
四处都补好了。它们有一个共同点：在 8 列、紧挨着放、分数不太低的矩阵上，一处也看不出来。
All four are mended. They had one thing in common: on 8 packed columns with scores not too low, none of them shows.

log_softmax_kernel
对和取对数，不对商取对数：交叉熵损失用的就是它。搬运还是 2MN。
The logarithm of the sum, not of the quotient: this is what cross-entropy uses. The traffic is still 2MN.

causal_kernel
注意力里“不许看后面”就是这样做的。没看的列要是连读都没有读，还省下了流量。
Attention hides the future in this way. Where the hidden columns are not even loaded, it saves traffic as well.

strided_kernel
切片、转置、隔列都对，不必先复制。代价：列步幅不是 1 时，相邻元素的地址不相邻，显存送来的字节有一部分用不上。
Slices, transposes, every other column: all right without a copy. The price: with a column stride other than 1, neighbouring elements have addresses that are not neighbours, and part of what the memory delivers goes unused.

used
这是用上的份额，要的是空着的。
That is the share in use; the idle one is asked for.

of the columns
分母是块里的全部元素，不是列数。
Divide by all the elements of the block, not by the columns.

percentage
要的是 0 到 1 之间的份额，不是百分数。
A share between 0 and 1 is asked for, not a percentage.

number
这是空着的个数，要的是它占全部的几分之几。
That is how many are idle; their share of all is asked for.

power taken for the next
列数本身就是 2 的幂时，块和它一样大，一个也不空；你取了再下一个。
Where n_cols is a power of two itself the block is as large and nothing is idle; you took the power after it.

one block size
你总是用 1024 的块；块的大小随列数变。
Your block is always 1024; its size depends on n_cols.

power below
块要装得下一整行：取不小于列数的那个 2 的幂。
The block has to hold the whole row: take the power of two that is no smaller than n_cols.

rounded to warps
你把列数取整到了 32 的倍数；块的大小是 2 的幂。
You rounded n_cols up to a multiple of 32; the block's size is a power of two.
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

STRIDED_SAID = Sayings("""
x turned, nothing to mask
转置的输入，8 列
A transposed input, 8 columns

y turned, nothing to mask
转置的输出，8 列
A transposed output, 8 columns

x turned
转置的输入
A transposed input

y turned
转置的输出
A transposed output

both turned
转置的输入和输出，129 列
Input and output transposed, 129 columns

every other
隔一列取一列的输入
Every other column of the input

every other, turned
隔一列取一列的输入，转置的输出
Every other column of the input, transposed output

x columns forgotten
读输入时没有用列步幅：转置之后，相邻两列不再紧挨着。
The input is read without its column stride: once transposed, neighbouring columns are no neighbours in memory.

y columns forgotten
写输出时没有用列步幅：转置的输出，相邻两列不再紧挨着。
The output is written without its column stride: in a transposed output, neighbouring columns are no neighbours in memory.

columns forgotten
读和写都没有用列步幅。
Neither the load nor the store uses its column stride.

x strides exchanged
输入的两个步幅用反了：行号和列号各乘了对方的步幅。
The two strides of the input are exchanged: row and column are each multiplied by the other's.

y strides exchanged
输出的两个步幅用反了：行号和列号各乘了对方的步幅。
The two strides of the output are exchanged: row and column are each multiplied by the other's.

strides exchanged
行步幅和列步幅用反了，输入输出都是：行号和列号各乘了对方的步幅。
Row and column strides are exchanged, in the input and in the output: row and column are each multiplied by the other's.

y like x
写输出时用了输入的步幅。
The output is written with the input's strides.

x like y
读输入时用了输出的步幅。
The input is read with the output's strides.

mask of offsets
掩码比较的是偏移；该比较的是列号：不管步幅多大，列号都小于 n_cols。
The mask compares offsets; compare columns: whatever the stride, those are below n_cols.
""")

"""What the checks of 10_training say of a softmax taken backwards, and of all its kernels (the rest: `nb10_loss_says`)."""

from .sayings import Sayings

SAYS = Sayings("""
wide_backward_kernel
读 4MN、写 MN。一行放不下时，两轮省不掉：第一个 dx 就要用到整行的和。
It reads 4MN and writes MN. Where a row does not fit there is no way round two rounds: the first dx needs the whole row's sum.

one_pass_loss_kernel
词表再宽，分数也只读一遍，概率一个也不写：MN + O(M)。
However wide the vocabulary, the scores are read once and no probability is written: MN + O(M).

in_place_gradient_kernel
读 2MN、写 MN，一份概率、一份梯度都不另占显存。Liger Kernel 的交叉熵就是这样做的。
2MN read, MN written, and no extra memory for probabilities or gradients. This is how Liger Kernel does its cross-entropy.

astray
检查它的 mask 和步幅
see to its mask and its stride

columns
{columns} 列时错了。
Wrong with {columns} columns.

sizes
{columns} 列、一块 {block} 个时错了。
Wrong with {columns} columns in blocks of {block}.

three strides
三个张量的行步幅各不相同时错了：各用各的步幅。
Wrong where the three tensors have different row strides: use each one's own.

gaps
行与行之间有空隙时错了：换行要用 x_stride。
Wrong on rows with gaps between them: the next row is x_stride further on.

half
float16 的输入算得不准：读进来就转成 float32。
Inaccurate on float16: convert to float32 as soon as it is loaded.

target of row 0
每一行都用了第 0 行的目标：要读 target_ptr + row。
Every row used row 0's target: target_ptr + row.

one block
一块就装得下的 {columns} 列也算错了：先核对公式。
Wrong even on {columns} columns that one block holds: check the formula.
""")

BACKWARD = Sayings("""
products alone
这是 y·dy；还要减去 y 乘上它们的和。
This is y·dy; y times their sum is still to be subtracted.

no y in the sum
和里少了 y：要减的是 Σ y·dy，不是 Σ dy。
The sum lacks y: subtract Σ y·dy, not Σ dy.

mean
要减的是和，不是除以列数的平均。
Subtract the sum, not the mean over the columns.

sign
正负号反了：是 dy 减去那个和。
The sign is wrong: dy minus that sum.

exchanged
y 和 dy 的位置反了：是 y·(dy − 和)。
y and dy have changed places: it is y·(dy − sum).

no dy in the sum
和里少了 dy：要减的是 Σ y·dy。
The sum lacks dy: subtract Σ y·dy.

no y in front
括号外的 y 不见了。
The y in front of the brackets is missing.

spare elements
12 列、一块 16 个元素时出了 inf 或 NaN：多出来的元素参加了求和。这里 other 填 0，不是 −inf。
inf or NaN with 12 columns in a block of 16: the spare elements take part in the sum. Here other is 0, not −inf.

blocks apart
每块用了自己的和：要先走完整行，才有 Σ y·dy。
Each block used a sum of its own: only at the end of the row is Σ y·dy known.

too early
还没走完一行就开始写了：后面的块没有算进和里。分成两轮。
It writes before the row is summed: later blocks are missing from the sum. Make it two rounds.

first block alone
和里只有第一块。
Only the first block is in the sum.

last block alone
和里只有最后一块：要累加，别覆盖。
Only the last block is in the sum: add to it, don't replace it.

first block written
只写了第一块：一行有 n_cols 列，要循环。
Only the first block was written: a row has n_cols columns, so loop.

three blocks
12 列分成 4 个一块时错了。
Wrong with 12 columns in blocks of 4.

loads
结果对，可是读了 {times:.3g}MN。两轮各读 y 和 dy 一遍，4MN 就够。
Right, but it reads {times:.3g}MN. Two rounds, each reading y and dy once, need 4MN.
""")

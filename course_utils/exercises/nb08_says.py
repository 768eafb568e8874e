"""What the checks of 08_online_softmax say (of merging numbers, and of a row that is shared: `nb08_merge_says`)."""

from .sayings import Sayings

SAYS = Sayings("""
merge_triples
多带一个加权和，w / s 就是按概率加权的平均：注意力里的一步，正是这样分块算的。
With a weighted sum carried along, w / s is the mean weighted by probability: attention computes just that, block by block.

logsumexp_kernel
读 MN，写 M：只要这一个数时，再长的行也只读一遍。交叉熵要的正是它。
MN read, M written: where this one number is all that is wanted, a row of any length is read once. Cross-entropy needs just it.

kept_kernel
最后一块没有再读。一行只有一块时，它就读 MN、写 MN：两个 kernel 成了一个。
The last block is not read again. With a single block it reads MN and writes MN: two kernels have become one.

a number a row
每行只写一个数，写到 out_ptr + row
each row is one number, stored to out_ptr + row

the last block
最后一块往往不满，要有 mask，而且要拿 start + 块内的位置去和 n_cols 比
the last block is rarely full, so mind the mask, and let it compare start + the place in the block

its own stride
张量不连续，下一行要加它自己的步幅，不是列数
the tensor is not contiguous, and its next row is its own stride further on, not n_cols

repair
最大值在后面的块里变大时，前面加好的和没有补救：先乘 e^(旧 m − 新 m)，再加这一块。
When a later block brings a larger maximum, the sum so far is not repaired: multiply it by e^(old m − new m), then add.

padding
最后一块不满时，多余的位置按 0 分参加了计算：other 该填 −inf。
Where the last block is not full, spare places take part with a score of 0: let other be −inf.

empty block
一整块都是 −inf 时得到了 NaN：−inf − (−inf) 没有定义。最大值是 −inf 时，改减 0。
A whole block of −inf gives NaN: −inf − (−inf) is undefined. Where the maximum is −inf, subtract 0 instead.

later rows
第 0 行对，后面的行错：第 row 行从 x_ptr + row * x_stride 开始。
Row 0 is right and the later ones are not: row `row` begins at x_ptr + row * x_stride.

tall
分数在 1000 左右时溢出了：取指数之前先减最大值。
It overflows at scores around 1000: subtract the maximum before the exponential.

falling
最大值在第一块时错了。
Wrong where the maximum is in the first block.

three blocks
一块时对，12 列、三块时错了。
Right with one block, wrong with three (12 columns).

10 columns
10 列、块长 4 时错了。
Wrong on 10 columns in blocks of 4.

x stride
输入是从 12 列里切出的 7 列时错了：换行要加 x_stride。
Wrong on 7 columns cut out of 12: the next row is x_stride further on.

sizes
{columns} 列、块长 {block} 时错了。
Wrong with {columns} columns in blocks of {block}.

half
float16 的输入错了：读进来先变成 float32。
Wrong on float16 input: make it float32 once loaded.

log of base 2
对数要以 e 为底：tl.log，不是 tl.log2。
The logarithm is to base e: tl.log, not tl.log2.

log without maximum
少了最大值：log s 之后还要把 m 加回来。
The maximum is missing: after log s, add m back.

sum of exponentials
这是和，还差一个对数。
This is the sum; the logarithm is missing.

s alone
这是 s；要的是 m + log s。
This is s; m + log s is wanted.

m alone
这是最大值；要的是 m + log s。
This is the maximum; m + log s is wanted.

m + s
少了对数：是 m + log s，不是 m + s。
The logarithm is missing: m + log s, not m + s.

rows unwritten
有的行没有写：第 row 行写到 out_ptr + row。
Some rows were not written: row `row` is stored to out_ptr + row.

-inf
得到的是 −inf：循环做到每一块了吗？m 更新了吗？
It gives −inf: does the loop reach every block, and is m updated?

log of one block
4 列、一块就算错了：先核对公式 m + log s。
Wrong on 4 columns, a single block: check m + log s.

first block alone
12 列、块长 4：结果只含第一块。
12 columns in blocks of 4: the result has the first block alone.

last block alone
12 列、块长 4：结果只含最后一块。
12 columns in blocks of 4: the result has the last block alone.

empty row
整行都是 −inf 时，结果应是 −inf。
A row of nothing but −inf should give −inf.

nan
输入里有 NaN 时，结果应是 NaN。
With NaN in the input the result should be NaN.

log loads
结果对，可是 2 行 24 列读了 {loads} 个元素，一遍只要 {most} 个。最大值与和要在同一遍里求。
The result is right, but 2 rows of 24 columns were read as {loads} elements, and one pass reads {most}. Find maximum and sum in the same pass.

log stores
结果对，可是 2 行写了 {stores} 次：一行只在最后写一个数。
The result is right, but 2 rows took {stores} stores: store one number a row, at the end.

times s
最后要除以 s，不是乘。
In the end divide by s; don't multiply.

not divided
最后还要除以 s。
In the end it is still to be divided by s.

m not subtracted
写结果时没有减去 m：是 exp(x − m) / s。
m is not subtracted in the result: exp(x − m) / s.

softmax of one block
4 列、一块就算错了：先核对公式。
Wrong on 4 columns, a single block: check the formula.

block unwritten
12 列、块长 4：第 {number} 块没有写。
12 columns in blocks of 4: block {number} was not written.

blocks apart
每一块各自成了 softmax：和要属于整行。
Each block became a softmax of its own: the sum is the whole row's.

earlier blocks
最后一块对，前面的块错了：它们要重新读进来，再减整行的 m。
The last block is right, those before are wrong: load them again, and subtract the m of the whole row.

kept block
前面的块对，最后一块错了：留着的 x 要减整行的 m，除以整行的 s。
The blocks before are right, the last is wrong: from the x you kept subtract the row's m, divide by the row's s.

y stride
输出的每行后面还有别人的元素时错了：换行要加 y_stride。
With other elements behind each row of the output it is wrong: the next row is y_stride further on.

special
整行 −inf，或有 NaN、+inf 时，与 PyTorch 的结果不一致。
For a row of −inf, or with NaN or +inf, it differs from what PyTorch gives.

kept loads
结果对，可是一行 {columns} 列、块长 4，读了 {loads} 个元素，{most} 个就够。{hint}
The result is right, but a row of {columns} in blocks of 4 was read as {loads} elements, where {most} would do. {hint}

three passes
这是三遍：最大值与和要在同一遍里求。
That is three passes: find maximum and sum in the same one.

last block again
最后一块又读了一遍；它还在寄存器里。
The last block was read again; it is still in registers.

kept stores
结果对，可是一行 {columns} 列写了 {stores} 个元素。
The result is right, but a row of {columns} took {stores} stores.
""")

"""What the checks of 07_to_the_limit say."""

from .sayings import Sayings

SAYS = Sayings("""
tail_kernel
整块不带掩码，零头单独处理：`ragged_kernel` 剥掉两头，也是为了这个。
Full blocks without a mask, and the tail by itself: that is why `ragged_kernel` peels its ends off.

topk_kernel
挑 K 次，只读一遍：数据已经在寄存器里，再看一遍是免费的。专家混合模型的路由就是它。
K choices, one load: once the data are in registers, another look is free. The router of a mixture of experts does just this.

astray
{kind} 越界了（{at}）：检查它的 mask 和步幅。
A {kind} leaves its tensor ({at}): see to its mask and its stride.

astray at the end
最后一个 program 的行不满，{kind} 越界了（{at}）：最后一行以后，不读也不写。
The last program has rows to spare, and a {kind} leaves its tensor ({at}): past the last row, neither load nor store.

at
第 {line} 行：{source}；{where}
line {line}: {source}; {where}

nothing written
输出里什么也没有写。
Nothing was written to the output.

moved
结果对，可是{rows} 行 {columns} 列时 {tensor} {verb}了 {count} 个元素，{most} 个就够。{hint}
The result is right, but {count} elements of {tensor} were {verb} ({rows} rows, {columns} columns), where {most} would do. {hint}

loads
读
loaded

stores
写
stored

padding
多余的位置按 0 分参加了计算：other 该填 −inf。
Spare places take part with a score of 0: let other be −inf.

low
列数不满一块、分数都在 −30 左右时错了：看看多余的位置填了什么。
Wrong where a block is not full and scores are around −30: see what the spare places hold.

tall
分数在 1000 左右时溢出了：取指数之前先减最大值。
It overflows at scores around 1000: subtract the maximum before the exponential.

x stride
输入是从更宽的矩阵里切出来的一块时错了：换行要加 x_stride。
Wrong on columns cut out of a wider matrix: the next row is x_stride further on.

y stride
输出的每行后面还有别人的元素时错了：换行要加 y_stride。
With other elements behind each row of the output it is wrong: the next row is y_stride further on.

half
float16 的输入错了：读进来先变成 float32。
Wrong on float16 input: make it float32 once loaded.

no quotient
没有除以和。
Not divided by the sum.

store once
每个位置写一次，0 也在内。
Store each place once, zeros included.

keep row
整行留在寄存器里，每个元素读一次。
Keep the row in registers, and load each element once.

keep choosing
整行留在寄存器里，挑 K 次也只读一次。
Keep the row in registers: choosing K times takes one load.

full blocks
8 列、块长 4、没有零头时就错了。
Wrong on 8 columns in blocks of 4, with no tail at all.

blocks apart
每一块自成了一个 softmax：最大值与和属于整行。
Each block became a softmax of its own: maximum and sum are the whole row's.

first block again
每次读到的都是第一块：第 i 块从第 i·BLOCK_SIZE 列开始。
It is the first block that is loaded each time: block i begins at column i·BLOCK_SIZE.

tail unwritten
11 列、块长 4：最后 3 个元素没有写。
11 columns in blocks of 4: the last 3 elements were not written.

tail apart
零头自成了一个 softmax：和要属于整行。
The tail became a softmax of its own: the sum is the whole row's.

tail not summed
和里没有零头：它也是这一行的。
The tail is missing in the sum: it belongs to the row as well.

tail
11 列、块长 4 时错了。
Wrong on 11 columns in blocks of 4.

tall tail
最大值在零头里时错了：它也要参加求最大值。
Wrong where the maximum is in the tail: it takes part in the maximum too.

only a tail
3 列、块长 4：没有整块、只有零头时错了。
3 columns in blocks of 4: wrong where there is no full block, only a tail.

empty block
整整一块都是 −inf 时错了：−inf − (−inf) 没有定义，减去整行的最大值就没有这回事。
Wrong where a whole block is −inf: −inf − (−inf) is undefined; subtract the row's maximum and it never happens.

blocks
{columns} 列、块长 {block} 时错了。
Wrong with {columns} columns in blocks of {block}.

masked
结果对，可是整块的 load 或 store 还带着 mask：整块不会越界，只有零头要遮。
The result is right, but a load or store of a full block still carries a mask: full blocks can't leave the row; only the tail needs one.

others unwritten
有的位置没有写：K 个以外的写 0。
Some places were not written: all but the K get 0.

nothing chosen
没有挑：整行都参加了。只有最大的 K 个算数。
Nothing was chosen: the whole row takes part, where only the K largest count.

sum of all
挑对了，可是除的是整行的和：只加这 K 个。
The right K, divided by the sum of the whole row: add up these K alone.

one too many
多了一个：K = 3 时留下了 4 个。
One too many: with K = 3 four are kept.

one too few
少了一个：K = 3 时只留下了 2 个。
One too few: with K = 3 two are kept.

always the same
K = 3 时只留下了 1 个：每次挑中的都是同一个，挑过的要先去掉。
With K = 3 one is kept: each choice finds the same one again, so take out what has been chosen.

smallest
留下的是最小的，该留最大的。
The smallest are kept, where the largest count.

others at 0
没挑中的按 0 分参加了：它们该是 −inf。
Those not chosen take part with a score of 0: make them −inf.

choice
8 列、K = 3 时错了。
Wrong with 8 columns and K = 3.

ties
有相同的分数时错了：K = {count}，留下的却是 {kept} 个。一次只能去掉一个，用位置（tl.argmax）而不是用值来认。
Wrong with equal scores: K = {count}, but {kept} are kept. Take out one at a time, told by its place (tl.argmax), not by its value.

leftmost
有相同的分数时，该留最左边的。
Of equal scores the leftmost are to be kept.

some k
{columns} 列、K = {count} 时错了。
Wrong with {columns} columns and K = {count}.
""")

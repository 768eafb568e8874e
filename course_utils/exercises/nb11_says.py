"""What the checks of 11_attention say (of the running merge: `nb11_merge_says`)."""

from .sayings import Sayings

SAYS = Sayings("""
cached_causal_kernel
缩放、掩码、softmax 一趟做完，看不见的分数一个也没读。聊天时模型每写一个字，算的就是它的最后一行。
Scale, mask and softmax in one pass, and not one score out of sight was loaded. Each word a chat model writes is the last row of this.

attention_row_kernel
K 和 V 各读一遍，N 个分数从不同时存在：这就是 flash attention 的一行。
K and V are loaded once each, and the N scores never exist together: this is one row of flash attention.

grouped_kernel
16 个查询头共用一遍 K 和 V：缓存小到 1/16，写一个字要读的字节也少到 1/16。这就是分组查询头的用处。
16 query heads share one pass over K and V: the cache is 16 times smaller, and so are the bytes for each new word. That is what grouped heads are for.

best_tile
H200 上 bfloat16、d = 128 时是 512。可那时 o 有 512 × 128 个 float32，正好 256 KiB：SM 的全部寄存器。所以真正的 kernel 停在 128 左右。
On an H200 in bfloat16 with d = 128 it is 512. But then o is 512 × 128 float32, exactly 256 KiB: all the registers of an SM. That is why real kernels stop at about 128.

astray
检查它的 mask，还有换行、换头时加的步幅
see to its mask, and to the step from row to row or head to head

half
16 位的输入算得不准：先转成 float32，再乘 scale。
Inaccurate on 16-bit input: convert to float32 first, then multiply by scale.

scale forgotten
分数没有乘 scale。
The scores are not multiplied by scale.
""")

CAUSAL = Sayings("""
unseen unwritten
看不见的列没有写：输出里留着原来的内容。它们的概率是 0，也要写回去。
The columns out of sight were not written and keep what was there. Their probability is 0 and must be stored.

no cache
第 i 行只看到了第 0 到 i 列：那是没有缓存时的掩码。新查询排在最后，所以界限还要右移 n_cols − n_rows 列。
Row i sees columns 0 to i only: the mask without a cache. The new queries come last, n_cols − n_rows further on.

own column hidden
每个查询少看了一列：它自己。用 <=。
Each query misses one column, its own: use <=.

one column ahead
每个查询多看了一列，是它后面的那个。
Each query sees one column too many, the one after its own.

not divided
还没有除以和。
It is not divided by the sum yet.

hidden as 0
看不见的分数填成了 0：exp(0) = 1，它们照样分到概率。填 −inf。
The scores out of sight are filled with 0: exp(0) = 1, so they get a share of the probability. Fill with −inf.

wrong way round
方向反了：看得见的是自己和左边的列。
The wrong way round: in sight are the query's own column and those left of it.

nothing hidden
没有因果掩码：每个查询都看见了全部的列。
No causal mask: every query sees all the columns.

after normalising
先归一化再遮，行和就不到 1 了：在求最大值之前遮。
Masked after normalising, the rows sum to less than 1: mask before the maximum.

scaled too late
scale 乘在了概率上：要乘的是分数。
scale is multiplied into the probabilities; it belongs to the scores.

divided by scale
要乘以 scale，不是除以它。
Multiply by scale; don't divide by it.

formula
3 行 8 列、scale = 0.25 时就不对：第 i 行应是第 0 到 i + 5 列的 softmax，其余是 0。
Wrong already for 3 rows, 8 columns and scale = 0.25: row i is the softmax of columns 0 to i + 5, and 0 elsewhere.

sizes
{rows} 行 {columns} 列时错了。
Wrong for {rows} rows and {columns} columns.

strides
S 或 P 是从更宽的矩阵里切出来的时，错了行：换行要用各自的步幅。
Wrong where S or P is cut out of a wider matrix: each steps from row to row by its own stride.

tall
分数很大时错了：减去最大值，而且只在看得见的列里求它。
Wrong for large scores: subtract the maximum, and take it of the columns in sight alone.

unseen loaded
结果对了，但读了 {loads} 个分数，看得见的只有 {seen} 个：让 load 的掩码就是看得见的列。
The result is right, but {loads} scores were loaded and only {seen} are in sight: let the mask of the load be the columns in sight.
""")

TILE = Sayings("""
largest
放得下，读写也最少，可是更小的 B_q 往往一样少（一块就装下全部查询时）：取其中最小的。
It fits and moves the fewest, but so does a smaller B_q once one tile holds all queries: take the smallest of them.

Q alone
只算了 Q 的分块：K 和 V 的分块也在共享内存里。
Only the tile of Q is counted: those of K and V are in shared memory too.

one stage
K、V 一共是 4 块：各两块。
K and V take 4 tiles: two of each.

elements
共享内存以字节计：元素数要乘 itemsize。
Shared memory is counted in bytes: multiply the elements by itemsize.

always 2 bytes
不是每种类型都占 2 字节：用 itemsize。
Not every type has 2 bytes: use itemsize.

always 4 bytes
不是每种类型都占 4 字节：用 itemsize。
Not every type has 4 bytes: use itemsize.

below the room
正好用满也放得下：用 <=。
It still fits where the room is exactly used up: <=.

smallest
16 读写得最多：B_q 越大，K 和 V 读的遍数越少。
16 moves the most: the larger B_q, the fewer times K and V are loaded.

elements moved
这是读写的元素数；要的是 B_q。
That is how many elements are moved; B_q is asked for.

no power of two
{got:g} 不是 16 以上的 2 的幂。
{got:g} is no power of two from 16 on.

does not fit
N = {n}，d = {d}，itemsize = {itemsize} 时，{got:g} 放不下：Q 的 B_q 行加上 4 × 64 行 K 和 V，要 {need:.0f} 字节，只有 {shared}。
N = {n}, d = {d}, itemsize = {itemsize}: {got:g} does not fit. B_q rows of Q and 4 × 64 rows of K and V take {need:.0f} bytes; there are {shared}.

not the best
N = {n}，d = {d}，itemsize = {itemsize} 时，读写最少的是 {want}，你给的是 {got:g}。
N = {n}, d = {d}, itemsize = {itemsize}: {want} moves the fewest; you gave {got:g}.
""")

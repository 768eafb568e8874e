"""What the checks of 07 say where a program does several rows."""

OF_ROWS = """
rows
有的行没有写：program p 做第 p·ROWS 行到第 p·ROWS + ROWS − 1 行。
Some rows were not written: program p does the rows from p·ROWS to p·ROWS + ROWS − 1.

full rows
{rows} 行 4 列、每行都满，就算错了：先核对公式。
Wrong on {rows} full rows of 4 columns: check the formula.

shared sum
和加到了别的行上：一块有 ROWS 行，每行要一个自己的和，归约只沿着列。
The sum runs over other rows too: a tile has ROWS rows, each with a sum of its own, so reduce along the columns alone.

other axis
归约的方向反了，沿着行去了：[:, None] 的是行，在第 0 维；[None, :] 的是列，在第 1 维。
It reduces the other way, down the rows: what has [:, None] is the rows, dimension 0; what has [None, :] is the columns, dimension 1.

shared maximum
两行的分数相差 500 时错了：最大值要一行一个，不是整块一个。
Wrong where two rows' scores are 500 apart: each row needs its own maximum, not one for the tile.

sizes
{rows} 行 {columns} 列、ROWS = {each} 时错了。
Wrong with {rows} rows, {columns} columns and ROWS = {each}.

beyond unwritten
长度以后的位置没有写：那里要写 0。
Places beyond a row's length were not written: they get 0.

no lengths
没有用上长度：每行只有前 lengths[i] 个分数算数。
The lengths are not used: of row i only the first lengths[i] scores count.

beyond in the sum
长度以后写了 0，可它们仍在和里：读的时候就要遮住。
0 is written beyond the length, yet those scores are still in the sum: mask them when they are loaded.

shared length
同一个 program 里的行用了同一个长度：每行要读自己的。
The rows of a program share one length: each has its own.

one beyond
每行多了一个分数：算数的是第 0 到第 lengths[i] − 1 列。
Each row has one score too many: columns 0 to lengths[i] − 1 count.

one short
每行少了一个分数：算数的是第 0 到第 lengths[i] − 1 列，最后那一列也在内。
Each row has one score too few: columns 0 to lengths[i] − 1 count, and the last of them too.

lengths
长度各不相同时错了。
Wrong where the lengths differ.

load lengths
长度以后的分数不必读。
Scores beyond a row's length need not be loaded.

each length once
每行的长度读一次。
Load each row's length once.

no more loads
省寄存器不能靠多读：每个元素读一次。
Registers must not be saved by loading more: load each element once.

logarithm
这是 softmax 的对数。
This is the logarithm of softmax.
"""

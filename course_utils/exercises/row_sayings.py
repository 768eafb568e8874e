"""What is said of a kernel of which each program does a row, whatever it computes."""

from .sayings import Sayings

ROWS_SAID = Sayings("""
value
{asked}：第 {row} 行第 {column} 列应是 {want:.4g}，得到的是 {got:.4g}。
{asked}: row {row}, column {column} should be {want:.4g}; you gave {got:.4g}.

unwritten
{asked}：第 {row} 行第 {column} 列没有写，里面还是原来的内容。
{asked}: row {row}, column {column} was not written and holds what was there before.

astray
{asked}：有元素落到了张量之外{where}。
{asked}: elements fall outside their tensor{where}.

padded with zero
多余的元素是 0（不写 other 时，解释器填的也是 0），于是 exp(0 − 最大值) 也进了和；分数减 20 之后看得最清楚。它们的 exp 应当是 0。
The spare elements are 0 (without other, the interpreter makes them 0 as well), so exp(0 − maximum) is part of the sum, most plainly once the scores are lowered by 20. Their exp should be 0.

zero in the maximum
多余的元素没有进和，却还是 0，求最大值时也在里面：分数都远低于 0 时，exp 全下溢成了 0。
The spare elements are kept out of the sum, but they are 0 and take part in the maximum: where all scores are far below 0, every exp underflows to 0.

narrow
{asked}：第 {row} 行第 {column} 列应是 {want:.4g}，得到的是 {got:.4g}。float32 的输入都对：读进来以后，要先变成 float32 再算。
{asked}: row {row}, column {column} should be {want:.4g}; you gave {got:.4g}. All float32 inputs are right: make what you load float32 before you compute.

padded too high
多余的元素填了一个负数，可它还不够小：分数比它更低的时候，它反而成了最大值。
The spare elements are filled with a negative number that is not low enough: once the scores are lower still, it becomes the maximum.

padded the wrong way
多余的元素填得太大，把整行都带坏了。它们的 exp 应当是 0。
The spare elements are filled with something so large that it spoils the row. Their exp should be 0.

load unmasked
load 越界了：列数不是 2 的幂时，块比一行长，从第 n_cols 列起都不能读。
The load leaves its tensor: unless n_cols is a power of two the block is longer than the row, and from column n_cols on nothing may be read.

store unmasked
store 越界了：列数不是 2 的幂时，块比一行长，从第 n_cols 列起也不能写。
The store leaves its tensor: unless n_cols is a power of two the block is longer than the row, and from column n_cols on nothing may be written either.

one column too few
掩码少放了一列：最后一列是 n_cols − 1，它也要算。
The mask leaves one column out: the last one, n_cols − 1, counts as well.

x by columns
读输入时，你按列数换行；输入是切出来的一部分时，下一行要再走 x_stride 个元素才到。
You step through the input by n_cols; in a slice of a wider matrix the next row lies x_stride elements on.

y by columns
写输出时，你按列数换行；输出的每行后面还有别人的元素时，下一行要再走 y_stride 个元素才到。
You step through the output by n_cols; where other elements lie behind each row, the next row is y_stride elements on.

both by columns
读和写都按列数换行了：矩阵不紧挨着放时，输入、输出要各用各的步幅。
You step by n_cols both to read and to write; where rows are not packed, input and output have strides of their own.

x by block
读输入时，你按块的大小换行；下一行的位置由 x_stride 决定。
You step through the input by the block's size; where the next row begins is up to x_stride.

y by block
写输出时，你按块的大小换行；下一行的位置由 y_stride 决定。
You step through the output by the block's size; where the next row begins is up to y_stride.

x by y
读输入时用了输出的步幅。
The input is read with the output's stride.

y by x
写输出时用了输入的步幅。
The output is written with the input's stride.

strides exchanged
两个步幅用反了：读输入用的是输出的步幅，写输出用的是输入的。
The two strides are exchanged: the input is read with the output's, the output written with the input's.

one row only
每个 program 都在做第 0 行：行号要从 program_id 来。
Every program does row 0: its row comes from program_id.

next row
每个 program 都做了下一行：program i 做第 i 行。
Every program does the row after its own: program i does row i.

no maximum
结果的公式没有错，但 exp 之前没有减最大值，分数在 1000 左右时溢出了。
The formula is right, but no maximum is subtracted before exp, and scores around 1000 overflow.

not divided
只取了 exp，没有除以这一行的和。
You took exp, but did not divide by the sum of the row.

logarithm
这是 softmax 的对数，题目要的是 softmax。
This is the logarithm of softmax; softmax itself is asked for.

no exponential
分数本身不是权重：还没有取 exp。
The scores are not the weights: exp is missing.

divided by the columns
你除以了列数；要除以的是这一行的和。
You divided by n_cols; divide by the sum of the row.

small number added
只有一列时结果应当正好是 1：和里多加了一个小数，可这个和不会是 0。
With a single column the result should be exactly 1: you add a small number to a sum that is never 0.

first subtracted
减去的要是这一行最大的数，不是第一个。
Subtract the largest of the row, not the first.

copied
分数原样写了回去，什么也没有算。
The scores are written back as they were, with nothing computed.
""")

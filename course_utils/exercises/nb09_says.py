"""What the checks of 09_one_row_many_sms say."""

from .sayings import Sayings

SAYS = Sayings("""
last_kernel
一次启动，也谁都没有等：最后到的关灯。位置再少，也不会死锁。
One launch, and still nobody waited: the last one turns off the light. With however few places, it can't deadlock.

mended_share_kernel
三处都定下了先后。它仍然要等，所以每个 program 都要有位置。
All three are ordered now. It still waits, so every program must have a place.

no kernel
kernel 要有 @triton.jit 这一行。
A kernel needs the line @triton.jit.

one part
一行只有一段时就错了：先核对公式 exp(x − m) / s。
Wrong already with a single part: check exp(x − m) / s.

sums as they are
各段的 s 直接相加了：先乘 e^(自己的 m − 整行的 m)。
The parts' sums were added as they are: multiply each by e^(its own m − the row's m) first.

falling
最大值在第一段时错了。
Wrong where the maximum is in the first part.

tall
分数在 1000 左右时溢出了：取指数之前先减最大值。
It overflows at scores around 1000: subtract the maximum before the exponential.

padding
7 列、段长 4 时错了：多余的位置按 0 分参加了计算，other 该填 −inf。
Wrong on 7 columns in parts of 4: spare places take part with a score of 0; let other be −inf.

empty part is NaN
有一段全是 −inf 时得到了 NaN：−inf − (−inf) 没有定义，最大值是 −inf 时改减 0。
A part of nothing but −inf gives NaN: −inf − (−inf) is undefined. Where the maximum is −inf, subtract 0 instead.

sum of an empty row
整行都是 −inf 时，结果应是 −inf：合并各对时也要防 −inf − (−inf)。
A row of nothing but −inf should give −inf: beware of −inf − (−inf) when merging the pairs as well.

NaN
输入里有 NaN 时，结果应是 NaN。
With NaN in the input the result should be NaN.

x stride
输入是从 8 列里切出的 7 列时错了：换行要加 x_stride。
Wrong on 7 columns cut out of 8: the next row is x_stride further on.

half
float16 的输入错了：读进来先变成 float32。
Wrong on float16 input: make it float32 once loaded.
""")

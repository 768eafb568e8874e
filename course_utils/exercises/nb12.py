"""The questions of 12_one_row_many_gpus: what travels, and when it pays."""

from ..measurements import measure
from .prediction import questions


def _pays() -> int:
    """By α of the smallest message and β of the largest, for 4096 pairs."""
    widths, two = tuple(2**k for k in range(9, 18)), {"name": "sharded", "ranks": 2}
    least, most = 2**10, 2**30
    wire = measure(**two, part="wire", what="all_gather", way="graph", bytes=(least, most))
    message = wire[least] + 2**15 * (wire[most] - wire[least]) / most
    one, half = (measure(**two, part="widths", way=way, columns=widths) for way in ("one GPU", "its part alone"))
    return next(n for n in widths if half[n] + message < one[n])


QUESTIONS = questions(
    """
wire
取列是 {:g} 倍。 | Columns are {:g} times as many.
2: 2 倍 | 2 times
那是每行两个数占的份：还要看一段有多少列。
That counts two numbers a row. How many columns does a part have?
8: 8 倍 | 8 times
八块 GPU 都要收七份，两种送法一样：这个 8 消掉了。
Eight GPUs receive seven shares either way: the 8 cancels.
8192: 8192 倍 | 8192 times
一段每行 16384 列，换成 2 个数。
A part has 16384 columns a row, and two numbers take their place.
131072: 131072 倍 | 131072 times
一段只有整行的八分之一，而且要送的是两个数，不是一个。
A part is an eighth of the row, and two numbers are sent, not one.

same_bits
下一格一行一行地比。 | The next cell compares row by row.
all: 一样：加法满足交换律 | yes: addition is commutative
数学上是。浮点加法每一步都舍入，次序不同，舍入就不同。
In mathematics. Floating-point sums round at each step, and another order rounds otherwise.
some: 有的行一样，有的不一样 | some rows are, some are not
差别在最后一位，有的行碰巧舍入到同一个数。
The last bit differs; in some rows both happen to round to one number.
none: 都不一样 | no row is
三个数的和常常舍入到同一个数。
A sum of three numbers often rounds to the same one.

pays
按这个预测，从 {} 列起。 | By this prediction, from {} columns on.
512: 512 列起，总是划算 | from 512, always
那里一块 GPU 整个只要 4 µs，一条消息就不止 10。
There one GPU takes 4 µs for everything, and a message alone takes more than 10.
2048: 2048 列起 | from 2048
半行省下不到 6 µs，不够付一条消息。
Half the row saves less than 6 µs, which does not pay for the message.
4096: 4096 列起 | from 4096
半行省下的，刚好超过一条消息。
Half the row saves just more than a message costs.
65536: 65536 列起 | from 65536
那里省下的是一条消息的十几倍。
There it saves more than ten times what the message costs.
""",
    wire=lambda: 131072 // 8 / 2,
    same_bits=lambda: "some",
    pays=_pays,
)

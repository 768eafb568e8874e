"""Answers to the exercises of 10_training: plausible wrong ones, with what the check must say of each, zh and en."""

from .nb03 import UNDEFINED, kernel, variants

# ---- softmax backwards, of a row wider than a block

WIDE_ARGUMENTS = "dx_ptr, dy_ptr, y_ptr, dx_stride, dy_stride, y_stride, n_cols, BLOCK_SIZE: tl.constexpr"
_LOADS = """    columns = start + tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    y = tl.load(y_ptr + row * y_stride + columns, mask=mask, other=0.0).to(tl.float32)
    dy = tl.load(dy_ptr + row * dy_stride + columns, mask=mask, other=0.0).to(tl.float32)
"""
WIDE = f"""row = tl.program_id(0)
s = 0.0
for start in range(0, n_cols, BLOCK_SIZE):
{_LOADS}    s += tl.sum(y * dy, axis=0)
for start in range(0, n_cols, BLOCK_SIZE):
{_LOADS}    tl.store(dx_ptr + row * dx_stride + columns, y * (dy - s), mask=mask)
"""
_FIRST_ROUND = WIDE[WIDE.index("for start") : WIDE.rindex("for start")]

# ---- log-softmax backwards

LOG = """row = tl.program_id(0)
columns = tl.arange(0, BLOCK_SIZE)
mask = columns < n_cols
y = tl.load(y_ptr + row * y_stride + columns, mask=mask, other=0.0).to(tl.float32)
dy = tl.load(dy_ptr + row * dy_stride + columns, mask=mask, other=0.0).to(tl.float32)
s = tl.sum(dy, axis=0)
dx = dy - tl.exp(y) * s
tl.store(dx_ptr + row * dx_stride + columns, dx, mask=mask)
"""

# ---- cross-entropy in one pass

LOSS_ARGUMENTS = "loss_ptr, x_ptr, target_ptr, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"
LOSS = """row = tl.program_id(0)
target = tl.load(target_ptr + row)
m = -float("inf")
s = 0.0
for start in range(0, n_cols, BLOCK_SIZE):
    columns = start + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
    m_new = tl.maximum(m, tl.max(x, axis=0))
    top = tl.where(m_new == -float("inf"), 0.0, m_new)
    s = s * tl.exp(m - top) + tl.sum(tl.exp(x - top), axis=0)
    m = m_new
x_target = tl.load(x_ptr + row * x_stride + target).to(tl.float32)
tl.store(loss_ptr + row, m + tl.log(s) - x_target)
"""
TWO_PASSES = """row = tl.program_id(0)
target = tl.load(target_ptr + row)
m = -float("inf")
for start in range(0, n_cols, BLOCK_SIZE):
    columns = start + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf"))
    m = tl.maximum(m, tl.max(x, axis=0))
s = 0.0
for start in range(0, n_cols, BLOCK_SIZE):
    columns = start + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf"))
    s += tl.sum(tl.exp(x - m), axis=0)
tl.store(loss_ptr + row, m + tl.log(s) - tl.load(x_ptr + row * x_stride + target))
"""

# ---- loss and gradient in place

IN_PLACE_ARGUMENTS = "loss_ptr, x_ptr, target_ptr, scale, x_stride, n_cols, BLOCK_SIZE: tl.constexpr"
IN_PLACE = """row = tl.program_id(0)
target = tl.load(target_ptr + row)
x_target = tl.load(x_ptr + row * x_stride + target).to(tl.float32)
m = -float("inf")
s = 0.0
for start in range(0, n_cols, BLOCK_SIZE):
    columns = start + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)
    m_new = tl.maximum(m, tl.max(x, axis=0))
    s = s * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new), axis=0)
    m = m_new
for start in range(0, n_cols, BLOCK_SIZE):
    columns = start + tl.arange(0, BLOCK_SIZE)
    mask = columns < n_cols
    x = tl.load(x_ptr + row * x_stride + columns, mask=mask).to(tl.float32)
    p = tl.exp(x - m) / s
    dx = scale * (p - tl.where(columns == target, 1.0, 0.0))
    tl.store(x_ptr + row * x_stride + columns, dx, mask=mask)
tl.store(loss_ptr + row, m + tl.log(s) - x_target)
"""
_X_TARGET = "x_target = tl.load(x_ptr + row * x_stride + target).to(tl.float32)\n"
_SECOND = IN_PLACE[IN_PLACE.rindex("for start") : IN_PLACE.index("tl.store(loss_ptr")]
_ONE_ROUND = "    mask = columns < n_cols\n" + _SECOND[_SECOND.index("    p = ") :]
_LAST = IN_PLACE[IN_PLACE.index("    dx = ") :]
_READ_AGAIN = """for start in range(0, n_cols, BLOCK_SIZE):
    columns = start + tl.arange(0, BLOCK_SIZE)
    x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf"))
    m = tl.maximum(m, tl.max(x.to(tl.float32), axis=0))
"""
_READ_MODIFY_WRITE = """    tl.store(x_ptr + row * x_stride + columns, scale * p, mask=mask)
at = x_ptr + row * x_stride + target
tl.store(at, tl.load(at).to(tl.float32) - scale)
tl.store(loss_ptr + row, m + tl.log(s) - x_target)
"""

# ---- rows that are ignored


WRONG = {
    "wide_backward_kernel": variants(
        "wide_backward_kernel",
        WIDE,
        {
            ("y * (dy - s)", "y * dy"): ("还要减去 y 乘上它们的和", "their sum is still to be subtracted"),
            ("tl.sum(y * dy, axis=0)", "tl.sum(dy, axis=0)"): ("和里少了 y", "The sum lacks y"),
            ("tl.sum(y * dy, axis=0)", "tl.sum(y * dy, axis=0) / n_cols"): ("平均", "not the mean"),
            ("y * (dy - s)", "y * (dy + s)"): ("正负号反了", "sign is wrong"),
            ("y * (dy - s)", "y * (s - dy)"): ("正负号反了", "sign is wrong"),
            ("y * (dy - s)", "dy * (y - s)"): ("位置反了", "changed places"),
            ("tl.sum(y * dy, axis=0)", "tl.sum(y, axis=0)"): ("和里少了 dy", "The sum lacks dy"),
            ("y * (dy - s)", "dy - s"): ("括号外的 y", "in front of the brackets"),
            (
                _FIRST_ROUND + "for start in range(0, n_cols, BLOCK_SIZE):\n" + _LOADS,
                _FIRST_ROUND.replace("s +=", "s ="),
            ): ("每块用了自己的和", "a sum of its own"),
            (
                _FIRST_ROUND + "for start in range(0, n_cols, BLOCK_SIZE):\n" + _LOADS,
                _FIRST_ROUND,
            ): ("还没走完一行", "before the row is summed"),
            ("s += tl.sum", "s = tl.sum"): ("和里只有最后一块", "Only the last block is in the sum"),
            (
                "s += tl.sum(y * dy, axis=0)",
                "s += tl.where(start == 0, tl.sum(y * dy, axis=0), 0.0)",
            ): ("和里只有第一块", "Only the first block is in the sum"),
            ("y * (dy - s), mask=mask", "y * (dy - s)"): ("store 越界了", "store leaves its tensor"),
            ("row * dy_stride", "row * y_stride"): ("越界了", "leaves its tensor"),
            ("row * dx_stride", "row * n_cols"): ("越界了", "leaves its tensor"),
            ("    tl.store", _LOADS + "    tl.store"): ("读了 6MN", "it reads 6MN"),
            ("mask=mask, other=0.0", "mask=mask"): UNDEFINED,
            ("mask=mask, other=0.0", 'mask=mask, other=-float("inf")'): ("inf 或 NaN", "inf or NaN with 12 columns"),
        },
        arguments=WIDE_ARGUMENTS,
    ),
    "one_pass_loss_kernel": variants(
        "one_pass_loss_kernel",
        LOSS,
        {
            (" - x_target", ""): ("还要减去目标那一列的分数", "score is still to be subtracted"),
            ("m + tl.log(s) - x_target", "x_target - m - tl.log(s)"): ("不会是负数", "never negative"),
            ("m + tl.log(s) - x_target", "tl.exp(x_target - m) / s"): ("这是目标的概率", "target's probability"),
            ("m + tl.log(s)", "tl.log(s)"): ("最大值没有加回来", "not added back"),
            ("m + tl.log(s)", "m - tl.log(s)"): ("log s 要加上", "log s is added"),
            ("row * x_stride + target", "target"): ("取自第 0 行", "came from row 0"),
            ("tl.exp(m - top)", "tl.exp(top - m)"): ("第一块就得到 NaN", "NaN in the first block"),
            ("tl.log(s)", "s"): ("少了对数", "logarithm is missing"),
            ("m + tl.log(s) - x_target", "m + tl.log(s) - target"): (
                "减去了目标的编号",
                "target's number was subtracted",
            ),
            ("target_ptr + row", "target_ptr"): ("第 0 行的目标", "row 0's target"),
            ("s * tl.exp(m - top)", "s"): ("e^(旧 m − 新 m)", "e^(old m − new m)"),
            ("s * tl.exp(m - top) + ", ""): ("只剩最后一块", "Only the last block is left"),
            ('other=-float("inf")', "other=0.0"): ("多出来的元素要填 −inf", "fill the spare elements"),
            ('top = tl.where(m_new == -float("inf"), 0.0, m_new)', "top = 0.0\n    m_new = 0.0"): ("±1000", "±1000"),
            ('tl.where(m_new == -float("inf"), 0.0, m_new)', "m_new"): ("改减 0", "subtract 0 instead"),
            ("tl.sum(tl.exp(x - top), axis=0)", "tl.sum(tl.exp(x - m_new), axis=0)"): ("改减 0", "subtract 0 instead"),
            ("row * x_stride", "row * n_cols"): ("越界了", "leaves its tensor"),
            ("mask=columns < n_cols, ", ""): ("代码出错了", "`other` cannot be provided without `mask`"),
            (', other=-float("inf")', ""): ("要填 −inf", "spare elements with −inf"),
        },
        arguments=LOSS_ARGUMENTS,
    )
    | {kernel("one_pass_loss_kernel", TWO_PASSES, LOSS_ARGUMENTS): ("分数读了 2", "are read 2")},
    "in_place_gradient_kernel": variants(
        "in_place_gradient_kernel",
        IN_PLACE,
        {
            ("(p - tl.where(columns == target, 1.0, 0.0))", "p"): ("还要减 1", "still to be subtracted"),
            ("scale * (p", "(p"): ("还要乘上 scale", "scale is still"),
            (
                "scale * (p - tl.where(columns == target, 1.0, 0.0))",
                "scale * p - tl.where(columns == target, 1.0, 0.0)",
            ): ("整个括号", "whole bracket"),
            ("(p - tl.where", "(p + tl.where"): ("目标那一列要减 1", "1 is subtracted"),
            (
                "(p - tl.where(columns == target, 1.0, 0.0))",
                "(tl.where(columns == target, 1.0, 0.0) - p)",
            ): ("损失会变大", "loss would grow"),
            ("tl.where(columns == target, 1.0, 0.0)", "1.0"): ("只有目标那一列", "only the target's"),
            ("p = tl.exp(x - m) / s", "p = x - m - tl.log(s)"): ("这是对数概率", "log-probabilities"),
            ("tl.exp(x - m) / s", "tl.exp(x - m)"): ("还没有除以它们的和", "divided by their sum"),
            ("columns == target", "columns == row"): ("不是第 row 列", "not in column `row`"),
            ("target_ptr + row", "target_ptr"): ("第 0 行的目标", "row 0's target"),
            ("dx, mask=mask", "dx"): ("store 越界了", "store leaves its tensor"),
            ("m_new = tl.maximum(m, tl.max(x, axis=0))", "m_new = 0.0"): ("1000 左右", "around ±1000"),
            ("tl.exp(m - m_new)", "tl.exp(m_new - m)"): ("第一块就得到 NaN", "NaN in the first block"),
            ('other=-float("inf")', "other=0.0"): ("多出来的元素要填 −inf", "fill the spare elements"),
            ("s * tl.exp(m - m_new)", "s"): ("4 个一块时错了", "blocks of 4"),
            (_SECOND, "", "    m = m_new\n", "    m = m_new\n" + _ONE_ROUND): (
                "还没走完一行就写了",
                "before the row is summed",
            ),
            (
                "range(0, n_cols, BLOCK_SIZE):\n    columns = start + tl.arange(0, BLOCK_SIZE)\n    mask",
                "range(0, BLOCK_SIZE, BLOCK_SIZE):\n    columns = start + tl.arange(0, BLOCK_SIZE)\n    mask",
            ): (
                "也要走完一行",
                "to the end of the row",
            ),
            (_X_TARGET, "", "tl.store(loss_ptr", _X_TARGET + "tl.store(loss_ptr"): (
                "已经被梯度盖掉",
                "already been overwritten",
            ),
            ("tl.store(loss_ptr + row, m + tl.log(s) - x_target)\n", ""): ("损失没有写", "was not written"),
            ("m + tl.log(s) - x_target", "scale * (m + tl.log(s) - x_target)"): ("不乘损失", "not for the loss"),
            (" - x_target", ""): ("还要减去目标那一列的分数", "score is still to be subtracted"),
            ("m + tl.log(s)", "tl.log(s)"): ("最大值没有加回来", "not added back"),
            ("m + tl.log(s) - x_target", "x_target - m - tl.log(s)"): ("不会是负数", "never negative"),
            (_LAST, _READ_MODIFY_WRITE): ("先舍入", "round first"),
            ("dx = scale * (p", "p = p.to(x_ptr.dtype.element_ty).to(tl.float32)\n    dx = scale * (p"): (
                "先舍入",
                "round first",
            ),
            (_SECOND, _READ_AGAIN + _SECOND): ("读了 3MN", "it reads 3MN"),
            ("tl.store(x_ptr", "tl.store(x_ptr + row * x_stride + columns, p, mask=mask)\n    tl.store(x_ptr"): (
                "写了 2MN",
                "writes 2MN",
            ),
            ("row * x_stride", "row * n_cols"): ("越界了", "leaves its tensor"),
        },
        arguments=IN_PLACE_ARGUMENTS,
    ),
}

"""Plausible wrong answers to the exercises of 05_occupancy_launcher: {exercise: {answer: what the check must say, zh and en}}."""

UP = "up = lambda a, g: -(-a // g) * g"
WHOLE = f"""def mended_formula(chip, registers, shared, num_warps):
    {UP}
    limits = []
    limits.append(chip.registers_per_lane // up(registers, chip.register_granule) * chip.schedulers // num_warps)
    limits.append(chip.warps // num_warps)
    limits.append(chip.programs)
    if shared:
        limits.append(chip.shared // up(shared + chip.shared_reserved, chip.shared_granule))
    return min(limits)
"""
PREFETCH = """@triton.jit
def prefetch_kernel(y_ptr, x_ptr, y_stride, x_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr):
    row, step = tl.program_id(0).to(tl.int64), tl.num_programs(0)
    columns = tl.arange(0, BLOCK_SIZE)
    there = columns < tl.where(row < n_rows, n_cols, 0)
    x = tl.load(x_ptr + row * x_stride + columns, mask=there, other=-float("inf"))
    while row < n_rows:
        ahead = row + step
        there = columns < tl.where(ahead < n_rows, n_cols, 0)
        following = tl.load(x_ptr + ahead * x_stride + columns, mask=there, other=-float("inf"))
        x = x.to(tl.float32)
        numerator = tl.exp(x - tl.max(x, axis=0))
        y = numerator / tl.sum(numerator, axis=0)
        tl.store(y_ptr + row * y_stride + columns, y, mask=columns < n_cols)
        row, x = ahead, following
"""
STORE = "        tl.store(y_ptr + row * y_stride + columns, y, mask=columns < n_cols)\n"
FOLLOWING = '        following = tl.load(x_ptr + ahead * x_stride + columns, mask=there, other=-float("inf"))\n'
DRAW = """def draw_waiting(axes, grids, sms):
    for stages in sorted({g.stages for g in grids}):
        chosen = sorted((g for g in grids if g.stages == stages), key=lambda g: g.per_multiprocessor)
        across = [g.per_multiprocessor for g in chosen]
        up = [1e3 * g.median_ms / (g.rows / (g.per_multiprocessor * sms)) for g in chosen]
        axes.plot(across, up, "o-", label=f"{stages} stages")
    axes.set_xlabel("programs / SM")
    axes.set_ylabel("us / row")
    axes.legend()
"""
UP_EACH = "1e3 * g.median_ms / (g.rows / (g.per_multiprocessor * sms))"
ENOUGH = """needed = bandwidth * alone / row_bytes
per_sm = min(fits, round(2 * needed / sms))
return max(1, min(rows, per_sm * sms))
"""


def changed(source: str, *changes: tuple[str, str]) -> str:
    for what, instead in changes:
        assert what in source, what
        source = source.replace(what, instead)
    return source


def prefetch(*changes) -> str:
    return changed(PREFETCH, *changes)


def draw(*changes) -> str:
    return changed(DRAW, *changes)


def enough(*changes) -> str:
    return changed(ENOUGH, *changes)


def without(what: str, instead: str = "") -> str:
    assert what in WHOLE, what
    return WHOLE.replace(what, instead)


WRONG = {
    "draw_waiting": {
        "return None": ("什么也没有画", "Nothing was drawn"),
        "axes.set_xlabel('x')\naxes.set_ylabel('y')": ("什么也没有画", "Nothing was drawn"),
        draw((UP_EACH, "g.bandwidth")): ("这是速度", "That is the speed"),
        draw((UP_EACH, "1e3 * g.median_ms")): ("整次启动的时间", "time of the whole launch"),
        draw((UP_EACH, "1e3 * g.median_ms / g.rows")): ("总时间 ÷ 总行数", "over all the rows"),
        draw((" * sms", "")): ("sms", "A factor of sms"),
        draw(("1e3 * ", "")): ("一千倍", "factor of a thousand"),
        draw(("1e3 * ", "1e6 * ")): ("一千倍", "factor of a thousand"),
        draw(("(across, up,", "(up, across,")): ("横纵对调", "exchanged"),
        draw(("sorted({g.stages for g in grids})", "sorted({g.stages for g in grids})[1:]")): (
            "只有一条曲线",
            "There is one curve",
        ),
        draw(("[g.per_multiprocessor for", "[g.per_multiprocessor * sms for")): ("不是一共几个", "not those on all"),
        draw((" if g.stages == stages", ""), ("sorted({g.stages for g in grids})", "[1]")): (
            "连成了一条线",
            "joined into one line",
        ),
        draw(("sorted((", "list(("), (", key=lambda g: g.per_multiprocessor)", ")")): (
            "没有按横轴排好",
            "not in order",
        ),
        draw(('    axes.set_ylabel("us / row")\n', "")): ("两根轴", "both axes"),
        draw((', label=f"{stages} stages"', "")): ("两条曲线要分得清", "Tell the curves apart"),
        draw(("    axes.legend()\n", "")): ("显示出来", "show the labels"),
        draw(("g.stages == stages", "g.stages != stages")): ("标签贴错了", "on the wrong curve"),
        draw((" * sms", " * 132")): ("132 个 SM", "132 SMs"),
        draw(("g.rows / (g.per_multiprocessor * sms)", "g.rows / sms")): (
            "少乘了 per_multiprocessor",
            "per_multiprocessor is missing",
        ),
        draw(("(g.per_multiprocessor * sms)", "sms * g.per_multiprocessor")): ("你除了", "where you should multiply"),
        draw((UP_EACH, f"1 / ({UP_EACH})")): ("上下颠倒", "Upside down"),
        draw(("sorted({g.stages for g in grids})", "(1, 4)")): ("换了别的级数", "other numbers of stages"),
        draw(('axes.plot(across, up, "o-", ', "axes.scatter(across, up, ")): ("没有连成曲线", "not joined"),
        draw(('f"{stages} stages"', '"stages"')): ("两条曲线要分得清", "Tell the curves apart"),
        draw((UP_EACH, "g.median_ms * 7")): ("应画在", "should be at"),
    },
    "prefetch_kernel": {
        prefetch().removeprefix("@triton.jit\n"): ("@triton.jit", "@triton.jit"),
        prefetch(("tl.where(ahead < n_rows, n_cols, 0)", "n_cols")): ("可是行号只到", "but the last is"),
        prefetch(
            (FOLLOWING, ""), ("        row, x = ahead, following\n", FOLLOWING + "        row, x = ahead, following\n")
        ): (
            "才去读第",
            "before it loaded row",
        ),
        prefetch(
            (
                "        x = x.to(tl.float32)",
                '        x = tl.load(x_ptr + row * x_stride + columns, mask=columns < n_cols, other=-float("inf")).to(tl.float32)',
            )
        ): ("遍。提前读到", "times. Keep the row"),
        prefetch(("ahead = row + step", "ahead = row + 1")): ("做了", "was done"),
        prefetch(("ahead * x_stride", "(row + 1) * x_stride"), ("ahead < n_rows", "row + 1 < n_rows")): (
            "那一行不归它",
            "not its own",
        ),
        prefetch(
            ("ahead * x_stride", "tl.minimum(ahead, n_rows - 1) * x_stride"),
            ("tl.where(ahead < n_rows, n_cols, 0)", "n_cols"),
        ): (
            "没有下一行了",
            "has no next row",
        ),
        prefetch(("        x = x.to(tl.float32)", "        x = following.to(tl.float32)")): (
            "就被下一行换掉了",
            "replaced by the next",
        ),
        prefetch(("    while row < n_rows:\n", "    if row < n_rows:\n")): ("没有人做", "nobody did"),
        prefetch(("row, x = ahead, following", "row = ahead")): ("没有用上", "not used in the next turn"),
        prefetch(("tl.exp(x - tl.max(x, axis=0))", "tl.exp(x)")): ("减", "subtract"),
        prefetch(("y, mask=columns < n_cols)", "y)")): ("store", "store"),
        prefetch((".to(tl.int64)", "")): ("int32", "int32"),
        prefetch(('other=-float("inf")', "other=0.0")): ("多余的元素是 0", "elements are 0"),
        prefetch(("row * x_stride", "row * n_cols"), ("ahead * x_stride", "ahead * n_cols")): ("x_stride", "x_stride"),
    },
    "enough_programs": {
        enough(("2 * needed", "needed")): ("没有乘 2", "factor of 2"),
        enough(("round(", "math.ceil(")): ("向上取整", "not up"),
        enough(("round(", "int(")): ("最接近的整数", "cut the fraction off"),
        enough(("per_sm * sms", "per_sm")): ("一个 SM 上的个数", "for one SM"),
        enough(("min(fits, round(2 * needed / sms))", "round(2 * needed / sms)")): ("比放得下的还多", "More than fit"),
        enough(("min(rows, per_sm * sms)", "per_sm * sms")): ("比行还多", "More programs than rows"),
        enough(("needed / sms", "needed")): ("要分给 sms 个 SM", "divide them among"),
        enough(("min(fits, round(2 * needed / sms))", "fits")): ("这是放得下的个数", "how many fit"),
        "return rows": ("够用就停", "no more than are"),
        enough(("max(1, min(rows, per_sm * sms))", "min(rows, per_sm * sms)")): ("至少 1 个", "at least 1"),
        enough(("round(2 * needed / sms)", "2 * round(needed / sms)")): (
            "你先取整，再乘 2",
            "rounded and then doubled",
        ),
        enough(("min(fits, round(2 * needed / sms))", "max(1, min(fits, round(2 * needed / sms)))")): (
            "说的是总数",
            "is of all together",
        ),
        enough(("per_sm * sms", "fits * sms, round(2 * needed)")): ("只对总数取了整", "only that of all together"),
        enough(("min(fits, ", "("), ("min(rows,", "min(rows, fits,")): ("不是整块 GPU 的", "not for the whole GPU"),
        enough(("min(fits, round(2 * needed / sms))", "round(2 * min(fits, needed / sms))")): (
            "先乘 2、取整",
            "double and round first",
        ),
        "return 7": ("应得", "should give"),
    },
}

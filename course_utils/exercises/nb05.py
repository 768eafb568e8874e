"""The exercises and the questions of 05_occupancy_launcher."""

import torch

from ..hardware import CHIPS
from ..language import Text
from .engine import Exercise, Wrong
from .nb05_questions import QUESTIONS
from .probes import number

__all__ = ["EXERCISES", "QUESTIONS"]

H200 = CHIPS["sm_90"]


def _up(amount, granule):
    return -(-amount // granule) * granule


def _compare(answer, probes, want, mistakes, show):
    """Calls `answer` on every probe. If all results are those of one mistake, says which; else names the first that is wrong."""
    got = [number(answer, *probe) for probe in probes]
    right = [want(*probe) for probe in probes]
    if got == right:
        return
    for wrong, zh, en in mistakes:
        if got == [wrong(*probe) for probe in probes]:
            raise Wrong(zh, en)
    probe, g, w = next(found for found in zip(probes, got, right) if found[1] != found[2])
    raise Wrong(f"{show(*probe)} 应得 {w:g}，你给的是 {g:g}。", f"{show(*probe)} should give {w:g}; you gave {g:g}.")


# --- Warps by registers ---------------------------------------------------------------------------------------------------


def _warps_by_registers(answer):
    registers = (16, 18, 24, 32, 33, 40, 48, 72, 97, 104, 152, 255)
    _compare(
        answer,
        [(r,) for r in registers],
        lambda r: 512 // _up(r, 8) * 4,
        [
            (lambda r: 512 // r * 4, "少了取整：寄存器每 8 个一份地发，18 个要占 24 个。", "The rounding is missing: registers are given out in eights, so 18 take 24."),
            (lambda r: 65536 // (r * 32), "少了取整：寄存器每 8 个一份地发，18 个要占 24 个。", "The rounding is missing: registers are given out in eights, so 18 take 24."),
            (lambda r: 2048 // _up(r, 8), "四个调度器各有各的寄存器：一个 warp 不能一半在这里、一半在那里。每个调度器先各自取整，再乘 4。", "Each of the four schedulers has registers of its own, and no warp lies half here, half there. Round down for one scheduler, then times 4."),
            (lambda r: 512 // _up(r, 8), "这是一个调度器的；一个多处理器有四个。", "That is one scheduler's; a multiprocessor has four."),
            (lambda r: 512 // (r // 8 * 8) * 4, "取整的方向反了：18 个要占 24 个，不是 16 个。", "Rounded the wrong way: 18 take 24, not 16."),
            (lambda r: 65536 // _up(r, 8), "这是线程数；一个 warp 有 32 个线程。", "Those are threads; a warp has 32."),
        ],
        lambda r: f"registers = {r}",
    )  # fmt: skip


# --- The formula, mended ----------------------------------------------------------------------------------------------------


def _fit(chip, registers, shared, num_warps, *, forget=""):
    """Programs that fit, with one thing forgotten."""
    per_warp = registers if forget == "granule" else _up(registers, chip.register_granule)
    reserved = 0 if forget == "reserved" else chip.shared_reserved
    limits = {
        "registers": chip.registers_per_lane // per_warp * chip.schedulers // num_warps,
        "warps": chip.warps // num_warps,
        "programs": chip.programs,
        "shared": chip.shared // _up(shared + reserved, chip.shared_granule) if shared else 10**6,
    }
    limits.pop(forget, None)
    return (max if forget == "min" else min)(limits.values())


_NEEDS = [
    (18, 32, 8),
    (16, 0, 1),
    (24, 0, 2),
    (33, 32, 8),
    (104, 32, 8),
    (64, 30000, 8),
    (40, 5000, 2),
    (16, 7168, 2),
    (152, 40000, 4),
]
_PROBES = [(CHIPS[chip], *needs) for chip in ("sm_90", "sm_80", "sm_89", "sm_75") for needs in _NEEDS]  # fmt: skip


def _mended_formula(answer):
    def call(*arguments):
        try:
            return answer(*arguments)
        except ZeroDivisionError:
            raise Wrong(
                f"除以了 0：shared = {arguments[2]}。不用共享内存的程序，不受共享内存限制。",
                f"A division by zero, with shared = {arguments[2]}. A program that needs no shared memory is not limited by it.",
            ) from None

    def forgets(what):
        return lambda *probe: _fit(*probe, forget=what)

    _compare(
        call,
        _PROBES,
        _fit,
        [
            (forgets("warps"), "还少一个限制：chip.warps 个 warp 位。", "One limit is missing: the chip.warps warp slots."),
            (forgets("programs"), "还少一个限制：chip.programs 个程序位。", "One limit is missing: the chip.programs program slots."),
            (forgets("registers"), "还少一个限制：寄存器。", "One limit is missing: the registers."),
            (forgets("shared"), "还少一个限制：共享内存。", "One limit is missing: the shared memory."),
            (forgets("granule"), "寄存器要向上取整到 chip.register_granule 的倍数。", "Registers are rounded up to a multiple of chip.register_granule."),
            (forgets("reserved"), "共享内存：每个程序另外还要付 chip.shared_reserved 字节。", "Shared memory: each program costs another chip.shared_reserved bytes."),
            (forgets("min"), "最先用完的说了算：取最小的，不是最大的。", "What runs out first decides: the smallest, not the largest."),
        ],
        lambda chip, registers, shared, num_warps: f"{chip.name}, registers = {registers}, shared = {shared}, num_warps = {num_warps}:",
    )  # fmt: skip


# --- How many to launch -----------------------------------------------------------------------------------------------------


def _programs_to_launch(answer):
    for rows in (1, 7, 40, 132, 1000, 4096, 10**6, 0):
        for programs, multiprocessors in ((8, 132), (1, 40), (2, 108), (32, 132), (0, 132)):
            got = number(answer, rows, programs, multiprocessors)
            call = f"({rows}, {programs}, {multiprocessors})"
            if got < 1:
                raise Wrong(
                    f"{call} 得到 {got:g}：一个程序也没有，启动会出错，或者什么也不算。至少要 1 个。",
                    f"{call} gives {got:g}: with no program the launch fails, or nothing is computed. At least 1, please.",
                )
            if got > max(rows, 1):
                raise Wrong(
                    f"{call} 得到 {got:g}：程序比行还多，多出来的没有事做。",
                    f"{call} gives {got:g}: more programs than rows, and those have nothing to do.",
                )
            want = max(1, min(rows, programs * multiprocessors))
            if programs and got != want:
                if got > want:
                    raise Wrong(
                        f"{call} 得到 {got:g}，同时放得下的只有 {programs * multiprocessors} 个：其余的要排队，等前面的把自己的行全做完。",
                        f"{call} gives {got:g}, but only {programs * multiprocessors} fit at once: the others queue until those "
                        "have done all of their rows.",
                    )
                if got == min(rows, programs):
                    raise Wrong(
                        "这是一个多处理器的；一共有 multiprocessors 个。",
                        "That is for one multiprocessor; there are `multiprocessors` of them.",
                    )
                if got == min(rows, multiprocessors):
                    raise Wrong(
                        "每个多处理器上能同时放 programs 个，不止一个。",
                        "Each multiprocessor holds `programs` at once, not just one.",
                    )
                raise Wrong(f"{call} 应得 {want}，你给的是 {got:g}。", f"{call} should give {want}; you gave {got:g}.")  # fmt: skip


# --- The key of a cache -----------------------------------------------------------------------------------------------------


def _tensors(rows, columns, dtype=torch.float32, gap=0, shift=0, y_gap=0, y_shift=0):
    """Output and input of a launch."""
    return _matrix(rows, columns, dtype, y_gap, y_shift), _matrix(rows, columns, dtype, gap, shift)


def _matrix(rows, columns, dtype, gap, shift):
    """Rows `gap` elements apart, memory `shift` elements past a multiple of 16 bytes."""
    memory = torch.zeros(rows * (columns + gap) + shift + 16, dtype=dtype)
    start = (-memory.data_ptr() // memory.element_size()) % (16 // memory.element_size()) + shift
    return memory[start : start + rows * (columns + gap)].view(rows, columns + gap)[:, :columns]


_BASE = (64, 1024)
_OTHERS = [
    ((64, 781), {}, "列数 1024 和 781 用了同一个键，可 781 不能被 16 整除，编译出来的是另一个内核。", "1024 and 781 columns share a key, yet 781 is not divisible by 16, and compiles to another kernel."),
    ((64, 1024), {"dtype": torch.bfloat16}, "float32 和 bfloat16 用了同一个键：元素大小不同，不能用同一个内核。", "float32 and bfloat16 share a key: their elements differ in size, so no kernel suits both."),
    ((1, 1024), {}, "64 行和 1 行用了同一个键：等于 1 的整数会被写死在内核里。", "64 rows and 1 row share a key: an integer that equals 1 is written into the kernel for good."),
    ((64, 512), {}, "1024 列和 512 列用了同一个键：BLOCK_SIZE 不同。", "1024 and 512 columns share a key: their BLOCK_SIZE differs."),
    ((64, 1024), {"gap": 5}, "行与行之间有空隙的输入用了同一个键：它的行步幅是 1029，不能被 16 整除。步幅也是参数。", "An input with gaps between its rows shares the key: its row stride is 1029, not divisible by 16. Strides are arguments too."),
    ((64, 1024), {"shift": 1}, "起始地址没有按 16 字节对齐的输入用了同一个键：看 data_ptr()。", "An input whose address is no multiple of 16 bytes shares the key: look at data_ptr()."),
    ((100, 1024), {}, "64 行和 100 行用了同一个键：行数也是参数，100 不能被 16 整除。", "64 and 100 rows share a key: the number of rows is an argument too, and 100 is not divisible by 16."),
]  # fmt: skip
_PAIRS = [  # neither is the base, and no two may share a key
    ((100, 781), {}, (1, 781), {}, "100 行和 1 行用了同一个键：两者都不能被 16 整除，但等于 1 的整数会被写死在内核里，要单独看。", "100 rows and 1 row share a key: 16 divides neither, but an integer that equals 1 is written into the kernel for good, so ask for that too."),
    ((33, 1024), {}, (1, 1024), {}, "33 行和 1 行用了同一个键：等于 1 的整数会被写死在内核里，要单独看。", "33 rows and 1 row share a key: an integer that equals 1 is written into the kernel for good, so ask for that too."),
    ((64, 1024), {"dtype": torch.float16}, (64, 1024), {"dtype": torch.bfloat16}, "float16 和 bfloat16 用了同一个键：元素一样大，内核却不同。看类型，不要看大小。", "float16 and bfloat16 share a key: their elements are of one size, but the kernels differ. Ask for the type, not the size."),
    ((64, 1024), {"gap": 16}, (64, 1024), {"gap": 5}, "行步幅 1040 和 1029 用了同一个键：两个输入都不连续，但 16 只能整除前一个。是否连续说明不了步幅。", "Row strides 1040 and 1029 share a key: neither input is contiguous, but 16 divides only the first. Being contiguous or not does not tell the stride."),
    ((64, 1024), {}, (64, 1024), {"y_gap": 5}, "输出的行步幅 1024 和 1029 用了同一个键：y 的步幅也是参数。", "Output row strides of 1024 and 1029 share a key: the stride of y is an argument too."),
    ((64, 1024), {}, (64, 1024), {"y_shift": 1}, "输出的起始地址没有按 16 字节对齐，却用了同一个键：y 的 data_ptr() 也要看。", "An output whose address is no multiple of 16 bytes shares the key: look at the data_ptr() of y, too."),
]  # fmt: skip
_SAME = [
    (
        (64, 1024),
        "同样的形状，另一次分配的内存，得到了另一个键：别把地址本身放进去，只看它能不能被 16 整除。",
        "Same shape, other memory, another key: leave the address itself out; only whether 16 divides it matters.",
    ),
    (
        (128, 1024),
        "64 行和 128 行得到了不同的键，内核却是同一个：只看它能不能被 16 整除、是不是 1。",
        "64 and 128 rows get different keys, though the kernel is one and the same: all that matters is whether 16 divides it, "
        "and whether it is 1.",
    ),
    (
        (64, 1008),
        "1024 列和 1008 列得到了不同的键，内核却是同一个（BLOCK_SIZE 都是 1024，都能被 16 整除）。",
        "1024 and 1008 columns get different keys, though the kernel is one and the same (BLOCK_SIZE is 1024 for both, and 16 "
        "divides both).",
    ),
]


def _cache_key(answer):
    kept = []  # so that no two tensors are ever given the same memory

    def key(*shape, **more):
        kept.append(_tensors(*shape, **more))
        got = answer(*kept[-1])
        if got is None:
            raise Wrong("函数没有返回值：别忘了 return。", "The function returns nothing: mind the return.")
        try:
            hash(got)
        except TypeError:
            raise Wrong(
                f"{type(got).__name__} 不能当字典的键；用元组。",
                f"A {type(got).__name__} cannot be the key of a dict; use a tuple.",
            ) from None
        parts = got if isinstance(got, tuple) else (got,)
        if any(isinstance(part, torch.Tensor) for part in parts):
            raise Wrong(
                "键里有张量：每次调用都是新的张量，缓存永远命不中。只放说得清它的几件事。",
                "There is a tensor in the key: every call brings a new one, and nothing is ever found. Put in what describes it.",
            )
        return got

    base = key(*_BASE)
    for shape, more, zh, en in _OTHERS:
        if key(*shape, **more) == base:
            raise Wrong(zh, en)
    for one, one_more, other, other_more, zh, en in _PAIRS:
        if key(*one, **one_more) == key(*other, **other_more):
            raise Wrong(zh, en)
    for shape, zh, en in _SAME:
        if key(*shape) != base:
            raise Wrong(zh, en)


# --- A pipeline that fits ---------------------------------------------------------------------------------------------------


def _deepest(block, itemsize, *, buffers=lambda stages: stages - 1, room=H200.shared_per_program):
    return max((s for s in (1, 2, 3, 4) if buffers(s) * block * itemsize + 32 <= room), default=0)


def _deepest_pipeline(answer):
    _compare(
        answer,
        [(2**k, itemsize) for itemsize in (4, 2) for k in range(8, 18)],
        _deepest,
        [
            (lambda block, itemsize: 4, "这正是启动不了的写法：块大了，4 级要的共享内存就超过上限。", "Just what cannot be launched: for a large block, 4 stages need more shared memory than there is."),
            (lambda block, itemsize: _deepest(block, itemsize, buffers=lambda s: s), "多算了一份：正在算的那一行在寄存器里，只有提前取来的 stages − 1 行要放在共享内存里。", "One buffer too many: the row being computed is in registers, and only the stages − 1 rows fetched ahead lie in shared memory."),
            (lambda block, itemsize: max(1, _deepest(block, itemsize, buffers=lambda s: s)), "多算了一份：正在算的那一行在寄存器里，只有提前取来的 stages − 1 行要放在共享内存里。", "One buffer too many: the row being computed is in registers, and only the stages − 1 rows fetched ahead lie in shared memory."),
            (lambda block, itemsize: _deepest(block, 1), "一个元素有 itemsize 字节。", "An element has itemsize bytes."),
            (lambda block, itemsize: _deepest(block, 4), "float32 才是 4 字节一个；用 itemsize。", "Only float32 has 4 bytes an element; use itemsize."),
            (lambda block, itemsize: max((s for s in (2, 3, 4) if (s - 1) * block * itemsize + 32 <= H200.shared_per_program), default=0), "2 级也放不下时，还有 1 级：不预取，总是放得下。", "Where not even 2 stages fit there is still 1: nothing is fetched ahead, and that always fits."),
        ],
        lambda block, itemsize: f"({block}, {itemsize})",
    )  # fmt: skip


# --- AMD --------------------------------------------------------------------------------------------------------------------


def _amd(chip, registers, num_warps, *, lane=None, granule=None, capped=True, schedulers=None):
    waves = (lane or chip.registers_per_lane) // _up(registers, granule or chip.register_granule)
    most = chip.warps // chip.schedulers if capped else waves
    return min(waves, most) * (schedulers or chip.schedulers) // num_warps


def _amd_programs(answer):
    chips = [CHIPS[name] for name in ("gfx942", "gfx90a", "gfx1100")]
    _compare(
        answer,
        [(chip, r, w) for chip in chips for r in (16, 26, 60, 92, 97, 128, 150, 240) for w in (2, 4, 8)],
        _amd,
        [
            (lambda c, r, w: _amd(c, r, w, capped=False), "少了 wave 位：一个 SIMD 最多 chip.warps // chip.schedulers 个 wave。", "The wave slots are missing: a SIMD has at most chip.warps // chip.schedulers waves."),
            (lambda c, r, w: _amd(c, r, w, granule=1), "寄存器要向上取整到 chip.register_granule 的倍数：CDNA 是 8，RDNA 是 24。", "Registers are rounded up to a multiple of chip.register_granule: 8 on CDNA, 24 on RDNA."),
            (lambda c, r, w: _amd(c, r, w, granule=8), "RDNA 每 24 个一份地发：用 chip.register_granule。", "RDNA gives them out in twenty-fours: use chip.register_granule."),
            (lambda c, r, w: _amd(c, r, w, lane=512), "RDNA 的每个通道有 1536 个寄存器：用 chip.registers_per_lane。", "RDNA has 1536 registers a lane: use chip.registers_per_lane."),
            (lambda c, r, w: _amd(c, r, w, schedulers=1), "这只是一个 SIMD；一共有 chip.schedulers 个。", "That is one SIMD; there are chip.schedulers of them."),
            (lambda c, r, w: _amd(c, r, 1), "这是 wave 数；一个程序有 num_warps 个 wave。", "Those are waves; a program has num_warps of them."),
        ],
        lambda chip, registers, num_warps: f"{chip.name}, registers = {registers}, num_warps = {num_warps}:",
    )  # fmt: skip


EXERCISES = {
    "warps_by_registers": Exercise(
        "warps_by_registers",
        _warps_by_registers,
        Text("两次取整都向着少的一边：寄存器往上，warp 往下。", "Both roundings cost: registers go up, warps go down."),
    ),
    "mended_formula": Exercise(
        "mended_formula",
        _mended_formula,
        Text(
            "这就是 course_utils.occupancy 用的算法；它与驱动逐一对过。",
            "This is the arithmetic of course_utils.occupancy, which was checked against the driver.",
        ),
    ),
    "deepest_pipeline": Exercise(
        "deepest_pipeline",
        _deepest_pipeline,
        Text(
            "先算放不放得下，再决定几级：块大到 float32 的 32768 列，4 级就不行了。",
            "First see what fits, then choose the depth: at 32768 columns of float32, 4 stages no longer do.",
        ),
    ),
    "cache_key": Exercise(
        "cache_key",
        _cache_key,
        Text(
            "编译器被告知的，一件不少；它不知道的，一件不多。",
            "All that the compiler is told, and nothing that it is not.",
        ),
    ),
    "programs_to_launch": Exercise(
        "programs_to_launch",
        _programs_to_launch,
        Text(
            "一行代码，两道护栏：不多于行数，不少于 1。",
            "One line with two guard rails: no more than rows, no fewer than 1.",
        ),
    ),
    "amd_programs": Exercise(
        "amd_programs",
        _amd_programs,
        Text(
            "同一个算法，换一行硬件数据：warp 叫 wave，调度器叫 SIMD。",
            "The same arithmetic with another line of hardware figures: warps are called waves, schedulers SIMDs.",
        ),
    ),
}

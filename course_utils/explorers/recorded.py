"""What was recorded, as tables and pictures: calls, tiles and rules, an idea left out, the course beside others, the contest, a cache."""

from dataclasses import dataclass, replace
from statistics import median

from ..board import standings
from ..figures import cache_state, memory_bars, speed_curves
from ..figures.picture import Picture
from ..figures.scoreboard import contenders, elements_a_thread, regrets
from ..hardware import find
from ..language import Text, both
from ..measurements import decode, devices, provenance, recorded, tiles, times
from ..measurements.states import moved
from ..pretend_gpu import PretendGPU, Work
from ..softmax.choose import WIDEST
from ..table import Table
from .base import Explorer, choice


def what_each_call_moved() -> Table:
    """The bytes of each of the five kernels, in matrices, by the hardware's counters."""
    lines = recorded("naive")
    matrix = 4 * lines[0].rows * lines[0].columns
    table = Table("调用 · call", "读 · read", "写 · written")
    each = [(line.read_bytes, line.written_bytes) for line in lines]
    calls = "max", "subtract", "exp", "sum", "divide", "合计 · together"
    for name, amounts in zip(calls, [*each, tuple(map(sum, zip(*each)))], strict=True):
        table.add(name, *(f"{amount / matrix:.2f}" for amount in amounts))
    return table


def kernel_names(*calls: str) -> Table:
    """What the kernel is called that each of these runs."""
    found = {line.call: line.kernel for line in recorded("five_calls")}
    table = Table("调用 · call", "kernel")
    for call in calls:
        table.add(call, found[call].partition(", ")[0] + ", …")
    return table


SIZES = {"float32": 4, "bfloat16": 2}


def what_a_thread_holds(*widths: int, dtype: str = "float32") -> Table:
    """A row a program at every number of warps: registers, spills, what fits on an SM, and the time."""
    needs = "元素 · elements", "寄存器 · registers", "溢出 · spilled", "每个 SM 放得下 · fit on an SM"
    table = Table(f"N ({dtype})", "warp · warps", *needs, "µs")
    for columns in widths:
        where = {"rows": 4096, "columns": columns, "dtype": dtype, "together": 1}
        times = {line.warps: line.median_us for line in recorded("tiles", **where)}
        for line in recorded("held", columns=columns, dtype=dtype):
            if line.warps in times:
                needs = line.registers, line.spills, line.programs
                table.add(columns, line.warps, line.elements, *needs, f"{times[line.warps]:.3g}")
    return table


def warps_at_every_width() -> Picture:
    """Each width by what a thread holds, one row a program: how near it comes to the best number of warps."""
    shares = {}
    for rows, columns in tiles.SCOREBOARD:
        block = 1 << (columns - 1).bit_length()
        if block < 1024:
            continue
        for dtype in SIZES:
            lines = recorded("tiles", rows=rows, columns=columns, dtype=dtype, together=1)
            best = min(line.median_us for line in lines)
            shares[dtype, columns] = {
                block // (32 * line.warps): best / line.median_us for line in lines if block >= 128 * line.warps
            }
    return elements_a_thread(shares, "每个线程的元素数 · elements a thread (H100, 4096 × N)")


@dataclass(frozen=True)
class Regrets:
    """What a rule loses, shape by shape: its time over the best of all that was tried, 1 being none."""

    found: dict
    title: str

    @property
    def median(self) -> float:
        return median(regret for regret, *_ in self.found.values())

    @property
    def worst(self) -> float:
        return max(regret for regret, *_ in self.found.values())

    @property
    def worst_shape(self) -> str:
        rows, columns, dtype = max(self.found, key=lambda shape: self.found[shape][0])
        return f"{rows}×{columns} {dtype}"

    def __repr__(self) -> str:
        return f"median {self.median:.3f}, worst {self.worst:.3f}"

    def picture(self) -> Picture:
        return regrets(self.found, self.title)


RULED = {
    "scoreboard": (tiles.SCOREBOARD, "计分板的形状 · The scoreboard's shapes"),
    "looked at": (tiles.LOOKED_AT, "挑选规则时看过的形状 · Shapes looked at while choosing the rule"),
    "later": (tiles.LATER, "规则没见过的形状 · Shapes that the rule never saw"),
}


def regrets_of(rule, shapes: str = "later") -> Regrets:
    """`rule(rows, columns, size)` returns (rows a program, warps). Judged on the shapes of the scoreboard, on those looked at while
    rules were chosen between, or on those named later, when the rule stood."""
    found, (judged, title) = {}, RULED[shapes]
    for rows, columns in judged:
        for dtype, size in SIZES.items():
            found[rows, columns, dtype] = (tiles.regret(rule, rows, columns, dtype), *rule(rows, columns, size))
    return Regrets(found, title)


LAUNCHERS = {
    "tutorial": Text("教程 02", "tutorial 02"),
    "stay": Text("我们的，带循环", "ours, staying"),
    "stay, 4 stages": Text("带循环，4 级", "staying, 4 stages"),
    "tile": Text("我们的，无循环", "ours, no loop"),
}


def launcher_shares(how: str) -> dict:
    """{(number format, rows, columns): share of the best copy} of one launcher on the scoreboard's shapes."""
    found = {}
    for line in recorded("launchers", how=how):
        if (line.rows, line.columns) in tiles.SCOREBOARD:
            (copy,) = recorded("launchers", rows=line.rows, columns=line.columns, dtype=line.dtype, how="copy")
            found[line.dtype, line.rows, line.columns] = copy.median_us / line.median_us
    return found


def launchers(*hows: str) -> Picture:
    """04's launch on the scoreboard's shapes, and below it one launcher after another."""
    ways = {Text("04", "04"): standings.late("04")} | {LAUNCHERS[how]: launcher_shares(how) for how in hows}
    shares = {
        dtype: {
            name: {cell[1:]: found[cell] for cell in ((dtype, *shape) for shape in tiles.SCOREBOARD) if cell in found}
            for name, found in ways.items()
        }
        for dtype in SIZES
    }
    return contenders(shares, "H100   4096 × N")


IDEAS = {
    "rows side by side": Text("并排几行", "rows side by side"),
    "warps by width": Text("按宽度选 warp 数", "warps by width"),
    "half the warps": Text("warp 减半", "half the warps"),
    "pieces": Text("分段", "pieces"),
    "ragged ends": Text("剥离", "peeling"),
    "saved instructions": Text("省指令", "saved instructions"),
    "hint": Text("提示", "hint"),
}


def left_out() -> Table:
    """Each cell of the scoreboard, and how much longer it takes without each of its steps, sustained; nothing starts early, as on
    the scoreboard."""
    table = Table("一格 · cell", *(f"{name.zh} · {name.en}" for name in IDEAS.values()))
    for dtype in tiles.DTYPES:
        for columns in tiles.WIDTHS:
            if columns > WIDEST[SIZES[dtype]]:
                continue  # a row that several programs share: none of these kernels
            times = {line.idea: line.median_us for line in recorded("without", dtype=dtype, columns=columns)}
            longer = (f"{times[idea] / times['early start'] - 1:+.0%}" if idea in times else "–" for idea in IDEAS)
            table.add(
                f"{columns} {dtype}", *("0%" if each in ("+0%", "-0%") else each.replace("-", "−") for each in longer)
            )
    return table


KEYS = "键的个数 n · keys n"


def loss_memory() -> Picture:
    """Memory at the peak and time of the last layer with its loss, forwards and backwards."""
    lines = {line.provider: line for line in recorded("linear_loss")}
    named = {"torch": "PyTorch", "compile": "torch.compile", "liger": "Liger", "liger float32": "Liger, float32 dW"}
    named["course"] = "linear_loss"
    entries = [(named[who], lines[who].peak_mib * 2**20, lines[who].median_us / 1e6) for who in named]
    return memory_bars(entries, title=f"H100   bfloat16   {lines['course'].tokens} × {lines['course'].words}")


def attention_speed(d: int = 128) -> Picture:
    """TFLOP/s of causal attention by the length of the sequence, under the fastest matrix product."""
    curves = {}
    for who in ("cudnn", "course", "flash", "naive"):
        curves[who] = {line.n: line.teraflops for line in recorded("attention", provider=who, d=d)}
    ceiling = "矩阵乘 · matrix product", max(line.teraflops for line in recorded("matmul"))
    return speed_curves(curves, "N", "TFLOP/s", title=f"H100   bfloat16   d = {d}   causal", ceiling=ceiling)


def explore_decode(batch: int = 1) -> Explorer:
    """GB/s over K and V by the length of the past."""

    def draw(batch):
        curves = {"只读一遍 · one reading": decode.speeds("read", batch)}
        curves |= {who: decode.speeds(who, batch) for who in ("cudnn", "flash")}
        curves["course"] = decode.speeds("course", batch)
        curves["不拆 · unsplit"] = decode.speeds("course", batch, parts=1)
        return speed_curves(curves, KEYS, "GB/s", title=f"H100   bfloat16   batch {batch}")

    return Explorer(draw, batch=choice("批量", "batch", batch, list(decode.BATCHES)))


def explore_contest(who: str = "tile") -> Explorer:
    """Everybody of the contest and `who` at the scoreboard's widths, as shares of the best copy, on every device that was recorded."""
    keys = {provenance("times", key)["device"]: key for key in devices("times")}

    def draw(device, state):
        sweep = times.sweep(state, keys[device])
        shares = {dtype: {name: _shares(sweep, dtype, name) for name in (*times.PEERS, who)} for dtype in tiles.DTYPES}
        if not any(found for ways in shares.values() for found in ways.values()):
            raise ValueError(both("这样的组合没有记录。", "Nothing was recorded for this combination."))
        date, versions = (sweep.provenance.get(each, "?") for each in ("date", "versions"))
        versions = _on_offer(versions, times.PEERS)
        note = Text(f"录制于 {date}，{versions}。", f"Recorded on {date}, {versions}.")
        title = Text(f"{device}，{state}，{times.ROWS} 行", f"{device}, {state}, {times.ROWS} rows")
        return replace(contenders(shares, title), note=note)

    return Explorer(
        draw,
        device=choice("设备", "device", provenance("times")["device"], list(keys)),
        state=choice("缓存的状态", "state of the cache", "sustained", list(times.STATES)),
    )


def _shares(sweep, dtype: str, provider: str) -> dict:
    """{(rows, columns): the best copy's time ÷ the provider's}"""
    found = {columns: sweep.us(columns, dtype) for columns in times.WIDTHS}
    return {(times.ROWS, n): us["copy"] / us[provider] for n, us in found.items() if provider in us and "copy" in us}


def _on_offer(versions, offered):
    """Of "torch 2.11.0, helion 1.2.0" those libraries that the providers on offer rest on."""
    needed = {"torch", "triton", *offered}
    return ", ".join(each for each in versions.split(", ") if needed & set(each.split()[0].split("-")))


NBYTES = 4096 * 1024 * 4  # of the input that `moved` speaks of, and of its output


def watch_cache() -> Picture:
    """A launch whose cache was flushed by writing, on the pretend GPU; beside it what was counted on a real one."""
    device = provenance("states")["device"]
    gpu = PretendGPU(cache=find(device).cache)
    gpu.flush()
    before = gpu.cached
    gpu.launch(Work("softmax", NBYTES, reads="x0", writes="y0"))
    name = device.split()[1]
    counted = {"模型 · model": (gpu.read_bytes, gpu.written_bytes), f"{name} 计数器 · {name} counters": moved("dirty")}
    return cache_state(before, gpu.cached, counted, title="dirty")

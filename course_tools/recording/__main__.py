"""Measures on this machine and writes CSV files beside those of the course: python -m course_tools.recording WHAT"""

import argparse
import importlib
from dataclasses import asdict, is_dataclass

from course_utils.timing.recorded import FOLDER, write
from course_utils.timing.stopwatch import SECONDS, STATES

# what is measured: in words, and by which function of which module
MEASURED = {
    "marks": ("计时的刻度 · what the marks of a timer add", "marks:measure_marks"),
    "tail": ("尾部 · what a tail costs", "tail:measure_tails"),
    "samples": ("一次次的用时 · every run of a measurement", "samples:measure_samples"),
    "calls": ("一次调用要多久 · what a call costs", "calls:measure_calls"),
    "after": ("提示对下一个 kernel 的影响 · what a hint means for the next kernel", "after:measure_after"),
    "ladder": ("从 row 到 softmax 的每一步 · every step from row to softmax", "ladder:measure_ladder"),
    "early": (
        "一行一个 program 时早到要多久 · what starting early costs where each row is a program",
        "early:measure_early",
    ),
    "kernels": ("每个 kernel 用了什么 · what every kernel takes", "kernels:count_kernels"),
    "kernels-close": (
        "同上，在 softmax 吃紧的形状上 · the same where softmax is hard pressed",
        "kernels:count_close_kernels",
    ),
    "operations": ("训练里的运算要多久 · how long the operations of training take", "operations:measure_operations"),
    "attention": ("注意力要多久 · how long attention takes", "attention:measure_attention"),
    "pipeline": ("流水线的级数 · pipeline stages", "pipeline:measure_pipeline"),
    "astray": ("kernel 读到张量之外会怎样 · what comes of reading beyond a tensor", "astray:measure_astray"),
    "occupancy-variants": (
        "驱动放得下多少 program · how many programs the driver lets in",
        "occupancy:measure_variants",
    ),
    "occupancy-grids": ("启动多少 program 最快 · how many programs are fastest", "occupancy:measure_grids"),
    "occupancy-lone": (
        "每个 SM 只有一个 program 时，几级流水线 · pipeline stages where each SM has a single program",
        "occupancy:measure_lone",
    ),
    "launches": ("一个启动器能选的每一种 · whatever a launcher can choose", "launches:measure_launches"),
    "launch-counters": ("同时由硬件计数 · what the hardware counts of it", "launch_counters:count_launches"),
    "finish": ("每个 SM 几时做完 · when every SM is done", "dealing:measure_finishes"),
    "dealing": ("行事先分好，或谁有空谁领 · rows dealt out beforehand or on demand", "dealing:measure_dealing"),
    "packed": ("16 位的行：打包与不打包 · rows of 16 bits, packed and not", "packed:measure_packed"),
    "two-kernels": ("很宽的行，两个 kernel · very wide rows by two kernels", "two_kernels:measure_two_kernels"),
    "newer": ("更新的 Triton 编译的 kernel · kernels compiled by a newer Triton", "newer:measure_newer"),
}
# what writes files of its own: given the folder, it gives their paths
RECORDED = {
    "host": ("每次调用占 CPU 多久 · what a call costs the CPU", "times:record_host"),
    "dram": ("由硬件计数显存流量 · bytes of the memory, counted by the hardware", "times:record_dram"),
    "report": ("ncu 打印的报告 · what ncu prints", "report:record_report"),
    "newer-build": ("先在没有 GPU 的机器上编译（不用 GPU）· compiles them first (needs no GPU)", "newer:build"),
    "clusters": ("编译器怎样做簇（不用 GPU）· what the compiler makes of clusters (needs no GPU)", "clusters:record"),
    "order": (
        "宣布一块之前编译出什么（不用 GPU）· what is compiled before a block is announced (needs no GPU)",
        "order:record",
    ),
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m course_tools.recording", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    times = commands.add_parser("times", help="每种形状要多久 · how long every shape takes")
    times.add_argument(
        "--state", nargs="+", choices=STATES, default=STATES, help="缓存的状态 · in which states of the cache"
    )
    times.add_argument(
        "--most", type=int, help="最多测几个形状，最要紧的在前 · only so many shapes, the most wanted first"
    )
    times.add_argument(
        "--further", action="store_true", help="从上次停下的地方接着录 · go on where the last recording stopped"
    )
    times.add_argument("--quick", action="store_true", help="只测一小部分形状 · a few shapes only")
    times.add_argument("--seconds", type=float, default=SECONDS, help="每次测量多久 · for each measurement")
    times.add_argument(
        "--limit",
        type=float,
        default=1e9,
        help="这么多秒以后不再开始新的形状 · begin no further shape after so many seconds",
    )
    for what, (meaning, _) in (RECORDED | MEASURED).items():
        commands.add_parser(what, help=meaning)
    for command in commands.choices.values():
        command.add_argument("--folder", default=FOLDER, help="写到哪里 · where to")
    commands.add_parser("watched").add_argument("cases", nargs="*")  # what `ncu` watches
    options = parser.parse_args(arguments)
    print(*_record(options), sep="\n")


def _record(options) -> list:
    if options.what == "watched":
        _found("counters:run_watched")(options.cases)
        return []
    if options.what == "times":
        record = _found("times:record")
        limits = options.limit, options.most, options.further
        return record(options.folder, options.state, options.quick, options.seconds, *limits)
    if options.what in RECORDED:
        return _found(RECORDED[options.what][1])(options.folder)
    from .provenance import provenance, short_name

    told = provenance(f"python -m course_tools.recording {options.what}")
    lines = [asdict(line) if is_dataclass(line) else line for line in _found(MEASURED[options.what][1])()]
    return [write(options.what, short_name(told), told, lines, options.folder)]


def _found(place: str):
    """Imported when asked for: most need a GPU, or what only a recorder has installed."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(f"{__package__}.{module}"), name)


if __name__ == "__main__":
    main()

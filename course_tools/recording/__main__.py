"""Measures on this machine and writes CSV files beside those of the course: python -m course_tools.recording WHAT"""

import argparse
from dataclasses import asdict

from course_utils.timing.recorded import FOLDER, write
from course_utils.timing.stopwatch import SECONDS, STATES


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
    times.add_argument("--quick", action="store_true", help="只测一小部分形状 · a few shapes only")
    times.add_argument("--seconds", type=float, default=SECONDS, help="每次测量多久 · for each measurement")
    times.add_argument(
        "--limit",
        type=float,
        default=1e9,
        help="这么多秒以后不再开始新的形状 · begin no further shape after so many seconds",
    )
    for what, meaning in {
        "host": "每次调用占 CPU 多久 · what a call costs the CPU",
        "dram": "由硬件计数显存流量 · bytes of the memory, counted by the hardware",
        "marks": "计时的刻度 · what the marks of a timer add",
        "tail": "尾部 · what a tail costs",
        "samples": "一次次的用时 · every run of a measurement",
        "calls": "一次调用要多久 · what a call costs",
        "report": "ncu 打印的报告 · what ncu prints",
        "ladder": "从 row 到 softmax 的每一步 · every step from row to softmax",
        "kernels": "每个 kernel 用了什么 · what every kernel takes",
        "kernels-close": "同上，在 softmax 吃紧的形状上 · the same where softmax is hard pressed",
        "operations": "训练里的运算要多久 · how long the operations of training take",
        "attention": "注意力要多久 · how long attention takes",
        "clusters": "编译器怎样做簇（不用 GPU）· what the compiler makes of clusters (needs no GPU)",
        "pipeline": "流水线的级数 · pipeline stages",
        "astray": "kernel 读到张量之外会怎样 · what comes of reading beyond a tensor",
        "occupancy-variants": "驱动放得下多少程序 · how many programs the driver lets in",
        "occupancy-grids": "启动多少程序最快 · how many programs are fastest",
        "launches": "一个启动器能选的每一种 · whatever a launcher can choose",
        "launch-counters": "同时由硬件计数 · what the hardware counts of it",
    }.items():
        commands.add_parser(what, help=meaning)
    for command in commands.choices.values():
        command.add_argument("--folder", default=FOLDER, help="写到哪里 · where to")
    commands.add_parser("watched").add_argument("cases", nargs="*")  # what `ncu` watches
    options = parser.parse_args(arguments)
    print(*_record(options), sep="\n")


def _record(options) -> list:
    if options.what == "watched":
        from .counters import run_watched

        run_watched(options.cases)
        return []
    if options.what in ("times", "host", "dram"):
        from . import times

        if options.what == "host":
            return times.record_host(options.folder)
        if options.what == "dram":
            return times.record_dram(options.folder)
        return times.record(options.folder, options.state, options.quick, options.seconds, options.limit, options.most)
    if options.what == "report":
        from .report import record_report

        return record_report(options.folder)
    if options.what == "clusters":
        from . import clusters

        return clusters.record(options.folder)
    from .provenance import provenance, short_name

    told = provenance(f"python -m course_tools.recording {options.what}")
    return [write(options.what, short_name(told), told, _lines(options.what), options.folder)]


def _lines(what: str) -> list[dict]:
    from . import (
        astray,
        attention,
        calls,
        kernels,
        ladder,
        launch_counters,
        launches,
        marks,
        occupancy,
        operations,
        pipeline,
        samples,
        tail,
    )  # fmt: skip

    if what.startswith("kernels"):
        return kernels.count_kernels(what)
    if what == "astray":
        return astray.measure_astray()
    measured = {
        "attention": attention.measure_attention,
        "marks": marks.measure_marks,
        "operations": operations.measure_operations,
        "tail": tail.measure_tails,
        "samples": samples.measure_samples,
        "calls": calls.measure_calls,
        "ladder": ladder.measure_ladder,
        "pipeline": pipeline.measure_pipeline,
        "occupancy-variants": occupancy.measure_variants,
        "occupancy-grids": occupancy.measure_grids,
        "launches": launches.measure_launches,
        "launch-counters": launch_counters.count_launches,
    }
    return list(map(asdict, measured[what]()))


if __name__ == "__main__":
    main()

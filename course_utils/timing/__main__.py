"""python -m course_utils.timing record [--state STATE …] [--quick] [--folder DIR] [--seconds S] [--limit S] [--most N]
python -m course_utils.timing host [--folder DIR]
python -m course_utils.timing dram [--folder DIR]
"""

import argparse

from .measure import SECONDS, STATES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m course_utils.timing")
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="在这台机器上测量并写出 CSV · measure on this machine and write CSV")
    recording.add_argument(
        "--state", nargs="+", choices=STATES, default=STATES, help="缓存的状态 · in which states of the cache"
    )
    recording.add_argument("--quick", action="store_true", help="只测一小部分形状 · a few shapes only")
    recording.add_argument("--seconds", type=float, default=SECONDS, help="每次测量多久 · for each measurement")
    recording.add_argument(
        "--limit",
        type=float,
        default=1e9,
        help="这么多秒以后不再开始新的形状 · begin no further shape after so many seconds",
    )
    recording.add_argument(
        "--most", type=int, help="最多测几个形状，最要紧的在前 · only so many shapes, the most wanted first"
    )
    host = commands.add_parser("host", help="只量每次调用占 CPU 多久 · only what a call costs the CPU")
    dram = commands.add_parser("dram", help="由硬件计数显存流量 · bytes of the memory, counted by the hardware")
    for command in (recording, host, dram):
        command.add_argument("--folder", help="写到哪里 · where to")
    commands.add_parser("watched").add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    if arguments.command == "watched":
        from .counters import run_watched

        run_watched(arguments.cases)
        return
    from .record import record, record_dram, record_host
    from .recorded import FOLDER

    folder = arguments.folder or FOLDER
    if arguments.command == "host":
        paths = record_host(folder)
    elif arguments.command == "dram":
        paths = record_dram(folder)
    else:
        paths = record(folder, arguments.state, arguments.quick, arguments.seconds, arguments.limit, arguments.most)
    print(*paths, sep="\n")


if __name__ == "__main__":
    main()

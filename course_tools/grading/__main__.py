"""python -m course_tools.grading FOLDER: who solved what, in the notebooks that learners handed in."""

import argparse
import os
import sys
from pathlib import Path

from course_utils.language import LANGUAGES, Text, both


def main(arguments: list[str] | None = None) -> int:
    # Answers are judged in Triton's interpreter, whatever this machine has; a GPU stays untouched.
    os.environ["COURSE_BACKEND"], sys.dont_write_bytecode = "interpreter", True
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot write Chinese gets it escaped
        stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    if not options.folder.is_dir():
        print(both(f"没有文件夹 {options.folder}。", f"There is no folder {options.folder}."), file=sys.stderr)
        return 2
    from course_utils.worker.sandbox import NoSandbox

    from . import gradebooks, hand_back, report, roster

    try:
        listed = roster.read(options.roster) if options.roster else roster.Roster()
        found = report.make(options.folder, options.seconds, options.memory_mb, listed, options.require)
        # The table is out before anything else can go wrong.
        nothing = Text("文件夹里没有笔记本。", "There are no notebooks in this folder.")
        print(report.text(found, options.lang) if found.results or found.who else nothing)
        if options.csv:
            hand_back.write_csv(found, options.csv)
        if options.canvas:
            gradebooks.write_canvas(found, listed, options.canvas)
        if options.moodle:
            gradebooks.write_moodle(found, listed, options.moodle)
        if options.gradescope:
            gradebooks.write_gradescope(found, options.gradescope)
        if options.feedback:
            hand_back.write_feedback(found, options.feedback)
    except (NoSandbox, OSError, UnicodeDecodeError) as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0 if not options.require or found.is_solved(options.require) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m course_tools.grading", description=__doc__)
    parser.add_argument("folder", type=Path, help="放着学生笔记本的文件夹 · a folder with learners' notebooks in it")
    parser.add_argument("--seconds", type=float, default=15, help="每道题最多几秒 · what one exercise may take")
    parser.add_argument(
        "--memory-mb", type=int, default=2048, help="每道题最多多少内存 · what one exercise may allocate"
    )
    parser.add_argument(
        "--lang", choices=[*LANGUAGES, "both"], default="both", help="说明的语言 · the language of reasons"
    )
    parser.add_argument(
        "--roster",
        type=Path,
        help="名单，一行一个名字，或 Canvas、Moodle 导出的成绩册 · a list of names, one a line, or what Canvas or Moodle exports",
    )
    parser.add_argument("--csv", type=Path, help="另写一份 CSV · write a CSV file as well")
    parser.add_argument(
        "--require",
        help="只判这一题；不对就以状态 1 结束 · judge this exercise alone; the exit status is 1 unless it is right",
    )
    parser.add_argument("--canvas", type=Path, help="给 Canvas 成绩册导入的 CSV · a CSV file for Canvas's grade book")
    parser.add_argument("--moodle", type=Path, help="给 Moodle 成绩册导入的 CSV · a CSV file for Moodle's grade book")
    parser.add_argument("--gradescope", type=Path, help="一份提交的 results.json · results.json of one submission")
    parser.add_argument(
        "--feedback", type=Path, help="给每个学生写一份反馈的文件夹 · a folder for a page to hand back to each learner"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())

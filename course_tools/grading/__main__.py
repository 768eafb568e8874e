"""python -m course_tools.grading FOLDER: who solved what, in the notebooks that learners handed in."""

import argparse
import os
import sys
from pathlib import Path

from course_utils.language import LANGUAGES, Text, both


def main(arguments: list[str] | None = None) -> int:
    # Answers are judged in Triton's interpreter, whatever this machine has; a GPU stays untouched.
    os.environ["COURSE_BACKEND"], sys.dont_write_bytecode = "interpreter", True
    ascii = _writes_ascii_alone()
    sys.stderr.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    if not options.folder.is_dir():
        print(both(f"没有文件夹 {options.folder}。", f"There is no folder {options.folder}."), file=sys.stderr)
        return 2
    from course_utils.worker.jail import NoJail

    from . import hand_back, report

    try:
        roster = _names(options.roster) if options.roster else None
        found = report.make(options.folder, options.seconds, options.memory_mb, roster)
        # The table is out before anything else can go wrong.
        said = report.text(found, "en" if ascii else options.lang, ascii)
        print(
            Text("文件夹里没有笔记本。", "There are no notebooks in this folder.") if report.is_empty(found) else said
        )
        if options.csv:
            hand_back.write_csv(found, options.csv)
        if options.feedback:
            hand_back.write_feedback(found, options.feedback)
    except (NoJail, OSError, UnicodeDecodeError) as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


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
        "--roster", type=Path, help="名单，一行一个名字 · a list of names, one a line: shows who handed in nothing"
    )
    parser.add_argument("--csv", type=Path, help="另写一份 CSV · write a CSV file as well")
    parser.add_argument(
        "--feedback", type=Path, help="给每个学生写一份反馈的文件夹 · a folder for a page to hand back to each learner"
    )
    return parser


def _names(path: Path) -> list[str]:
    """The first column of each line: a plain list or a CSV file."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    names = [line.split(",")[0].strip().strip('"') for line in lines]
    return list(dict.fromkeys(name for name in names if name))


def _writes_ascii_alone() -> bool:
    try:
        "✓中".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        sys.stdout.reconfigure(errors="backslashreplace")
        return True
    return False


if __name__ == "__main__":
    sys.exit(main())

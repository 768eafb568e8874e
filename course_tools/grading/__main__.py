"""python -m course_tools.grading FOLDER: who solved what, in the notebooks that learners handed in."""

import argparse
import os
import sys
import warnings
from pathlib import Path

from course_utils.language import LANGUAGES, Text, both


def main(arguments: list[str] | None = None) -> int:
    # Answers are judged in Triton's interpreter, whatever this machine has; a GPU stays untouched.
    os.environ["COURSE_BACKEND"], sys.dont_write_bytecode = "interpreter", True
    parser = argparse.ArgumentParser(prog="python -m course_tools.grading", description=__doc__)
    parser.add_argument("folder", type=Path, help="放着学生笔记本的文件夹 · a folder with learners' notebooks in it")
    parser.add_argument("--seconds", type=float, default=15, help="每道题最多几秒 · what one exercise may take")
    parser.add_argument(
        "--memory-mb", type=int, default=2048, help="每道题最多多少内存 · what one exercise may allocate"
    )
    parser.add_argument(
        "--lang", choices=[*LANGUAGES, "both"], default="both", help="说明的语言 · the language of reasons"
    )
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        print(both(f"没有文件夹 {options.folder}。", f"There is no folder {options.folder}."), file=sys.stderr)
        return 2
    warnings.filterwarnings("ignore", message=".*multi-threaded.*fork.*", category=DeprecationWarning)
    from . import report
    from .jail import NoJail

    try:
        text = report.report(options.folder, options.seconds, options.memory_mb, options.lang)
    except NoJail as reason:
        print(reason, file=sys.stderr)
        return 1
    print(text or Text("文件夹里没有笔记本。", "There are no notebooks in this folder."))
    return 0


if __name__ == "__main__":
    sys.exit(main())

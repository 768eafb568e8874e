"""Handouts for a class: notebooks and web pages, in one language or both, with or without answers; and slides."""

import argparse
import sys
from pathlib import Path

from course_utils.language import both


def _parser() -> argparse.ArgumentParser:
    class Parser(argparse.ArgumentParser):
        def error(self, message):
            self.print_usage(sys.stderr)
            self.exit(2, both(f"参数不对：{message}", f"Wrong arguments: {message}") + "\n")

    parser = Parser(prog="python -m course_tools.handout", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="写到哪里 · where to write")
    parser.add_argument("--lang", choices=["zh", "en", "both"], default="both", help="哪种语言 · which language")
    parser.add_argument(
        "--answers",
        action=argparse.BooleanOptionalAction,
        help="把答案填进练习并检查好，或一点不留 · answers filled in and checked, or no trace of them",
    )
    parser.add_argument("--slides", action="store_true", help="改为写幻灯片 · write slides instead")
    parser.add_argument(
        "--colab", metavar="URL", help="改为写给 Colab，URL 是课程仓库的地址 · for Colab, from this repository"
    )
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        metavar="NN,NN",
        help="只要这几本，如 01,03,A1 · these notebooks alone",
    )
    parser.add_argument("--overwrite", action="store_true", help="文件夹可以不空 · the folder need not be empty")
    return parser


def main(arguments: list[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.slides and (options.lang == "both" or options.answers is not None):
        parser.error(
            "--slides --lang zh|en；幻灯片一次只讲一种语言，也没有答案 · a talk is in one language, with no answers"
        )
    if options.colab and (options.slides or options.answers is not None or options.lang != "both"):
        parser.error("--colab URL DIR；Colab 上总是两种语言、课程原样 · always both languages, and the course as it is")
    if not options.slides and not options.colab and options.answers is None:
        parser.error("--answers | --no-answers")
    from . import hosted, paper, slides, write

    try:
        sources = write.sources()
        if options.colab:
            hosted.split(options.colab)
        known = [path.name[:2] for path in sources]
        if unknown := set(options.only or []) - set(known):
            parser.error(f"--only {' '.join(sorted(unknown))}（{' '.join(known)}）")
        sources = [path for path in sources if not options.only or path.name[:2] in options.only]
        names = {path.name for path in sources}
        ending = ".slides.ipynb" if options.slides else ".ipynb"
        write.prepare(options.folder, {name.replace(".ipynb", ending) for name in names}, options.overwrite)
        for path in sources:
            if options.colab:
                written = hosted.write(path, options.folder, options.colab, names)
            elif options.slides:
                written = slides.write(path, options.folder, options.lang, names)
            else:
                written = write.write(path, options.folder, options.lang, options.answers, names)
            print(*written, flush=True)
        if not options.colab:
            print(paper.write_glossary(options.folder, options.lang, names))
        else:
            where = (options.colab, options.folder, min(names))
            print(hosted.links(*where))
            if not options.only and hosted.fill(Path("README.md"), *where):
                print(both("README.md 里有了这三个链接。", "README.md has the three links now."))
    except (write.Refused, OSError) as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

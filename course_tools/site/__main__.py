"""The course as a static site: every notebook as a page that moves, in both languages, with search; no network, no Python."""

import argparse
import sys
from pathlib import Path

from course_utils.language import both


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m course_tools.site", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path("site"), metavar="DIR", help="写到哪里 · where to write"
    )
    options = parser.parse_args(arguments)
    from ..handout.write import Refused
    from ..player import Stale
    from .build import build

    try:
        for path, size in build(options.folder):
            print(f"{path}  {size / 1e3:.0f} kB", flush=True)
    except (Refused, Stale, OSError) as reason:
        print(reason, file=sys.stderr)
        return 1
    print(
        both(f"用浏览器打开 {options.folder / 'index.html'}。", f"Open {options.folder / 'index.html'} in a browser.")
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What a learner's exception says, as plain data: its type, its words, and the line of the learner's code it came from."""

import linecache
import re
import traceback

from .plain import clean, cut

MOST = 500  # characters of a message


def describe(error: BaseException, texts: dict[str, str]) -> dict:
    """`texts` are the files and cells whose code was sent; elsewhere a line would mean nothing to the learner."""
    while type(error).__name__ == "InterpreterError" and error.__cause__ is not None:
        error = error.__cause__  # Triton's interpreter wraps what the kernel raised
    filename = line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename in texts:
            filename, line = frame.f_code.co_filename, number
    compiled, node = getattr(error, "src", None), getattr(error, "node", None)
    if isinstance(compiled, str) and hasattr(node, "lineno"):  # Triton's compiler counts lines from the kernel's `def`
        for name, text in texts.items():
            if (start := text.find(compiled.strip())) >= 0:
                filename, line = name, text.count("\n", 0, start) + node.lineno
    code = linecache.getline(filename, line).strip() if line else ""
    return {
        "type": cut(clean(type(error).__name__), 100),
        "message": _words(error),
        "filename": filename,
        "line": line,
        "code": cut(clean(code), 200),
    }


def _words(error: BaseException) -> str:
    try:
        return cut(clean(str(error)), MOST)
    except Exception:
        return "?"  # its __str__ raises, too


def place(fault: str, texts: dict[str, str]) -> dict:
    """The innermost line of the sent code in what `faulthandler` wrote as the process died."""
    for filename, number in re.findall(r'File "(.*)", line (\d{1,9})', fault):
        lines = texts[filename].splitlines() if filename in texts else []
        if 0 < int(number) <= len(lines):
            line = int(number)
            return {"filename": filename, "line": line, "code": cut(lines[line - 1].strip(), 200)}
    return {}

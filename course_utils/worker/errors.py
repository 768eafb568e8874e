"""Why a job gave no result, said in both languages."""

import errno
import linecache
import math
import re
import signal
import traceback
from dataclasses import asdict, dataclass

from ..language import Text
from . import worded
from .message import clean, cut

RAISED = Text("代码出错了：{what}", "The code raised an error: {what}")
LATE = Text(
    "代码运行太久，还没有结束，已被停止。是不是有循环停不下来？",
    "The code took too long: it had not ended and was stopped. Is there a loop that never ends?",
)
WHERE = Text("{said}\n  第 {line} 行：{code}", "{said}\n  line {line}: {code}")


@dataclass(frozen=True)
class Ended:
    """How a job ended, unjudged."""

    how: str  # "ended", "late", "flood" (of output), "too much" (of an answer) or "never started"
    status: int = 0  # its exit code, or minus the signal that killed it
    reply: bytes = b""
    printed: str = ""
    fault: str = ""  # what `faulthandler` wrote


@dataclass(eq=False)
class WorkerError(RuntimeError):
    """A job that gave no result. `text` says why in both languages; the rest is for code.

    `kind`: "raised", "late", "crashed" (a segmentation fault, an abort, os._exit()), "too much" (memory, output, an answer),
    "meddled" (with the channel that the answer comes back by), "never started" (nothing is known of the code)."""

    text: Text
    kind: str
    type: str = ""  # the exception's type, where there was one
    message: str = ""
    filename: str | None = None  # where in the code that was sent; None if it never got there
    line: int | None = None
    code: str = ""  # that line's text

    def __str__(self) -> str:
        return str(self.text)

    def __reduce__(self):
        return type(self), tuple(vars(self).values())


@dataclass(frozen=True)
class Described:
    """An exception as `describe` told it: by a process that ran the learner's code, so nothing about it is taken for granted."""

    type: str = ""
    message: str = ""
    filename: str | None = None
    line: int | None = None
    code: str = ""

    def __post_init__(self):
        texts = (self.type, self.message, self.code, self.filename or "")
        if not all(isinstance(text, str) and len(text) < 5000 for text in texts) or type(self.line or 0) is not int:
            raise ValueError("no description of an exception")


def meddled() -> WorkerError:
    return WorkerError(
        Text(
            "你的代码写进了检查用来传结果的通道，结果读不出来。函数只要 return，别去写别的文件描述符。",
            "Your code wrote into the check's channel, so its result cannot be read. Let the function return its result, and "
            "write to no other file descriptor.",
        ),
        "meddled",
    )


def not_started(why) -> WorkerError:
    if getattr(why, "errno", None) in (errno.EMFILE, errno.ENFILE):
        text = Text(
            "打开的文件太多，运行代码的进程没能启动。重启 Jupyter 内核；还不行，就在启动 Jupyter 之前运行 ulimit -n 4096。",
            "Too many files are open, and the process that runs the code did not start. Restart the Jupyter kernel; if that is "
            "not enough, run ulimit -n 4096 before you start Jupyter.",
        )
    else:
        text = Text(f"运行代码的进程没能启动：{why}", f"The process that runs the code did not start: {why}")
    return WorkerError(text, "never started")


def verdict(ended: Ended, raised: Described | None, texts: dict, memory_mb: int | None) -> WorkerError:
    """Why there is no result. `texts` are the files and cells whose code was sent."""
    if ended.how == "never started":
        last_words = ended.printed.strip().splitlines() or ["?"]  # of Python: the error itself
        return not_started(last_words[-1])
    kind, text = _reason(ended, raised, memory_mb)
    where = asdict(raised) if raised else place(ended.fault, texts)
    if kind == "late" and where.get("filename") in texts:
        lines = texts[where["filename"]].splitlines()
        line = loop_around(lines, where["line"])
        where |= {"line": line, "code": cut(lines[line - 1].strip(), 200)}
    if where.get("line"):
        text = WHERE.filled(said=text, line=where["line"], code=where["code"])
    return WorkerError(text, kind, **where)


def explained(raised: dict, memory_mb: int | None) -> Text:
    """What there is to say of an exception, as `describe` told it."""
    return verdict(Ended("ended"), Described(**raised), {}, memory_mb).text


def _reason(ended: Ended, raised: Described | None, memory_mb) -> tuple[str, Text]:
    type, message = (raised.type, raised.message) if raised else ("", "")
    if ended.how == "flood":
        return "too much", Text(
            "代码打印得太多（5 MB 以上），已被停止。循环里是不是有 print？",
            "The code printed too much (more than 5 MB) and was stopped. Is there a print in a loop?",
        )
    if ended.how == "too much" or type == "TooLarge":
        return "too much", Text(
            "代码返回的东西太大，没有收。张量或者数是不是太大了？",
            "What the code returned is too large and was not taken. Is a tensor or a number too large?",
        )
    if ended.how == "late" or ended.status in (-signal.SIGALRM, -signal.SIGXCPU):
        return "late", LATE
    if type == "MemoryError" or "allocate memory" in message or (not raised and "bad_alloc" in ended.printed):
        return "too much", Text(
            f"代码要的内存超过了 {memory_mb} MB 的上限。张量或块是不是太大了？",
            f"The code asked for more than its {memory_mb} MB of memory. Is a tensor or a block too large?",
        )
    if type == "NotPlain":
        return "raised", Text(
            f"代码返回的是 {message}，送不回来。", f"The code returned a {message}, which cannot be sent back."
        )
    if raised:
        what = worded.of_raised(type, message) or Text(*[f"{type}: {message}" if message else type] * 2)
        return "raised", _LEFT_IN.get(type) or RAISED.filled(what=what)
    return "crashed", _crash(ended.status)


_LEFT_IN = {
    "BdbQuit": Text("代码里还有 breakpoint()，这里没有调试器：删掉它。", "A breakpoint() is left in the code, and there is no debugger here: delete it."),
    "EOFError": Text("代码里有 input()，这里没有人能回答：值都在参数里。", "The code asks with input(), and nobody can answer here: all values are in the arguments."),
}  # fmt: skip


def _crash(status: int) -> Text:
    name = f"exit code {status}"
    if status < 0:
        known = {each.value: each.name for each in signal.Signals}
        name = known.get(-status, f"signal {-status}")
    if status in (-signal.SIGSEGV, -signal.SIGBUS):
        return Text(
            f"代码访问了不属于它的内存，进程崩溃了（{name}）。常见原因：指针越界，或者 load、store 少了 mask。",
            f"The code touched memory that is not its own, and its process crashed ({name}). The usual cause: a pointer out of "
            "bounds, or a load or store without a mask.",
        )
    return Text(
        f"运行代码的进程中途退出了（{name}），没有给出结果。",
        f"The process that ran the code ended early ({name}) and gave no result.",
    )


# ---- where it was

MOST = 500  # characters of a message


def describe(error: BaseException, texts: dict[str, str]) -> dict:
    """`texts` are the files and cells whose code was sent; elsewhere a line would mean nothing to the learner."""
    walked = [*traceback.walk_tb(error.__traceback__)]
    # Triton's interpreter wraps what the kernel raised, once for each kernel that called another.
    while type(error).__name__ == "InterpreterError" and error.__cause__ is not None:
        error = error.__cause__
        walked += traceback.walk_tb(error.__traceback__)
    filename, line, variables = None, None, {}
    for frame, number in walked:
        if frame.f_code.co_filename in texts:
            filename, line, variables = frame.f_code.co_filename, number, {**frame.f_locals, **frame.f_globals}
    compiled, node = getattr(error, "src", None), getattr(error, "node", None)
    if isinstance(compiled, str) and hasattr(node, "lineno"):  # Triton's compiler counts lines from the kernel's `def`
        for name, text in texts.items():
            if (start := text.find(compiled.strip())) >= 0:
                filename, line = name, text.count("\n", 0, start) + node.lineno
    code = linecache.getline(filename, line).strip() if line else ""
    return {
        "type": cut(clean(type(error).__name__), 100),
        "message": _words(error, variables, walked),
        "filename": filename,
        "line": line,
        "code": cut(clean(code), 200),
    }


def _words(error: BaseException, variables: dict, walked: list) -> str:
    try:
        if walked and walked[-1][0].f_code.co_name == "__getitem__":  # an element, asked of a block
            return "unsupported tensor index"
        return cut(clean(str(error) + worded.hint(error, variables)), MOST)
    except Exception:
        return "?"  # its __str__ raises, too


def loop_around(lines: list[str], line: int) -> int:
    """The line where the outermost loop around a line begins; that line, where there is none."""
    found, depth = line, math.inf
    for number in range(line, 0, -1):
        space, word = re.match(r"( *)(\w*)", lines[number - 1]).groups()
        if word and len(space) < depth:
            depth = len(space)
            if word in ("while", "for"):
                found = number
    return found


def place(fault: str, texts: dict[str, str]) -> dict:
    """The innermost line of the sent code in what `faulthandler` wrote as the process died."""
    for filename, number in re.findall(r'File "(.*)", line (\d{1,9})', fault):
        lines = texts[filename].splitlines() if filename in texts else []
        if 0 < int(number) <= len(lines):
            line = int(number)
            return {"filename": filename, "line": line, "code": cut(lines[line - 1].strip(), 200)}
    return {}

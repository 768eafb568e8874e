"""What Python and Triton say of a mistake, in the course's two languages: the same sentences as in a page (course_tools/live/engine)."""

import builtins
import re
import unicodedata

from ..language import Text

# (what Python or Triton says, what is said instead, in Chinese and in English). {1}, {2}: what stood in the brackets.
_SYNTAX = [
    (r"invalid character '(.)'", "{1} 是全角的，要写半角的 {narrow}。", "{1} is a full-width sign; type {narrow} instead."),
    (r"invalid non-printable character U\+3000", "这里是一个全角空格，要用半角的。", "This space is a full-width one; type an ordinary space."),
    (r"'(.)' was never closed", "这个 {1} 没有配对。", "This {1} was never closed."),
    (r"unmatched '(.)'|closing parenthesis '(.)'", "多了一个 {1}。", "This {1} closes nothing."),
    (r"unterminated", "这个 {found} 没有配对。", "This {found} was never closed."),
    (r"unindent does not match", "缩进和前面哪一层都对不上。", "This indentation matches no line above."),
    (r"unexpected indent", "这一行多缩进了。", "This line is indented for nothing."),
    (r"expected an indented block", "下面应当是缩进的几行。", "Indented lines are missing here."),
    (r"expected '(.)'", "这里少了 {1}。", "A {1} is missing here."),
    (r"forgot a comma", "这里少了 ,。", "A , is missing here."),
    (r"'=='|cannot assign to", "等号左边要是名字。比较两个数用 ==。", "The left of = must be a name. To compare, write ==."),
    (r"positional argument follows", "按名字给的参数要写在最后。", "Arguments given by name come last."),
    (r"invalid syntax", "这里不该是 {found}。", "{found} is out of place here."),
]  # fmt: skip
_RAISED = [
    (r"name '(.+)' is not defined.* mean: '(.+)'", "{1}：是不是想写 {2}？", "{1}: did you mean {2}?"),
    (r"name '(.+)' is not defined|local variable '(.+)' where", "这里不认识 {1}。", "{1} is unknown here."),
    (r"'(NoneType|str)' object has no attribute 'dtype'", "{1} 不是数。", "{1} is no number."),
    (r"'(.+)' object has no attribute 'scalar'", "{1} 不是类型。", "{1} is no type."),
    (r"(?:module )?'(.+?)'(?: object)? has no attribute '(.+?)'.* mean: '(.+)'", "{1}.{2}：是不是想写 {1}.{3}？", "{1}.{2}: did you mean {1}.{3}?"),
    (r"(?:module )?'(.+?)'(?: object)? has no attribute '(.+?)'", "这里不认识 {1}.{2}。", "{1}.{2} is unknown here."),
    (r"(\w+)\(\) missing .*?'(\w+)'", "{1} 少了参数 {2}。", "{1} needs the argument {2}."),
    (r"(\w+)\(\) (?:takes|got multiple values|expected)", "{1} 的参数给多了。", "{1} was given too many arguments."),
    (r"(\w+)\(\) got an unexpected keyword argument '(\w+)'", "{1} 没有参数 {2}。", "{1} has no argument {2}."),
    (r"'(\w+)' is an invalid keyword argument for (\w+)\(\)", "{2} 没有参数 {1}。", "{2} has no argument {1}."),
    (r"'(\w+)' object is not callable", "{1} 不是函数。", "{1} is no function."),
    (r"object of type '(\w+)' has no len|'(\w+)' object is not (?:iterable|subscriptable)|cannot unpack non-iterable (\w+)", "{1} 里没有一个个的元素。", "{1} has no items."),
    (r"index out of range|pop from empty list", "下标超出了范围。", "This index is out of range."),
    (r"(?:not enough|too many) values to unpack", "等号两边的个数不一样。", "The two sides of = differ in number."),
    (r"(?:max|min)\(\) .*empty", "里面什么也没有。", "It is empty."),
    (r"unsupported operand.* for (\S+?)(?: or pow\(\))?: '(.+)' and '(.+)'", "{2} 和 {3} 不能用 {1}。", "{1} is not for {2} and {3}."),
    (r"bad operand type for unary (\S+): '(.+)'", "{2} 不能用 {1}。", "{1} is not for {2}."),
    (r"'(\S+)' not supported between instances of '(.+)' and '(.+)'", "{2} 和 {3} 不能用 {1}。", "{1} is not for {2} and {3}."),
    (r"can only concatenate (\w+) \(not \"(.+)\"\)", "{1} 和 {2} 不能用 +。", "+ is not for {1} and {2}."),
    (r"invalid literal for int\(\).*: '(.*)'|could not convert string to float: '(.*)'", "{1} 不是数。", "{1} is no number."),
    (r"'(\w+)' object cannot be interpreted as an integer", "{1} 不是整数。", "{1} is no integer."),
    (r"negative shift count", "不能移负数位。", "A shift cannot be negative."),
    (r"math (?:domain|range) error|expected a (?:non|pos)", "这个函数在这里没有定义。", "This function is not defined there."),
    # Triton's own
    (r"invalid operands of type (.+) and (.+)", "{1} 和 {2} 不能这样算。", "{1} and {2} cannot be combined like this."),
    (r"cannot add pointers", "两个地址不能相加。", "Two addresses cannot be added."),
    (r"unary invert \((.+)\)", "{1} 不能用 ~。", "~ is not for {1}."),
    (r"arguments must be of type tl\.constexpr", "这里要编译时就知道的整数（tl.constexpr）。", "This must be known when the kernel is compiled (tl.constexpr)."),
    (r"must be a power of 2|end argument must be greater", "块的每一维都要是 2 的幂。", "Every size of a block must be a power of 2."),
    (r"numel \((\d+)\) exceeds .*\((\d+)\)", "最多 {2} 个元素，这里会有 {1} 个。", "There are at most {2} elements; here would be {1}."),
    (r"incompatible dimensions at index \d+: (\d+) and (\d+)", "形状 {1} 和 {2} 对不上。", "The shapes {1} and {2} do not go together."),
    (r"Expected pointer argument to have shape (\[.+\]) but got (\[.+\])", "形状 {2} 和 {1} 对不上。", "The shapes {2} and {1} do not go together."),
    (r"must have equal ranks|not compatible for matmul|both be \dD", "第一个矩阵的列数要等于第二个的行数。", "The first matrix needs as many columns as the second has rows."),
    (r"`other` cannot be provided without `mask`", "有 other 就要有 mask。", "`other` needs a mask."),
    (r"Unsupported ptr type (?:<\[.*\], )?(.+?)>? in", "{1} 不是地址。", "{1} is no address."),
    (r"Expected dtype \['float32', 'float64'\] but got (.+)", "{1} 不是 float32 或 float64：先用 .to(tl.float32)。", "{1} is no float32 or float64: use .to(tl.float32) first."),
    (r"Nonrepresentable integer (\d+)", "{1} 放不进 64 位。", "{1} does not fit 64 bits."),
    (r"axis must be 0, 1, or 2 but got (\d+)|axis (\d+) out of bounds", "没有 axis={1}。", "There is no axis={1}."),
    (r"arg 3 must not be zero", "步长不能是 0。", "A step cannot be 0."),
    (r"unsupported tensor index|does not support item assignment", "块是一个整体，不能单取、单改一个元素：用 tl.where。", "A block is one value; no element is taken or changed alone: use tl.where."),
    # and its compiler's
    (r"only tuple comprehensions", "kernel 里不能用 [… for …]：编译器不认。", "A kernel has no [… for …]: the compiler does not take it."),
    (r"f-string containing", 'kernel 里不能用 f"…"：编译器不认。', 'A kernel has no f"…": the compiler does not take it.'),
    (r"is not string", 'kernel 里打印要写 tl.device_print("x", x)。', 'A kernel prints with tl.device_print("x", x).'),
]  # fmt: skip
_BY_TYPE = {
    "ZeroDivisionError": ("除数是 0。", "Division by 0."),
    "OverflowError": ("这个数太大了。", "This number is too large."),
    "KeyError": ("没有 {message}。", "There is no {message}."),
    "RecursionError": ("函数一直在调用自己，没有停下来（RecursionError）。", "The function calls itself without end (RecursionError)."),
    "AssertionError": ("断言不成立。{message}", "An assertion failed. {message}"),
}  # fmt: skip
_NARROW = {"。": ".", "、": ",", "“": '"', "”": '"', "‘": "'", "’": "'"}


def of_syntax(error: SyntaxError) -> Text:
    """`found` is what Python stumbled over."""
    found = re.match(r"[^\W\d]\w*|[\d.]+|\S", (error.text or "")[(error.offset or 1) - 1 :])
    end = Text("一行的末尾", "the end of the line")
    return _said(_SYNTAX, error.msg, found=found[0] if found else end) or Text(f"{error.msg}。", f"{error.msg}.")


def of_raised(type: str, message: str) -> Text | None:
    """None where only Python's own words will do."""
    if found := re.fullmatch(r"(.*[\u4e00-\u9fff].*)\n(.+)", message):  # the course itself raised it
        return Text(*found.groups())
    said = _said(_RAISED, _as_written(message))
    if said is None and type in _BY_TYPE:
        return Text(*(half.format(message=message).strip() for half in _BY_TYPE[type]))
    return said


def _as_written(message: str) -> str:
    """Triton's types and sizes as a kernel has them."""
    message = message.replace("triton.language.", "").replace("triton.language", "tl")
    message = re.sub(r"'?constexpr\[(\d+)\]'?", r"\1", message)
    return re.sub(r"\bfp(16|32|64)\b", r"float\1", message).replace("bf16", "bfloat16")


def _said(table: list, message: str, **places) -> Text | None:
    for pattern, *halves in table:
        if found := re.search(pattern, message):
            groups = [each for each in found.groups() if each is not None]
            if groups:
                places["narrow"] = _NARROW.get(groups[0], unicodedata.normalize("NFKC", groups[0]))
            return Text(*(_filled(half, groups, places, k) for k, half in enumerate(halves)))
    return None


def _filled(half: str, groups: list[str], places: dict, k: int) -> str:
    inside = {key: (each.zh, each.en)[k] if isinstance(each, Text) else each for key, each in places.items()}
    return half.format("", *groups, **inside)


# ---- which name was meant


def hint(error: BaseException, variables: dict) -> str:
    """As Python ends its own message from 3.12 on: a name at most two letters off, and a third of them."""
    name = getattr(error, "name", None)
    if not isinstance(error, NameError | AttributeError) or not name or "Did you mean" in str(error):
        return ""
    near = dir(error.obj) if isinstance(error, AttributeError) else [*variables, *dir(builtins)]
    off, meant = min((letters_off(name.lower(), each.lower()), k) for k, each in enumerate(near)) if near else (99, 0)
    return f". Did you mean: '{near[meant]}'?" if off <= min(2, len(name) / 3) else ""


def letters_off(a: str, b: str) -> int:
    """Letters to put in, take out, change or swap with their neighbour."""
    older, old = [], [*range(len(b) + 1)]
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            row.append(min(old[j] + 1, row[j - 1] + 1, old[j - 1] + (letter != other)))
            if i > 1 < j and letter == b[j - 2] and a[i - 2] == other:
                row[j] = min(row[j], older[j - 2] + 1)
        older, old = old, row
    return old[-1]

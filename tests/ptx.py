"""What the PTX of a kernel orders: stores before the atomics that announce them, an early start's wait before its accesses."""

import re

_GLOBAL = re.compile(r"\b(?:ld|st|atom|red)\.(?:\w+\.)*global\b|\bcp\.(?:async|reduce)\b")
_WRITES = re.compile(r"\b(?:st|atom|red)\.(?:\w+\.)*global\b")
_RELEASES = re.compile(r"\b(?:atom|red)\.\S*(?:release|acq_rel)")
_BARRIER = re.compile(r"\bbar(?:rier)?\.(?:cta\.)?(?:red\.\S+|sync|arrive)|\bbarrier\.cluster")


def instructions(ptx: str) -> list[str]:
    """Instructions and labels, in the order of the text."""
    lines = (line.split("//")[0].strip() for line in ptx.splitlines())
    return [line for line in lines if re.match(r"(?:@!?%p\d+\s+)?[a-z][\w.:]*(?:\s|;)|\$\w+:$", line)]


def touches_global(instruction: str) -> bool:
    return bool(_GLOBAL.search(instruction))


def unordered(ptx: str) -> set[tuple[str, str]]:
    """Stores that may come after an atomic that announces them: no barrier between, on some path, and other threads' work.

    What carries the atomic's own predicate, is done by the same thread, and stays in order.
    """
    code, found = instructions(ptx), set()
    labels = {line[:-1]: k for k, line in enumerate(code) if line.endswith(":")}
    pending: list[set | None] = [None] * (len(code) + 1)  # stores since the last barrier, before each instruction
    pending[0], work = set(), [0]
    while work:
        k = work.pop()
        if k == len(code):
            continue
        line, stores = code[k], set(pending[k])
        if _BARRIER.search(line):
            stores.clear()
        if _RELEASES.search(line):
            found |= {(store, line) for store in stores if not _same_thread(store, line)}
        if _WRITES.search(line):
            stores.add(line)
        for after in _successors(code, labels, k):
            if pending[after] is None or not stores <= pending[after]:
                pending[after] = stores | (pending[after] or set())
                work.append(after)
    return found


def _same_thread(store: str, atomic: str) -> bool:
    guards = [re.match(r"@(!?%p\d+)", line) for line in (store, atomic)]
    return all(guards) and guards[0][1] == guards[1][1]


def _successors(code: list[str], labels: dict[str, int], k: int):
    branch = re.search(r"\bbra(?:\.uni)?\s+(\$\w+)", code[k])
    if branch:
        yield labels[branch[1]]
    if (not branch or code[k].startswith("@")) and not re.match(r"(?:ret|exit)\b", code[k]):
        yield k + 1

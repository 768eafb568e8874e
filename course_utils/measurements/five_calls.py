"""The five calls of the naive softmax, together and one at a time, each beside a sibling that differs in one thing."""

from dataclasses import dataclass

ROWS, COLUMNS = 4096, 8192
TOGETHER = ("naive", "compile naive", "row", "softmax")


@dataclass(frozen=True)
class Line:
    call: str
    rows: int
    columns: int
    dtype: str
    kernel: str  # its name on the GPU; nothing where there are several
    median_us: float
    low_us: float
    high_us: float


def calls(x) -> dict:
    """{call: what makes it of an input}. The row's maxima and sums are any column of numbers."""
    import torch

    column = torch.full((len(x), 1), 1.25, device=x.device, dtype=x.dtype)
    return {
        "max": lambda x: x.max(dim=1)[0],
        "amax": lambda x: x.amax(dim=1),
        "subtract": lambda x: x - column,
        "subtract a number": lambda x: x - 1.25,
        "exp": torch.exp,
        "sum": lambda x: x.sum(dim=1),
        "divide": lambda x: x / column,
        "divide by a number": lambda x: x / 1.25,
    }


def cases():
    return [{"rows": ROWS, "columns": COLUMNS, "dtype": dtype} for dtype in ("float32",)]


def measure(rows, columns, dtype):
    import torch

    from ..softmax import naive_softmax
    from .bench.peers import prepared_for
    from .bench.stopwatch import compare, inputs_for
    from .times import _copies

    x = torch.randn(rows, columns, device="cuda").to(getattr(torch, dtype))
    scripted = torch.jit.script(naive_softmax)
    for _ in range(4):  # it watches the first calls, and compiles then
        scripted(x)
    together = {"naive, torch.jit.script": scripted, **prepared_for(x, TOGETHER)}
    single = calls(x)
    names = {call: _kernel(function, x) for call, function in single.items()}
    copies = _copies(x.nbytes)
    found = compare(single | together | copies, lambda: inputs_for(rows, columns, dtype, "cuda"), seconds=0.03)
    best = min((found[way, "sustained"] for way in copies if not way[-1]), key=lambda each: each.median)
    yield Line("copy", rows, columns, dtype, "copy_kernel", **best.us)
    for call in (*together, *single):
        if (call, "sustained") in found:
            yield Line(call, rows, columns, dtype, names.get(call, ""), **found[call, "sustained"].us)


def _kernel(function, x) -> str:
    """The name of the one kernel that this launches, without what it is a template of."""
    from torch.profiler import ProfilerActivity, profile

    function(x)
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as seen:
        function(x)
        x.sum().item()
    names = [event.name for event in seen.events() if str(event.device_type).endswith("CUDA")]
    name = names[0] if names else ""
    return name.removeprefix("void ").removeprefix("at::native::").removeprefix("at::")[:80]

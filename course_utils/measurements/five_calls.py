"""The five calls of the naive softmax, together and one at a time, each beside a sibling that differs in one thing."""

import torch
from torch.profiler import ProfilerActivity, profile

from .bench import timed_line
from .bench.peers import prepared_for
from .ruler import beside_copies

TOGETHER = ("naive", "compile naive", "row")
CASES = [{"rows": 4096, "columns": 8192, "dtype": "float32"}]
# the kernel's name on the GPU; nothing where there are several
Line = timed_line(call=str, rows=int, columns=int, dtype=str, kernel=str)


def calls(x) -> dict:
    """{call: what makes it of an input}. The row's maxima and sums are any column of numbers."""
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


def measure(rows, columns, dtype):
    x = torch.randn(rows, columns, device="cuda").to(getattr(torch, dtype))
    single = calls(x)
    kernels = {call: _kernel(function, x) for call, function in single.items()} | {"copy": "copy_kernel"}
    functions = single | prepared_for(TOGETHER)
    for (call, _), timing in beside_copies(functions, rows, columns, dtype, seconds=0.03).items():
        yield Line(call, rows, columns, dtype, kernels.get(call, ""), **timing.us)


def _kernel(function, x) -> str:
    """The name of the one kernel that this launches, without what it is a template of."""
    function(x)
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as seen:
        function(x)
        x.sum().item()
    names = [event.name for event in seen.events() if str(event.device_type).endswith("CUDA")]
    name = names[0] if names else ""
    return name.removeprefix("void ").removeprefix("at::native::").removeprefix("at::")[:80]

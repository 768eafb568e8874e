"""The recorder: measures every provider over the course's sweep of shapes and writes CSV that says where it comes from."""

import multiprocessing
import os
import sys
import time

import torch

from course_utils import hardware
from course_utils.backend import device, mode
from course_utils.softmax.choose import choose
from course_utils.softmax.npu import choose_on_npu
from course_utils.timing.recorded import FOLDER, write
from course_utils.timing.stopwatch import SECONDS, accelerator, host_times, inputs_for, measure

from .counters import count_dram
from .provenance import provenance, short_name
from .providers import providers

ROWS = 4096
SWEEP = [128 * i for i in range(2, 100)]
ODD = [781, 1000, 4001, 12671, 40001, 50000, 100001]
POWERS = [16384, 32768, 65536, 131072]
FEW_ROWS = [(rows, columns) for columns in (2**17, 2**20) for rows in (1, 8, 64)]
DTYPES = ["float32", "bfloat16", "float16"]
HOST = [("float32", 128, 256), ("float32", 4096, 1024), ("bfloat16", 128, 256)]


def shapes(quick: bool = False) -> list[tuple[str, int, int, bool]]:
    """(dtype, rows, columns, whether the slow ones are asked too)."""
    widths = sorted({*SWEEP, *ODD, *POWERS})
    if quick:
        widths = widths[::12]
    few = {*ODD, *POWERS, *(2**k for k in range(8, 14))}
    found = [(d, ROWS, n, n in few or widths.index(n) % 4 == 0) for d in DTYPES for n in widths]
    return found + [(d, rows, n, True) for d in DTYPES for rows, n in ([] if quick else FEW_ROWS)]


def record(folder=FOLDER, quick: bool = False, seconds: float = SECONDS, limit: float = 1e9) -> list:
    """Measures and writes; returns the paths. `limit`: after so many seconds no further shape is begun, and the file says so."""
    begun = time.monotonic()
    command = "python -m course_tools.recording times" + " --quick" * quick
    command += f" --seconds {seconds:g}" * (seconds != SECONDS)
    told = provenance(command)
    name = short_name(told)
    wanted = shapes(quick)
    _compile_ahead(wanted)
    print(f"compiled, {time.monotonic() - begun:.0f} s", flush=True)
    lines, failed, done = [], {}, 0
    for dtype, rows, columns, slow_too in wanted:
        if done and time.monotonic() - begun > limit:
            break
        done += 1
        inputs = inputs_for(rows, columns, getattr(torch, dtype), device)
        for provider in providers():
            if not provider.is_asked(columns, slow_too):
                continue
            try:
                timing = measure(provider.prepare(inputs[0]), inputs, seconds)
            except Exception as error:  # a library that refuses a shape is one more result
                failed.setdefault((provider.name, dtype, type(error).__name__), []).append(f"{rows}x{columns}")
                continue
            lines.append(_line(dtype, rows, columns, provider.name, timing, inputs[0]))
        del inputs
    if done < len(wanted):
        told["incomplete"] = f"stopped after {done} of {len(wanted)} shapes"
    for which, refused in failed.items():
        told[f"refused, {', '.join(which)}"] = " ".join(refused)
    paths = [write("times", name, told, lines, folder)]
    print(f"times, {time.monotonic() - begun:.0f} s", flush=True)
    paths.append(write("host", name, told, _host_lines(), folder))
    counted = count_dram() if mode == "cuda" else []
    if counted:
        paths.append(write("dram", name, told, counted, folder))
    print(f"all, {time.monotonic() - begun:.0f} s", flush=True)
    return paths


def record_host(folder=FOLDER) -> list:
    """What a call costs the CPU, by itself: seconds instead of minutes, for a CPU that was busy when all was recorded."""
    told = provenance("python -m course_tools.recording host")
    return [write("host", short_name(told), told, _host_lines(), folder)]


def _line(dtype, rows, columns, provider, timing, x) -> dict:
    line = {"dtype": dtype, "rows": rows, "columns": columns, "provider": provider}
    line |= {f"{key}_us": f"{getattr(timing, key) * 1e6:.2f}" for key in ("median", "low", "high", "apart")}
    return line | {"kernel": _kernel(x) if provider == "softmax" else ""}


def _kernel(x) -> str:
    """The one kernel that the course's softmax takes for `x`; nothing where it takes two."""
    if mode == "npu":
        kernel, _ = choose_on_npu(x.shape[1], hardware.here())
    else:
        launch = choose(torch.empty_like(x), x)
        kernel = launch and launch.kernel
    return kernel.fn.__name__.removesuffix("_kernel") if kernel else ""


def _host_lines() -> list[dict]:
    lines = []
    for dtype, rows, columns in HOST:
        x = torch.randn(rows, columns, device=device).to(getattr(torch, dtype))
        functions = {}
        for provider in providers():
            try:
                function = provider.prepare(x)
                function(x)
            except Exception:
                continue
            functions[provider.name] = function
        for name, timing in host_times(functions, x).items():
            lines.append(_line(dtype, rows, columns, name, timing, x))
    return lines


def _compile_ahead(wanted) -> None:
    """Compiling is most of the work. Every core takes a share and leaves what it compiled in Triton's cache on disk."""
    workers = max(1, min(16, (os.cpu_count() or 2) - 1))
    context = multiprocessing.get_context("spawn")
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # or every child starts as many again
    shares = [wanted[i::workers] for i in range(workers)]
    children = [context.Process(target=_compile_share, args=(share,)) for share in shares if share]
    for child in children:
        child.start()
    for child in children:
        child.join()


def _compile_share(share) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # what fails here fails again where it is recorded
    for dtype, rows, columns, slow_too in share:
        x = torch.zeros(rows, columns, dtype=getattr(torch, dtype), device=device)
        for provider in providers():
            if provider.name in ("naive", "copy", "torch", "softmax again", "occupancy"):
                continue
            if provider.is_asked(columns, slow_too):
                try:
                    provider.prepare(x)(x)
                    accelerator(device).synchronize()
                except Exception:
                    continue
        del x

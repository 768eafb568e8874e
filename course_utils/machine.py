"""What this machine is, and what that means for the course: one friendly table."""

import contextlib
import html
import importlib.metadata
import importlib.util
import os
import platform

from . import hardware
from .language import Text, blocks, spans

_COURSE = "softmax-course"


def _supported() -> tuple[list[tuple[int, ...]], str]:
    """The Pythons and the oldest triton that pyproject.toml names; both are in the metadata of the installed course."""
    told = importlib.metadata.metadata(_COURSE)
    pythons = [_numbers(text.rpartition(" ")[2]) for text in told.get_all("Classifier", []) if "Python :: 3." in text]
    triton = next(text for text in told.get_all("Requires-Dist") if text.startswith("triton>="))
    return sorted(pythons), triton.removeprefix("triton>=")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _range(pythons: list[tuple[int, ...]]) -> str:
    return "–".join(".".join(map(str, each)) for each in (pythons[0], pythons[-1]))


_MODES = {  # what it is called, and what it means
    "interpreter": (
        Text("解释器（CPU）", "interpreter (CPU)"),
        Text(
            "CPU 一行行地解释 kernel：慢，但每一步都看得见。课里的矩阵因此都不大；速度看录下的数据，多数录自一块 H100。",
            "Kernels are interpreted on the CPU, line by line: slow, but every step is in sight. So the matrices of the course are "
            "small, and speeds come from recordings, most of them of an H100.",
        ),
    ),
    "cuda": (
        Text("编译（CUDA）", "compiled (CUDA)"),
        Text(
            "kernel 在你的 GPU 上真正运行；要看每一步时，另有一个进程来解释。",
            "Kernels really run on your GPU; where every step is to be seen, another process interprets them.",
        ),
    ),
    "hip": (
        Text("编译（HIP）", "compiled (HIP)"),
        Text(
            "kernel 在你的 AMD GPU 上真正运行；要看每一步时，另有一个进程来解释。",
            "Kernels really run on your AMD GPU; where every step is to be seen, another process interprets them.",
        ),
    ),
    "npu": (
        Text("编译（Ascend）", "compiled (Ascend)"),
        Text("kernel 在你的 NPU 上真正运行。", "Kernels really run on your NPU."),
    ),
}
_KNOWN = Text(
    "在硬件表里：占用率那一课用它自己的数字。", "In the hardware table: the lesson on occupancy uses its own figures."
)
_UNKNOWN = Text(
    "不在硬件表里：占用率那一课按驱动报告的数字来。", "Not in the hardware table: its driver's figures are used."
)
_ENOUGH = Text("2 核、每本 0.6 GB 就够。", "Two cores and 0.6 GB a notebook are enough.")
_COMPLETE = Text("滑块、按钮和图都能用。", "Sliders, buttons and pictures work.")


class Machine:
    """`facts()` as a table: what, here, what that means."""

    def __init__(self, facts: dict):
        self.facts = facts

    def rows(self):
        """Name, value and meaning of each line; the value is the same in both languages, but for the mode's name."""
        facts = self.facts
        mode, meaning = _MODES[facts["backend"]]
        yield Text("kernel 怎样运行", "how kernels run"), mode, meaning
        if facts["backend"] != "interpreter":
            memory = facts["device_memory"]  # Ascend's driver does not say
            size = f"{facts['device']}, {memory / 1e9:.0f} GB" if memory else facts["device"]
            yield Text("设备", "device"), _same(size), _KNOWN if facts["known"] else _UNKNOWN
        cpu = f"{facts['cpu_cores']} × {facts['system']}, {facts['memory'] / 1e9:.0f} GB"
        yield Text("处理器与内存", "processor and memory"), _same(cpu), _ENOUGH
        pythons, triton = _supported()
        taken = Text(
            f"课程需要 Python {_range(pythons)}、triton {triton} 或更新。",
            f"The course takes Python {_range(pythons)}, and triton {triton} or newer.",
        )
        yield Text("版本", "versions"), _versions(facts, "python", "torch", "triton"), taken
        missing = [name for name in ("jupyterlab", "ipywidgets") if not facts[name]]
        lacking = Text(
            f"缺 {'、'.join(missing)}：运行 make lab 补上。",
            f"{' and '.join(missing)} missing: make lab installs them.",
        )
        around = _versions(facts, "jupyterlab", "ipywidgets", "matplotlib")
        yield Text("界面", "interface"), around, lacking if missing else _COMPLETE

    def verdict(self) -> tuple[str, str]:
        count = len(self.facts["problems"])
        if count:
            return f"有 {count} 处要留意：", f"{count} thing{'s' * (count > 1)} to mind:"
        return "一切就绪。", "All is ready."

    def __repr__(self) -> str:
        lines = [f"{name.zh} · {name.en}: {value.en}" for name, value, _ in self.rows()]
        return "\n".join([*lines, " · ".join(self.verdict()), *map(str, self.facts["problems"])])

    def _repr_html_(self) -> str:
        cell = '<td style="text-align:left;vertical-align:top;padding:4px 12px 4px 0">'
        rows = "".join(
            f"<tr>{cell}<b>{spans(name.zh, name.en)}</b></td>{cell}{spans(html.escape(value.zh), html.escape(value.en))}</td>"
            f"{cell}{blocks(meaning.zh, meaning.en)}</td></tr>"
            for name, value, meaning in self.rows()
        )
        problems = "".join(f"<li>{text._repr_html_()}</li>" for text in self.facts["problems"])
        mark = "⚠" if problems else "✓"
        return f'<table style="max-width:860px">{rows}</table><p><b>{mark} {spans(*self.verdict())}</b></p><ul>{problems}</ul>'


def _same(text: str) -> Text:
    return Text(text, text)


def _versions(facts: dict, *packages: str) -> Text:
    return _same(", ".join(f"{name} {facts[name]}" for name in packages if facts[name]))


def this_machine() -> Machine:
    """What is here; shows as a table in a notebook."""
    return Machine(facts())


def facts() -> dict:
    """What is here, as plain data; `problems` holds a bilingual `Text` for each thing that stands in the course's way."""
    from . import backend

    device = hardware.here()
    found = {
        "backend": backend.mode,
        "device": device.name if device else (platform.processor() or platform.machine()),
        "device_memory": getattr(device, "memory", None),
        "known": device is not None and device.source != "driver",
        "cpu_cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "triton": backend.triton.__version__,  # its package has other names on ROCm and Ascend
        **{package: _version(package) for package in ("torch", "numpy", "matplotlib", "jupyterlab", "ipywidgets")},
    }
    return found | {"problems": list(_problems(found, device))}


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _memory() -> int:
    """Bytes of main memory that this process may use: a container often has less than its machine."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError), open(limit) as file:
            total = min(total, int(file.read()))
    return total


def _problems(facts: dict, device):
    from . import backend

    pythons, wanted = _supported()
    if not pythons[0] <= _numbers(facts["python"]) <= pythons[-1]:
        yield Text(
            f"课程用 Python {_range(pythons)}，这里是 {facts['python']}，可能装不全，也可能出错。",
            f"The course takes Python {_range(pythons)}; with {facts['python']} something may be missing or fail.",
        )
    # triton-ascend is called triton too, and counts its versions its own way.
    version = _numbers(facts["triton"] or "0.0")
    ascend = facts["backend"] == "npu" or importlib.util.find_spec("triton.backends.ascend") is not None
    if version < _numbers(wanted) and not ascend:
        yield Text(
            f"课程需要 triton {wanted} 或更新，这里是 {facts['triton']}。运行 pip install -U triton 后重启 Jupyter 内核。",
            f"The course needs triton {wanted} or newer; this is {facts['triton']}. Run pip install -U triton, then restart the "
            "kernel.",
        )
    elif problem := backend.numpy_too_new(facts["triton"], facts["numpy"]):
        yield problem
    if isinstance(device, hardware.Device) and device.chip not in hardware.CHIPS:
        yield Text(
            f"硬件表里没有 {device.name}（{device.chip}）：kernel 能跑，但占用率是按同系列芯片的上限估算的。",
            f"{device.name} ({device.chip}) is not in the hardware table: kernels run, but occupancy is estimated with the limits "
            "of a chip of the same family.",
        )
    if facts["memory"] < 3e9:
        yield Text(
            f"可用内存只有 {facts['memory'] / 1e9:.1f} GB；一次只打开一个笔记本，否则 Jupyter 内核会被系统结束。",
            f"Only {facts['memory'] / 1e9:.1f} GB of memory: open one notebook at a time, or the system will end a kernel.",
        )

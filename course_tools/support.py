"""What runs where: one table, made of the hardware table and the recordings, so that it says no more than is there.

`make derive` writes it into HARDWARE.md.
"""

from dataclasses import dataclass
from itertools import groupby

from course_utils import hardware
from course_utils.language import Text
from course_utils.measurements.bench.provenance import TOOLKITS
from course_utils.measurements.bench.recording import FOLDER as RECORDED
from course_utils.measurements.bench.recording import load

from .contents import entries

HEADINGS = Text("方式|运行|编译|怎样测试|在哪里测量过", "mode|runs|compiles|tested how|measured where")


@dataclass(frozen=True)
class Backend:
    """One way to run kernels."""

    mode: str
    name: Text
    runs: Text
    compiles: Text
    tested: Text
    devices: tuple[str, ...]  # that a recording comes from

    @property
    def measured(self) -> Text:
        if self.mode == "interpreter":
            return Text("—", "—")
        devices = ", ".join(self.devices)
        return Text(devices or "还没有", devices or "nowhere yet")

    def cells(self) -> list[Text]:
        return [self.name, self.runs, self.compiles, self.tested, self.measured]


def table() -> str:
    """In Markdown, both languages in one table, as the README has it."""
    headings = [f"{zh} · {en}" for zh, en in zip(HEADINGS.zh.split("|"), HEADINGS.en.split("|"))]
    rows = [[t.zh if t.zh == t.en else f"{t.zh} · {t.en}" for t in each.cells()] for each in backends()]
    return "\n".join("| " + " | ".join(row) + " |" for row in [headings, ["---"] * len(headings), *rows])


def _on_ascend() -> str:
    """The notebooks that need no compiler for other vendors' GPUs, such as "00–04, 08"."""
    runs = groupby(entries(), key=lambda entry: (entry.appendix, "compiler" not in entry.needs))
    kept = [[entry.number for entry in run] for (_, without), run in runs if without]
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in kept)


_RUNS = Text("是", "yes")
_NEVER_TRIED = Text("应该能，没有在硬件上跑过", "should; never tried on hardware")
_TESTED_WITHOUT = Text(
    "没有 GPU 时在 CI 上逐个编译，启动器用驱动报告的数字测试",
    "in CI with no GPU: compiled one by one, launchers tested with what drivers report",
)
_TESTED_WITH = Text(
    "在 CI 上为每种芯片编译；录下的占用率和字节数拿来对照模型",
    "in CI: compiled for each chip; the occupancy and the bytes that were recorded are held against the models",
)


def backends() -> list[Backend]:
    return [_interpreter(), _gpu("cuda", "NVIDIA"), _gpu("hip", "AMD"), _npu()]


def _interpreter() -> Backend:
    return Backend(
        mode="interpreter",
        name=Text("解释器（CPU）", "interpreter (CPU)"),
        runs=_RUNS,
        compiles=Text("不需要", "no need"),
        tested=Text(
            "在 CI 上：全部笔记本，在 triton 3.6 与最新版上", "in CI: every notebook, on triton 3.6 and the newest"
        ),
        devices=(),
    )


def _gpu(mode: str, vendor: str) -> Backend:
    chips = ", ".join(chip.name for chip in hardware.CHIPS.values() if chip.target[0] == mode)
    devices = _devices(mode)
    return Backend(
        mode=mode,
        name=Text(vendor, vendor),
        runs=_RUNS if devices else _NEVER_TRIED,
        compiles=Text(chips, chips),
        tested=_TESTED_WITH if devices else _TESTED_WITHOUT,
        devices=devices,
    )


def _npu() -> Backend:
    devices, notebooks = _devices("npu"), _on_ascend()
    return Backend(
        mode="npu",
        name=Text("昇腾 Ascend", "Ascend"),
        runs=_RUNS if devices else _NEVER_TRIED,
        compiles=Text(
            "到 linalg 为止（Ascend910B），再往下要华为的 CANN",
            "as far as linalg (Ascend910B); beyond that it takes Huawei's CANN",
        ),
        tested=Text(
            f"在 CI 上：triton-ascend 的解释器跑 {notebooks}，它的编译器把 NPU 用的 kernel 逐个降到 linalg",
            f"in CI: triton-ascend's interpreter runs {notebooks}, and its compiler lowers every kernel that an NPU gets",
        ),
        devices=devices,
    )


def _devices(mode: str) -> tuple[str, ...]:
    return tuple(sorted(set(_recorded(mode))))


def _recorded(mode: str):
    """The devices that recordings say they come from, by the names of the hardware table where it knows them."""
    for path in RECORDED.glob("*.csv"):
        head = load(path).provenance
        if TOOLKITS[mode] not in head:
            continue
        try:
            yield hardware.find(head["device"]).name
        except LookupError:
            yield head["device"]

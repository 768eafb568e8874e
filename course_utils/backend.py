"""Where kernels run here: Triton's interpreter, CUDA, HIP or an NPU.

Triton reads `TRITON_INTERPRET` when it is imported, and one process cannot do both. So the choice is made once, here,
before triton is imported: every module of the course takes `triton` and `tl` from this one.
"""

import importlib.util
import os
import sys
import warnings

from .language import Text, both

MODES = ("interpreter", "cuda", "hip", "npu")


def detect() -> str:
    """The mode that fits this machine: what `COURSE_BACKEND` asks for, else the accelerator that torch sees."""
    asked = os.environ.get("COURSE_BACKEND", "").strip().lower()
    if asked and asked not in MODES:
        raise ValueError(
            both(
                f"COURSE_BACKEND={asked!r} 不是课程认识的后端；可选：{'、'.join(MODES)}。",
                f"COURSE_BACKEND={asked!r} is no backend of this course; choose one of {', '.join(MODES)}.",
            )
        )
    if asked:
        return asked
    if os.environ.get("TRITON_INTERPRET") == "1":
        return "interpreter"
    import torch

    if torch.cuda.is_available():
        return "hip" if torch.version.hip else "cuda"
    # torch_npu registers `torch.npu`; torch loads it by itself when it is installed, so it is no dependency of ours.
    npu = getattr(torch, "npu", None)
    return "npu" if npu is not None and npu.is_available() else "interpreter"


def _require_triton() -> None:
    if importlib.util.find_spec("triton") is None:
        raise ImportError(
            both(
                f"这里没有 triton（平台：{sys.platform}）。macOS 与 Windows 没有 triton 安装包；请用 WSL2、Linux 容器或在线笔记本，"
                "再运行 make lab。",
                f"There is no triton here (platform: {sys.platform}). macOS and Windows have no triton wheel; use WSL2, a Linux "
                "container or a hosted notebook, and run make lab there.",
            )
        )


def _choose() -> str:
    _require_triton()
    mode = detect()
    already = sys.modules.get("triton")
    if already is not None and already.knobs.runtime.interpret != (mode == "interpreter"):
        raise RuntimeError(
            both(
                "triton 在课程选定运行方式之前就被导入了，一个进程不能换方式。请重启 Jupyter 内核（Kernel → Restart），并先运行第一个单元格。",
                "triton was imported before the course chose how to run it, and a process cannot switch. Restart the kernel "
                "(Kernel → Restart) and run the first cell first.",
            )
        )
    os.environ["TRITON_INTERPRET"] = "1" if mode == "interpreter" else "0"
    return mode


def numpy_too_new(triton_version: str, numpy_version: str) -> Text | None:
    """What to do where this triton's interpreter trips over this NumPy ("only 0-dimensional arrays can be converted …")."""
    old, new = (tuple(map(int, version.split(".")[:2])) for version in (triton_version, numpy_version))
    if old >= (3, 7) or new < (2, 4):
        return None
    return Text(
        f"triton {triton_version} 的解释器不能用 numpy {numpy_version}。运行 pip install 'numpy<2.4' 后重启 Jupyter 内核。",
        f"The interpreter of triton {triton_version} fails with numpy {numpy_version}. Run pip install 'numpy<2.4', then restart "
        "the kernel.",
    )


mode: str = _choose()

# triton 3.9 warns that the default of this knob will change, at the import and at the first compilation. The default, said
# aloud, keeps it quiet and keeps registers and timings what they were recorded with.
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import triton
    import triton.language as tl

if mode == "interpreter":
    import numpy

    if _problem := numpy_too_new(triton.__version__, numpy.__version__):
        warnings.warn(str(_problem), stacklevel=2)

# The interpreter computes with NumPy, which remarks on inf - inf; a GPU does the same sum without a word.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"triton\.runtime\.interpreter")

device: str = {"interpreter": "cpu", "hip": "cuda"}.get(mode, mode)

__all__ = ["MODES", "detect", "device", "mode", "tl", "triton"]

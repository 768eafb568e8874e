"""Where a recording comes from, and how to make it again."""

import datetime
import importlib.metadata
import platform
import re
import subprocess

import torch

from ... import backend, hardware
from ...language import both
from . import stopwatch

TOOLKITS = {"cuda": "cuda", "hip": "hip", "npu": "cann"}  # the line of the provenance that tells the backend
DRIVERS = {  # whom to ask for the version, and where it stands in the answer
    "cuda": (["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], r"(\S+)"),
    "hip": (["cat", "/sys/module/amdgpu/version"], r"(\S+)"),
    "npu": (["npu-smi", "info"], r"Version: *(\S+)"),
}
PACKAGES = ["torch", "triton", "liger-kernel", "flag-gems", "quack-kernels", "helion", "flashinfer-python"]


def provenance(command: str) -> dict[str, str]:
    """Where a recording comes from, and how to make it again; refuses where there is nothing to record."""
    device, mode = backend.device, backend.mode
    if mode == "interpreter" or not hasattr(torch, device):
        raise SystemExit(
            both(
                "录制需要 GPU 或 NPU；用 NPU 还要装 torch_npu。",
                "Recording takes a GPU or an NPU; for an NPU, install torch_npu.",
            )
        )
    packages = ["torch", "torch_npu", "triton"] if mode == "npu" else PACKAGES
    return {
        "device": stopwatch.accelerator(device).get_device_name(0),
        "multiprocessors": str(hardware.here().multiprocessors),
        "driver": _driver(mode),
        TOOLKITS[mode]: getattr(torch.version, TOOLKITS[mode], None) or "",  # torch_npu adds torch.version.cann
        "python": platform.python_version(),
        "versions": ", ".join(f"{name} {version(name) or '-'}" for name in packages),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "command": command,
    }


def short_name(told: dict[str, str]) -> str:
    """How the files of a device are called: "h200"."""
    return re.sub(r"[^a-z0-9]+", "-", told["device"].removeprefix("NVIDIA ").lower())


def version(package: str) -> str | None:
    if package == "triton":
        return backend.triton.__version__  # its package has other names on ROCm and Ascend
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _driver(mode: str) -> str:
    asked, says = DRIVERS[mode]
    try:
        return re.search(says, subprocess.run(asked, capture_output=True, text=True, check=True).stdout)[1]
    except (OSError, subprocess.CalledProcessError, TypeError):
        return "unknown"

"""What `make lab` and `make test` do first: a virtual environment with everything in it.

Runs before anything is installed, so it uses the standard library alone, and syntax that an old Python can read far
enough to be told that it is too old.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = "softmax-course"
# The newest that works, then an older one: a mirror may have its CPU build alone.
TORCH = ("torch==2.15.0", "torch==2.13.0")
OLDEST_OF_NEW_TORCH = (3, 11)  # on an older Python there is only the second
# The interpreter of triton 3.6 fails with newer ones. (torch's CUDA builds 2.10 and 2.11 bring that triton.)
NUMPY_OF_OLD_TRITON = "numpy<2.4"
# Measured: 2.5 GB with a CPU torch; a CUDA torch brings about 6 GB more.
NEEDED_GB = {"cpu": 4, "cuda": 10}


class Unfit(Exception):
    """This machine can't hold the course; the message says why and what to do, in both languages."""

    def __init__(self, zh, en):
        super().__init__(zh + "\n" + en)


def check_platform(platform=sys.platform):
    if not platform.startswith("linux"):
        raise Unfit(
            f"这个系统（{platform}）没有 triton 安装包。可用的办法：WSL2（Windows）、Linux 容器（.devcontainer），或在线笔记本。",
            f"This system ({platform}) has no triton wheel. What works: WSL2 (Windows), a Linux container (.devcontainer), "
            "or a hosted notebook.",
        )


def oldest_python():
    """What pyproject.toml says; tomllib came with Python 3.11."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return tuple(int(part) for part in re.search(r'requires-python = ">=(\d+)\.(\d+)"', text).groups())


def check_python(version=sys.version_info):
    oldest = oldest_python()
    if tuple(version[:2]) < oldest:
        found, needed = (".".join(str(part) for part in each[:2]) for each in (version, oldest))
        raise Unfit(
            f"这里的 Python 是 {found}，课程需要 {needed} 或更新的。装好后运行：make lab PYTHON=python3.12",
            f"This Python is {found}; the course needs {needed} or newer. With one installed: make lab PYTHON=python3.12",
        )


def check_disk(free_bytes, kind="cpu"):
    needed = NEEDED_GB[kind]
    if free_bytes < needed * 1e9:
        raise Unfit(
            f"磁盘空间不够：还剩 {free_bytes / 1e9:.1f} GB，装好环境需要约 {needed} GB。",
            f"Not enough disk space: {free_bytes / 1e9:.1f} GB left, the environment needs about {needed} GB.",
        )


def has_gpu():
    return any(os.path.exists(device) for device in ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg"))


def brings_cuda(report):
    """Whether what pip is about to install (its `--dry-run --report`) includes CUDA's libraries."""
    names = [item["metadata"]["name"].lower() for item in report["install"]]
    return any(name.startswith(("nvidia-", "cuda-")) for name in names)


def say(zh, en):
    print("· " + zh + " · " + en, flush=True)


class Environment:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.python = str(self.folder / "bin" / "python")
        self.uv = shutil.which("uv")  # where it is there, it is used: it installs in seconds what takes pip minutes

    def place(self):
        """The nearest folder on the way to the environment that exists."""
        return next(
            str(folder) for folder in [self.folder.absolute(), *self.folder.absolute().parents] if folder.is_dir()
        )

    def create(self):
        # One whose making was interrupted has a Python and no pip: it is made again.
        if os.path.exists(self.python) and self.has("pip"):
            return
        if not os.access(self.place(), os.W_OK):
            raise Unfit(
                f"不能在 {self.place()} 里写文件。换一个地方：make lab VENV=…",
                f"No permission to write in {self.place()}. Choose another place: make lab VENV=…",
            )
        say(f"建立虚拟环境 {self.folder}", "creating the virtual environment")
        venv = (
            [self.uv, "venv", "--quiet", "--seed", "--python", sys.executable]
            if self.uv
            else [sys.executable, "-m", "venv"]
        )
        if subprocess.call([*venv, str(self.folder)]) != 0:
            shutil.rmtree(str(self.folder), ignore_errors=True)
            raise Unfit(
                "建不了虚拟环境。Debian 与 Ubuntu 上先运行：sudo apt install python3-venv",
                "The virtual environment could not be created. On Debian and Ubuntu, first: sudo apt install python3-venv",
            )
        self.adopt_torch()

    def adopt_torch(self):
        """A torch that the user already chose (a CUDA image, a ROCm image) is seen from inside, and so is kept.

        Not `--system-site-packages`: that skips what another virtual environment holds, where images like to keep torch.
        """
        code = "import torch, pathlib; print(pathlib.Path(torch.__file__).parent.parent)"
        found = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if found.returncode == 0:
            self.adopted().write_text(found.stdout.decode())
            say("保留已有的 torch", "keeping the torch that is there")

    def adopted(self):
        return next(self.folder.glob("lib/python3*/site-packages")) / "torch-chosen-before.pth"

    def has(self, module):
        code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
        return subprocess.call([self.python, "-c", code]) == 0

    def install(self, *arguments):
        # uv does not see a torch that was adopted, and would bring another one.
        with_uv = self.uv and not self.adopted().exists()
        command = [self.uv, "pip"] if with_uv else [self.python, "-m", "pip", "--disable-pip-version-check"]
        command += ["install", "--quiet", *(["--python", self.python] if with_uv else [])]
        if subprocess.call([*command, *arguments]) != 0:
            what = " ".join(arguments)
            raise Unfit(
                f"没有装成：{what}。上面是安装程序的原话；网络好了再运行一次，会接着装。",
                f"Could not install {what}. The installer's own words are above; run the same command again to go on.",
            )

    def is_small(self, torch):
        """Whether pip would bring this torch without CUDA's libraries."""
        command = [self.python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        dry_run = subprocess.run([*command, "--dry-run", "--report", "-", torch], stdout=subprocess.PIPE)
        return dry_run.returncode == 0 and not brings_cuda(json.loads(dry_run.stdout))

    def install_torch(self, torches, backend):
        """The first of these; with no GPU here, or for the CPU alone, the first that comes without CUDA."""
        if self.has("torch"):
            return
        torch = torches[0]
        if backend == "cpu" or not (backend or has_gpu()):
            small = next((each for each in torches if self.is_small(each)), None)
            if small:
                torch, backend = small, None
            else:
                say(
                    "这里没有 GPU：改装 CPU 版 torch，省下数 GB",
                    "no GPU here: taking torch's CPU build, gigabytes smaller",
                )
                backend = "cpu"
        if backend:
            # uv knows where PyTorch keeps its builds for each backend; pip does not.
            if not self.uv:
                self.install("uv")
            command = [self.uv] if self.uv else [self.python, "-m", "uv"]
            command += ["pip", "install", "--python", self.python, "--torch-backend", backend, torch]
            if subprocess.call(command) == 0:
                return
            say(f"没有取到 {backend} 版，改用 pip 默认的", f"no {backend} build to be had; taking pip's default")
        check_disk(shutil.disk_usage(str(self.folder)).free, "cuda" if has_gpu() else "cpu")
        say(f"安装 {torch}", "installing torch")
        self.install(torch)

    def install_course(self, extras, triton):
        say("安装课程和它的工具", "installing the course and its tools")
        if triton:
            self.install(*triton.split())
        self.install("--no-deps", "--editable", str(ROOT))
        # Not `pip install .`: ROCm's torch brings its own triton under another name, which pip would overwrite.
        listing = f"""\
import importlib.metadata as m
from pip._vendor.packaging.requirements import Requirement
for r in map(Requirement, m.requires({PROJECT!r})):
    if r.marker is None or any(r.marker.evaluate({{'extra': e}}) for e in {extras or [""]!r}):
        r.marker = None; print(r)
"""
        found = subprocess.run([self.python, "-c", listing], stdout=subprocess.PIPE, check=True)
        wanted = found.stdout.decode().split("\n")
        kept = [module for module in ("torch", "triton") if self.has(module)]
        # What lies beside an adopted torch is seen too, but JupyterLab finds its parts in its own environment only.
        anew = ["--ignore-installed", "setuptools>=77"] if self.adopted().exists() else []
        self.install(*anew, *[line for line in wanted if line and not line.startswith(tuple(kept or ["-"]))])
        if self.triton_version() < (3, 7):
            self.install(NUMPY_OF_OLD_TRITON)

    def triton_version(self):
        code = "import triton; print(triton.__version__)"
        found = subprocess.run([self.python, "-c", code], stdout=subprocess.PIPE, check=True)
        return tuple(int(part) for part in found.stdout.decode().split(".")[:2])

    def settle_jupyter(self):
        """No network at run time: JupyterLab is told not to look for news and updates. Markdown opens as it is read."""
        folder = self.folder / "share" / "jupyter" / "lab" / "settings"
        folder.mkdir(parents=True, exist_ok=True)
        quiet = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": False}
        reads = {"defaultViewers": {"markdown": "Markdown Preview"}}  # a link to the glossary shows its tables
        overrides = {
            "@jupyterlab/apputils-extension:notification": quiet,
            "@jupyterlab/docmanager-extension:plugin": reads,
        }
        (folder / "overrides.json").write_text(json.dumps(overrides, indent=2) + "\n")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="the virtual environment to make or complete")
    parser.add_argument("--extra", action="append", default=[], help="an optional part of pyproject.toml, such as test")
    parser.add_argument("--torch", help="another torch than " + TORCH[0])
    parser.add_argument("--torch-backend", default="", help="cpu, auto, cu130, rocm7.0 … (as uv names them)")
    parser.add_argument("--triton", default="", help="another triton than the newest, such as triton==3.6.0")
    options = parser.parse_args(arguments)
    try:
        check_platform()
        check_python()
        environment = Environment(options.folder)
        if not os.path.exists(environment.python):
            check_disk(shutil.disk_usage(environment.place()).free)
        environment.create()
        chosen = [options.torch] if options.torch else TORCH[sys.version_info < OLDEST_OF_NEW_TORCH :]
        environment.install_torch(chosen, options.torch_backend)
        environment.install_course(options.extra, options.triton)
        environment.settle_jupyter()
    except Unfit as reason:
        print(reason, file=sys.stderr)
        return 1
    say("环境就绪", "the environment is ready")
    return 0


if __name__ == "__main__":
    sys.exit(main())

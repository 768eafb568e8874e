"""What `make` does before anything else, on the Pythons that are named."""

import re

import pytest
from course import ROOT

from course_tools import install


def test_every_python_that_is_named_is_one_of_the_range():
    """The range stands in pyproject.toml; where one is chosen for somebody, it lies in there."""
    supported = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    assert install.oldest_python() == tuple(map(int, supported[0].split(".")))
    for name in ("environment.yml", ".binder/environment.yml", ".devcontainer/devcontainer.json"):
        assert set(re.findall(r"python[=:](3\.\d+)", (ROOT / name).read_text())) <= set(supported), name
    readme = (ROOT / "README.md").read_text()
    assert f"Python {supported[0]} 或更新" in readme and f"Python {supported[0]} or newer" in readme


def test_what_cannot_work_is_told():
    for platform in ("darwin", "win32"):
        with pytest.raises(install.Unfit, match="WSL2(.|\n)*WSL2"):
            install.check_platform(platform)
    with pytest.raises(install.Unfit, match="Python 是 3.8(.|\n)*This Python is 3.8"):
        install.check_python((3, 8, 2))
    install.check_platform("linux"), install.check_python((3, 10, 0)), install.check_disk(50e9)


@pytest.mark.parametrize(
    ("small", "gpu", "backend", "taken"),
    [
        ({"new", "old"}, False, "", ["new"]),
        ({"old"}, False, "", ["old"]),
        ({"old"}, True, "cpu", ["old"]),
        (set(), False, "", ["uv", "--torch-backend", "cpu", "new"]),
        (set(), True, "", ["new"]),
        ({"old"}, True, "rocm6.3", ["uv", "--torch-backend", "rocm6.3", "new"]),
    ],
)
def test_which_torch_is_taken(monkeypatch, tmp_path, small, gpu, backend, taken):
    """With no GPU, the newest that comes without CUDA; where none does, uv is asked for the CPU build of the newest."""
    environment, asked = install.Environment(tmp_path), []
    monkeypatch.setattr(install, "has_gpu", lambda: gpu)
    environment.has, environment.is_small, environment.uv = lambda module: False, small.__contains__, None
    environment.install = lambda *arguments: asked.extend(arguments)
    monkeypatch.setattr(install.subprocess, "call", lambda command: asked.extend(command[-3:]) or 0)
    environment.install_torch(["new", "old"], backend)
    assert asked == taken


def test_a_torch_that_is_there_is_kept(tmp_path):
    """The environment that runs this test plays the image that already has a torch."""
    import torch

    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    environment = install.Environment(tmp_path)
    environment.adopt_torch()
    assert environment.adopted().read_text().strip() == str(install.Path(torch.__file__).parent.parent)


def test_old_pythons_can_read_the_installer():
    """Python 3.6 must get far enough to say that it is too old: no syntax newer than that."""
    import ast

    ast.parse((ROOT / "course_tools" / "install.py").read_text(), feature_version=(3, 6))

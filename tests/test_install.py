"""What `make` does before anything else, and that each dependency is written down once."""

import re
import shutil
import subprocess
import sys

import pytest
import yaml
from course import ROOT

from course_tools import install


def dependencies(text: str) -> list[str]:
    """The names in pyproject.toml's dependency lists (tomllib came with Python 3.11, so not parsed with it)."""
    lists = re.findall(r"(?:^dependencies|^test) = \[\n(.*?)^\]", text, flags=re.M | re.S)
    return [name.lower() for block in lists for name in re.findall(r'^\s+"([A-Za-z0-9_.-]+)', block, flags=re.M)]


def test_environment_yml_repeats_nothing():
    pyproject = (ROOT / "pyproject.toml").read_text()
    listed = dependencies(pyproject)
    assert {"torch", "triton", "jupyterlab", "matplotlib", "ipywidgets", "nbval"} <= set(listed)
    assert len(listed) == len(set(listed))
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["channels"] == ["conda-forge"]
    *conda, pip = environment["dependencies"]
    assert [re.match(r"[a-z]+", name)[0] for name in conda] == ["python", "pip"]
    assert pip == {"pip": ["--editable .[test]"]}


def test_every_python_that_is_named_is_one_of_the_range():
    """The range stands in pyproject.toml; where one is chosen for somebody, it lies in there."""
    supported = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    assert install.oldest_python() == tuple(map(int, supported[0].split(".")))
    for name in ("environment.yml", ".binder/environment.yml", ".devcontainer/devcontainer.json"):
        assert set(re.findall(r"python[=:](3\.\d+)", (ROOT / name).read_text())) <= set(supported), name
    readme = (ROOT / "README.md").read_text()
    assert f"Python {supported[0]} 或更新" in readme and f"Python {supported[0]} or newer" in readme


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_are_told_what_works(platform):
    with pytest.raises(install.Unfit, match="WSL2(.|\n)*WSL2"):
        install.check_platform(platform)
    install.check_platform("linux")


def test_an_old_python_is_told_so():
    with pytest.raises(install.Unfit, match="Python 是 3.8(.|\n)*This Python is 3.8"):
        install.check_python((3, 8, 2))
    install.check_python((3, 10, 0))


def test_too_little_disk_is_told_before_anything_is_fetched():
    with pytest.raises(install.Unfit, match="还剩 1.0 GB(.|\n)*1.0 GB left"):
        install.check_disk(1e9)
    install.check_disk(50e9)


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


def test_an_environment_without_pip_is_made_again(tmp_path):
    """What Ctrl-C leaves behind: a Python, but no pip."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    environment = install.Environment(tmp_path / "env")
    assert not environment.has("pip")
    environment.adopt_torch = lambda: None
    environment.create()
    assert environment.has("pip")


def test_old_pythons_can_read_the_installer():
    """Python 3.6 must get far enough to say that it is too old: no syntax newer than that."""
    import ast

    ast.parse((ROOT / "course_tools" / "install.py").read_text(), feature_version=(3, 6))


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_make_help_lists_the_targets_in_both_languages():
    text = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("lab", "test", "execute", "derive", "format", "bench"):
        assert re.search(rf"make {target} .*[\u4e00-\u9fff].* · [a-z]", text), target


def test_make_fails_with_one_clear_line_where_it_cannot_work(tmp_path):
    """No disk space: the message alone, no stack trace, and no half-made environment left behind."""
    code = (
        "import shutil, collections, sys; sys.argv = ['install.py', sys.argv[1]]\n"
        "shutil.disk_usage = lambda path: collections.namedtuple('usage', 'free')(5e8)\n"
        "import runpy; runpy.run_path('course_tools/install.py', run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path / "env")], cwd=ROOT, capture_output=True, text=True)
    assert not (tmp_path / "env").exists()
    assert run.returncode == 1 and "磁盘空间不够" in run.stderr and "Traceback" not in run.stderr
    assert not (tmp_path / "env").exists()

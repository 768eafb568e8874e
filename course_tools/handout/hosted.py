"""Notebooks for Colab: each installs the course in its first cell, shows both languages, and carries its pictures.

A page on the web can't see a folder beside it, so pictures travel inside the notebook and links lead to the next one on
Colab. The address of the repository is asked for here, and nowhere else: the README's links come from it too.
"""

import base64
import re
from pathlib import Path

import nbformat

from ..marks import between
from . import select
from .write import MARK, Refused

_PICTURE = re.compile(r"(?<=\]\()(?P<file>[^)#\s:]+\.(?P<kind>svg|png))(?=\))")
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\n]*)\]\((?P<file>[^)#\s:]+)(?P<place>#[^)\s]*)?\)")
_KINDS = {"svg": "image/svg+xml", "png": "image/png"}
_ONLINE = re.compile(r"(?<=<!-- online -->\n).*?(?=<!-- /online -->)", re.DOTALL)
INSTALL = """\
# Colab 上还没有这门课，先装上，约一分钟 · Colab does not have the course yet: this installs it, in about a minute
%pip install --quiet "softmax-course @ git+{address}\""""


def split(address: str) -> str:
    """The "owner/name" in the address of a repository on GitHub, which is where Colab and Binder look."""
    found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?", address)
    if not found:
        raise Refused(
            f"{address!r} 不是 GitHub 仓库的地址，例如 https://github.com/OWNER/NAME。",
            f"{address!r} is not the address of a repository on GitHub, such as https://github.com/OWNER/NAME.",
        )
    return found[1]


def opened_in_colab(repository: str, folder: Path, name: str) -> str:
    return f"https://colab.research.google.com/github/{repository}/blob/HEAD/{folder.as_posix()}/{name}"


def write(path: Path, folder: Path, address: str, names: set[str]) -> list[Path]:
    """One notebook of the course for Colab. `folder` is where in the repository it will lie."""
    notebook, repository = nbformat.read(path, as_version=4), split(address)

    def embedded(match) -> str:
        picture = base64.b64encode((path.parent / match["file"]).read_bytes()).decode()
        return f"data:{_KINDS[match['kind']]};base64,{picture}"

    def linked(match) -> str:
        if match["file"] not in names:
            return match["text"]
        return f"[{match['text']}]({opened_in_colab(repository, folder, match['file'])}{match['place'] or ''})"

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _LINK.sub(linked, _PICTURE.sub(embedded, cell.source))
    start = next(k for k, cell in enumerate(notebook.cells) if select.START in cell.source)
    install = nbformat.v4.new_code_cell(INSTALL.format(address=f"https://github.com/{repository}"))
    install["id"] = "install"
    notebook.cells.insert(start, install)
    notebook.metadata[MARK] = {"colab": address}
    target = folder / path.name
    nbformat.write(notebook, target)
    return [target]


def links(address: str, folder: Path, first: str) -> str:
    """The lines for a README: ways in that need nothing installed."""
    repository = split(address)
    return "\n".join(
        [
            f"- [网页 · Pages]({site(address)})：读、写、单步、做练习，什么都不用装 · read, write, step, solve, with nothing installed",
            f"- [Colab]({opened_in_colab(repository, folder, first)})："
            "第一格装好课程，约一分钟 · the first cell installs the course, in about a minute",
            f"- [Binder](https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/notebooks/{first})："
            "一个装好了的 JupyterLab，第一次要等它建好 · a JupyterLab with everything installed; the first visitor waits while it is built",
            f"- [Codespaces](https://codespaces.new/{repository})："
            "浏览器里的 VS Code，要有 GitHub 账号 · VS Code in the browser, with a GitHub account",
        ]
    )


def online(address: str, folder: Path, first: str) -> str:
    """What the README says between its two marks, once the course has a public address."""
    return f"## 不装也能用 · With nothing installed\n\n{links(address, folder, first)}\n\n"


def ways_in(course: Path, name: str) -> list[tuple[str, str]]:
    """Where a notebook opens with nothing installed, as the README has it; nowhere before the course has a public address."""
    readme = course / "README.md"
    found = _ONLINE.search(readme.read_text(encoding="utf-8")) if readme.is_file() else None
    links = re.findall(r"\[(\w+)\]\((https://[^)\s]+)\)", found[0]) if found else []
    return [(label, re.sub(r"[\w.-]+\.ipynb", name, url)) for label, url in links]


def site(address: str) -> str:
    """Where GitHub shows the pages of this repository."""
    owner, name = split(address).split("/")
    return f"https://{owner.lower()}.github.io/{name}/"


def fill(readme: Path, address: str, folder: Path, first: str) -> bool:
    """Puts the repository's address into the README's links, whatever they say now; whether there was a place for it."""
    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    if not _ONLINE.search(text):
        return False
    text = _ONLINE.sub(lambda _: online(address, folder, first), text)
    readme.write_text(with_commands(text), encoding="utf-8")
    return True


def address_in(readme: str) -> str:
    """The address that the README's links lead to; "" as long as the course has none."""
    found = re.search(r"https://codespaces\.new/([^)]+)", readme)
    return f"https://github.com/{found[1]}" if found else ""


def with_commands(readme: str) -> str:
    """How to begin, in each language. What needs an address stands there only once there is one."""
    address = address_in(readme)
    clone = [f"git clone {address} softmax-course", "cd softmax-course"] if address else []
    for language, lab, site in (
        ("zh", "建好环境，打开 JupyterLab", "写出会动的网页 site/"),
        ("en", "sets everything up, opens JupyterLab", "writes the pages, which move, into site/"),
    ):
        ways = [f"make lab     # {lab}", f"make site    # {site}"]
        readme = between(readme, f"commands {language}", "\n".join(["```bash", *clone, *ways, "```"]))
    return readme

"""A real JupyterLab, started by `make lab` on a copy of the course, and a real browser looking at it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest
from course import ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TOKEN = "test"
PHONE, DESK = (390, 844), (1280, 900)

# A browser on a busy machine is late now and then: such a test has a second try, and the report says so.
NEEDS_BROWSER = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium"),
    pytest.mark.flaky(reruns=1),
]


def lift(page):
    """Shows what waits for an answer."""
    page.evaluate("for (const show of document.querySelectorAll('.veil button')) show.click()")
    return page


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def copy_course(folder: Path) -> Path:
    """JupyterLab saves what it runs; it shall not save over the course. Times are kept: make compares them."""
    course = folder / "course"
    kept = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    for name in kept.stdout.splitlines():
        if (ROOT / name).is_file():
            (course / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, course / name)
    return course


@contextmanager
def lab(folder: Path):
    """`make lab` as a learner runs it; yields the server's address and the folder it serves."""
    course, port = copy_course(folder), free_port()
    flags = f"--no-browser --port {port} --IdentityProvider.token={TOKEN} --ServerApp.port_retries=0"
    # Not made again, however old: the copy would install itself over the course in this very environment.
    ready = ["-o", f"{sys.prefix}/ready"]
    command = ["make", *ready, "lab", f"VENV={sys.prefix}", f"ARGS={flags}"]
    # Whoever runs the tests may have settings of their own, a dark theme for one.
    own = {f"JUPYTERLAB_{what}_DIR": str(folder / what.lower()) for what in ("SETTINGS", "WORKSPACES")}
    with open(folder / "lab.log", "w") as log:
        server = subprocess.Popen(
            command, cwd=course, env=os.environ | own, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            assert server.poll() is None, (folder / "lab.log").read_text()[-2000:]
            try:
                urllib.request.urlopen(f"{address}/api/status?token={TOKEN}", timeout=1)
                break
            except OSError:
                time.sleep(0.5)
        yield address, course
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)


class Notebook:
    """One notebook, open in the browser."""

    def __init__(self, page, address: str, path: Path):
        self.page, self.path = page, path
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{address}/lab/tree/notebooks/{path.name}?reset&token={TOKEN}")
        # Whichever cell can be seen: the first may be in the language that was not chosen.
        page.locator(".jp-Notebook .jp-Cell:visible").first.wait_for(timeout=60_000)
        # The status bar knows of the session, not of a kernel alone.
        page.get_by_text("| Idle").wait_for(timeout=60_000)

    def menu(self, *entries: str) -> None:
        """Choose, say, "Run", "Run All Cells"."""
        self.page.locator(".lm-MenuBar-item", has_text=entries[0]).first.click()
        for entry in entries[1:]:
            self.page.locator(".lm-Menu-item", has_text=entry).first.click()

    def run_all(self, timeout: float = 120) -> None:
        self.menu("Edit", "Clear Outputs of All Cells")  # else the stored ones could be taken for new
        self.menu("Run", "Run All Cells")
        waiting = (
            "() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt:not(.jp-Placeholder-prompt)')]"
            ".filter(e => !/[0-9]/.test(e.textContent)).length"
        )
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self.page.wait_for_timeout(500)
            if not self.page.evaluate(waiting):
                break
        else:
            raise AssertionError(f"{self.path.name} did not finish in {timeout} s")
        self.page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]', timeout=30_000)

    def answer_all(self) -> None:
        """What waits for an answer is there then. A busy browser draws a question long after its cell has run."""
        asked = sum(
            "".join(cell["source"]).startswith("predict(") for cell in json.loads(self.path.read_text())["cells"]
        )
        answered = """asked => {
            for (const b of document.querySelectorAll('.course-open .course-card:first-child .widget-button:enabled')) b.click();
            return document.querySelectorAll('.course-question').length === asked && !document.querySelector('.course-open, .course-behind') }"""
        self.page.wait_for_function(answered, arg=asked, polling=500, timeout=60_000)

    def save(self) -> dict:
        def written(response) -> bool:  # the server answers once the file is whole
            return response.request.method == "PUT" and self.path.name in response.url

        self.page.keyboard.press("Escape")
        with self.page.expect_response(written):
            self.page.keyboard.press("Control+s")
        return json.loads(self.path.read_text())

    def read_through(self) -> dict[str, int]:
        """How many pieces of text a reader saw in each language, a screen at a time: JupyterLab lays out no more."""
        self.page.evaluate("() => document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
        look = """() => {
            const panel = document.querySelector('.jp-WindowedPanel-outer');
            const seen = lang => [...document.querySelectorAll(`.jp-Notebook .jp-Cell [lang=${lang}]`)]
                .filter(e => e.getClientRects().length).length;
            const found = {zh: seen('zh'), en: seen('en'), end: panel.scrollTop + panel.clientHeight >= panel.scrollHeight - 4};
            panel.scrollTop += panel.clientHeight * 0.8;
            return found }"""
        total = Counter()
        for _ in range(200):
            self.page.wait_for_timeout(80)
            total.update(self.page.evaluate(look))
            if total["end"]:
                return total
        raise AssertionError(f"{self.path.name} has no end")

    def choose(self, language: str) -> None:
        self.page.evaluate("() => document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
        self.page.locator(f".course-switch label.{language}").first.click()

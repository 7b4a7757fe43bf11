"""A real browser and a real ``brisca``, for tests from the camera to the page."""

import contextlib
import importlib.util
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).parents[2]
PATIENCE_MS = 120_000
"""A machine that has much else to do takes its time; what is waited for is a state, never a moment."""

expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Watched:
    """A page and everything that went wrong on it."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """A fresh page in English whose console and requests are kept an eye on."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    seen = Watched(page)
    page.on(
        "console",
        lambda message: seen.complaints.append(message.text) if message.type in ("error", "warning") else None,
    )
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    page.on("request", lambda request: seen.hosts.add(re.sub(r"^\w+://([^/]*).*$", r"\1", request.url)))
    yield seen
    context.close()


@dataclass
class Served:
    """A running ``brisca watch``."""

    process: subprocess.Popen[str]
    url: str

    def stop(self, seconds: float = 120) -> tuple[int, str, str]:
        """Ctrl-C; its exit code and what it printed."""
        self.process.send_signal(signal.SIGINT)
        out, errors = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, errors


@contextlib.contextmanager
def serving(*words: str, data: Path) -> Iterator[Served]:
    """``brisca watch`` with these words on a free port, ended with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", "watch", "--port", "0", "--no-browser", "--data", str(data), *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://\S+/", line)
        if match is None:
            _, errors = process.communicate(timeout=60)
            pytest.fail(f"brisca watch did not start: {line}{errors}")
        yield Served(process, match[0])
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture
def brisca(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts ``brisca watch`` with these words; all are ended with the test."""
    with contextlib.ExitStack() as stack:
        yield lambda *words: stack.enter_context(serving(*words, data=tmp_path / "data"))


@pytest.fixture(scope="session")
def witnessed() -> Callable[..., Any]:
    """The witnessed games of the server's tests."""
    spec = importlib.util.spec_from_file_location("witness", ROOT / "tests" / "server" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["witness"] = module
    spec.loader.exec_module(module)
    made: Callable[..., Any] = module.witness
    return made

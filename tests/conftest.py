"""A real headless Chromium for the tests that look at pages."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
CHROMIUM_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """The Chromium of this machine; ``BRISCA_BROWSER`` names another one."""
    wish = os.environ.get("BRISCA_BROWSER")
    return wish or next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium; without one the test is skipped, unless ``BRISCA_REQUIRE_BROWSER=1``.

    It ends with the module: while Playwright runs, its event loop keeps other tests of this thread from their own.
    """
    path = find_chromium()
    if path is None:
        reason = "no Chromium on this machine (apt install chromium), or name one in BRISCA_BROWSER"
        if os.environ.get("BRISCA_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_OPTIONS), headless=True)
        yield found
        found.close()

"""The HTML pages and their files: scripts, styles, texts."""

from importlib import resources
from pathlib import Path
from typing import Final

from fastapi.responses import HTMLResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from server.errors import NotFoundError

_SMALLEST_PACKED: Final = 512


def dashboard_folder() -> Path:
    """The folder of the dashboard's static files."""
    return Path(str(resources.files("server"))) / "dashboard"


def page(name: str, status: int = 200) -> HTMLResponse:
    """A page of the dashboard by its name.

    Raises :class:`~server.errors.NotFoundError` where the installation lost it.
    """
    return HTMLResponse(page_text(name), status)


def page_text(name: str) -> str:
    """The HTML of a page: one head for all; the scoreboard has a body of its own, all others share their frame.

    A page's file names, in its first line, the style sheets that it has besides those of the head and the frame; its
    script has the page's name, that of the scoreboard is ``app``.
    """
    head, _, content = _file(name).partition("\n")
    sheets = head.removeprefix("<!-- css:").removesuffix("-->").split()
    body, script = content.strip(), "app"
    if not body.startswith("<body>"):
        framed = body.replace("\n", "\n  ")
        body, script, sheets = _file("frame").strip().replace("{content}", framed), name, ["pages", *sheets]
    links = "\n  ".join(f'<link rel="stylesheet" href="/static/css/{sheet}.css">' for sheet in sheets)
    return f"{_file('head').replace('{sheets}', links).replace('{script}', script)}{body}\n</html>\n"


def _file(name: str) -> str:
    path = dashboard_folder() / f"{name}.html"
    if not path.is_file():
        raise NotFoundError("The dashboard's files are missing; install brisca-table again.")
    return path.read_text(encoding="utf-8")


def static_files() -> ASGIApp:
    """The files under ``/static``, packed for the way: a phone at the far end of the house has a weak network."""
    files = StaticFiles(directory=dashboard_folder(), check_dir=False)
    return GZipMiddleware(files, minimum_size=_SMALLEST_PACKED, compresslevel=6)

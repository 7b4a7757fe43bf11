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
    """The HTML of a page: the scoreboard's file as it is, all others put into the frame that they share.

    Such a page's file names, in its first line, the style sheets that it has besides those of the frame; its script has
    the page's name.
    """
    text = _file(name)
    if text.startswith("<!doctype"):
        return text
    head, _, content = text.partition("\n")
    sheets = head.removeprefix("<!-- css:").removesuffix("-->").split()
    links = [f'<link rel="stylesheet" href="/static/css/{sheet}.css">' for sheet in sheets]
    framed = _file("frame").replace("{name}", name)
    return framed.replace("{sheets}", "\n  ".join(links)).replace("{content}", content.strip().replace("\n", "\n  "))


def _file(name: str) -> str:
    path = dashboard_folder() / f"{name}.html"
    if not path.is_file():
        raise NotFoundError("The dashboard's files are missing; install brisca-table again.")
    return path.read_text(encoding="utf-8")


def static_files() -> ASGIApp:
    """The files under ``/static``, packed for the way: a phone at the far end of the house has a weak network."""
    files = StaticFiles(directory=dashboard_folder(), check_dir=False)
    return GZipMiddleware(files, minimum_size=_SMALLEST_PACKED, compresslevel=6)

"""The HTML pages and their files: scripts, styles, texts."""

from importlib import resources
from pathlib import Path
from typing import Final

from fastapi.responses import FileResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from server.errors import NotFoundError

_SMALLEST_PACKED: Final = 512


def dashboard_folder() -> Path:
    """The folder of the dashboard's static files."""
    return Path(str(resources.files("server"))) / "dashboard"


def page_file(name: str) -> FileResponse:
    """A page of the dashboard. Raises :class:`~server.errors.NotFoundError` where the installation lost it."""
    page = dashboard_folder() / name
    if not page.is_file():
        raise NotFoundError("The dashboard's files are missing; install brisca-table again.")
    return FileResponse(page, media_type="text/html; charset=utf-8")


def static_files() -> ASGIApp:
    """The files under ``/static``, packed for the way: a phone at the far end of the house has a weak network."""
    files = StaticFiles(directory=dashboard_folder(), check_dir=False)
    return GZipMiddleware(files, minimum_size=_SMALLEST_PACKED, compresslevel=6)

"""Where the scoreboard is reached: the socket to serve on, and the addresses to print for it."""

import contextlib
import errno
import ipaddress
import os
import socket
import sys
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from server.errors import PortError
from server.settings import LOOPBACK

_ANY: Final = frozenset({"0.0.0.0", "::", ""})


def open_socket(host: str, port: int) -> socket.socket:
    """A listening socket (``port`` 0: any free one). Raises :class:`PortError` with what to do."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise PortError(f"'{host}' is no address of this machine; try --host {LOOPBACK} or --host 0.0.0.0.") from error
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # On Windows this option would let two programs share one port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise PortError(_sentence(error, host, port)) from error
    return listener


def urls(host: str, port: int) -> tuple[str, ...]:
    """The addresses of the page: for this machine first, then for others in the room where they can reach it."""
    if host not in _ANY:
        return (_url(host, port),)
    found = [_url(LOOPBACK, port)]
    lan = lan_address()
    if lan is not None:
        found.append(_url(lan, port))
    return tuple(found)


def room_url(pages: Sequence[str]) -> str | None:
    """The first of these addresses that other devices in the room can open, None where there is none."""
    for page in pages:
        host = urlsplit(page).hostname or ""
        try:
            if ipaddress.ip_address(host).is_loopback:
                continue
        except ValueError:
            if host == "localhost":
                continue
        return page
    return None


def lan_address() -> str | None:
    """The address under which others in the local network see this machine, None without a network.

    Connecting a datagram socket sends nothing; it only makes the system choose an interface (the target is an address
    reserved for documentation).
    """
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        if not ipaddress.ip_address(address).is_loopback and address != "0.0.0.0":
            return address
    return None


def has_display() -> bool:
    """Whether a browser window could be seen on this machine."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _sentence(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use, perhaps by another brisca; close that, or give another port with --port."
    if error.errno == errno.EACCES:
        return f"This user may not serve on port {port}; give one above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"'{host}' is no address of this machine; try --host {LOOPBACK} or --host 0.0.0.0."
    return f"The page cannot be served on {host} port {port} ({error.strerror}); try another --host or --port."

"""Sockets and addresses."""

import socket

import pytest

from server.errors import PortError
from server.web.address import lan_address, open_socket, urls


def test_a_free_port_is_found_and_a_taken_one_is_one_sentence() -> None:
    with open_socket("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        assert port > 0
        with pytest.raises(PortError, match=f"Port {port} is in use, perhaps by another brisca; .*--port"):
            open_socket("127.0.0.1", port)
    with open_socket("127.0.0.1", port) as again:
        assert again.getsockname()[1] == port


def test_addresses_that_are_not_ours_are_one_sentence() -> None:
    with pytest.raises(PortError, match="is no address of this machine"):
        open_socket("203.0.113.7", 0)
    with pytest.raises(PortError, match="is no address of this machine"):
        open_socket("no such host", 0)


def test_the_page_is_told_for_this_machine_and_for_the_room() -> None:
    assert urls("127.0.0.1", 8420) == ("http://127.0.0.1:8420/",)
    assert urls("::1", 80) == ("http://[::1]:80/",)
    all_of_them = urls("0.0.0.0", 8420)
    assert all_of_them[0] == "http://127.0.0.1:8420/"
    lan = lan_address()
    assert all_of_them[1:] == (() if lan is None else (f"http://{lan}:8420/",))
    if lan is not None:
        socket.inet_aton(lan)

"""Network cameras against a real HTTP server on this machine: MJPEG, snapshots, reconnection, passwords."""

import base64
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from vision import stream
from vision.errors import SourceError
from vision.feed import SourceState
from vision.source import open_source
from vision.stream import mask_password


def jpeg(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((48, 64, 3), grey, np.uint8))[1].tobytes()


class Camera(ThreadingHTTPServer):
    """Sends three pictures per connection and hangs up, as a camera with a bad network does."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.connections = 0

    @property
    def base(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Camera

    def do_GET(self) -> None:
        if self.path == "/private" and self.headers.get("Authorization") != "Basic " + base64.b64encode(
            b"ana:s3cr@t"
        ).decode("ascii"):
            self.send_error(401)
            return
        if self.path == "/missing":
            self.send_error(404)
            return
        kinds = {
            "/page": "text/html",
            "/film": "video/mp4",
            "/shot": "image/jpeg",
            "/mute": "multipart/x-mixed-replace; boundary=b",
        }
        self.send_response(200)
        self.send_header("Content-Type", kinds.get(self.path, "multipart/x-mixed-replace; boundary=b"))
        if self.path in {"/page", "/film"}:
            self.send_header("Content-Length", "4")
        self.end_headers()
        self.server.connections += 1
        if self.path == "/shot":
            self.wfile.write(jpeg(10 * self.server.connections))
            return
        if self.path == "/mute":
            self.wfile.write(b"--b\r\n\r\n")
            return
        if self.path in {"/page", "/film"}:
            self.wfile.write(b"1234")
            return
        for index in range(3):
            body = jpeg(100 * (self.server.connections - 1) + 20 * index)
            # The wrong length on purpose: real cameras do that.
            self.wfile.write(b"--b\r\nContent-Type: image/jpeg\r\nContent-Length: 1\r\n\r\n" + body[:40])
            self.wfile.flush()
            self.wfile.write(body[40:] + b"\r\n")
        self.wfile.write(b"--b\r\n\r\n\xff\xd8\xffbroken\xff\xd9")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def camera() -> Iterator[Camera]:
    server = Camera()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_mjpeg_is_read_and_the_connection_is_renewed(camera: Camera) -> None:
    states: list[SourceState] = []
    with open_source(f"http://{camera.base}/video", on_state=lambda state, _: states.append(state)) as source:
        assert (source.info.kind, source.info.width, source.info.height, source.info.live) == ("stream", 64, 48, True)
        greys = []
        for frame in source:
            greys.append(float(frame.image.mean()))
            if greys[-1] > 90:
                break
    assert camera.connections == 2
    assert greys[0] < 45
    assert [state for state in states if state is not SourceState.STALLED][:3] == [
        SourceState.RUNNING,
        SourceState.RECONNECTING,
        SourceState.RUNNING,
    ]


def test_all_pictures_of_one_connection(camera: Camera) -> None:
    grabber = stream._connect(f"http://{camera.base}/video", threading.Event())
    greys = []
    while (grab := grabber.read()) is not None:
        greys.append(round(float(grab.image.mean())))
    grabber.close()
    assert greys == [pytest.approx(0, abs=2), pytest.approx(20, abs=2), pytest.approx(40, abs=2)]


def test_single_shots_are_fetched_again_and_again(camera: Camera) -> None:
    with open_source(f"http://{camera.base}/shot") as source:
        frames = iter(source)
        greys = [round(float(next(frames).image.mean())) for _ in range(3)]
    assert greys == sorted(greys)
    assert greys[2] - greys[0] >= 15


def test_user_and_password_are_sent_and_never_shown(camera: Camera) -> None:
    with open_source(f"http://ana:s3cr%40t@{camera.base}/private") as source:
        assert next(iter(source)).image.shape == (48, 64, 3)  # not its index: a slow reader gets the newest picture
        assert source.info.name == f"http://ana:***@{camera.base}/private"
    with pytest.raises(SourceError, match="wrong user or password") as caught:
        open_source(f"http://ana:hunter2@{camera.base}/private")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "part"),
    [("page", "web page"), ("film", "download it"), ("missing", "404"), ("mute", "sends no picture")],
)
def test_what_is_no_stream_is_named(camera: Camera, path: str, part: str) -> None:
    with pytest.raises(SourceError, match=part):
        open_source(f"http://{camera.base}/{path}")


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_nobody_there(scheme: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SourceError, match="check the address") as caught:
        open_source(f"{scheme}://ana:hunter2@127.0.0.1:9/x?token=abc123")
    assert "hunter2" not in str(caught.value)
    assert "abc123" not in str(caught.value)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("rtsp://ana:secret@10.0.0.2:554/live", "rtsp://ana:***@10.0.0.2:554/live"),
        ("rtsp://ana:p@ss:w@10.0.0.2/live", "rtsp://ana:***@10.0.0.2/live"),
        ("rtsp://10.0.0.2/live?user=ana&password=secret&x=1", "rtsp://10.0.0.2/live?user=ana&password=***&x=1"),
        ("http://10.0.0.2/video", "http://10.0.0.2/video"),
        ("rtsp://ana@10.0.0.2/", "rtsp://ana@10.0.0.2/"),
    ],
)
def test_masking(url: str, shown: str) -> None:
    assert mask_password(url) == shown

"""Speed of the play-time vision: every step of a 720p frame, and a whole film with decoding.

Each figure is also given as a ratio to a fixed piece of OpenCV and numpy work measured in the same run, so that figures
of two machines (or of one machine under load) can be compared.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import cv2
import numpy as np

from vision.errors import VisionError
from vision.facts import Frame
from vision.hand import HandWatch
from vision.identifier import Identifier
from vision.locator import LEAST_CONFIDENCE, MOST_IOU, Locator, decode, letterbox
from vision.motion import compare, reduce
from vision.overlap import suppress
from vision.reader import TableReader
from vision.synth.decks import own_deck
from vision.synth.laying import card_quad, fitted, lay
from vision.synth.textures import table
from vision.tracker import TableTracker
from vision.video import VideoFile
from vision.weights import find_weights

GATE_MS = 2.0
FRAMES_PER_SECOND = 20.0
"""What the gate must keep below, and a 720p film on two cores above, decoding included."""

SIZE = (1280, 720)
PLACES = {"3C": (420, 250, 0.2), "12E": (640, 240, -0.1), "1O": (860, 260, 1.6), "7B": (450, 500, 2.9)}


def reference() -> None:
    """A fixed piece of work: a blur of a large picture and a product of matrices."""
    cv2.GaussianBlur(np.zeros((720, 1280, 3), np.uint8), (0, 0), 3)
    square = np.ones((256, 256), np.float32)
    _ = square @ square


def picture(names: list[str], seed: int, places: Mapping[str, tuple[float, float, float]] = PLACES) -> np.ndarray:
    """A 720p picture of cards of our deck on felt, noisy as a camera's."""
    canvas = table(900_001, SIZE, kind="felt").astype(np.float32)
    deck = own_deck()
    for name in names:
        x, y, angle = places[name]
        lay(canvas, fitted(deck.face(name), 130), card_quad((x, y), 130, angle))
    noise = np.random.default_rng(seed).standard_normal(canvas.shape, np.float32) * 2
    return np.clip(canvas + noise, 0, 255).astype(np.uint8)


def milliseconds(work: Callable[[], object], times: int) -> float:
    """Median time of several runs, after one that does not count."""
    work()
    took = []
    for _ in range(times):
        began = perf_counter()
        work()
        took.append(1000 * (perf_counter() - began))
    return median(took)


def line(name: str, ms: float, unit: float) -> None:
    """Print one figure."""
    print(f"{name:34} {ms:8.2f} ms {ms / unit:8.3f} x reference")


def film(path: Path, seconds: int = 8, fps: int = 15) -> Path:
    """A film in which a card is laid every second and slides in for a third of it."""
    stills = [picture(list(PLACES)[:count], count) for count in range(len(PLACES) + 1)]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, SIZE)
    for index in range(seconds * fps):
        count = min(len(PLACES), index // fps)
        frame = stills[count].copy()
        if index % fps < fps // 3:  # a moving patch keeps the detector busy as a hand does
            cv2.line(frame, (200 + 40 * (index % fps), 800), (400 + 40 * (index % fps), 350), (150, 180, 225), 90)
        writer.write(frame)
    writer.release()
    return path


def main() -> None:
    """Print the figures; without weights only those of the steps that need none."""
    unit = milliseconds(reference, 15)
    print(f"reference {unit:.2f} ms, OpenCV threads {cv2.getNumThreads()}")
    first, second = picture(["3C", "12E"], 1), picture(["3C", "12E", "7B"], 2)
    small, watch = reduce(first), HandWatch()
    gate = milliseconds(lambda: compare(small, reduce(second)), 40)
    line(f"gate (below {GATE_MS:.0f} ms)", gate, unit)
    watch.look(first, 0.0, False)
    line("hand, while something moves", milliseconds(lambda: watch.look(second, 0.1, False), 30), unit)
    line("letterbox to 384 x 640", milliseconds(lambda: letterbox(second, (384, 640)), 30), unit)

    rng = np.random.default_rng(3)
    raw = np.zeros((7, 5040), np.float32)
    for heap in range(8):  # eight cards with thirty boxes each, as the network gives them
        block = slice(30 * heap, 30 * heap + 30)
        raw[:4, block] = np.array([[80 + 65 * heap], [190], [42], [65]]) + rng.normal(0, 2, (4, 30))
        raw[4, block], raw[6, block] = rng.uniform(0.4, 0.95, 30), 0.3 + rng.normal(0, 0.03, 30)

    def boxes() -> None:
        quads, _, scores = decode(raw, LEAST_CONFIDENCE)
        suppress(quads, scores, MOST_IOU)

    line("decode and suppress 240 boxes", milliseconds(boxes, 20), unit)

    try:
        locator, identifier = Locator(find_weights("locate").path), Identifier(find_weights("identify").path)
    except VisionError as error:
        print(f"no figures for the models: {error}")
        return
    line(f"locate at {locator.size[0]} x {locator.size[1]}", milliseconds(lambda: locator.locate(second), 12), unit)
    quads = np.stack([card_quad((x, y), 130, angle) for x, y, angle in PLACES.values()])
    line("identify 4 cards", milliseconds(lambda: identifier.identify(second, quads), 12), unit)
    line("identify 1 card", milliseconds(lambda: identifier.identify(second, quads[:1]), 12), unit)
    reader = TableReader(locator, identifier)
    line("read a whole picture", milliseconds(lambda: reader.read(second), 8), unit)

    with TemporaryDirectory() as folder, VideoFile(film(Path(folder) / "bench.mp4")) as source:
        tracker = TableTracker()
        looks = reader.looks
        began = perf_counter()
        tracking = 0.0
        for frame in source:
            observation = reader.observe(Frame(frame.index, frame.t, frame.image))
            start = perf_counter()
            tracker.update(observation)
            tracking += perf_counter() - start
        spent = perf_counter() - began
    count = frame.index + 1
    line("tracker, one observation", 1000 * tracking / count, unit)
    line("whole frame of a film", 1000 * spent / count, unit)
    print(f"{count / spent:.1f} frames a second (wanted: {FRAMES_PER_SECOND:.0f}), {reader.looks - looks} looks")


if __name__ == "__main__":
    main()

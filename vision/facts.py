"""What passes between the stages of the vision room and out of it: frames, detections, observations, table events.

Everything is frozen. Pictures are BGR ``uint8`` arrays of shape (H, W, 3); times are seconds on the source's own clock.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["face", "back"]
EventKind = Literal["appeared", "settled", "read", "moved", "covered", "uncovered", "vanished", "swept"]
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source: ``index`` counts from 0, ``t`` is in seconds, ``image`` is BGR uint8 (H, W, 3)."""

    index: int
    t: float
    image: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Detection:
    """One card found in one picture.

    ``quad`` is (4, 2) float32 in pixels of the picture: the whole card, covered parts included, corners in turning
    order with the long sides between corners 1-2 and 3-0 (so 0-1 is a short side). ``probs`` is (48,) float32 over
    :data:`vision.labels.LABELS` for an identified face, else None. ``visible`` is the estimated visible share, 0..1.
    """

    quad: NDArray[np.float32]
    kind: Kind
    confidence: float
    probs: NDArray[np.float32] | None = None
    visible: float = 1.0


@dataclass(frozen=True, slots=True)
class Sighting:
    """A detection as it is recorded: rounded numbers only, so that live and replay see the same.

    ``quad`` in picture pixels, one decimal; ``labels`` the likeliest labels with their probability, best first, four
    decimals, at most eight of them.
    """

    quad: Quad
    kind: Kind
    confidence: float
    labels: tuple[tuple[str, float], ...] = ()
    visible: float = 1.0


@dataclass(frozen=True, slots=True)
class Observation:
    """What one processed frame showed.

    ``motion`` is the share of the picture that changed since the last frame (0..1). ``sightings`` is None where the
    detector did not run because nothing had changed (the last sightings still stand) or because the frame was skipped.
    ``size`` is the picture's (width, height).
    """

    frame: int
    t: float
    size: tuple[int, int]
    motion: float
    sightings: tuple[Sighting, ...] | None


@dataclass(frozen=True, slots=True)
class TableEvent:
    """A fact about the table, told once, when it is sure.

    - ``appeared``: a card is seen for the first time (it may still be moving).
    - ``settled``: it has come to rest on the table; ``labels`` is all the evidence so far.
    - ``read``: the evidence for a settled card changed materially (clearer view).
    - ``moved``: a settled card has come to rest elsewhere.
    - ``covered`` / ``uncovered``: a settled card is hidden by another or by a hand for long / is seen again.
    - ``vanished``: a settled card is no longer on the table.
    - ``swept``: several settled faces left together; ``tracks`` names them all (they get no ``vanished`` of their
      own), ``side`` is the side of the picture that they moved to, where it was seen.

    ``centre`` is the card's centre as a share of picture width and height (0..1, y down). ``quad`` is in picture
    pixels, ``quad_mm`` in millimetres of the table plane where the geometry is known. ``frames`` are the first and
    last frame of the evidence. ``side`` is the picture side the card came from (appeared, settled) or went to.
    ``since`` tells of a card that settled late, because its outline was wrong, when it had come to that place.
    """

    id: int
    t: float
    kind: EventKind
    track: int
    face: Kind
    labels: tuple[tuple[str, float], ...]
    quad: Quad
    centre: Point
    visible: float
    frames: tuple[int, int]
    quad_mm: Quad | None = None
    side: str | None = None
    tracks: tuple[int, ...] = ()
    since: float | None = None

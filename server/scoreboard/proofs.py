"""Pictures of the moments in which cards fell: small, few, kept in memory, shown beside the violations they prove.

The vision worker offers frames from its thread; the web app reads them. The oldest go when there is no more room.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

import cv2

from engine.state import GameState, Play, Violation
from server.messages import PictureData
from server.scoreboard.picture import Image, outlined
from vision.facts import Sighting, TableEvent

MOST: Final = 160
"""Pictures kept: those of the last hands. At some 35 kB each they stay below 6 MB."""

LONG_SIDE: Final = 640
QUALITY: Final = 70
LATE: Final = 3.0
"""Seconds after a card has come to rest within which the picture that tells of it was taken."""

MOST_SHOWN: Final = 6
_KEPT: Final = ("settled", "uncovered", "swept", "moved")


class Proofs:
    """Keeps the pictures by the time of their frames, in milliseconds.

    ``game`` names the game in their addresses, so that no browser shows a picture that it kept of another game.
    """

    def __init__(self, game: str = "", most: int = MOST) -> None:
        self._query = f"?game={quote(game, safe='')}" if game else ""
        self._most = most
        self._lock = threading.Lock()
        self._pictures: OrderedDict[int, bytes] = OrderedDict()

    def offer(
        self,
        events: Iterable[TableEvent],
        t: float,
        image: Image | None,
        size: tuple[int, int],
        sightings: tuple[Sighting, ...],
    ) -> None:
        """Keep the frame at ``t`` if one of ``events`` tells that a face came to rest or that a trick left."""
        if not any(event.kind in _KEPT and event.face == "face" for event in events):
            return
        drawn = outlined(image, size, sightings)
        scale = min(1.0, LONG_SIDE / max(drawn.shape[:2]))
        small = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        ok, buffer = cv2.imencode(".jpg", small, [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY])
        if not ok:
            return
        with self._lock:
            self._pictures[round(t * 1000)] = buffer.tobytes()
            while len(self._pictures) > self._most:
                self._pictures.popitem(last=False)

    def jpeg(self, number: int) -> bytes | None:
        """The picture of that number; None when it is not (or no longer) kept."""
        with self._lock:
            return self._pictures.get(number)

    def near(self, t: float) -> int | None:
        """The number of the first picture that shows what came to rest at ``t``."""
        with self._lock:
            after = [number for number in self._pictures if -60 <= number - 1000 * t <= 1000 * LATE]
        return min(after, default=None)

    def of(self, hand: GameState, violation: Violation) -> list[PictureData]:
        """The pictures that a violation of ``hand`` rests on, in the order of the moments."""
        found: dict[int, PictureData] = {}
        for t, trick, play in sorted(_moments(hand, violation), key=lambda moment: moment[0]):
            number = self.near(t)
            if number is not None:
                card = None if play is None or play.card is None else str(play.card)
                seat = None if play is None else play.seat
                url = f"/evidence/{number}.jpg{self._query}"
                found[number] = {"url": url, "t": t, "trick": trick, "seat": seat, "card": card}
        return list(found.values())[:MOST_SHOWN]


def _moments(hand: GameState, violation: Violation) -> list[tuple[float, int | None, Play | None]]:
    """When what a violation rests on happened: the cards of its trick, the cards that prove it, the fact itself."""
    moments: list[tuple[float, int | None, Play | None]] = []
    tricks = [(trick.n, trick.plays) for trick in hand.tricks] + [(hand.trick_number, hand.trick)]
    for n, plays in tricks:
        for play in plays:
            proves = play.card is not None and str(play.card) in violation.evidence
            if play.t is not None and (n == violation.trick or proves or play.event_id == violation.event_id):
                moments.append((play.t, n, play))
    for exchange in hand.exchanges:
        if exchange.event_id == violation.event_id and exchange.t is not None:
            moments.append((exchange.t, exchange.after_trick, None))
    for trick in hand.tricks:
        if violation.code == "wrong_gather" and trick.n == violation.trick and trick.t_swept is not None:
            moments.append((trick.t_swept, trick.n, None))
    return moments

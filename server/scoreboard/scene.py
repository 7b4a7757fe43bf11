"""Whether the picture can be used: light enough, and still of the same place.

It looks at a tiny grey copy of each frame. Cards come and go; the table, the chairs and the edge of the cloth stay, so
a picture that fits the earlier one only when it is shifted as a whole tells that the camera was moved.
"""

from typing import Final

import cv2
import numpy as np

from server.messages import Scene
from server.scoreboard.picture import Image

DARK: Final = 45.0
"""Brightness (0..255) that the brightest twentieth of the picture must reach."""

DARK_SECONDS: Final = 1.0
MOVED_SHARE: Final = 0.03
"""Shift of the whole picture, as a share of its width, from which the camera counts as moved."""

SURE: Final = 0.2
"""How clear the peak of the correlation must be (0..1) for a shift to be believed."""

CALM: Final = 0.02
"""Share of changed pixels above which hands are in the picture."""

ACCEPTED_SECONDS: Final = 12.0
"""A camera that stays where it was moved to is told about for so long."""

_REFRESH_SECONDS: Final = 3.0
_SIZE: Final = (160, 90)


class SceneWatch:
    """Keeps the place as it was last seen at rest. Times are those of the frames."""

    def __init__(self) -> None:
        self.scene: Scene = "ok"
        self._dark_since: float | None = None
        self._moved_at: float | None = None
        self._place: Image | None = None
        self._place_t = 0.0
        self._window = np.asarray(cv2.createHanningWindow(_SIZE, cv2.CV_32F), np.float32)

    def look(self, image: Image, motion: float, t: float) -> Scene:
        """Take in one frame (BGR uint8); ``motion`` is the share of the picture that changed."""
        small = np.asarray(cv2.cvtColor(cv2.resize(image, _SIZE, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY))
        if float(np.percentile(small, 95)) < DARK:
            self._dark_since = t if self._dark_since is None else self._dark_since
            if t - self._dark_since >= DARK_SECONDS:
                self.scene = "dark"
            return self.scene
        self._dark_since = None
        if self.scene == "dark":
            self.scene = "ok"
        if motion <= CALM:
            self._compare(small.astype(np.uint8), t)
        return self.scene

    def _compare(self, small: Image, t: float) -> None:
        if self._place is None:
            self._place, self._place_t = small, t
            return
        shift, clear = cv2.phaseCorrelate(self._place.astype(np.float32), small.astype(np.float32), self._window)
        moved = clear >= SURE and float(np.hypot(shift[0], shift[1])) > MOVED_SHARE * _SIZE[0]
        if not moved:
            self.scene, self._moved_at = "ok", None
            if t - self._place_t >= _REFRESH_SECONDS:
                self._place, self._place_t = small, t
            return
        self._moved_at = t if self._moved_at is None else self._moved_at
        self.scene = "moved"
        if t - self._moved_at >= ACCEPTED_SECONDS:
            self._place, self._place_t, self._moved_at = small, t, None

"""Draws timed table actions as a film of a webcam over a table, with the exact truth of every card."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.clutter import thing
from vision.synth.decks import DeckArt
from vision.synth.film_actions import Bump, Exchange, Gather, Play, ShowTrump, Side, TableAction
from vision.synth.film_camera import Pose, Viewpoint, fit_camera
from vision.synth.film_file import open_writer
from vision.synth.film_level import LEVEL_TABLE, Level
from vision.synth.film_light import Sensor, make_light
from vision.synth.film_motion import Planner
from vision.synth.film_plan import FilmError, Moving, Plan
from vision.synth.film_sprites import SpriteBook, draw_sprite
from vision.synth.film_stage import FLOOR, Lying, Stage
from vision.synth.film_table import build_layout, free_places
from vision.synth.film_truth import FrameTruth, frame_truth
from vision.synth.textures import table

_TABLE_MM: Final = (1500.0, 1150.0)
_TAIL: Final = 1.5
_THINGS: Final = (
    "glass", "cup", "coins", "phone", "coaster", "chips", "pen", "keys", "spectacles", "box", "note", "napkin",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FilmSettings:
    """How a film is drawn.

    ``sides`` are the players' sides in playing order. ``seed`` decides everything random. ``table_kind`` is one of the
    kinds of :mod:`vision.synth.textures` (None: by the seed). ``noise`` overrides the sensor noise of the level,
    ``things`` names what else lies on the table (kinds of :mod:`vision.synth.clutter`; empty: by level and seed).
    ``mirrored`` swaps left and right of every frame, as cameras for video calls do; the truth tells where things are
    in that picture. ``tilt`` overrides the camera's angle from straight down, ``turn`` how far it stands round the
    table from the south, clockwise or (below 0) counter-clockwise, both in degrees.
    """

    deck: DeckArt
    sides: tuple[Side, ...] = ("south", "north")
    level: Level = "easy"
    seed: int = 0
    size: tuple[int, int] = (1280, 720)
    fps: float = 15.0
    table_seed: int | None = None
    table_kind: str | None = None
    noise: float | None = None
    things: tuple[str, ...] = ()
    mirrored: bool = False
    tilt: float | None = None
    turn: float | None = None

    def __post_init__(self) -> None:
        if self.level not in LEVEL_TABLE:
            raise FilmError(f"There is no level {self.level!r}; choose one of {', '.join(LEVEL_TABLE)}.")
        if min(self.size) < 64 or self.size[0] % 2 or self.size[1] % 2:
            raise FilmError("A film needs an even width and height of at least 64 pixels, for example 1280x720.")
        if not 1 <= self.fps <= 120:
            raise FilmError("A film needs between 1 and 120 frames a second, for example 15.")
        if self.tilt is not None and not 0 <= self.tilt <= 60:
            raise FilmError("A film's camera leans between 0 (straight down) and 60 degrees.")
        if self.turn is not None and not -45 <= self.turn <= 45:
            raise FilmError("A film's camera stands at most 45 degrees round the table; seat the players elsewhere.")


@dataclass(frozen=True, slots=True)
class FilmTruth:
    """What a film really shows: its length, its views over time and the cards of its sampled frames.

    ``views`` are (from second, homography (3, 3) from table millimetres to pixels); table millimetres count from the
    middle of the table, x to the right and y to the bottom of the picture.
    """

    frames: int
    views: tuple[tuple[float, NDArray[np.float64]], ...]
    boxes: tuple[FrameTruth, ...] = field(default=())


class Film:
    """A film in the making: iterate :meth:`frames`, or :meth:`write` it. The same arguments give the same frames."""

    def __init__(self, actions: tuple[TableAction, ...], settings: FilmSettings) -> None:
        """Raises FilmError for actions that do not fit the table."""
        self.settings = settings
        self._rng = rng = np.random.default_rng((settings.seed, 3101))
        level = LEVEL_TABLE[settings.level]
        self.layout = build_layout(settings.sides, level, rng)
        view = Viewpoint(*(float(rng.uniform(*bounds)) for bounds in (level.tilt, level.turn, level.roll)))
        if settings.tilt is not None:
            view = replace(view, tilt=settings.tilt)
        if settings.turn is not None:
            view = replace(view, turn=settings.turn)
        slack = float(rng.uniform(*level.slack))
        room = min(level.off_centre, 0.015 + (slack - 1) / 2)
        shift = (float(rng.uniform(-room, room)), float(rng.uniform(-room, room)))
        self.camera = fit_camera(view, self.layout.extent(), settings.size, slack=slack, shift=shift)
        self._book = SpriteBook(settings.deck, self.camera.scale * 1.1)
        hands: dict[Side, int] = {side: settings.seed * 16 + index for index, side in enumerate(settings.sides)}
        self.plan: Plan = Planner(self.layout, level, self.camera, rng, hands).plan(actions)
        light = make_light(settings.size, level, rng)
        scale = max(0.4, min(1.7, self.camera.scale))
        seed = settings.seed if settings.table_seed is None else settings.table_seed
        top = table(seed, (round(_TABLE_MM[0] * scale), round(_TABLE_MM[1] * scale)), scale, settings.table_kind)
        self._stage = Stage(self.camera, light, self._book, top, scale)
        for clutter in self._clutter(int(rng.integers(level.clutter[0], level.clutter[1] + 1)), rng):
            self._stage.put(clutter)
        self._sensor = Sensor(settings.size, level, rng, settings.noise)
        self._exposure = level.exposure_time
        self._views = [(0.0, self.camera.homography.copy())]
        self._boxes: list[FrameTruth] = []
        self._marks = self._marked_frames(actions)

    def _clutter(self, count: int, rng: np.random.Generator) -> list[Lying]:
        """Things beside the cards: glasses, coins, papers, as many as find room."""
        kinds = self.settings.things or tuple(str(kind) for kind in rng.choice(np.array(_THINGS), count, replace=False))
        drawn = [thing(kind, self.settings.seed) for kind in kinds]
        radii = [0.45 * max(item.image.shape[:2]) / item.px_per_mm for item in drawn]
        lying = []
        for item, place in zip(drawn, free_places(self.layout, self.camera, radii, rng), strict=True):
            if place is not None:
                pose = Pose(place[0], place[1], 0.0, float(rng.uniform(-math.pi, math.pi)))
                key = f"thing:{item.kind}:{self.settings.seed}"
                height = max(1.0, 0.4 * item.height_mm)
                lying.append(Lying(key, "object", FLOOR, pose, ((key, pose),), height=height))
        return lying

    @property
    def frame_count(self) -> int:
        """How many frames the film has."""
        return math.ceil((self.plan.end + _TAIL) * self.settings.fps)

    def _marked_frames(self, actions: tuple[TableAction, ...]) -> set[int]:
        """Frames whose truth is kept: two a second, and the first after something has come to rest."""
        fps = self.settings.fps
        every = max(1, round(fps / 2))
        marks = set(range(0, self.frame_count, every))
        for action in actions:
            if isinstance(action, ShowTrump | Play | Gather | Exchange):
                marks.add(math.ceil(action.rest * fps))
        return marks

    def truth(self) -> FilmTruth:
        """The truth of the frames drawn so far."""
        if not self.settings.mirrored:
            return FilmTruth(self.frame_count, tuple(self._views), tuple(self._boxes))
        w = self.settings.size[0] - 1
        flip = np.array([[-1.0, 0, w], [0, 1, 0], [0, 0, 1]])
        views = tuple((since, flip @ matrix) for since, matrix in self._views)
        return FilmTruth(self.frame_count, views, tuple(frame.mirrored(w) for frame in self._boxes))

    def frames(self) -> Iterator[NDArray[np.uint8]]:
        """The frames (H, W, 3) BGR uint8, one after the other; to be run through once."""
        last: NDArray[np.uint8] | None = None
        for index, picture in enumerate(self._pictures()):
            t = index / self.settings.fps
            if last is None or not any(lost.t <= t < lost.t + lost.duration for lost in self.plan.lost):
                last = self._delivered(picture, t)
            yield last

    def _delivered(self, picture: NDArray[np.uint8], t: float) -> NDArray[np.uint8]:
        """What the camera makes of a picture: exposure that jumped, left and right changed."""
        for jump in self.plan.exposures:
            if jump.t <= t < jump.t + jump.duration:
                gain = 1 + (jump.gain - 1) * (1 - ((t - jump.t) / jump.duration) ** 2)
                picture = np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)
        return np.ascontiguousarray(picture[:, ::-1]) if self.settings.mirrored else picture

    def _pictures(self) -> Iterator[NDArray[np.uint8]]:
        """What the sensor sees, frame by frame; notes views and truth on the way."""
        changes = iter(self.plan.changes)
        change = next(changes, None)
        bumps = sorted(self.plan.bumps, key=lambda bump: bump.t)
        shaking: tuple[Bump, NDArray[np.float64]] | None = None
        for index in range(self.frame_count):
            t = index / self.settings.fps
            while change is not None and change.t <= t + 1e-9:
                for key in change.remove:
                    self._stage.remove(key)
                for lying in change.put:
                    self._stage.put(lying)
                change = next(changes, None)
            if shaking is None and bumps and bumps[0].t <= t:
                shaking = (bumps[0], self._knock(bumps.pop(0).degrees))
            if shaking is not None and t >= shaking[0].t + shaking[0].duration:
                self._stage.camera = self._stage.camera.moved(shaking[1])
                self._views.append((t, self._stage.camera.homography.copy()))
                shaking = None
            moving = self._moving(t)
            picture = self._compose(moving, t)
            if shaking is not None:
                picture = self._shake(picture, shaking, t)
            elif index in self._marks and not any(lost.t <= t < lost.t + lost.duration for lost in self.plan.lost):
                self._boxes.append(frame_truth(index, t, self._stage, self._book, moving))
            yield self._sensor.expose(picture, t, 1.0 if moving else 0.0)

    def write(
        self, path: str | Path, progress: Callable[[int, int], None] | None = None, *, compact: bool = False
    ) -> FilmTruth:
        """Writes an MPEG-4 film and returns its truth; ``progress`` is told frames done and all.

        ``compact`` asks for a small file, see :func:`vision.synth.film_file.open_writer`.

        Raises FilmError when the file cannot be written.
        """
        target = Path(path)
        if not target.parent.is_dir():
            raise FilmError(f"The folder {target.parent} does not exist; make it first or name another one.")
        writer = open_writer(target, self.settings.fps, self.settings.size, compact)
        try:
            for index, picture in enumerate(self.frames()):
                writer.write(picture)
                if progress is not None:
                    progress(index + 1, self.frame_count)
        finally:
            writer.release()
        if not target.is_file() or target.stat().st_size == 0:
            raise FilmError(f"The film {target} could not be written; is the disk full?")
        return self.truth()

    def _moving(self, t: float) -> list[Moving]:
        return [piece for track in self.plan.tracks if track.start <= t < track.end for piece in track.pieces(t)]

    def _compose(self, moving: list[Moving], t: float) -> NDArray[np.uint8]:
        picture = self._stage.picture.copy()
        if not moving:
            return picture
        camera = self._stage.camera
        later = self._moving(t + self._exposure)
        still = len(later) != len(moving)
        for index, piece in enumerate(moving):
            smear = (0.0, 0.0)
            if not still and later[index].key == piece.key:
                ways = np.array([[p.x, p.y, p.z] for p in (piece.pose, later[index].pose)])
                way = np.diff(camera.pixels(ways), axis=0)[0]
                smear = (float(way[0]), float(way[1]))
            draw_sprite(picture, self._book.get(piece.key), piece.pose, camera, self._stage.light, smear=smear)
            if piece.under:
                self._stage.lay_again(picture, piece.under)
        return picture

    def _knock(self, degrees: float | None) -> NDArray[np.float64]:
        """How the picture is mapped when the camera has been knocked: a small turn and shift, (3, 3)."""
        w, h = self.settings.size
        if degrees is not None:
            return np.vstack([cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 0.86), [0.0, 0.0, 1.0]])
        turn = math.radians(float(self._rng.uniform(0.6, 1.6)) * (1 if self._rng.random() < 0.5 else -1))
        dx, dy = self._rng.uniform(-0.012, 0.012, 2) * (w, h)
        c, s = math.cos(turn), math.sin(turn)
        about = np.array([[1, 0, w / 2], [0, 1, h / 2], [0, 0, 1.0]])
        return np.asarray(about @ np.array([[c, -s, dx], [s, c, dy], [0, 0, 1.0]]) @ np.linalg.inv(about))

    def _shake(
        self, picture: NDArray[np.uint8], shaking: tuple[Bump, NDArray[np.float64]], t: float
    ) -> NDArray[np.uint8]:
        bump, final = shaking
        share = min(1.0, (t - bump.t) / bump.duration)
        swing = math.exp(-3.5 * share) * math.sin(19 * share) if bump.degrees is None else 0.0
        matrix = np.eye(3) + (final - np.eye(3)) * (share + 1.5 * swing)
        matrix[0, 2] += swing * self.settings.size[0] * 0.01
        warped = cv2.warpPerspective(picture, matrix, self.settings.size, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.GaussianBlur(warped, (5, 5), 1.2 * abs(swing) + 0.3), np.uint8)

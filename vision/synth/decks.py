"""Decks of card pictures: folders of pictures, random drawn styles, and our own fixed deck.

Every deck gives its faces and its back as ``(H, W, 4)`` uint8 BGRA with straight alpha and rounded, transparent
corners, upright, cut at the card's edge. The folder format is a ``deck.json`` beside pictures named
``{oros|copas|espadas|bastos}_{01..12}.jpg`` (or ``.png``) and an optional ``back.png``.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.errors import VisionError
from vision.labels import CARD_MM, LABELS, SUIT_NAMES

CORNER_MM = 4.0
"""Corner radius taken when a deck's folder does not state one."""

_EXTENSIONS = (".png", ".jpg", ".jpeg")


class DeckError(VisionError):
    """A deck folder that cannot be read, or a card that a deck does not have."""


class DeckArt(Protocol):
    """What a scene needs of a deck. The arrays are shared: copy before drawing on them."""

    @property
    def name(self) -> str:
        """A short name that identifies the deck, e.g. ``random-17``."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The faces this deck has, in label order; some decks have 40."""

    @property
    def card_mm(self) -> tuple[float, float]:
        """Width and height of the printed card in millimetres."""

    def face(self, label: str) -> np.ndarray:
        """The face as ``(H, W, 4)`` uint8 BGRA; :class:`DeckError` for a label the deck lacks."""

    def back(self) -> np.ndarray:
        """The back as ``(H, W, 4)`` uint8 BGRA."""


class PictureDeck:
    """A deck whose pictures come from callables, one per face, each called once and kept."""

    def __init__(
        self,
        name: str,
        faces: Mapping[str, Callable[[], np.ndarray]],
        back: Callable[[], np.ndarray],
        card_mm: tuple[float, float] = CARD_MM,
    ) -> None:
        self.name = name
        self.card_mm = card_mm
        self.labels = tuple(label for label in LABELS if label in faces)
        self._faces = dict(faces)
        self._back = back
        self._kept: dict[str, np.ndarray] = {}

    def face(self, label: str) -> np.ndarray:
        """See :meth:`DeckArt.face`."""
        if label not in self._faces:
            raise DeckError(f"The deck {self.name} has no card {label}; it has {len(self.labels)} faces.")
        if label not in self._kept:
            self._kept[label] = self._faces[label]()
        return self._kept[label]

    def back(self) -> np.ndarray:
        """See :meth:`DeckArt.back`."""
        if "back" not in self._kept:
            self._kept["back"] = self._back()
        return self._kept["back"]


def rounded_alpha(height: int, width: int, radius: float) -> np.ndarray:
    """An ``(height, width)`` uint8 mask of a rounded rectangle that fills the picture; ``radius`` in pixels."""
    xs = np.abs(np.arange(width) + 0.5 - width / 2)[None, :]
    ys = np.abs(np.arange(height) + 0.5 - height / 2)[:, None]
    dx = np.maximum(xs - (width / 2 - radius), 0)
    dy = np.maximum(ys - (height / 2 - radius), 0)
    cover = np.clip(radius - np.hypot(dx, dy) + 0.5, 0, 1)
    return np.asarray(np.round(cover * 255), dtype=np.uint8)


def round_corners(bgr: np.ndarray, radius_mm: float, card_mm: tuple[float, float] = CARD_MM) -> np.ndarray:
    """``bgr`` (H, W, 3) as BGRA with corners of ``radius_mm`` made transparent."""
    height, width = bgr.shape[:2]
    alpha = rounded_alpha(height, width, radius_mm * height / card_mm[1])
    return np.dstack([bgr, alpha])


def _fill_clear(bgra: np.ndarray) -> np.ndarray:
    """Give clear pixels the colour of the edge, so that resampling with straight alpha draws no dark fringe."""
    alpha = bgra[:, :, 3]
    solid = alpha > 250
    if solid.all() or not solid.any():
        return bgra
    inner = cv2.erode(solid.astype(np.uint8), np.ones((5, 5), np.uint8), borderValue=0).astype(bool)
    rim = solid & ~inner
    filled = bgra.copy()
    filled[alpha == 0, :3] = np.median(bgra[rim, :3], axis=0)
    return filled


def _load(path: Path, radius_mm: float, card_mm: tuple[float, float], keep_alpha: bool) -> np.ndarray:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.dtype != np.uint8:
        raise DeckError(f"The card picture {path} cannot be read; save it again as an 8-bit PNG or JPEG.")
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.shape[2] == 4 and keep_alpha and picture[0, 0, 3] < 128:
        return _fill_clear(picture)
    return round_corners(np.ascontiguousarray(picture[:, :, :3]), radius_mm, card_mm)


def _plain_back(shape: tuple[int, ...], radius_mm: float, card_mm: tuple[float, float]) -> np.ndarray:
    from vision.synth.art.backs import lattice_back

    return round_corners(lattice_back(shape[0], shape[1]), radius_mm, card_mm)


def _find(folder: Path, stem: str) -> Path | None:
    return next((folder / (stem + ext) for ext in _EXTENSIONS if (folder / (stem + ext)).is_file()), None)


def _settings(folder: Path) -> dict[str, Any]:
    path = folder / "deck.json"
    if not path.is_file():
        raise DeckError(f"{folder} is not a deck folder: it has no deck.json.")
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DeckError(f"{path} is not readable JSON ({error}).") from error
    if not isinstance(settings, dict):
        raise DeckError(f"{path} must hold a JSON object with name, alpha and corner_radius_mm.")
    return settings


def folder_deck(path: str | Path) -> PictureDeck:
    """The deck in a folder with ``deck.json``; faces are read when first asked for and may be fewer than 48.

    Square pictures get corners of ``corner_radius_mm``; pictures with transparent corners keep their alpha. A deck
    without a back gets a plain drawn lattice. Raises :class:`DeckError` when the folder holds no deck.
    """
    folder = Path(path)
    settings = _settings(folder)
    radius = float(settings.get("corner_radius_mm", CORNER_MM))
    width_mm, height_mm = settings.get("card_mm", CARD_MM)
    card_mm = (float(width_mm), float(height_mm))
    keep_alpha = bool(settings.get("alpha", False))

    def loader(file: Path) -> Callable[[], np.ndarray]:
        return lambda: _load(file, radius, card_mm, keep_alpha)

    faces: dict[str, Callable[[], np.ndarray]] = {}
    for label in LABELS:
        found = _find(folder, f"{SUIT_NAMES[label[-1]]}_{int(label[:-1]):02d}")
        if found is not None:
            faces[label] = loader(found)
    if not faces:
        raise DeckError(f"The deck folder {folder} has no card pictures such as oros_01.jpg.")
    back = _find(folder, "back")
    first = next(iter(faces.values()))
    draw_back = loader(back) if back is not None else lambda: _plain_back(first().shape, radius, card_mm)
    return PictureDeck(str(settings.get("name", folder.name)), faces, draw_back, card_mm)


def deck_folders(root: str | Path) -> list[Path]:
    """The deck folders directly under ``root`` (or ``root`` itself), sorted by name; empty when there are none."""
    base = Path(root)
    if (base / "deck.json").is_file():
        return [base]
    if not base.is_dir():
        return []
    return sorted(folder for folder in base.iterdir() if (folder / "deck.json").is_file())


def save_deck(deck: DeckArt, path: str | Path) -> Path:
    """Write ``deck`` as a folder that :func:`folder_deck` reads back unchanged (PNG with alpha); returns the folder."""
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {f"{SUIT_NAMES[label[-1]]}_{int(label[:-1]):02d}": deck.face(label) for label in deck.labels}
    pictures["back"] = deck.back()
    for stem, picture in pictures.items():
        if not cv2.imwrite(str(folder / f"{stem}.png"), picture):
            raise DeckError(f"The card picture {folder / stem}.png could not be written.")
    height, width = deck.face(deck.labels[0]).shape[:2]
    settings = {
        "name": deck.name,
        "cards": len(deck.labels),
        "card_mm": list(deck.card_mm),
        "corner_radius_mm": CORNER_MM,
        "size_px": [width, height],
        "alpha": True,
        "back": True,
    }
    (folder / "deck.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    return folder


def long_pip_labels(seed: int) -> tuple[str, ...]:
    """The labels of ranks 4 to 9 whose pips run the whole card in the drawn style ``seed``; often there are none."""
    from vision.synth.art.schools import long_pip_ranks, random_style

    style = random_style(seed)
    return tuple(f"{rank}{suit}" for suit, pips in style.stick_pips.items() for rank in long_pip_ranks(pips))


def random_deck(
    seed: int, height: int = 400, labels: Sequence[str] = LABELS, *, index_alone: bool = False
) -> PictureDeck:
    """A drawn deck of a random style: its faces and a back, ``height`` pixels high; the same for the same ``seed``.

    ``labels`` are the faces that it is to have, all 48 unless asked otherwise. With ``index_alone`` the cards with long
    pips bear those of any other such rank, so that nothing but the index tells them apart: no deck to play with, only
    to learn reading the index from.

    Seeds below 100 000 are for training, seeds from 900 000 on are held out for tests and evaluation.
    """
    from vision.synth.art.cards import draw_deck_back, draw_face
    from vision.synth.art.schools import random_style, with_shuffled_pips

    style = with_shuffled_pips(random_style(seed)) if index_alone else random_style(seed)

    def drawer(label: str) -> Callable[[], np.ndarray]:
        return lambda: round_corners(draw_face(style, label, height), style.corner_mm, style.card_mm)

    faces = {label: drawer(label) for label in labels}
    return PictureDeck(
        f"random-{seed}",
        faces,
        lambda: round_corners(draw_deck_back(style, height), style.corner_mm, style.card_mm),
        style.card_mm,
    )


def own_deck(height: int = 640) -> PictureDeck:
    """Our own fixed deck, drawn for this project: 48 faces and a back, 414 x 640 pixels unless asked otherwise."""
    from vision.synth.art.cards import draw_deck_back, draw_face
    from vision.synth.art.own import OWN_STYLE

    def drawer(label: str) -> Callable[[], np.ndarray]:
        return lambda: round_corners(draw_face(OWN_STYLE, label, height), OWN_STYLE.corner_mm)

    return PictureDeck(
        "brisca-table",
        {label: drawer(label) for label in LABELS},
        lambda: round_corners(draw_deck_back(OWN_STYLE, height), OWN_STYLE.corner_mm),
    )

"""Writes data sets of drawn tables in the YOLO-OBB form, for the locator and for the one-stage baseline.

A set is a folder with ``data.yaml``, ``images/{train,val}``, ``labels/{train,val}`` (``class x1 y1 x2 y2 x3 y3 x4
y4``, shares of width and height) and ``cards.jsonl``, the full truth: one line per picture with every card's label,
corners in pixels (they may lie outside the picture) and visible share. The same recipe gives the same files,
whatever the number of processes. Reading is in :mod:`vision.train.truth`.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import LABELS
from vision.synth import decks
from vision.synth.scene import HELD_OUT, LAYOUTS, Scene, still
from vision.synth.textures import TextureError, texture_files
from vision.train.truth import DatasetError

Scheme = Literal["locator", "cards"]
SCHEMES: Final[dict[str, tuple[str, ...]]] = {"locator": ("face", "back"), "cards": (*LABELS, "back")}
"""Class names per scheme, in class order."""

BLOCK: Final = 20
"""Pictures in a row that share their drawn decks, because a deck's faces are drawn once and used often."""

_SHAPES: Final = (((16, 9), 0.62), ((4, 3), 0.28), ((3, 4), 0.05), ((1, 1), 0.05))


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a data set is made of.

    ``size`` is the longer side of the pictures in pixels; ``decks`` a folder of deck folders and ``textures`` a folder
    of table pictures, both optional and never copied into the set as such; ``exclude`` names deck folders that must not
    appear; ``drawn`` is the share of pictures with drawn decks where deck folders are given. A seed from 900,000 on
    makes a held-out set: other deck styles, tables, hands and things. ``square`` makes all pictures square: training
    pads to a square, and nothing is lost to the padding. ``layout`` draws every picture in one of
    :data:`vision.synth.scene.LAYOUTS`: "bare" makes a set without any card, "trump" one of trumps under the stock.
    """

    out: Path
    count: int
    seed: int = 1
    scheme: Scheme = "locator"
    size: int = 640
    decks: Path | None = None
    textures: Path | None = None
    exclude: tuple[str, ...] = ()
    drawn: float = 0.5
    val_share: float = 0.08
    workers: int = 2
    square: bool = False
    layout: str | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """What was written: pictures, labelled cards, and the names of the deck folders used."""

    pictures: int
    cards: int
    decks: tuple[str, ...]


@lru_cache(maxsize=4)
def _folder_decks(root: Path, exclude: tuple[str, ...]) -> tuple[decks.DeckArt, ...]:
    return tuple(decks.folder_deck(path) for path in deck_paths(root, exclude))


@lru_cache(maxsize=6)
def _drawn_deck(seed: int, height: int) -> decks.DeckArt:
    return decks.random_deck(seed, height)


@lru_cache(maxsize=1)
def _own_deck(height: int) -> decks.DeckArt:
    return decks.own_deck(height)


def _card_height(recipe: Recipe) -> int:
    """Pixels in which cards are drawn: those of the nearest card in a picture; more would only cost time."""
    return min(max(round(0.42 * recipe.size), 160), 640)


def deck_paths(root: Path, exclude: Sequence[str] = ()) -> list[Path]:
    """The deck folders under a folder, without the excluded ones. Raises :class:`DatasetError` where none is left."""
    found = decks.deck_folders(root)
    if not found:
        raise DatasetError(
            f"The folder {root} holds no decks; each deck is a folder with a deck.json and its pictures."
        )
    names = {path.name for path in found}
    unknown = [name for name in exclude if name not in names]
    if unknown:
        raise DatasetError(f"There is no deck {unknown[0]} in {root} to leave out; it has {', '.join(sorted(names))}.")
    left = [path for path in found if path.name not in exclude]
    if not left:
        raise DatasetError(f"Every deck in {root} is left out; leave at least one in.")
    return left


def picture_decks(recipe: Recipe, index: int) -> tuple[decks.DeckArt, ...]:
    """The decks that picture ``index`` of a recipe may use."""
    rng = np.random.default_rng((recipe.seed, index // BLOCK, 11))
    base = HELD_OUT if recipe.seed >= HELD_OUT else 0
    seeds = [base + int(seed) for seed in rng.integers(0, 90_000, 2)]
    if recipe.decks is not None:
        own = np.random.default_rng((recipe.seed, index, 12))
        if own.random() >= recipe.drawn:
            return _folder_decks(recipe.decks, recipe.exclude)
    height = _card_height(recipe)
    if index // BLOCK % 12 == 5 and not base:
        return (_own_deck(height), _drawn_deck(seeds[0], height))
    return tuple(_drawn_deck(seed, height) for seed in seeds)


def picture_size(recipe: Recipe, index: int) -> tuple[int, int]:
    """Width and height of a picture: mostly 16:9, some 4:3, a few upright or square (all square where it is asked)."""
    if recipe.square:
        return recipe.size, recipe.size
    rng = np.random.default_rng((recipe.seed, index, 13))
    shares = [share for _, share in _SHAPES]
    (w, h), _ = _SHAPES[int(rng.choice(len(_SHAPES), p=shares))]
    side = recipe.size / max(w, h)
    return round(w * side), round(h * side)


def picture(recipe: Recipe, index: int) -> Scene:
    """Picture ``index`` of a recipe, drawn afresh; nothing is written."""
    seed = int(np.random.SeedSequence((recipe.seed, index)).generate_state(1)[0])
    paths = tuple(texture_files(recipe.textures)) if recipe.textures is not None else ()
    return still(
        seed,
        picture_decks(recipe, index),
        picture_size(recipe, index),
        pictures=paths,
        layout=recipe.layout,
        held_out=recipe.seed >= HELD_OUT,
    )


def framed_quad(quad: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32] | None:
    """The oriented box (4, 2) of the part of a card that lies within the picture, or None where hardly any does.

    A card wholly inside keeps its corners. The trainer wants coordinates within the picture, so a card that reaches out
    becomes the smallest rectangle around what is left of it.
    """
    width, height = size
    if (quad >= 0).all() and (quad <= (width - 1, height - 1)).all():
        return quad
    frame = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], np.float32)
    area, inside = cv2.intersectConvexConvex(quad, frame)
    if area < 0.15 * abs(cv2.contourArea(quad)) or inside is None or area < 30:
        return None
    box = cv2.boxPoints(cv2.minAreaRect(inside.astype(np.float32)))
    return np.clip(box, 0, np.array((width - 1, height - 1), np.float32)).astype(np.float32)


def label_lines(scene: Scene, scheme: Scheme) -> list[str]:
    """The lines of a picture's label file."""
    height, width = scene.image.shape[:2]
    names = SCHEMES[scheme]
    lines = []
    for card in scene.cards:
        quad = framed_quad(card.quad, (width, height))
        if quad is None:
            continue
        name = "back" if card.label is None else ("face" if scheme == "locator" else card.label)
        shares = (quad / (width, height)).ravel()
        lines.append(f"{names.index(name)} " + " ".join(f"{share:.5f}" for share in shares))
    return lines


def _split(recipe: Recipe, index: int) -> str:
    """Whole blocks go to ``val``, so that its drawn decks are not those of ``train``; at least the first one does."""
    every = max(2, round(1 / recipe.val_share)) if recipe.val_share > 0 else 0
    return "val" if every and index // BLOCK % every == 0 and recipe.count > BLOCK else "train"


def _write_block(recipe: Recipe, start: int) -> list[dict[str, Any]]:
    """Draws and writes the pictures of one block; returns their truth."""
    cv2.setNumThreads(1)
    told = []
    for index in range(start, min(start + BLOCK, recipe.count)):
        scene = picture(recipe, index)
        split, stem = _split(recipe, index), f"{index:06d}"
        image = recipe.out / "images" / split / f"{stem}.jpg"
        if not cv2.imwrite(str(image), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 93]):
            raise DatasetError(f"The picture {image} cannot be written; is the disk full?")
        lines = label_lines(scene, recipe.scheme)
        (recipe.out / "labels" / split / f"{stem}.txt").write_text("".join(line + "\n" for line in lines))
        told.append(
            {
                "image": f"images/{split}/{stem}.jpg",
                "size": [scene.image.shape[1], scene.image.shape[0]],
                "layout": scene.layout,
                "decks": list(scene.decks),
                "unit": round(scene.unit, 1),
                "labelled": len(lines),
                "cards": [
                    {
                        "label": card.label,
                        "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in card.quad],
                        "visible": round(card.visible, 3),
                    }
                    for card in scene.cards
                ],
            }
        )
    return told


def _blocks(recipe: Recipe) -> Iterable[list[dict[str, Any]]]:
    starts = range(0, recipe.count, BLOCK)
    if recipe.workers <= 1 or len(starts) < 2:
        yield from (_write_block(recipe, start) for start in starts)
        return
    with ProcessPoolExecutor(recipe.workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_write_block, [recipe] * len(starts), starts)


def build(recipe: Recipe, progress: Callable[[int, int], None] | None = None) -> Built:
    """Draws and writes a whole set; ``progress`` is told (pictures done, pictures wanted).

    Raises :class:`DatasetError` where the recipe cannot be followed or the folder already holds a set.
    """
    if recipe.count < 1:
        raise DatasetError("A data set needs at least one picture; give --count a number above zero.")
    if recipe.scheme not in SCHEMES:
        raise DatasetError(f"There is no class scheme {recipe.scheme}; choose locator or cards.")
    if recipe.layout is not None and recipe.layout not in LAYOUTS:
        raise DatasetError(f"There is no layout {recipe.layout}; choose one of {', '.join(LAYOUTS)}.")
    if not 160 <= recipe.size <= 4096:
        raise DatasetError(f"Pictures of {recipe.size} pixels cannot be drawn; choose a size between 160 and 4096.")
    if (recipe.out / "data.yaml").exists():
        raise DatasetError(f"The folder {recipe.out} already holds a data set; give another --out or remove it first.")
    if recipe.textures is not None:
        try:
            texture_files(recipe.textures)
        except TextureError as error:
            raise DatasetError(str(error)) from error
    used = tuple(path.name for path in deck_paths(recipe.decks, recipe.exclude)) if recipe.decks is not None else ()
    if recipe.exclude and recipe.decks is None:
        raise DatasetError("--exclude-decks leaves out deck folders, but no deck folder is given; add --decks.")
    for split in ("train", "val"):
        for kind in ("images", "labels"):
            (recipe.out / kind / split).mkdir(parents=True, exist_ok=True)
    done = cards = 0
    with (recipe.out / "cards.jsonl").open("w", encoding="utf-8") as book:
        try:
            for told in _blocks(recipe):
                for line in told:
                    book.write(json.dumps(line, separators=(",", ":")) + "\n")
                    cards += line["labelled"]
                done += len(told)
                if progress is not None:
                    progress(done, recipe.count)
        except (decks.DeckError, TextureError) as error:
            raise DatasetError(str(error)) from error
    write_yaml(recipe)
    return Built(done, cards, used)


def write_yaml(recipe: Recipe) -> Path:
    """Writes ``data.yaml``; no path is in it, so the set can be moved."""
    val = (
        "images/val"
        if any(_split(recipe, index) == "val" for index in range(0, recipe.count, BLOCK))
        else "images/train"
    )
    lines = [f"train: images/train\nval: {val}\nnames:\n"]
    lines += [f'  {number}: "{name}"\n' for number, name in enumerate(SCHEMES[recipe.scheme])]
    path = recipe.out / "data.yaml"
    path.write_text("".join(lines), encoding="utf-8")
    (recipe.out / "recipe.json").write_text(
        json.dumps(
            {
                "count": recipe.count,
                "seed": recipe.seed,
                "scheme": recipe.scheme,
                "size": recipe.size,
                "square": recipe.square,
                **({} if recipe.layout is None else {"layout": recipe.layout}),
                "decks": None if recipe.decks is None else [p.name for p in deck_paths(recipe.decks, recipe.exclude)],
                "excluded": list(recipe.exclude),
                "pictures_of_tables": recipe.textures is not None,
                "drawn": recipe.drawn,
            },
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )
    return path

"""Recipes of training runs: TOML files in ``datasets/`` that say which decks, how long, at which size."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.synth.decks import deck_folders, long_pip_labels, own_deck, random_deck, save_deck
from vision.synth.textures import table

LEAST_LONG = 4
"""Cards with long pips from which on a drawn style counts among those with long pips."""


class RecipeError(VisionError):
    """A recipe cannot be read or asks for something impossible."""


@dataclass(frozen=True, slots=True)
class DeckShare:
    """A deck folder and how often it is drawn, relative to the others."""

    path: Path
    weight: float


@dataclass(frozen=True, slots=True)
class Stage:
    """One stretch of training: crop size (height, width), number of steps, peak learning rate.

    ``only_index``: the branch that reads the index learns, all else stays as it is.
    """

    size: tuple[int, int]
    steps: int
    rate: float
    only_index: bool = False


@dataclass(frozen=True, slots=True)
class LongPips:
    """Drawn styles of which only the cards with long pips are taken: ``count`` of them, style seeds from ``first`` on.

    In such designs the pips of espadas or bastos run the whole card side by side or crossed, and the index is the surer
    sign. Among the styles as they come they are too few to be learnt. ``index_weight`` is that of the same cards with
    pips that say nothing (:func:`~vision.synth.decks.random_deck`), from which reading the index is learnt.
    """

    first: int
    count: int
    weight: float
    index_weight: float


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an identifier is trained on, and how long."""

    seed: int
    margin: float
    held_out: tuple[str, ...]
    first_style: int
    styles: int
    styles_weight: float
    validation_styles: tuple[int, ...]
    long_pips: LongPips | None
    deck_weights: dict[str, float]
    twice: tuple[str, ...]
    stages: tuple[Stage, ...]


def read_recipe(path: Path) -> Recipe:
    """Read a recipe file. Raises RecipeError with the reason."""
    try:
        found: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"The recipe {path} cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"The recipe {path} is not valid TOML: {error}") from error
    try:
        styles = found["styles"]
        long = styles.get("long")
        return Recipe(
            seed=int(found["seed"]),
            margin=float(found["margin"]),
            held_out=tuple(map(str, found.get("held_out", []))),
            first_style=int(styles["first"]),
            styles=int(styles["count"]),
            styles_weight=float(styles["weight"]),
            validation_styles=tuple(map(int, styles["validation"])),
            long_pips=LongPips(
                int(long["first"]), int(long["count"]), float(long["weight"]), float(long["index_weight"])
            )
            if long
            else None,
            twice=tuple(map(str, found.get("twice", []))),
            deck_weights={str(name): float(weight) for name, weight in found.get("decks", {}).items()},
            stages=tuple(
                Stage((s["size"][0], s["size"][1]), int(s["steps"]), float(s["rate"]), bool(s.get("only_index", False)))
                for s in found["stage"]
            ),
        )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise RecipeError(f"The recipe {path} lacks or misstates {error}; compare datasets/identifier.toml.") from error


def drawn_styles(cache: Path, first: int, count: int) -> list[Path]:
    """Return folders of drawn decks with the style seeds ``first`` ..., drawing those not yet in ``cache``."""
    folders = []
    for seed in range(first, first + count):
        folder = cache / f"style-{seed:06d}"
        if not (folder / "deck.json").exists():
            save_deck(random_deck(seed), folder)
        folders.append(folder)
    return folders


def long_pip_styles(cache: Path, first: int, count: int, *, index_alone: bool = False) -> list[Path]:
    """Return folders with the cards of long pips of ``count`` drawn decks, style seeds from ``first`` on that have any.

    Draws those not yet in ``cache``. A style counts from :data:`LEAST_LONG` such cards on.
    """
    folders: list[Path] = []
    seed = first
    while len(folders) < count:
        labels = long_pip_labels(seed)
        if len(labels) >= LEAST_LONG:
            folder = cache / f"{'index' if index_alone else 'long'}-{seed:06d}"
            if not (folder / "deck.json").exists():
                save_deck(random_deck(seed, labels=labels, index_alone=index_alone), folder)
            folders.append(folder)
        seed += 1
    return folders


def own_deck_folder(cache: Path) -> Path:
    """Return the folder of our own fixed deck, drawing it when it is not yet in ``cache``."""
    folder = cache / "own"
    if not (folder / "deck.json").exists():
        save_deck(own_deck(), folder)
    return folder


def drawn_tables(cache: Path, count: int = 60) -> Path:
    """Return a folder of drawn table tops (seeds 0 ... count-1), drawing those not yet in ``cache``."""
    import cv2

    folder = cache / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(count):
        file = folder / f"table-{seed:04d}.jpg"
        if not file.exists():
            cv2.imwrite(str(file), table(seed, (900, 700)))
    return folder


def deck_shares(recipe: Recipe, cache: Path, decks: Path | None) -> tuple[list[DeckShare], list[DeckShare]]:
    """Return (training decks, validation decks) of a recipe.

    ``decks`` is a folder of deck folders or None; the decks named in ``held_out`` become the validation, otherwise
    the recipe's validation styles are.
    """
    styles = drawn_styles(cache, recipe.first_style, recipe.styles)
    shares = [DeckShare(path, recipe.styles_weight / max(1, len(styles))) for path in styles]
    shares.append(DeckShare(own_deck_folder(cache), 1.0))
    if recipe.long_pips is not None:
        of = recipe.long_pips
        for weight, index_alone in ((of.weight, False), (of.index_weight, True)):
            folders = long_pip_styles(cache, of.first, of.count, index_alone=index_alone)
            shares += [DeckShare(path, weight / max(1, len(folders))) for path in folders]
    folders = deck_folders(decks) if decks is not None else []
    known = {folder.name for folder in folders}
    unknown = [name for name in recipe.held_out if name not in known]
    if unknown:
        raise RecipeError(f"The recipe holds out {', '.join(unknown)}, but {decks} has no such deck folder.")
    shares += [DeckShare(f, recipe.deck_weights.get(f.name, 1.0)) for f in folders if f.name not in recipe.held_out]
    if recipe.held_out:
        return shares, [DeckShare(f, 1.0) for f in folders if f.name in recipe.held_out]
    validation = [folder for seed in recipe.validation_styles for folder in drawn_styles(cache, seed, 1)]
    return shares, [DeckShare(folder, 1.0) for folder in validation]

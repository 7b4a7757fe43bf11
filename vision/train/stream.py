"""An endless stream of training crops, made by worker processes beside the training itself."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from vision.synth.crops import Crop, CropMaker, CropRecipe
from vision.synth.decks import PictureDeck, folder_deck
from vision.train.learned import LearnedCrop, learned_crop, share_of
from vision.train.recipe import DeckShare

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]

PICTURE_SUFFIXES = {".jpg", ".jpeg", ".png"}


def read_backgrounds(folders: Sequence[Path], limit: int = 400) -> list[np.ndarray]:
    """Return the table pictures of the folders as BGR, at most ``limit`` of them, none larger than 1024 px."""
    files = sorted(f for folder in folders for f in folder.iterdir() if f.suffix.lower() in PICTURE_SUFFIXES)
    pictures = []
    for file in files[:limit]:
        picture = cv2.imread(str(file))
        if picture is None:
            continue
        scale = 1024 / max(picture.shape[:2])
        pictures.append(cv2.resize(picture, None, fx=scale, fy=scale) if scale < 1 else picture)
    return pictures


def maker(decks: Sequence[DeckShare], backgrounds: Sequence[Path], recipe: CropRecipe) -> CropMaker:
    """Return a crop maker over deck folders and folders of table pictures."""
    art: list[PictureDeck] = [folder_deck(deck.path) for deck in decks]
    return CropMaker(art, read_backgrounds(backgrounds), recipe, [deck.weight for deck in decks])


def to_batch(crops: Sequence[Crop]) -> Batch:
    """Return pictures (N, 3, H, W) uint8 RGB, labels (N,) int64 with -1 = unreadable, visible (N,) and corners (N, 8).

    The corners are NaN where a crop has none.
    """
    pictures = np.stack([crop.image[..., ::-1] for crop in crops]).transpose(0, 3, 1, 2)
    labels = np.array([crop.label for crop in crops], np.int64)
    visible = np.array([crop.visible for crop in crops], np.float32)
    nowhere = np.full((4, 2), np.nan, np.float32)
    corners = np.stack([nowhere if crop.corners is None else crop.corners for crop in crops]).reshape(-1, 8)
    numbers = (torch.from_numpy(labels), torch.from_numpy(visible), torch.from_numpy(corners))
    return torch.from_numpy(np.ascontiguousarray(pictures)), *numbers


class CropStream(IterableDataset[Batch]):
    """Endless batches of fresh crops; every worker has its own generator, seeded by (seed, worker).

    Where there are ``learned`` crops, :func:`~vision.train.learned.share_of` of the crops are of those.
    """

    def __init__(
        self,
        decks: Sequence[DeckShare],
        backgrounds: Sequence[Path],
        recipe: CropRecipe,
        batch: int,
        seed: int,
        learned: Sequence[LearnedCrop] = (),
    ) -> None:
        self.decks, self.backgrounds, self.recipe = list(decks), list(backgrounds), recipe
        self.batch, self.seed = batch, seed
        self.learned = list(learned)

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        cv2.setNumThreads(1)
        if worker is not None:
            os.nice(2)
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        source = maker(self.decks, self.backgrounds, self.recipe)
        while True:
            yield to_batch([self._crop(rng, source) for _ in range(self.batch)])

    def _crop(self, rng: np.random.Generator, source: CropMaker) -> Crop:
        if self.learned and rng.random() < share_of(len(self.learned)):
            return learned_crop(rng, self.learned[int(rng.integers(len(self.learned)))], source)
        return source.make(rng)


class Replay:
    """Keeps the latest crops so that each may be shown more than once: making them costs more than learning them."""

    def __init__(self, capacity: int, seed: int) -> None:
        self.capacity = capacity
        self.rng = np.random.default_rng(seed)
        self.blocks: list[Batch] = []
        self.next = 0

    def exchange(self, fresh: Batch) -> Batch:
        """Store a fresh batch and return an equally large one drawn from all that is kept, turned and re-lit."""
        if len(self.blocks) < self.capacity:
            self.blocks.append(fresh)
        else:
            self.blocks[self.next] = fresh
            self.next = (self.next + 1) % self.capacity
        count = len(fresh[1])
        picks = [(int(self.rng.integers(len(self.blocks))), int(self.rng.integers(count))) for _ in range(count)]
        pictures, corners = [], []
        for block, row in picks:
            picture, where = self.blocks[block][0][row].float(), self.blocks[block][3][row]
            if self.rng.random() < 0.5:
                picture = picture.flip((1, 2))  # upside down, not mirrored
                where = 1 - where.roll(4)
            corners.append(where)
            gain = 1 + self.rng.normal(0, 0.12)
            tint = torch.from_numpy(1 + self.rng.normal(0, 0.03, (3, 1, 1))).float()
            pictures.append((picture * gain * tint + self.rng.normal(0, 6)).clamp(0, 255).to(torch.uint8))
        labels = torch.stack([self.blocks[b][1][r] for b, r in picks])
        visible = torch.stack([self.blocks[b][2][r] for b, r in picks])
        return torch.stack(pictures), labels, visible, torch.stack(corners)

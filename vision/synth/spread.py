"""A whole deck spread face up in rows on a table, photographed once: what somebody takes to have a deck enrolled."""

import math
from collections.abc import Sequence

import numpy as np

from vision.labels import CARD_MM
from vision.synth import textures
from vision.synth.compose import Camera, Canvas, Light, Placement
from vision.synth.decks import DeckArt
from vision.synth.effects import CALM, CameraLevel, photograph
from vision.synth.scene import HELD_OUT, Scene, SceneCard

GAP_MM = 9.0


def spread(
    seed: int,
    deck: DeckArt,
    labels: Sequence[str],
    size: tuple[int, int] = (1920, 1440),
    *,
    columns: int = 8,
    level: CameraLevel = CALM,
    upside_down: float = 0.3,
) -> Scene:
    """One picture of ``size`` (width, height) of these faces in rows from the top left on, none covering another.

    The cards lie as a careful hand lays them: a few degrees and millimetres off, some ``upside_down`` (a probability).
    The camera leans by up to 25 degrees. The same arguments give the same picture. Raises ValueError without labels.
    """
    if not labels:
        raise ValueError("a spread needs at least one card")
    rng = np.random.default_rng((seed, 7007))
    rows = math.ceil(len(labels) / columns)
    across, down = CARD_MM[0] + GAP_MM, CARD_MM[1] + GAP_MM
    # What leans away needs more room than what is seen from straight above.
    scale = 0.86 * min(size[0] / (columns * across), size[1] / (rows * down))
    tilt, roll = float(rng.uniform(0, 25)), float(rng.normal(0, 2))
    camera = Camera.look(size, scale, tilt, roll, 0.0, float(rng.uniform(50, 70)))
    flat = textures.table(int(rng.integers(100_000)) + (HELD_OUT if seed >= HELD_OUT else 0), size)
    light = Light((float(rng.uniform(-0.6, 0.6)), float(rng.uniform(0.1, 0.6))), float(rng.uniform(0.2, 0.5)))
    canvas = Canvas(flat, camera, light)
    for number, label in enumerate(labels):
        row, column = divmod(number, columns)
        place = Placement(
            (column - (columns - 1) / 2) * across + float(rng.normal(0, 1.5)),
            (row - (rows - 1) / 2) * down + float(rng.normal(0, 1.5)),
            float(rng.normal(0, 2.5)) + (180.0 if rng.random() < upside_down else 0.0),
            off=(float(rng.normal(0, 0.3)), float(rng.normal(0, 0.3))),
            card_mm=deck.card_mm,
        )
        canvas.lay_card(deck.face(label), place)
    seen = canvas.visible()
    unit = camera.px_per_mm * CARD_MM[1]
    cards = tuple(
        SceneCard(label, laid.quad, round(float(share), 4))
        for label, laid, share in zip(labels, canvas.laid, seen, strict=True)
    )
    return Scene(photograph(rng, canvas.image, unit, level), cards, "spread", (deck.name,), unit)

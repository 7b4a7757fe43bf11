"""Hard table tops: wood, stone, tiles, board, glass.

Each draws (H, W, 3) float32 BGR of a size at a scale.
"""

import cv2
import numpy as np

from vision.synth.texture_grain import Grid, Rng, between, noise, turbulence


def wood(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Boards with grain, pores and now and then a knot; ``planks`` or one sheet of veneer."""
    dark, pale = [
        ((22, 36, 62), (44, 74, 120)),  # walnut
        ((60, 100, 150), (120, 165, 205)),  # oak
        ((90, 140, 180), (150, 195, 225)),  # beech, pine
        ((24, 30, 70), (50, 62, 130)),  # mahogany
        ((70, 84, 98), (130, 146, 160)),  # weathered grey
        ((30, 70, 130), (60, 115, 180)),  # honey
    ][int(rng.integers(6))]
    base = between(rng, dark, pale)
    along = bool(rng.random() < 0.6)
    width, height = size if along else size[::-1]
    plank = float(rng.choice([60, 90, 120, 160, 2000])) * mm
    rows = np.arange(height, dtype=np.float32)
    board = np.floor((rows + rng.uniform(0, plank)) / plank).astype(np.int32)
    boards = int(board.max()) + 1
    bend = noise(rng, (width, height), (260 * mm, 30 * mm)) * rng.uniform(1.0, 4.0) * mm
    columns = np.arange(width, dtype=np.float32)
    offset = rng.uniform(0, 900, boards).astype(np.float32)
    v = rows[:, None] + bend + offset[board][:, None] * mm
    for _ in range(int(rng.integers(0, 4))):
        kx, ky, kr = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(8, 22) * mm
        bump = np.exp(-(((columns - kx) / (2.4 * kr)) ** 2))[None, :] * np.exp(-(((rows - ky) / kr) ** 2))[:, None]
        v += np.where(board == board[min(int(ky), height - 1)], 1.0, 0.0)[:, None] * bump * kr * 1.6
    period = rng.uniform(5, 16) * mm
    profile = cv2.resize(rng.standard_normal((1, 600), dtype=np.float32), (4096, 1), interpolation=cv2.INTER_CUBIC)[0]
    profile = profile * 0.6 + np.resize(rng.standard_normal(997).astype(np.float32), 4096) * 0.18
    rings = profile[(v * (4096 / (period * 150))).astype(np.int32) % 4096]
    fibre = noise(rng, (width, height), (22 * mm, 0.9 * mm))
    pores = np.clip(noise(rng, (width, height), (9 * mm, 0.6 * mm)) - 1.2, 0, 1.5)
    tone = 1 + rng.uniform(0.05, 0.16) * rings + rng.uniform(0.02, 0.06) * fibre - 0.16 * pores
    tone *= (1 + rng.normal(0, rng.uniform(0.02, 0.14), boards).astype(np.float32))[board][:, None]
    if boards > 1:
        seam = np.abs(np.diff(board, prepend=board[0])).astype(np.float32)
        seam = cv2.GaussianBlur(np.minimum(seam, 1)[:, None], (1, 0 * 2 + 5), max(0.5, 0.5 * mm))[:, 0]
        tone *= (1 - np.clip(seam * 1.6, 0, 1) * rng.uniform(0.3, 0.75))[:, None]
        length = rng.uniform(350, 900) * mm
        for index in range(boards if rng.random() < 0.6 else 0):
            inside = np.flatnonzero(board == index)
            if len(inside):
                for x in np.arange(rng.uniform(0, length), width, length):
                    tone[inside[0] : inside[-1] + 1, int(x) : int(x) + max(1, round(0.9 * mm))] *= 0.55
    hue = np.array([-0.35, 0.0, 0.22], np.float32)  # dark grain is redder than pale
    image = base * tone[..., None] * (1 + (1 - tone)[..., None] * hue)
    return image if along else np.ascontiguousarray(image.transpose(1, 0, 2))


def marble(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Polished marble with veins of two strengths."""
    ground = (
        between(rng, (40, 44, 42), (90, 92, 90))
        if rng.random() < 0.3
        else between(rng, (170, 185, 195), (230, 236, 238))
    )
    vein = ground * 0.45 if ground.mean() > 120 else np.clip(ground * 2.6, 0, 230)
    vein = np.clip(vein + rng.normal(0, 18, 3), 0, 240)
    field = turbulence(rng, size, rng.uniform(90, 220) * mm, 5)
    broad = np.exp(-np.abs(field) * rng.uniform(7, 16))
    thin = np.exp(-np.abs(turbulence(rng, size, 110 * mm, 4) + 0.5) * 40)
    share = np.clip(0.55 * broad * (0.6 + 0.4 * noise(rng, size, 80 * mm)) + 0.4 * thin, 0, 0.9)[..., None]
    image = ground * (1 + 0.04 * field[..., None]) * (1 - share) + vein * share
    return np.asarray(image, np.float32)


def granite(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Granite, terrazzo or worktop laminate: specks of two or three colours."""
    image = np.empty((size[1], size[0], 3), np.float32)
    image[:] = between(rng, (60, 62, 66), (190, 195, 200))
    grain = rng.uniform(1.2, 5.0) * mm
    for _ in range(int(rng.integers(2, 5))):
        colour = np.clip(image[0, 0] * rng.uniform(0.4, 1.7) + rng.normal(0, 14, 3), 10, 240)
        field = noise(rng, size, grain * rng.uniform(0.6, 1.6))
        share = np.clip((field - rng.uniform(0.5, 1.3)) * 3, 0, 1)[..., None]
        image += (colour.astype(np.float32) - image) * share
    return image * (1 + 0.02 * rng.standard_normal(size[::-1], dtype=np.float32))[..., None]


def tiles(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Glazed or stone tiles with joints; some carry a printed four-fold pattern."""
    pitch = max(10, round(rng.uniform(70, 240) * mm))
    base = between(rng, (90, 110, 130), (215, 225, 232))
    one = np.empty((pitch, pitch, 3), np.float32)
    one[:] = base
    if rng.random() < 0.45:
        quarter = np.zeros((pitch, pitch, 3), np.float32)
        quarter[:] = base
        for _ in range(int(rng.integers(3, 8))):
            ink = rng.uniform(30, 220, 3).tolist()
            at, axes = rng.uniform(0, pitch / 2, 2), rng.uniform(0.06, 0.5, 2) * pitch
            box = (tuple(map(float, at)), tuple(map(float, axes)), float(rng.uniform(0, 180)))
            cv2.ellipse(quarter, box, ink, -1 if rng.random() < 0.6 else max(1, round(2 * mm)), cv2.LINE_AA)
        half = pitch - pitch // 2
        corner = quarter[:half, :half]
        one = np.vstack([np.hstack([corner, corner[:, ::-1]]), np.hstack([corner[::-1], corner[::-1, ::-1]])])
        one = np.ascontiguousarray(one[:pitch, :pitch])
    rows, columns = size[1] // pitch + 2, size[0] // pitch + 2
    tone = 1 + rng.normal(0, rng.uniform(0.01, 0.09), (rows, columns)).astype(np.float32)
    if rng.random() < 0.25:
        tone *= np.where((np.arange(rows)[:, None] + np.arange(columns)[None, :]) % 2, 1.0, rng.uniform(0.25, 0.8))
    joint = max(1, round(rng.uniform(1.5, 5) * mm))
    grout = between(rng, (60, 60, 60), (210, 215, 220))
    image = np.tile(one, (rows, columns, 1)) * np.repeat(np.repeat(tone, pitch, 0), pitch, 1)[..., None]
    image = image.reshape(rows, pitch, columns, pitch, 3)
    image[:, :joint] = grout
    image[:, :, :, :joint] = grout
    image = image.reshape(rows * pitch, columns * pitch, 3)
    x, y = int(rng.integers(pitch)), int(rng.integers(pitch))
    image = image[y : y + size[1], x : x + size[0]]
    return image * (1 + 0.03 * turbulence(rng, size, 30 * mm, 3))[..., None]


def plain(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Painted or laminated board, plastic, paper."""
    grey = rng.uniform(20, 245)
    colour = np.clip(grey + rng.normal(0, 14, 3), 8, 250) if rng.random() < 0.6 else rng.uniform(30, 225, 3)
    tone = 1 + 0.012 * noise(rng, size, 1.5 * mm) + 0.02 * noise(rng, size, 120 * mm)
    return colour.astype(np.float32) * tone[..., None]


def glass(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """A glass or varnished top that mirrors windows and lamps."""
    image = between(rng, (20, 22, 20), (120, 130, 110)) * (1 + 0.03 * noise(rng, size, 200 * mm))[..., None]
    small = (max(8, size[0] // 4), max(8, size[1] // 4))
    mirror = np.zeros((small[1], small[0]), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = rng.uniform(0, 1, 2) * small
        box = cv2.boxPoints(
            (
                tuple(map(float, centre)),
                tuple(map(float, rng.uniform(20, 140, 2) * mm / 2)),
                float(rng.uniform(-25, 25)),
            )
        )
        cv2.fillPoly(mirror, [box.astype(np.int32)], float(rng.uniform(0.3, 1)))
    soft = cv2.GaussianBlur(mirror, (0, 0), rng.uniform(0.6, 6))
    shine = cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)[..., None]
    return image + shine * rng.uniform(20, 90)

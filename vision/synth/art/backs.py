"""Card backs."""

import cv2
import numpy as np


def lattice_back(
    height: int,
    width: int,
    ink: tuple[int, int, int] = (150, 60, 40),
    paper: tuple[int, int, int] = (245, 250, 252),
) -> np.ndarray:
    """A plain diagonal lattice with a white border, ``(height, width, 3)`` uint8 BGR; colours are BGR."""
    scale = 2
    h, w = height * scale, width * scale
    picture = np.full((h, w, 3), paper, np.uint8)
    margin = round(h * 0.04)
    step = h / 26
    line = max(1, round(step * 0.22))
    for k in range(-int(h / step), int((w + h) / step) + 1):
        x = k * step
        cv2.line(picture, (round(x), 0), (round(x + h), h), ink, line, cv2.LINE_AA)
        cv2.line(picture, (round(x + h), 0), (round(x), h), ink, line, cv2.LINE_AA)
    border = picture.copy()
    border[:] = paper
    border[margin : h - margin, margin : w - margin] = picture[margin : h - margin, margin : w - margin]
    cv2.rectangle(border, (margin, margin), (w - margin, h - margin), ink, line * 2, cv2.LINE_AA)
    return cv2.resize(border, (width, height), interpolation=cv2.INTER_AREA)

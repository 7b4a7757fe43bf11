"""How hard a film is to read: one record of camera, light, players and placement per level."""

from dataclasses import dataclass
from typing import Final, Literal

Level = Literal["easy", "medium", "hard", "demo"]
LEVELS: Final[tuple[Level, ...]] = ("easy", "medium", "hard")
"""The levels to choose from; ``demo`` is the light and view of the demo film."""


@dataclass(frozen=True, slots=True)
class FilmLevel:
    """Bounds from which a film draws its own values; pairs are (least, most).

    Angles in degrees, lengths in millimetres of the table, ``noise`` the standard deviation of the sensor noise in grey
    levels, ``blur`` the sigma of the lens in pixels at 1280 x 720, ``spread`` the distance of played cards from the
    middle as a share of the comfortable one (below 0.9 the cards of a trick overlap), ``exposure_time`` in seconds.
    """

    tilt: tuple[float, float]
    turn: tuple[float, float]
    roll: tuple[float, float]
    slack: tuple[float, float]
    off_centre: float
    light: float
    dim: tuple[float, float]
    lamps: tuple[int, int]
    cast: float
    shadow: tuple[float, float]
    shadow_reach: tuple[float, float]
    glare: tuple[float, float]
    noise: tuple[float, float]
    coarse_noise: float
    blur: tuple[float, float]
    focus_hunting: float
    flicker: float
    exposure_time: float
    place_mm: float
    place_deg: float
    spread: tuple[float, float]
    trump: tuple[str, ...]
    clutter: tuple[int, int]


LEVEL_TABLE: Final[dict[str, FilmLevel]] = {
    "easy": FilmLevel(
        tilt=(0, 4), turn=(-2, 2), roll=(-1, 1), slack=(1.06, 1.2), off_centre=0.01, light=0.25, dim=(0.95, 1.08),
        lamps=(0, 1), cast=0.03, shadow=(0.18, 0.3), shadow_reach=(0.15, 0.35), glare=(0, 0), noise=(1.0, 1.8),
        coarse_noise=0.0, blur=(0.3, 0.5), focus_hunting=0.0, flicker=0.01, exposure_time=0.008, place_mm=4,
        place_deg=3, spread=(1.02, 1.12), trump=("beside",), clutter=(0, 0),
    ),
    "medium": FilmLevel(
        tilt=(24, 31), turn=(-8, 8), roll=(-3, 3), slack=(1.04, 1.16), off_centre=0.04, light=0.5, dim=(0.82, 1.0),
        lamps=(1, 2), cast=0.08, shadow=(0.3, 0.45), shadow_reach=(0.35, 0.8), glare=(0, 0.25), noise=(2.2, 3.6),
        coarse_noise=0.25, blur=(0.4, 0.7), focus_hunting=0.5, flicker=0.025, exposure_time=0.014, place_mm=7,
        place_deg=8, spread=(0.74, 0.98), trump=("beside", "partly", "half"), clutter=(1, 2),
    ),
    "hard": FilmLevel(
        tilt=(36, 44), turn=(-16, 16), roll=(-5, 5), slack=(1.06, 1.2), off_centre=0.06, light=0.8, dim=(0.5, 0.7),
        lamps=(1, 2), cast=0.16, shadow=(0.4, 0.6), shadow_reach=(0.5, 1.2), glare=(0.5, 0.9), noise=(3.2, 4.6),
        coarse_noise=0.5, blur=(0.6, 0.95), focus_hunting=1.2, flicker=0.05, exposure_time=0.024, place_mm=11,
        place_deg=16, spread=(0.5, 0.8), trump=("partly", "half", "half"), clutter=(3, 5),
    ),
    "demo": FilmLevel(
        tilt=(15, 15), turn=(-2, -2), roll=(0.6, 0.6), slack=(1.12, 1.12), off_centre=0.0, light=0.4, dim=(1.0, 1.0),
        lamps=(1, 1), cast=0.05, shadow=(0.36, 0.36), shadow_reach=(0.45, 0.45), glare=(0, 0), noise=(0.7, 0.7),
        coarse_noise=0.0, blur=(0.3, 0.3), focus_hunting=0.0, flicker=0.0, exposure_time=0.012, place_mm=6,
        place_deg=6, spread=(0.98, 0.98), trump=("beside",), clutter=(2, 2),
    ),
}  # fmt: skip

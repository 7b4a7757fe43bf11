"""Everything that makes one deck look like itself."""

from dataclasses import dataclass, field

from vision.labels import CARD_MM
from vision.synth.art.aces import AceStyle
from vision.synth.art.backs import BackStyle
from vision.synth.art.clubs import ClubStyle
from vision.synth.art.coins import CoinStyle
from vision.synth.art.courts import CourtStyle
from vision.synth.art.cups import CupStyle
from vision.synth.art.frame import FrameStyle
from vision.synth.art.layouts import Grid, Stick
from vision.synth.art.palette import Palette
from vision.synth.art.paper import PaperStyle
from vision.synth.art.pen import Colour, Print
from vision.synth.art.swords import SwordStyle


@dataclass(frozen=True, slots=True)
class RoundPips:
    """How one deck lays out oros or copas."""

    grids: dict[int, Grid]
    fill: float = 0.95
    largest: float = 11.0
    """Cap of a pip's half height, mm."""
    inverted: str = "none"
    """``none``, ``lower`` (the lower half stands on its head) or ``alternate``."""
    big_centre: bool = False
    """The middle pip of the five is larger."""


@dataclass(frozen=True, slots=True)
class StickPips:
    """How one deck lays out espadas or bastos."""

    sticks: dict[int, tuple[Stick, ...]]
    unit: float = 3.0
    """Size of a sword's hilt, or width of a club as a multiple of its own style, mm."""


@dataclass(frozen=True, slots=True)
class SmallPrint:
    """Words on a few cards: label to text, with a signature under some."""

    words: dict[str, str]
    height: float = 2.2
    colour: Colour = (40, 40, 160)
    signature: bool = False


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """One deck, drawn wholly from these values and ``seed``."""

    seed: int
    palette: Palette
    ink: Print
    frame: FrameStyle
    coin: CoinStyle
    cup: CupStyle
    sword: SwordStyle
    club: ClubStyle
    round_pips: dict[str, RoundPips]
    stick_pips: dict[str, StickPips]
    courts: dict[str, CourtStyle]
    aces: AceStyle
    back: BackStyle
    paper: PaperStyle = field(default_factory=PaperStyle)
    print_words: SmallPrint | None = None
    padding: tuple[float, float] = (2.0, 3.0)
    """Free space between frame and pips, mm."""
    shift: tuple[float, float] = (0.0, 0.0)
    shift_spread: float = 0.0
    turn: float = 0.0
    panel: Colour | None = None
    """Colour of the field inside the frame, when it is not the paper's."""
    corner_mm: float = 4.0
    card_mm: tuple[float, float] = CARD_MM

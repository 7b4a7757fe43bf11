"""Scores readings against truth: finding, naming, calibration; per card, per size, per share covered.

Needs neither torch nor Ultralytics: what is scored is what runs at play time. Average precision is the area under the
interpolated precision-recall curve at 101 recall points (COCO); mAP50-95 is its mean over IoU 0.50, 0.55 ... 0.95.
Boxes are compared as quads; a card whose label is an axis-aligned box is compared with the upright hull of the reading.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.facts import Detection
from vision.labels import INDEX, LABELS
from vision.overlap import iou_matrix
from vision.train.truth import MarkedCard

IOUS = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))
SIZES = ((0, 40), (40, 60), (60, 100), (100, 200), (200, 10_000))
SHARES = ((0.0, 0.35), (0.35, 0.5), (0.5, 0.75), (0.75, 0.98), (0.98, 1.01))
BACK = "back"
_LEVELS: Final = np.array(IOUS)

CLEAR: Final = "at least 60 px tall and at least half visible"
HARD: Final = "40-60 px tall or about a third visible (0.3-0.5), and not less of either"
CLAIMED: Final = 0.5
"""Score (box times name) from which a reading counts as a claim: that of a card where there is none is false."""
NEAR: Final = 0.3
"""Overlap (IoU) with any labelled card from which a reading is not called a card that is not there."""

FaultKind = Literal["wrong_name", "missed", "false_card", "false_back"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One error of a picture, for looking at it.

    ``truth`` is the label or kind that is right (None: no card there), ``read`` what was read (None: nothing),
    ``confidence`` that of the name, the claim or, for a missed card, how plainly it could be seen (0..1).
    """

    kind: FaultKind
    picture: str
    truth: str | None
    read: str | None
    confidence: float
    quad: NDArray[np.float32]


@dataclass(slots=True)
class Row:
    """A line of a table: labelled cards ``seen``, those ``found``, faces found whose name was asked, named ``right``.

    ``found`` counts cards of which the place and the kind (face or back) are right.
    """

    seen: int = 0
    found: int = 0
    named: int = 0
    right: int = 0

    def as_json(self) -> dict[str, object]:
        """The counts with the shares that follow from them (None without a try)."""
        return {
            "seen": self.seen,
            "found": self.found,
            "found_share": _share(self.found, self.seen),
            "named": self.named,
            "right": self.right,
            "right_share": _share(self.right, self.named),
        }


@dataclass(slots=True)
class Tally:
    """Hits out of tries."""

    hits: int = 0
    tries: int = 0

    def add(self, hit: bool) -> None:
        """Count one try."""
        self.hits += hit
        self.tries += 1

    @property
    def share(self) -> float | None:
        """Hits per try, None without a try."""
        return _share(self.hits, self.tries)


@dataclass(slots=True)
class Evaluation:
    """Collects picture after picture; :meth:`report` gives the figures as JSON values."""

    threshold: float = 0.25
    located: Tally = field(default_factory=Tally)
    identity: Tally = field(default_factory=Tally)
    cards: dict[str, Row] = field(default_factory=dict)
    sizes: dict[str, Row] = field(default_factory=dict)
    shares: dict[str, Row] = field(default_factory=dict)
    groups: dict[str, Row] = field(default_factory=lambda: {CLEAR: Row(), HARD: Row()})
    confusion: dict[tuple[str, str], int] = field(default_factory=dict)
    bets: list[tuple[float, bool]] = field(default_factory=list)
    confident_wrong: list[dict[str, object]] = field(default_factory=list)
    pictures: int = 0
    empty_pictures: int = 0
    false_cards: int = 0
    _truths: dict[str, int] = field(default_factory=dict)
    _claims: dict[str, list[tuple[float, NDArray[np.bool_]]]] = field(default_factory=dict)

    def add(self, name: str, truth: Sequence[MarkedCard], found: Sequence[Detection]) -> list[Fault]:
        """Score one picture: ``found`` are all readings of it, confident or not. Returns what is wrong with them."""
        self.pictures += 1
        self.empty_pictures += not truth
        overlaps = overlaps_of(truth, found)
        for card in truth:
            key = card.label or card.kind
            self._truths[key] = self._truths.get(key, 0) + 1
        self._claim(truth, found, overlaps)
        return [*self._locate(name, truth, found, overlaps), *_false_cards(name, found, overlaps)]

    def _claim(self, truth: Sequence[MarkedCard], found: Sequence[Detection], overlaps: NDArray[np.float64]) -> None:
        """Match named cards per class and IoU level, best score first, each truth once."""
        rows_of: dict[str, list[int]] = {}
        for row, card in enumerate(truth):
            rows_of.setdefault(card.label or card.kind, []).append(row)
        used = np.zeros((len(truth), len(IOUS)), bool)
        for index in sorted(range(len(found)), key=lambda index: -score_of(found[index])):
            label, score = name_of(found[index]), score_of(found[index])
            hits = np.zeros(len(IOUS), bool)
            # The best overlap first: a level takes the first row that reaches it and is free there.
            for row in sorted(rows_of.get(label, ()), key=lambda row: -overlaps[row, index]):
                taken = (overlaps[row, index] >= _LEVELS) & ~used[row] & ~hits
                used[row] |= taken
                hits |= taken
            self._claims.setdefault(label, []).append((score, hits))
            if score >= CLAIMED and not truth:
                self.false_cards += 1

    def _locate(
        self, name: str, truth: Sequence[MarkedCard], found: Sequence[Detection], overlaps: NDArray[np.float64]
    ) -> list[Fault]:
        """Match boxes without their names; then ask whether the name of a found face is right."""
        faults: list[Fault] = []
        taken: set[int] = set()
        for row, card in enumerate(truth):
            fits = [
                column
                for column in np.flatnonzero(overlaps[row] >= IOUS[0]).tolist()
                if column not in taken
                and found[column].kind == card.kind
                and found[column].confidence >= self.threshold
            ]
            rows = self._rows(card)
            self.located.add(bool(fits))
            for line in rows:
                line.seen += 1
                line.found += bool(fits)
            if not fits:
                plain = min(1.0, card_height(card.quad) / 100) * (1.0 if card.visible is None else card.visible)
                faults.append(Fault("missed", name, card.label or card.kind, None, plain, card.quad))
                continue
            column = max(fits, key=lambda c: overlaps[row, c])
            taken.add(column)
            probs = found[column].probs
            if card.label is None or probs is None:
                continue
            guess, sure = LABELS[int(np.argmax(probs))], float(np.max(probs))
            right = guess == card.label
            self.identity.add(right)
            for line in rows:
                line.named += 1
                line.right += right
            self.bets.append((sure, right))
            if right:
                continue
            self.confusion[(card.label, guess)] = self.confusion.get((card.label, guess), 0) + 1
            faults.append(Fault("wrong_name", name, card.label, guess, sure, card.quad))
            if sure > 0.9:
                self.confident_wrong.append(
                    {"picture": name, "truth": card.label, "read": guess, "confidence": round(sure, 3)}
                )
        return faults

    def _rows(self, card: MarkedCard) -> list[Row]:
        """The lines of the tables that a card belongs to."""
        height = card_height(card.quad)
        rows = [
            self.cards.setdefault(card.label or card.kind, Row()),
            *(self.sizes.setdefault(name, Row()) for name in _bins(SIZES, height)),
        ]
        if card.visible is not None:
            rows += [self.shares.setdefault(name, Row()) for name in _bins(SHARES, card.visible)]
            if height >= 60 and card.visible >= 0.5:
                rows.append(self.groups[CLEAR])
            elif height >= 40 and card.visible >= 0.3:
                rows.append(self.groups[HARD])
        return rows

    def average_precision(self, label: str) -> NDArray[np.float64] | None:
        """Return AP of one class at each level of ``IOUS``; None where the class does not occur."""
        total = self._truths.get(label, 0)
        if not total:
            return None
        claims = sorted(self._claims.get(label, ()), key=lambda claim: -claim[0])
        if not claims:
            return np.zeros(len(IOUS))
        hits = np.cumsum([claim[1] for claim in claims], axis=0, dtype=np.float64)
        recall, precision = hits / total, hits / np.arange(1, len(hits) + 1)[:, None]
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        points = np.linspace(0, 1, 101)
        out = np.zeros(len(IOUS))
        for level in range(len(IOUS)):
            at = np.searchsorted(recall[:, level], points, side="left")
            reached = envelope[np.minimum(at, len(envelope) - 1), level]
            out[level] = np.where(at < len(envelope), reached, 0.0).mean()
        return out

    def report(self) -> dict[str, object]:
        """Return every figure as JSON values."""
        classes = [label for label in (*LABELS, BACK) if self._truths.get(label)]
        grid = [self.average_precision(label) for label in classes]
        table = np.array(grid, np.float64).reshape(len(classes), len(IOUS))
        named = [
            hits[0]
            for label, claims in self._claims.items()
            if label != BACK
            for score, hits in claims
            if score >= self.threshold
        ]
        faces = sum(count for label, count in self._truths.items() if label in INDEX)
        return {
            "pictures": self.pictures,
            "cards": sum(self._truths.values()),
            "located_recall": self.located.share,
            "precision": _share(sum(map(int, named)), len(named)) if faces else None,
            "recall": _share(sum(map(int, named)), faces),
            "map50": round(float(table[:, 0].mean()), 4) if classes else None,
            "map50_95": round(float(table.mean()), 4) if classes else None,
            "identity_top1": self.identity.share,
            "identity_cards": self.identity.tries,
            "calibration_error": calibration_error(self.bets),
            "wrong_above_0.9": self.confident_wrong,
            "empty_pictures": self.empty_pictures,
            "false_cards_in_empty_pictures": self.false_cards,
            "false_cards_per_empty_picture": _share(self.false_cards, self.empty_pictures),
            "groups": {name: row.as_json() for name, row in self.groups.items()},
            "by_card": {name: self.cards[name].as_json() for name in (*LABELS, "face", BACK) if name in self.cards},
            "by_size": _table(self.sizes),
            "by_visible_share": _table(self.shares),
            "identity_by_size": _identity(self.sizes),
            "identity_by_visible_share": _identity(self.shares),
            "located_by_size": _located(self.sizes),
            "located_by_visible_share": _located(self.shares),
            "identity_by_card": {
                label: _share(self.cards[label].right, self.cards[label].named)
                for label in LABELS
                if label in self.cards and self.cards[label].named
            },
            "confusions": [
                {"truth": truth, "read": guess, "times": times}
                for (truth, guess), times in sorted(self.confusion.items(), key=lambda item: (-item[1], item[0]))
            ],
        }


def overlaps_of(truth: Sequence[MarkedCard], found: Sequence[Detection]) -> NDArray[np.float64]:
    """IoU (len(truth), len(found)) of labelled cards with readings; see the module on axis-aligned labels."""
    overlaps = np.zeros((len(truth), len(found)))
    if not truth or not found:
        return overlaps
    marked = np.stack([card.quad for card in truth]).astype(np.float64)
    quads = np.stack([one.quad for one in found]).astype(np.float64)
    boxed = np.array([card.boxed for card in truth])
    if not boxed.all():
        overlaps[~boxed] = iou_matrix(marked[~boxed], quads)
    if boxed.any():
        overlaps[boxed] = iou_matrix(marked[boxed], hulls(quads))
    return overlaps


def hulls(quads: NDArray[np.float64]) -> NDArray[np.float64]:
    """The upright boxes (N, 4, 2) around quads (N, 4, 2)."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    x0, y0, x1, y1 = low[:, 0], low[:, 1], high[:, 0], high[:, 1]
    return np.stack([x0, y0, x1, y0, x1, y1, x0, y1], axis=1).reshape(-1, 4, 2)


def card_height(quad: NDArray[np.float32]) -> float:
    """Return the length of a card's long side in pixels."""
    sides = [float(np.linalg.norm(quad[i] - quad[(i + 1) % 4])) for i in range(4)]
    return max(sides[0] + sides[2], sides[1] + sides[3]) / 2


def name_of(detection: Detection) -> str:
    """Return the name that a reading claims: a label, or "back"."""
    if detection.kind == "back" or detection.probs is None:
        return BACK
    return LABELS[int(np.argmax(detection.probs))]


def score_of(detection: Detection) -> float:
    """Return how sure a reading is: the box, times the name for a face."""
    if detection.kind == "back" or detection.probs is None:
        return detection.confidence
    return detection.confidence * float(np.max(detection.probs))


def calibration_bins(bets: Iterable[tuple[float, bool]], bins: int = 15) -> list[tuple[float, float, int]]:
    """The filled bins of equal width of (confidence, was right) pairs: (mean confidence, share right, count)."""
    pairs = list(bets)
    sure = np.array([pair[0] for pair in pairs])
    right = np.array([pair[1] for pair in pairs], np.float64)
    place = np.minimum((sure * bins).astype(int), bins - 1)
    return [
        (float(sure[place == b].mean()), float(right[place == b].mean()), int((place == b).sum()))
        for b in sorted(set(place.tolist()))
    ]


def calibration_error(bets: Iterable[tuple[float, bool]], bins: int = 15) -> float | None:
    """Return the expected calibration error of (confidence, was right) pairs; None without any."""
    filled = calibration_bins(bets, bins)
    total = sum(count for _, _, count in filled)
    return round(sum(abs(right - sure) * count / total for sure, right, count in filled), 4) if total else None


def _false_cards(name: str, found: Sequence[Detection], overlaps: NDArray[np.float64]) -> list[Fault]:
    """The claims of a picture that lie on no labelled card."""
    nearest = overlaps.max(axis=0, initial=0.0)
    return [
        Fault("false_back" if one.kind == "back" else "false_card", name, None, name_of(one), score_of(one), one.quad)
        for one, near in zip(found, nearest, strict=True)
        if near < NEAR and score_of(one) >= CLAIMED
    ]


def _bins(edges: Sequence[tuple[float, float]], value: float) -> list[str]:
    return [f"{low:g}-{high:g}" for low, high in edges if low <= value < high]


def _share(hits: int, tries: int) -> float | None:
    return round(hits / tries, 4) if tries else None


def _ordered(rows: dict[str, Row]) -> list[tuple[str, Row]]:
    return sorted(rows.items(), key=lambda item: float(item[0].split("-")[0]))


def _table(rows: dict[str, Row]) -> dict[str, dict[str, object]]:
    return {name: row.as_json() for name, row in _ordered(rows)}


def _identity(rows: dict[str, Row]) -> dict[str, dict[str, object]]:
    return {name: {"share": _share(row.right, row.named), "of": row.named} for name, row in _ordered(rows) if row.named}


def _located(rows: dict[str, Row]) -> dict[str, dict[str, object]]:
    return {name: {"share": _share(row.found, row.seen), "of": row.seen} for name, row in _ordered(rows)}

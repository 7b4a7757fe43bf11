"""Scores readings against truth: finding, naming, calibration; per card, per size, per share covered.

Needs neither torch nor Ultralytics: what is scored is what runs at play time. Average precision is the area under the
interpolated precision-recall curve at 101 recall points (COCO); mAP50-95 is its mean over IoU 0.50, 0.55 ... 0.95.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

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
        return round(self.hits / self.tries, 4) if self.tries else None


@dataclass(slots=True)
class Evaluation:
    """Collects picture after picture; :meth:`report` gives the figures as JSON values."""

    threshold: float = 0.25
    located: Tally = field(default_factory=Tally)
    identity: Tally = field(default_factory=Tally)
    by_label: dict[str, Tally] = field(default_factory=dict)
    by_size: dict[str, Tally] = field(default_factory=dict)
    by_share: dict[str, Tally] = field(default_factory=dict)
    found_by_size: dict[str, Tally] = field(default_factory=dict)
    found_by_share: dict[str, Tally] = field(default_factory=dict)
    confusion: dict[tuple[str, str], int] = field(default_factory=dict)
    confident_wrong: list[dict[str, object]] = field(default_factory=list)
    pictures: int = 0
    false_cards: int = 0
    _truths: dict[str, int] = field(default_factory=dict)
    _claims: list[tuple[str, float, tuple[bool, ...]]] = field(default_factory=list)
    _bets: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, name: str, truth: Sequence[MarkedCard], found: Sequence[Detection]) -> None:
        """Score one picture: ``found`` are all readings of it, confident or not."""
        self.pictures += 1
        overlaps = np.zeros((len(truth), len(found)))
        if truth and found:
            overlaps = iou_matrix(np.stack([c.quad for c in truth]), np.stack([d.quad for d in found]))
        for card in truth:
            key = card.label or card.kind
            self._truths[key] = self._truths.get(key, 0) + 1
        self._claim(truth, found, overlaps)
        self._locate(name, truth, found, overlaps)

    def _claim(self, truth: Sequence[MarkedCard], found: Sequence[Detection], overlaps: NDArray[np.float64]) -> None:
        """Match named cards per class and IoU level, best score first, each truth once."""
        ranked = sorted(range(len(found)), key=lambda index: -score_of(found[index]))
        used: list[set[int]] = [set() for _ in IOUS]
        for index in ranked:
            label = name_of(found[index])
            hits = []
            for level, iou in enumerate(IOUS):
                rows = [
                    row
                    for row, card in enumerate(truth)
                    if (card.label or card.kind) == label and overlaps[row, index] >= iou and row not in used[level]
                ]
                if rows:
                    used[level].add(max(rows, key=lambda row: overlaps[row, index]))
                hits.append(bool(rows))
            self._claims.append((label, score_of(found[index]), tuple(hits)))
            if score_of(found[index]) >= 0.5 and not truth:
                self.false_cards += 1

    def _locate(
        self, name: str, truth: Sequence[MarkedCard], found: Sequence[Detection], overlaps: NDArray[np.float64]
    ) -> None:
        """Match boxes without their names; then ask whether the name of a found face is right."""
        taken: set[int] = set()
        for row, card in enumerate(truth):
            fits = [
                column
                for column in range(len(found))
                if column not in taken
                and found[column].kind == card.kind
                and overlaps[row, column] >= 0.5
                and found[column].confidence >= self.threshold
            ]
            hit = bool(fits)
            self.located.add(hit)
            height = card_height(card.quad)
            _bin(self.found_by_size, SIZES, height, hit)
            if card.visible is not None:
                _bin(self.found_by_share, SHARES, card.visible, hit)
            if not hit:
                continue
            column = max(fits, key=lambda c: overlaps[row, c])
            taken.add(column)
            probs = found[column].probs
            if card.label is None or probs is None:
                continue
            guess, sure = LABELS[int(np.argmax(probs))], float(np.max(probs))
            right = guess == card.label
            self.identity.add(right)
            self.by_label.setdefault(card.label, Tally()).add(right)
            _bin(self.by_size, SIZES, height, right)
            if card.visible is not None:
                _bin(self.by_share, SHARES, card.visible, right)
            self._bets.append((sure, right))
            if not right:
                self.confusion[(card.label, guess)] = self.confusion.get((card.label, guess), 0) + 1
                if sure > 0.9:
                    self.confident_wrong.append(
                        {"picture": name, "truth": card.label, "read": guess, "confidence": round(sure, 3)}
                    )

    def average_precision(self, label: str, level: int) -> float | None:
        """Return AP of one class at ``IOUS[level]``; None where the class does not occur."""
        total = self._truths.get(label, 0)
        if not total:
            return None
        claims = sorted((c for c in self._claims if c[0] == label), key=lambda claim: -claim[1])
        hits = np.array([claim[2][level] for claim in claims], np.float64)
        if not len(hits):
            return 0.0
        true = np.cumsum(hits)
        recall, precision = true / total, true / np.arange(1, len(hits) + 1)
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        points = np.linspace(0, 1, 101)
        at = np.searchsorted(recall, points, side="left")
        return float(np.where(at < len(envelope), envelope[np.minimum(at, len(envelope) - 1)], 0.0).mean())

    def report(self) -> dict[str, object]:
        """Return every figure as JSON values."""
        classes = [label for label in (*LABELS, BACK) if self._truths.get(label)]
        grid = [[self.average_precision(label, level) or 0.0 for level in range(len(IOUS))] for label in classes]
        table = np.array(grid, np.float64).reshape(len(classes), len(IOUS))
        named = [claim for claim in self._claims if claim[1] >= self.threshold and claim[0] != BACK]
        hits = sum(claim[2][0] for claim in named)
        faces = sum(count for label, count in self._truths.items() if label in INDEX)
        return {
            "pictures": self.pictures,
            "cards": sum(self._truths.values()),
            "located_recall": self.located.share,
            "precision": round(hits / len(named), 4) if named else None,
            "recall": round(hits / faces, 4) if faces else None,
            "map50": round(float(table[:, 0].mean()), 4) if classes else None,
            "map50_95": round(float(table.mean()), 4) if classes else None,
            "identity_top1": self.identity.share,
            "identity_cards": self.identity.tries,
            "calibration_error": calibration_error(self._bets),
            "wrong_above_0.9": self.confident_wrong,
            "false_cards_in_empty_pictures": self.false_cards,
            "identity_by_size": _shares(self.by_size),
            "identity_by_visible_share": _shares(self.by_share),
            "located_by_size": _shares(self.found_by_size),
            "located_by_visible_share": _shares(self.found_by_share),
            "identity_by_card": {label: self.by_label[label].share for label in LABELS if label in self.by_label},
            "confusions": [
                {"truth": truth, "read": guess, "times": times}
                for (truth, guess), times in sorted(self.confusion.items(), key=lambda item: (-item[1], item[0]))
            ],
        }


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


def calibration_error(bets: Iterable[tuple[float, bool]], bins: int = 15) -> float | None:
    """Return the expected calibration error of (confidence, was right) pairs; None without any."""
    pairs = list(bets)
    if not pairs:
        return None
    sure = np.array([pair[0] for pair in pairs])
    right = np.array([pair[1] for pair in pairs], np.float64)
    place = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [abs(right[place == b].mean() - sure[place == b].mean()) * (place == b).mean() for b in set(place)]
    return round(float(sum(gaps)), 4)


def _bin(tallies: dict[str, Tally], edges: Sequence[tuple[float, float]], value: float, hit: bool) -> None:
    for low, high in edges:
        if low <= value < high:
            tallies.setdefault(f"{low:g}-{high:g}", Tally()).add(hit)


def _shares(tallies: dict[str, Tally]) -> dict[str, dict[str, object]]:
    ordered = sorted(tallies.items(), key=lambda item: float(item[0].split("-")[0]))
    return {name: {"share": tally.share, "of": tally.tries} for name, tally in ordered}

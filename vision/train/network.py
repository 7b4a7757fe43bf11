"""The identifier network: the backbone of YOLO11n with a head for 48 faces and the visible share of the card."""

from itertools import pairwise
from pathlib import Path

import torch
from torch import nn

import vision.train.offline  # noqa: F401  isort: skip  (sets the environment that ultralytics reads)
from ultralytics import YOLO

from vision.labels import LABELS, RANKS

BACKBONE_LAYERS = 9
"""Layers 0-8 of YOLO11n: down to stride 32, without the pooling and attention blocks meant for whole scenes."""

FEATURES = 256

FINE_LAYERS = 7
"""Layers 0-6: down to stride 16."""

FINE_FEATURES = 128


CORNER = (0.26, 0.34)
"""Share of the height and width of a crop in which an index stands, also where the box is a little off."""

INDEX_SHARE = 0.4
"""How much the index counts beside the features, which see the same crop: chosen on crops of drawn designs held out."""


class CardNet(nn.Module):
    """Maps crops (N, 3, H, W), RGB 0..1, to 48 face logits and one logit of the visible share.

    Mean and maximum pooling together keep "how many pips"; the digits of the index, too small for that, are read by a
    branch of their own.
    """

    def __init__(self, start: Path | None = None) -> None:
        super().__init__()
        yolo = YOLO("yolo11n.yaml", verbose=False)
        if start is not None:
            yolo.load(str(start))
        layers = list(yolo.model.model)[:BACKBONE_LAYERS]
        self.backbone = nn.Sequential(*layers)
        self.mix = nn.Sequential(nn.Conv2d(FEATURES, 384, 1, bias=False), nn.BatchNorm2d(384), nn.SiLU())
        self.drop = nn.Dropout(0.15)
        self.faces = nn.Linear(2 * 384, len(LABELS))
        self.visible = nn.Linear(2 * 384, 1)
        self.outline = Outline()
        self.index = Index()
        for parameter in self.parameters():
            parameter.requires_grad_(True)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return (face logits (N, 48), visible logits (N,), corners (N, 8) as shares of the crop)."""
        return self.answers(*self.fields(crops), self.index(crops))

    def fields(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the fields at stride 16 and 32, (N, 128, h, w) and (N, 256, h, w): nearly all of the computing."""
        fine = self.backbone[:FINE_LAYERS](crops)
        return fine, self.backbone[FINE_LAYERS:](fine)

    def answers(
        self, fine: torch.Tensor, coarse: torch.Tensor, ranks: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return what :meth:`forward` does, from the fields and what the index says of the rank (N, 12)."""
        features, corners = self.features(fine, coarse)
        pooled = self.drop(features)
        return self.named(pooled, ranks), self.visible(pooled).squeeze(1), corners

    def named(self, features: torch.Tensor, ranks: torch.Tensor) -> torch.Tensor:
        """Return face logits (N, 48): what the features say of a face, and the index of its rank."""
        return self.faces(features) + INDEX_SHARE * ranks.repeat(1, len(LABELS) // len(RANKS))

    def features(self, fine: torch.Tensor, coarse: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the last layer decides from, (N, 768): means of 384 channels, then maxima; and the corners."""
        field = self.mix(coarse)
        return torch.cat([field.mean((2, 3)), field.amax((2, 3))], 1), self.outline(fine, coarse)


class Index(nn.Module):
    """What the index digits at two opposite corners say of the rank; a card is read either way up.

    A corner in which no digit is seen has nothing to add: its twelve answers are alike.
    """

    def __init__(self) -> None:
        super().__init__()
        widths = (3, 16, 32, 64, 96)
        layers: list[nn.Module] = []
        for number, (before, after) in enumerate(pairwise(widths)):
            layers += [nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.SiLU()]
            layers += [nn.MaxPool2d(2)] if number < len(widths) - 2 else []
        self.digits = nn.Sequential(*layers)
        self.ranks = nn.Conv2d(widths[-1], len(RANKS), 1)
        nn.init.zeros_(self.ranks.weight)
        nn.init.zeros_(self.ranks.bias)

    def wake(self) -> None:
        """Let a branch that says nothing yet learn faster than from zeros."""
        if not self.ranks.weight.any():
            nn.init.normal_(self.ranks.weight, std=0.1)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Return logits of the ranks 1-12 (N, 12), to be added to others, from crops as :class:`CardNet` takes them."""
        height, width = (round(share * int(side)) for share, side in zip(CORNER, crops.shape[2:], strict=True))
        upper = crops[:, :, :height, :width]
        lower = crops[:, :, -height:, -width:].flip(2, 3)
        seen = self.ranks(self.digits(torch.cat([upper, lower]))).amax((2, 3))
        first, second = seen.chunk(2)
        return first + second


class Outline(nn.Module):
    """Where the card's true corners are, from the last two scales of the backbone: a locator's box is often off.

    The sizes of the fields are those of a crop of 216 x 144; other crops are resized to them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(nn.Conv2d(FINE_FEATURES, 16, 1), nn.SiLU(), nn.Upsample((14, 9), mode="bilinear"))
        self.coarse = nn.Sequential(nn.Conv2d(FEATURES, 24, 1), nn.SiLU(), nn.Upsample((7, 5), mode="bilinear"))
        self.corners = nn.Sequential(nn.Linear(16 * 14 * 9 + 24 * 7 * 5, 96), nn.SiLU(), nn.Linear(96, 8))
        nn.init.zeros_(self.corners[2].weight)
        self.corners[2].bias.data = torch.tensor([0.04, 0.04, 0.96, 0.04, 0.96, 0.96, 0.04, 0.96])

    def forward(self, fine: torch.Tensor, coarse: torch.Tensor) -> torch.Tensor:
        """Return corners (N, 8): x and y of top left, top right, bottom right, bottom left, as shares of the crop."""
        seen = torch.cat([self.fine(fine).flatten(1), self.coarse(coarse).flatten(1)], 1)
        return self.corners(seen)


class ReadyNet(nn.Module):
    """The network as it is shipped: calibrated probabilities and a share instead of logits, and the features."""

    def __init__(self, net: CardNet, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.temperature = temperature

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return (probs (N, 48), visible (N,), embedding (N, 768), corners (N, 8))."""
        embedding, corners = self.net.features(*self.net.fields(crops))
        faces = self.net.named(embedding, self.net.index(crops))
        visible = self.net.visible(embedding).squeeze(1)
        return torch.softmax(faces / self.temperature, 1), torch.sigmoid(visible), embedding, corners

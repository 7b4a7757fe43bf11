"""The identifier network: the backbone of YOLO11n with a head for 48 faces and the visible share of the card."""

from pathlib import Path

import torch
from torch import nn

import vision.train.offline  # noqa: F401  isort: skip  (sets the environment that ultralytics reads)
from ultralytics import YOLO

from vision.labels import LABELS

BACKBONE_LAYERS = 9
"""Layers 0-8 of YOLO11n: down to stride 32, without the pooling and attention blocks meant for whole scenes."""

FEATURES = 256

FINE_LAYERS = 7
"""Layers 0-6: down to stride 16."""

FINE_FEATURES = 128


class CardNet(nn.Module):
    """Maps crops (N, 3, H, W), RGB 0..1, to 48 face logits and one logit of the visible share.

    Mean and maximum pooling together keep "how many pips" and "is there an index digit anywhere".
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
        for parameter in self.parameters():
            parameter.requires_grad_(True)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return (face logits (N, 48), visible logits (N,), corners (N, 8) as shares of the crop)."""
        return self.answers(*self.fields(crops))

    def fields(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the fields at stride 16 and 32, (N, 128, h, w) and (N, 256, h, w): nearly all of the computing."""
        fine = self.backbone[:FINE_LAYERS](crops)
        return fine, self.backbone[FINE_LAYERS:](fine)

    def answers(self, fine: torch.Tensor, coarse: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return what :meth:`forward` does, from the fields."""
        features, corners = self.features(fine, coarse)
        pooled = self.drop(features)
        return self.faces(pooled), self.visible(pooled).squeeze(1), corners

    def features(self, fine: torch.Tensor, coarse: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the last layer decides from, (N, 768): means of 384 channels, then maxima; and the corners."""
        field = self.mix(coarse)
        return torch.cat([field.mean((2, 3)), field.amax((2, 3))], 1), self.outline(fine, coarse)


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
        faces, visible = self.net.faces(embedding), self.net.visible(embedding).squeeze(1)
        return torch.softmax(faces / self.temperature, 1), torch.sigmoid(visible), embedding, corners

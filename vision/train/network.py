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
        for parameter in self.parameters():
            parameter.requires_grad_(True)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (face logits (N, 48), visible logits (N,))."""
        pooled = self.drop(self.features(crops))
        return self.faces(pooled), self.visible(pooled).squeeze(1)

    def features(self, crops: torch.Tensor) -> torch.Tensor:
        """Return what the last layer decides from, (N, 768): the means of 384 channels, then their maxima."""
        field = self.mix(self.backbone(crops))
        return torch.cat([field.mean((2, 3)), field.amax((2, 3))], 1)


class ReadyNet(nn.Module):
    """The network as it is shipped: calibrated probabilities and a share instead of logits, and the features."""

    def __init__(self, net: CardNet, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.temperature = temperature

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return (probs (N, 48), visible (N,), embedding (N, 768))."""
        embedding = self.net.features(crops)
        faces, visible = self.net.faces(embedding), self.net.visible(embedding).squeeze(1)
        return torch.softmax(faces / self.temperature, 1), torch.sigmoid(visible), embedding

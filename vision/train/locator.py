"""Training of the locator: a YOLO11n OBB model with the classes face and back (or all cards, as a baseline)."""

from pathlib import Path

import torch

from vision.train.locator_start import unfold_locator

from vision.train.offline import stay_offline  # isort: skip  (sets the environment that ultralytics reads)
from ultralytics import YOLO, settings


def train(
    data: Path,
    out: Path,
    *,
    start: Path | None = None,
    size: int = 416,
    epochs: int = 4,
    batch: int = 16,
    seed: int = 0,
    threads: int = 2,
    freeze: int | None = None,
    rate: float = 0.002,
    device: str = "cpu",
) -> Path:
    """Train on a YOLO-OBB data set (``data.yaml``) and return the path of the best checkpoint.

    ``start`` is a YOLO checkpoint whose weights are taken over as far as they fit (YOLO11n on COCO learns ten times
    faster than random weights), or an exported locator to go on from. A run that was broken off goes on from
    ``out/weights/last.pt``. Flips are off: a mirrored card is no card.
    """
    stay_offline(settings)
    last = out / "weights" / "last.pt"
    torch.set_num_threads(threads)
    if last.exists():
        model = YOLO(str(last))
        model.train(resume=True)
        return out / "weights" / "best.pt"
    model = YOLO("yolo11n-obb.yaml")
    if start is not None and start.suffix == ".onnx":
        out.mkdir(parents=True, exist_ok=True)
        pictures = sorted((data.parent / "images" / "train").iterdir())
        start = unfold_locator(start, pictures, size, out / "start.pt")
    if start is not None:
        model.load(str(start))
    model.train(
        data=str(data),
        project=str(out.parent),
        name=out.name,
        exist_ok=True,
        imgsz=size,
        epochs=epochs,
        batch=batch,
        seed=seed,
        device=device,
        workers=0 if device == "cpu" else 8,
        cache="ram",
        amp=device != "cpu",
        optimizer="AdamW",
        lr0=rate,
        warmup_epochs=0.3,
        cos_lr=True,
        freeze=freeze,
        fliplr=0.0,
        flipud=0.0,
        degrees=180.0,
        translate=0.1,
        scale=0.35,
        mosaic=0.0,
        hsv_h=0.02,
        hsv_s=0.4,
        hsv_v=0.3,
        plots=False,
        verbose=True,
    )
    return out / "weights" / "best.pt"

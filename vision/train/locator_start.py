"""Going on from a shipped locator: its batch norms, folded into the convolutions by the export, are unfolded.

A network without batch norms trains badly, so each gets back the mean and the variance that its convolution shows on
some pictures of the new set, and the scale and shift that leave the network's function as it was.
"""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import onnx
import torch
from google.protobuf.message import DecodeError
from onnx import numpy_helper
from torch import nn

import vision.train.offline  # noqa: F401  isort: skip  (sets the environment that ultralytics reads)
from ultralytics.nn.modules import Conv
from ultralytics.nn.tasks import OBBModel

from vision.errors import WeightsError
from vision.locator import letterbox

PICTURES: Final = 48
"""Pictures that the batch norms are measured on; their figures hardly move after some twenty."""


def unfold_locator(file: Path, pictures: list[Path], size: int, out: Path) -> Path:
    """Write an exported locator as a checkpoint that YOLO loads; its function stays the same.

    ``pictures`` are such as it will be trained on, ``size`` their side in pixels. Raises WeightsError for a file that
    is no exported locator.
    """
    wrong = WeightsError(f"{file} is no exported YOLO11n locator; start from a YOLO checkpoint.")
    try:
        initial = onnx.load(str(file)).graph.initializer
    except (OSError, DecodeError) as error:
        raise wrong from error
    found = {entry.name: torch.from_numpy(numpy_helper.to_array(entry).copy()) for entry in initial}
    last = found.get("model.23.cv3.0.2.weight")
    if last is None or last.ndim != 4:
        raise wrong
    classes, width = last.shape[:2]
    net = OBBModel("yolo11n-obb.yaml", nc=width, verbose=False)  # as wide inside as the class branch was
    head = net.model[-1]
    for branch in head.cv3:
        branch[-1] = nn.Conv2d(width, classes, 1)
    head.nc, head.no = classes, classes + 4 * head.reg_max
    blocks = {name: module for name, module in net.named_modules() if isinstance(module, Conv)}
    found |= {f"{name}.bn.bias": found.pop(f"{name}.conv.bias") for name in blocks if f"{name}.conv.bias" in found}
    state = net.state_dict()
    needed = {name for name in state if not name.split(".")[-1].startswith(("running", "num_b"))}
    needed -= {f"{name}.bn.weight" for name in blocks}
    if any(name not in found or found[name].shape != state[name].shape for name in needed):
        raise wrong
    net.load_state_dict(found, strict=False)
    for block in blocks.values():
        block.bn.running_mean.zero_()
        block.bn.running_var.fill_(1 - block.bn.eps)
    _measure(net.eval(), blocks, [_read(picture, size) for picture in pictures[:PICTURES]])
    torch.save({"model": net, "train_args": {}}, out)
    return out


@torch.no_grad()
def _measure(net: nn.Module, blocks: dict[str, Conv], pictures: list[torch.Tensor]) -> None:
    """Give the batch norms the figures of what their convolutions deliver, and undo them by scale and shift."""
    sums: dict[str, list[torch.Tensor]] = {}

    def keeper(name: str):  # type: ignore[no-untyped-def]
        def keep(_module: nn.Module, _inputs: object, output: torch.Tensor) -> None:
            field = output.double()
            sums.setdefault(name, []).append(torch.stack([field.mean((0, 2, 3)), field.square().mean((0, 2, 3))]))

        return keep

    hooks = [block.conv.register_forward_hook(keeper(name)) for name, block in blocks.items()]
    for picture in pictures:
        net(picture)
    for hook in hooks:
        hook.remove()
    for name, block in blocks.items():
        mean, square = torch.stack(sums[name]).mean(0)
        variance = (square - mean.square()).clamp(min=1e-6)
        block.bn.running_mean.copy_(mean)
        block.bn.running_var.copy_(variance)
        block.bn.weight.copy_((variance + block.bn.eps).sqrt())
        block.bn.bias.add_(mean)


def _read(path: Path, size: int) -> torch.Tensor:
    picture = cv2.imread(str(path))
    if picture is None:
        raise WeightsError(f"The picture {path} cannot be read; make the set again.")
    return torch.from_numpy(letterbox(np.asarray(picture, np.uint8), (size, size))[0])

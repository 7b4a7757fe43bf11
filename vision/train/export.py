"""Export of trained weights to ONNX, with all that play time needs to know in the metadata of the file."""

import json
import tomllib
from pathlib import Path
from typing import Final

import onnx
import torch
from onnx import numpy_helper

from vision.errors import WeightsError
from vision.labels import LABELS
from vision.train.network import CardNet, ReadyNet
from vision.weights import LIST_NAME, Task, sha256_of

OPSET: Final = 17
LICENCE: Final = "AGPL-3.0-or-later"


def export_identifier(checkpoint: Path, out: Path, size: tuple[int, int], margin: float) -> Path:
    """Write the identifier as ONNX: crops (N, 3, H, W) to probs, visible, embedding and corners (:class:`ReadyNet`).

    ``checkpoint`` is what training wrote, or an identifier that was exported before (``.onnx``), which so gets what
    exports have learnt since. ``size`` is (height, width) of a crop and ``margin`` the strip around the card, both as
    in the training recipe. The batch norms stay apart from the convolutions (ONNX Runtime joins them when it loads the
    file), so that :func:`load_identifier` can read the weights back and training can go on from the shipped file.
    """
    net = CardNet()
    if checkpoint.suffix == ".onnx":
        load_identifier(checkpoint, net)
        temperature = float(_metadata(checkpoint)["temperature"])
    else:
        kept = torch.load(checkpoint, map_location="cpu", weights_only=True)
        net.load_state_dict(kept["net"])
        temperature = float(kept["temperature"])
    ready = ReadyNet(net, temperature).eval()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        ready,
        (torch.zeros(2, 3, *size),),
        str(out),
        input_names=["crops"],
        output_names=["probs", "visible", "embedding", "corners"],
        dynamic_axes={name: {0: "n"} for name in ("crops", "probs", "visible", "embedding", "corners")},
        opset_version=OPSET,
        do_constant_folding=False,
        training=torch.onnx.TrainingMode.PRESERVE,
        dynamo=False,
    )
    describe(out, {"names": list(LABELS), "input": list(size), "margin": margin, "temperature": temperature})
    return out


def load_identifier(file: Path, net: CardNet) -> None:
    """Set the weights of ``net`` to those of an exported identifier. Raises WeightsError where they do not fit."""
    found = {
        entry.name.removeprefix("net."): torch.from_numpy(numpy_helper.to_array(entry).copy())
        for entry in onnx.load(str(file)).graph.initializer
        if entry.name.startswith("net.")
    }
    missing, _ = net.load_state_dict(found, strict=False)
    new = ("num_batches_tracked", "outline", "index")  # files of earlier versions knew no corners, or read no index
    if [name for name in missing if not any(word in name for word in new)]:
        raise WeightsError(f"{file} is no identifier that training can go on from; start from a YOLO checkpoint.")


def export_locator(checkpoint: Path, out: Path, size: tuple[int, int]) -> Path:
    """Write a locator (Ultralytics OBB checkpoint) as ONNX for pictures of ``size`` (height, width)."""
    from ultralytics import YOLO

    model = YOLO(str(checkpoint))
    made = Path(model.export(format="onnx", imgsz=list(size), opset=OPSET, simplify=False, dynamic=False))
    out.parent.mkdir(parents=True, exist_ok=True)
    made.replace(out)
    names = [model.names[index] for index in sorted(model.names)]
    describe(out, {"names": names, "input": list(size)})
    return out


def describe(path: Path, facts: dict[str, object]) -> None:
    """Replace the metadata of an ONNX file by ``facts``; values other than text are written as JSON."""
    model = onnx.load(str(path))
    del model.metadata_props[:]
    for key, value in facts.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value if isinstance(value, str) else json.dumps(value)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def register_weights(file: Path, name: str, task: Task, metrics: dict[str, float]) -> Path:
    """Enter an exported file into the ``MODELS.toml`` beside it, replacing the entry of the same name.

    Classes and input size are read from the file's own metadata, so list and file cannot disagree. Returns the
    path of the list.
    """
    facts = _metadata(file)
    listing = file.parent / LIST_NAME
    kept = tomllib.loads(listing.read_text(encoding="utf-8")).get("model", []) if listing.exists() else []
    entry = {
        "name": name,
        "file": file.name,
        "task": task,
        "sha256": sha256_of(file),
        "classes": json.loads(facts["names"]),
        "input": json.loads(facts["input"]),
        "licence": LICENCE,
        "metrics": metrics,
    }
    entries = sorted([e for e in kept if e["name"] != name] + [entry], key=lambda e: e["name"])
    blocks = ["# The weights of this version; the model card is README.md beside this file.\n"]
    for item in entries:
        blocks.append("[[model]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in item.items()))
    listing.write_text("\n".join(blocks), encoding="utf-8")
    return listing


def _metadata(file: Path) -> dict[str, str]:
    return {entry.key: entry.value for entry in onnx.load(str(file)).metadata_props}


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f'"{key}" = {json.dumps(item)}' for key, item in value.items()) + " }" if value else "{}"
        )
    return json.dumps(value)

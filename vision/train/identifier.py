"""Training of the identifier: from endless crops to calibrated face probabilities.

The run is a folder: ``recipe.json`` (everything that made it), ``log.jsonl`` (figures over time), ``last.pt`` (a
checkpoint that training goes on from) and ``best.pt``.
"""

import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from vision.labels import RANKS
from vision.synth.crops import UNREADABLE, CropRecipe
from vision.synth.scene import HELD_OUT
from vision.train.evaluation import calibration_error
from vision.train.export import load_identifier
from vision.train.learned import LearnedCrop, read_learned
from vision.train.network import CardNet
from vision.train.recipe import DeckShare, Recipe, deck_shares, drawn_tables
from vision.train.stream import Batch, CropStream, Replay, maker, to_batch

SMOOTHING = 0.04
OUTLINE_WEIGHT = 8.0
INDEX_WEIGHT = 0.5


@dataclass(slots=True)
class IdentifierRun:
    """What to train and on what; written beside the result."""

    out: Path
    decks: list[DeckShare]
    backgrounds: list[Path]
    validation: list[DeckShare]
    start: Path | None = None  # YOLO checkpoint for the backbone
    go_on_from: Path | None = None  # best.pt of an earlier stage, or an exported identifier
    steps: int = 4000
    batch: int = 64
    rate: float = 1.5e-3
    seed: int = 0
    threads: int = 1
    workers: int = 1
    reuse: int = 1
    bf16: bool = False  # the backbone in bfloat16 while training
    only_index: bool = False  # all but the branch that reads the index stays as it is; some ten times as fast
    learned: list[LearnedCrop] = field(default_factory=list)
    recipe: CropRecipe = field(default_factory=CropRecipe)
    validate_every: int = 500
    validation_crops: int = 1536

    def describe(self) -> dict[str, object]:
        """Return the run as JSON values."""
        plain = asdict(self)
        return json.loads(json.dumps(plain, default=str))


def agreement(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the log-likelihood (N,) of smoothed ``labels`` (N,); an unreadable crop wants the even distribution."""
    log_p = torch.log_softmax(logits, 1)
    even = log_p.mean(1)
    picked = log_p.gather(1, labels.clamp(min=0)[:, None]).squeeze(1)
    named = (1 - SMOOTHING) * picked + SMOOTHING * even
    return torch.where(labels != UNREADABLE, named, even + math.log(logits.shape[1]))


def loss_of(
    faces: torch.Tensor,
    visible: torch.Tensor,
    corners: torch.Tensor,
    labels: torch.Tensor,
    share: torch.Tensor,
    true_corners: torch.Tensor,
) -> torch.Tensor:
    """Cross-entropy as :func:`agreement` has it; the visible share by BCE.

    A barely visible card counts less: its label is often not in the picture at all. The corners are off by a smoothed
    absolute error, in shares of the crop, wherever there is a card.
    """
    weight = torch.where(labels != UNREADABLE, 0.35 + 0.65 * share.clamp(0, 1), torch.full_like(share, 0.5))
    seen = nn.functional.binary_cross_entropy_with_logits(visible, share)
    there = ~true_corners.isnan().any(1)
    off = nn.functional.smooth_l1_loss(corners[there], true_corners[there], beta=0.02) if there.any() else 0.0
    return -(weight * agreement(faces, labels)).sum() / weight.sum() + 0.3 * seen + OUTLINE_WEIGHT * off


def index_loss(ranks: torch.Tensor, labels: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of what the index says by itself, by the visible share; where no card is, it is to say nothing.

    Without it the branch would learn only what the pips leave open.
    """
    readable = labels != UNREADABLE
    rank = torch.where(readable, labels % len(RANKS), labels)
    weight = torch.where(readable, share.clamp(0, 1), torch.full_like(share, 0.5))
    return -(weight * agreement(ranks, rank)).sum() / weight.sum().clamp(min=1e-6)


def to_input(pictures: torch.Tensor) -> torch.Tensor:
    """Return the pictures of a batch as network input: float 0..1, channels last."""
    return pictures.float().div_(255).contiguous(memory_format=torch.channels_last)


@torch.no_grad()
def answers_on(net: CardNet, batches: Sequence[Batch]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return logits (N, 48), labels (N,), visible (N,) and the corners' errors (N,) of a list of batches."""
    net.eval()
    logits, labels, shares, errors = [], [], [], []
    for pictures, label, visible, corners in batches:
        faces, _, found = net(to_input(pictures))
        logits.append(faces)
        labels.append(label)
        shares.append(visible)
        errors.append((found - corners).abs().mean(1))
    return torch.cat(logits), torch.cat(labels), torch.cat(shares), torch.cat(errors)


def fit_temperature(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """Return the temperature of least negative log-likelihood over readable crops, by a scan of 0.4..3."""
    keep = labels != UNREADABLE
    grid = np.geomspace(0.4, 3.0, 60)
    losses = [float(nn.functional.cross_entropy(logits[keep] / t, labels[keep])) for t in grid]
    return float(grid[int(np.argmin(losses))])


def figures(
    logits: torch.Tensor, labels: torch.Tensor, visible: torch.Tensor, errors: torch.Tensor
) -> dict[str, float]:
    """Return top-1 identity by visible share, the calibration, and how far corners are off, of validation crops."""
    keep = labels != UNREADABLE
    right = (logits.argmax(1) == labels) & keep
    whole, half = keep & (visible > 0.98), keep & (visible > 0.5) & (visible <= 0.98)
    few = keep & (visible <= 0.5)

    def share(mask: torch.Tensor) -> float:
        return round(float(right[mask].float().mean()), 4) if mask.any() else float("nan")

    temperature = fit_temperature(logits, labels)
    sure = torch.softmax(logits[keep] / temperature, 1).amax(1)
    return {
        "top1": share(keep),
        "whole": share(whole),
        "half": share(half),
        "few": share(few),
        "corners_off": round(float(errors[~errors.isnan()].mean()), 4),
        "temperature": round(temperature, 3),
        "ece": calibration_error(zip(sure.tolist(), right[keep].tolist(), strict=True)) or 0.0,
    }


def validation_batches(run: IdentifierRun) -> list[Batch]:
    """Return fixed crops of the validation decks, the same in every run of the same recipe."""
    source = maker(run.validation, run.backgrounds, run.recipe)
    rng = np.random.default_rng(HELD_OUT)
    return [to_batch([source.make(rng) for _ in range(64)]) for _ in range(run.validation_crops // 64)]


def train(run: IdentifierRun) -> Path:
    """Train (or go on training) and return the path of the best checkpoint.

    With ``last.pt`` in ``run.out`` the run goes on from there; the learning rate follows ``run.steps``.
    """
    torch.set_num_threads(run.threads)
    torch.manual_seed(run.seed)
    run.out.mkdir(parents=True, exist_ok=True)
    (run.out / "recipe.json").write_text(json.dumps(run.describe(), indent=1))
    net = CardNet(run.start)
    if run.go_on_from is not None and run.go_on_from.suffix == ".onnx":
        load_identifier(run.go_on_from, net)
    elif run.go_on_from is not None:
        net.load_state_dict(torch.load(run.go_on_from, map_location="cpu", weights_only=True)["net"])
    net = net.to(memory_format=torch.channels_last)
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    if run.only_index:
        net.index.wake()
    for name, parameter in net.named_parameters():
        parameter.requires_grad_(not run.only_index or name.startswith("index."))
    learning = [parameter for parameter in net.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=run.rate, weight_decay=0.02)
    step, best = 0, -1.0
    last = run.out / "last.pt"
    if last.exists():
        kept = torch.load(last, map_location="cpu", weights_only=True)
        net.load_state_dict(kept["net"])
        mean.load_state_dict(kept["mean"])
        optimiser.load_state_dict(kept["optimiser"])
        step, best = kept["step"], kept["best"]
    stream = CropStream(run.decks, run.backgrounds, run.recipe, run.batch, run.seed * 1000 + step, run.learned)
    ahead = 4 if run.workers else None
    loader = iter(DataLoader(stream, batch_size=None, num_workers=run.workers, prefetch_factor=ahead))
    replay = Replay(200, run.seed)
    held_out = validation_batches(run)
    started, seen, losses = time.monotonic(), 0, []
    while step < run.steps:
        fresh = next(loader)
        for batch in [fresh] + [replay.exchange(fresh) for _ in range(run.reuse)]:
            for group in optimiser.param_groups:
                group["lr"] = run.rate * min(1.0, (step + 1) / 100) * (0.02 + 0.98 * _cosine(step / run.steps))
            net.train()
            pictures, labels, share, corners = batch
            crops = to_input(pictures)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=run.bf16):
                ranks = net.index(crops).float()
                fields = () if run.only_index else net.fields(crops)
            loss = INDEX_WEIGHT * index_loss(ranks, labels, share)
            if fields:
                fine, coarse = fields
                faces, visible, found = net.answers(fine.float(), coarse.float(), ranks)
                loss = loss + loss_of(faces, visible, found, labels, share, corners)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(learning, 5.0)
            optimiser.step()
            mean.update_parameters(net)
            losses.append(float(loss.detach()))
            step, seen = step + 1, seen + len(labels)
            if step % run.validate_every and step != run.steps:
                continue
            line = figures(*answers_on(mean.module, held_out))
            line |= {"step": step, "loss": round(float(np.mean(losses)), 4)}
            line["crops_per_s"] = round(seen / (time.monotonic() - started), 1)
            losses = []
            with (run.out / "log.jsonl").open("a") as log:
                log.write(json.dumps(line) + "\n")
            state = {"net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict()}
            best_now = line["top1"] >= best
            best = max(best, line["top1"])
            _save(state | {"step": step, "best": best}, last)
            if best_now:
                ready = {"net": mean.module.state_dict(), "temperature": line["temperature"], "figures": line}
                _save(ready, run.out / "best.pt")
    return run.out / "best.pt"


def _cosine(progress: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))


def _save(state: dict[str, object], path: Path) -> None:
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def train_recipe(
    recipe: Recipe,
    out: Path,
    *,
    cache: Path,
    decks: Path | None = None,
    textures: Path | None = None,
    learned: Path | None = None,
    start: Path | None = None,
    threads: int = 1,
    workers: int = 1,
    reuse: int = 1,
    bf16: bool = False,
) -> Path:
    """Train all stages of a recipe, each in its own folder below ``out``; return the last best checkpoint.

    ``decks`` is a folder of deck folders, ``textures`` a folder of table pictures, ``learned`` one of crops that people
    put right (all optional); drawn decks and tables are kept in ``cache``. ``start`` is a YOLO checkpoint for the
    backbone, or an exported identifier to go on from. ``bf16`` trains the backbone in bfloat16, which pays where the
    processor has AMX. A run that was broken off goes on where it stopped.
    """
    lessons = [] if learned is None else read_learned(learned)
    shares, validation = deck_shares(recipe, cache, decks)
    backgrounds = [drawn_tables(cache)] + ([textures] if textures is not None else [])
    best = start if start is not None and start.suffix == ".onnx" else None
    backbone = start if best is None else None
    for number, stage in enumerate(recipe.stages, 1):
        best = train(
            IdentifierRun(
                out=out / f"stage-{number}",
                decks=shares,
                backgrounds=backgrounds,
                validation=validation,
                start=backbone,
                go_on_from=best,
                steps=stage.steps,
                rate=stage.rate,
                seed=recipe.seed + number,
                threads=threads,
                workers=workers,
                reuse=reuse,
                bf16=bf16,
                only_index=stage.only_index,
                learned=lessons,
                recipe=CropRecipe(size=stage.size, margin=recipe.margin, twice=recipe.twice),
            )
        )
    if best is None:
        raise ValueError("a recipe needs at least one stage")
    return best

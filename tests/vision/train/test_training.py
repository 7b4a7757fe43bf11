"""A short real training of each network, its export, and the exported file at play time."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra [train]")
pytest.importorskip("ultralytics", reason="needs the extra [train]")

from vision.identifier import Identifier  # noqa: E402
from vision.locator import Locator  # noqa: E402
from vision.synth.crops import CropRecipe  # noqa: E402
from vision.synth.decks import random_deck, save_deck  # noqa: E402
from vision.weights import find_weights, verify  # noqa: E402

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def identifier_run(tmp_path_factory):
    from vision.train.identifier import IdentifierRun, train
    from vision.train.recipe import DeckShare

    root = tmp_path_factory.mktemp("identifier")
    save_deck(random_deck(900_200, height=160), root / "deck")
    deck = DeckShare(root / "deck", 1.0)
    run = IdentifierRun(
        out=root / "run",
        decks=[deck],
        backgrounds=[],
        validation=[deck],
        steps=4,
        batch=8,
        workers=0,
        validate_every=2,
        recipe=CropRecipe(size=(96, 64)),
    )
    run.validation_crops = 64
    return root, run, train(run)


def test_the_identifier_trains_goes_on_exports_and_runs(identifier_run):
    from vision.train.export import export_identifier, load_identifier, register_weights
    from vision.train.identifier import train
    from vision.train.network import CardNet

    root, run, best = identifier_run
    lines = (root / "run" / "log.jsonl").read_text().splitlines()
    assert len(lines) == 2
    run.steps, run.bf16 = 6, True
    train(run)
    assert len((root / "run" / "log.jsonl").read_text().splitlines()) == 3

    out = export_identifier(best, root / "models" / "identifier.onnx", (96, 64), 0.04)
    register_weights(out, "identifier", "identify", {"top1": 0.5})
    listed = find_weights("identify", folder=root / "models")
    verify(listed)
    assert listed.input == (96, 64)
    assert len(listed.classes) == 48
    quad = np.array([[20, 20], [84, 20], [84, 119], [20, 119]], np.float32)
    picture = np.random.default_rng(0).integers(0, 255, (160, 120, 3), np.uint8)
    again = CardNet()
    load_identifier(out, again)
    trained = torch.load(best, weights_only=True)["net"]
    assert all(torch.equal(value, trained[name]) for name, value in again.state_dict().items() if "num_b" not in name)
    probs, visible = Identifier(out).identify(picture, np.stack([quad, quad]))
    assert probs.shape == (2, 48)
    assert np.allclose(probs.sum(1), 1, atol=1e-4)
    assert np.all((visible >= 0) & (visible <= 1))
    exported = Identifier(export_identifier(out, root / "again.onnx", (96, 64), 0.04))
    assert np.array_equal(exported.identify(picture, np.stack([quad, quad]))[0], probs)
    embedding = exported.look(exported.crops(picture, quad[None])).embeddings
    assert embedding is not None
    assert embedding.shape == (1, 768)


def test_the_index_is_learnt_alone_and_a_file_that_read_none_means_the_same_with_it(identifier_run):
    from dataclasses import replace

    from vision.train.identifier import train
    from vision.train.network import CardNet

    root, run, _ = identifier_run
    before = torch.load(root / "run" / "best.pt", weights_only=True)["net"]
    train(replace(run, out=root / "index", go_on_from=root / "run" / "best.pt", only_index=True, rate=0.05))
    after = torch.load(root / "index" / "last.pt", weights_only=True)["net"]
    changed = {name.split(".")[0] for name, value in after.items() if not torch.equal(value, before[name])}
    assert changed == {"index"}

    net, crops = CardNet().eval(), torch.rand(3, 3, 96, 64)
    with torch.no_grad():
        without = net.answers(*net.fields(crops), torch.zeros(3, 12))[0]
        assert torch.equal(net(crops)[0], without), "an index branch that has learnt nothing says nothing"
        net.index.ranks.weight.normal_()
        turned = net.index(crops.flip(2, 3))
        assert torch.allclose(net.index(crops), turned, atol=1e-5), "either way up"


def test_the_locator_trains_exports_and_runs(tmp_path):
    from vision.train.dataset import Recipe, build
    from vision.train.export import export_locator
    from vision.train.locator import train

    build(Recipe(tmp_path / "set", count=20, seed=3, size=160, square=True, workers=1, val_share=0.1))
    best = train(tmp_path / "set" / "data.yaml", tmp_path / "run", size=96, epochs=1, batch=4, threads=1)
    out = export_locator(best, tmp_path / "locator.onnx", (96, 160))
    locator = Locator(out)
    found = locator.locate(np.zeros((180, 320, 3), np.uint8))
    assert isinstance(found, list)


def test_training_goes_on_from_the_shipped_locator_with_its_function_unchanged(tmp_path):
    import cv2

    from vision.errors import WeightsError
    from vision.locator import letterbox
    from vision.synth.decks import own_deck
    from vision.synth.scene import still
    from vision.train.locator_start import unfold_locator

    pictures = []
    for seed in range(6):
        pictures.append(tmp_path / f"{seed}.png")
        cv2.imwrite(str(pictures[-1]), still(seed, [own_deck(160)], (256, 256)).image)
    shipped = find_weights("locate")
    start = unfold_locator(shipped.path, pictures, 256, tmp_path / "start.pt")
    net = torch.load(start, weights_only=False)["model"].eval()
    norms = [module for module in net.modules() if isinstance(module, torch.nn.BatchNorm2d)]
    assert norms
    assert all(float(norm.running_var.std()) > 0 for norm in norms), "the norms have figures of their own"
    tensor = letterbox(cv2.imread(str(pictures[0])), shipped.input)[0]
    with torch.no_grad():
        ours = net(torch.from_numpy(tensor))[0].numpy()
    theirs = Locator(shipped.path)._network.run({"images": tensor})[0]
    assert np.abs(ours - theirs).max() < 1e-4 * np.abs(theirs).max()
    with pytest.raises(WeightsError, match="no exported YOLO11n locator"):
        unfold_locator(find_weights("identify").path, pictures, 256, tmp_path / "other.pt")


def test_the_one_stage_baseline_trains_exports_and_is_scored(tmp_path, capsys):
    import json

    from server.cli import main
    from vision.train.dataset import Recipe, build
    from vision.train.export import export_locator
    from vision.train.locator import train

    build(Recipe(tmp_path / "set", count=20, seed=3, scheme="cards", size=160, square=True, workers=1, val_share=0.1))
    best = train(tmp_path / "set" / "data.yaml", tmp_path / "run", size=96, epochs=1, batch=4, threads=1)
    out = export_locator(best, tmp_path / "one.onnx", (96, 160))
    report = tmp_path / "report.json"
    data = ["eval", "--data", str(tmp_path / "set"), "--limit", "3", "--out", str(report)]
    assert main([*data, "--one-stage", str(out)]) == 0
    figures = json.loads(report.read_text())
    assert figures["pictures"] == 3
    assert 0 <= figures["map50"] <= 1
    capsys.readouterr()
    assert main([*data, "--one-stage", str(find_weights("locate").path)]) == 1
    assert "does not name the 48 cards" in capsys.readouterr().err

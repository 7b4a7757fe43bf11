"""Speed of reading by runtime: ONNX Runtime as shipped, its int8 forms, OpenVINO, for each locator that is given.

``python -m bench.reading [LOCATOR.onnx ...]``; further locators are exports of the same network for other input sizes.
The runtimes take turns within one run, so that what other programs take is taken from all of them: read the ratios, to
the fp32 of ONNX Runtime for the shipped locator, and the processor time rather than the clock on a busy machine. The
int8 forms need the package onnx, OpenVINO the package openvino; without them their lines are left out.
"""

import contextlib
import importlib.util
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

from bench.vision import picture
from vision.facts import Frame
from vision.identifier import Identifier
from vision.labels import LABELS
from vision.locator import Locator, letterbox
from vision.network import THREADS, Network
from vision.overlap import iou_matrix
from vision.reader import TableReader
from vision.synth.laying import card_quad
from vision.weights import find_weights

ROUNDS = 8
FIVE = {
    "3C": (420, 250, 0.2),
    "12E": (640, 240, -0.1),
    "1O": (860, 260, 1.6),
    "7B": (450, 500, 2.9),
    "11C": (700, 500, 0.5),
}


class OpenVino:
    """The same file in OpenVINO, with the interface of :class:`vision.network.Network` as far as it is used."""

    def __init__(self, like: Network) -> None:
        import openvino

        self.path, self.meta, self.inputs, self.outputs = like.path, like.meta, like.inputs, like.outputs
        settings = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": THREADS,
            "INFERENCE_PRECISION_HINT": "f32",  # else it computes in bf16 where the processor can
        }
        self._request = openvino.Core().compile_model(str(like.path), "CPU", settings).create_infer_request()

    def run(self, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The outputs in the order of ``outputs``."""
        done = self._request.infer(inputs)
        return [done[name] for name in self.outputs]


@dataclass
class Line:
    """One runtime with one locator: its reader and the (clock, processor) milliseconds of each kind of work."""

    name: str
    locator: Locator
    identifier: Identifier
    spent: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    @property
    def reader(self) -> TableReader:
        """A reader that has seen nothing yet."""
        return TableReader(self.locator, self.identifier)


def quantized(file: Path, folder: Path, batches: list[dict[str, np.ndarray]], static: bool) -> Path:
    """Write an int8 form of a network: dynamic, or static with ranges from ``batches``."""
    from onnxruntime import quantization as q
    from onnxruntime.quantization.shape_inference import quant_pre_process

    ready, out = folder / f"ready-{file.name}", folder / f"{'static' if static else 'dynamic'}-{file.name}"
    quant_pre_process(str(file), str(ready), skip_symbolic_shape=True)
    if not static:
        q.quantize_dynamic(str(ready), str(out), weight_type=q.QuantType.QUInt8)
        return out

    class Batches(q.CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.left = iter(batches)

        def get_next(self) -> dict[str, np.ndarray] | None:
            return next(self.left, None)

    q.quantize_static(str(ready), str(out), Batches(), quant_format=q.QuantFormat.QDQ, per_channel=True)
    return out


def lines(locators: list[Path], folder: Path, views: list[np.ndarray]) -> Iterator[Line]:
    """All runtimes that there are, for all locators; the reference first, int8 for the first locator only."""
    naming = find_weights("identify").path
    identifier = Identifier(naming)
    crops = [crops_of(identifier, view) for view in views]
    for file in locators:
        locator = Locator(file)
        size = "{} x {}".format(*locator.size)
        yield Line(f"onnxruntime fp32, {size}", locator, identifier)
        if importlib.util.find_spec("openvino") is not None:
            line = Line(f"openvino f32, {size}", Locator(file), Identifier(naming))
            for part in (line.locator, line.identifier):
                part._network = OpenVino(part._network)  # type: ignore[assignment]
            yield line
        if importlib.util.find_spec("onnx") is None or file != locators[0]:
            continue
        scenes = [{"images": letterbox(view, locator.size)[0]} for view in views]
        for static in (False, True):
            kind = "static" if static else "dynamic"
            part = folder / f"{kind}-{'-'.join(map(str, locator.size))}"
            part.mkdir()
            with quiet():
                made = [quantized(path, part, batches, static) for path, batches in ((file, scenes), (naming, crops))]
            try:
                yield Line(
                    f"onnxruntime int8 {kind}, {size}",
                    with_network(Locator(file), made[0]),
                    with_network(Identifier(naming), made[1]),
                )
            except Exception as error:  # an int8 operator that this build does not have
                print(f"no int8 {kind} for {size}: {error}")


def with_network(part: Any, file: Path) -> Any:
    """The part with another file's network; the metadata stays."""
    network = Network(file)
    network.meta = part._network.meta
    part._network = network
    return part


def crops_of(identifier: Identifier, view: np.ndarray) -> dict[str, np.ndarray]:
    """The network input of the five cards of a picture."""
    crops = identifier.crops(view, quads_of())
    return {"crops": np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)}


def quads_of() -> np.ndarray:
    """Where the five cards lie."""
    return np.stack([card_quad((x, y), 130, angle) for x, y, angle in FIVE.values()])


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without the advice that the quantizer logs."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def timed(line: Line, what: str, work: Callable[[], object]) -> None:
    """Note how long a piece of work took."""
    clock, processor = perf_counter(), process_time()
    work()
    line.spent.setdefault(what, []).append((1000 * (perf_counter() - clock), 1000 * (process_time() - processor)))


def agreement(line: Line, first: Line, views: list[np.ndarray]) -> tuple[int, int, float]:
    """Names that agree with the reference, names in all, and the least overlap of a found card with the reference's."""
    same = total = 0
    least = 1.0
    for view in views:
        ours, theirs = (one.identifier.identify(view, quads_of())[0].argmax(1) for one in (line, first))
        same, total = same + int((ours == theirs).sum()), total + len(theirs)
        ours, theirs = (np.array([d.quad for d in one.locator.locate(view)]) for one in (line, first))
        least = min(least, float(iou_matrix(theirs, ours).max(axis=1, initial=0.0).min(initial=1.0)))
    return same, total, least


def main(more: Sequence[str] = ()) -> None:
    """Print the table."""
    print(f"{THREADS} threads, {ROUNDS} rounds")
    names = [[LABELS[(7 * shot + 11 * place) % 48] for place in range(5)] for shot in range(8)]
    views = [picture(labels, seed, dict(zip(labels, FIVE.values(), strict=True))) for seed, labels in enumerate(names)]
    with TemporaryDirectory() as folder:
        locators = [find_weights("locate").path, *map(Path, more)]
        found = list(lines(locators, Path(folder), views))
        for turn in range(ROUNDS + 1):
            for line in found[turn % len(found) :] + found[: turn % len(found)]:
                view = views[turn % len(views)]
                timed(line, "locate", lambda v=view, one=line: one.locator.locate(v))
                timed(line, "identify 5", lambda v=view, one=line: one.identifier.identify(v, quads_of()))
                reader = line.reader
                timed(line, "5 changed", lambda v=view, r=reader: r.observe(Frame(0, 0.0, v)))
                for step in range(1, 5):  # the looks after the last movement
                    reader.observe(Frame(step, 0.3 * step, view))
                timed(line, "unchanged", lambda v=view, r=reader: r.observe(Frame(5, 1.25, v)))
        for line in found:
            line.spent = {what: spent[1:] for what, spent in line.spent.items()}  # the first round warms up
        table(found, views)


def table(found: list[Line], views: list[np.ndarray]) -> None:
    """Milliseconds and ratios: medians over the rounds, of the ratio within each round."""
    first = found[0]
    for what in first.spent:
        print(f"\n{what:32}    clock ms  ratio   processor ms  ratio")
        for line in found:
            cells = []
            for kind in (0, 1):
                own = [spent[kind] for spent in line.spent[what]]
                base = [spent[kind] for spent in first.spent[what]]
                ratio = median(a / max(b, 1e-9) for a, b in zip(own, base, strict=True))
                cells.append(f"{median(own):10.2f} {ratio:6.2f}")
            print(f"{line.name:32} {cells[0]}     {cells[1]}")
    print("\nagreement with the first line: names, least overlap of a card (0: one is missing)")
    for line in found:
        same, total, least = agreement(line, first, views)
        print(f"{line.name:32} {same:4} of {total}   {least:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Golden recordings: small sessions of made-up films in the repository, which every change must replay to the byte.

``python -m server.films.golden make FILMS`` makes those that ``tests/data/golden/golden.toml`` lists, from the readings
in a folder of films (see ``brisca films``); ``renew`` tells all of them again with the code as it is, after a change
that was meant; ``check`` compares. Each folder is a recorded session (docs/recording.md) whose log is packed, with the
true tricks of the film beside it.
"""

import json
import lzma
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from server.errors import ServerError
from server.sessions.headless import take_step
from server.sessions.intake import Pressed, Seen, Step, recorded_step
from server.sessions.recording import HEADER_FILE, LOG_FILE, RESULT_FILE, Recorder, Recording, read_recording
from server.sessions.replay import differences, recorded_table, replay
from server.sessions.resumption import FIRST_LOOK_SECONDS, Resumption
from server.sessions.session import Session

FOLDER: Final = Path(__file__).parents[2] / "tests" / "data" / "golden"
LIST_FILE: Final = "golden.toml"
PACKED_FILE: Final = "log.jsonl.xz"
TRUTH_FILE: Final = "truth.json"
_MORE_SECONDS: Final = 1.0
"""A trick that was gathered so long before the end of what is kept is in it for sure."""


class GoldenError(ServerError):
    """A golden recording that cannot be made."""

    code = "golden"


@dataclass(frozen=True, slots=True)
class Golden:
    """One recording to make from the reading of ``film``: the part of it between two moments, with ``presses`` besides.

    ``broken`` is the moment at which the program is broken off and comes back to what the table shows then.
    """

    name: str
    film: str
    start: float = 0.0
    until: float = 1e9
    broken: float | None = None
    presses: tuple[dict[str, Any], ...] = ()


def read_list(path: Path) -> list[Golden]:
    """The recordings that a list names."""
    return [
        Golden(**{**one, "presses": tuple(one.get("presses", ()))})
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["recording"]
    ]


def make(golden: Golden, films: Path, out: Path) -> None:
    """Make one of the films that were read in ``films``."""
    folder = next(
        (films / golden.film / name for name in ("again", "reading") if (films / golden.film / name).is_dir()), None
    )
    if folder is None:
        raise GoldenError(f"{films} holds no reading of {golden.film}; make it with 'brisca films'.")
    reading = read_recording(folder)
    truth = json.loads((films / golden.film / "film" / TRUTH_FILE).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as place:
        session = Path(place) / "session"
        _record(golden, reading, session)
        pack(session, out / golden.name)
    tricks = [trick for trick in truth["tricks"] if _is_within(trick, golden)]
    text = json.dumps([_trick(trick) for trick in tricks], separators=(",", ":")).replace("},{", "},\n{")
    (out / golden.name / TRUTH_FILE).write_text(text + "\n", encoding="utf-8")


def pack(session: Path, out: Path) -> None:
    """Put a recorded session away in ``out``, its log packed."""
    out.mkdir(parents=True, exist_ok=True)
    for name in (HEADER_FILE, RESULT_FILE):
        shutil.copyfile(session / name, out / name)
    (out / PACKED_FILE).write_bytes(lzma.compress((session / LOG_FILE).read_bytes(), preset=9 | lzma.PRESET_EXTREME))


def unpack(folder: Path, place: Path) -> Recording:
    """Unpack a golden recording into ``place``, a new folder, and read it."""
    place.mkdir(parents=True)
    for name in (HEADER_FILE, RESULT_FILE):
        shutil.copyfile(folder / name, place / name)
    (place / LOG_FILE).write_bytes(lzma.decompress((folder / PACKED_FILE).read_bytes()))
    return read_recording(place)


def renew(folder: Path) -> None:
    """Tell a golden recording again with the code as it is: what was seen and pressed stays, the rest is new."""
    with tempfile.TemporaryDirectory() as place:
        recording = unpack(folder, Path(place) / "old")
        done = replay(recording)
        session = Path(place) / "new"
        session.mkdir()
        shutil.copyfile(folder / HEADER_FILE, session / HEADER_FILE)
        (session / LOG_FILE).write_text("".join(f"{line}\n" for line in done.log.lines), encoding="utf-8")
        with Recorder.going_on(read_recording(session)) as recorder:
            recorder.result(done.result)
        pack(session, folder)


def faults(folder: Path, place: Path) -> list[str]:
    """What is wrong with a golden recording: where its replay parts from it, which tricks were read wrongly."""
    recording = unpack(folder, place)
    done = replay(recording)
    found = [str(one) for one in (*done.problems, *differences(recording, done))]
    read = {trick["n"]: _trick(trick) for trick in done.result["tricks"]}
    for true in json.loads((folder / TRUTH_FILE).read_text(encoding="utf-8")):
        if not _fits(read.get(true["n"]), true):
            found.append(f"trick {true['n']} was {true}, read {read.get(true['n'])}")
    return found


def _fits(read: dict[str, Any] | None, true: dict[str, Any]) -> bool:
    """Whether a trick was read rightly; a card in doubt, and the winner that hangs on it, is no error."""
    if read is None or len(read["plays"]) != len(true["plays"]) or read["winner"] not in (None, true["winner"]):
        return False
    return all(
        seat == true_seat and card in (None, true_card)
        for (seat, card), (true_seat, true_card) in zip(read["plays"], true["plays"], strict=True)
    )


def _is_within(trick: dict[str, Any], golden: Golden) -> bool:
    swept = trick["t_swept"]
    return golden.start < trick["plays"][0]["t"] and swept is not None and swept < golden.until - _MORE_SECONDS


def _trick(trick: dict[str, Any]) -> dict[str, Any]:
    """What counts of a trick, as result and truth files write it."""
    plays = [[play["seat"], play["card"]] for play in trick["plays"]]
    return {"n": trick["n"], "plays": plays, "winner": trick["winner"], "points": trick["points"]}


def _record(golden: Golden, reading: Recording, folder: Path) -> None:
    header = {name: value for name, value in reading.header.items() if name != "format"}
    recorder = Recorder(folder, header)
    session = Session(recorded_table(reading), recorder)
    shift = 0.0
    for step, t in _part(golden, reading):
        if golden.broken is not None and not shift and t >= golden.broken:
            recorder.close()
            recorder, session, clock = _go_on(folder)
            shift = clock - t
        take_step(session, _later(step, shift))
    session.finish()
    recorder.result(session.result())
    recorder.close()


def _go_on(folder: Path) -> tuple[Recorder, Session, float]:
    """The session after the program was broken off, and the time of its next frame."""
    resume = Resumption(read_recording(folder), False)
    recorder = Recorder.going_on(resume.recording)
    session = resume.session(recorder, False)
    return recorder, session, session.t + FIRST_LOOK_SECONDS


def _part(golden: Golden, reading: Recording) -> Iterator[tuple[Step, float]]:
    """The steps that are kept, with their times; the first frame shows all that lies there."""
    presses = sorted(golden.presses, key=lambda press: float(press["t"]))
    last: Any = None
    begun = False
    for line in reading.of("observation", "press"):
        step = recorded_step(line)
        if isinstance(step, Pressed):
            t = float(step.press["t"])
            if begun and t <= golden.until:
                yield step, t
            continue
        assert isinstance(step, Seen)
        seen = step.observation
        last = seen.sightings if seen.sightings is not None else last
        if not golden.start <= seen.t <= golden.until:
            continue
        while presses and presses[0]["t"] <= seen.t:
            yield Pressed(presses.pop(0)), seen.t
        yield (step if begun else Seen(replace(seen, sightings=last, motion=1.0))), seen.t
        begun = True


def _later(step: Step, shift: float) -> Step:
    match step:
        case Seen(seen):
            return Seen(replace(seen, t=round(seen.t + shift, 4)))
        case Pressed(press):
            return Pressed({**press, "t": round(press["t"] + shift, 4)})
    return step


def main(words: list[str]) -> int:
    """``make FILMS [NAME...]``, ``renew [NAME...]`` or ``check [NAME...]``."""
    task, films, names = (words[0] if words else "check"), None, words[1:]
    if task == "make" and names:
        films, names = Path(names[0]), names[1:]
    listed = [one for one in read_list(FOLDER / LIST_FILE) if not names or one.name in names]
    bad = 0
    for golden in listed:
        if task == "make" and films is not None:
            make(golden, films, FOLDER)
        elif task == "renew":
            renew(FOLDER / golden.name)
        with tempfile.TemporaryDirectory() as place:
            found = faults(FOLDER / golden.name, Path(place) / "session")
        bad += bool(found)
        print(f"{golden.name}: {'; '.join(found)[:600] or 'as it should be'}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ServerError as error:
        sys.exit(str(error))

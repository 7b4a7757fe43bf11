"""What the start page offers and asks for: sources, people, terms; and the plan of a game that follows from it."""

from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from engine.errors import RulesError
from engine.rules import list_profiles, load_profile
from server.decks import Decks
from server.errors import CameraError, FilmError, StartError, StreamError
from server.seats import DEFAULT_SIDES, DIRECTIONS, NAME_LENGTH, SIDES, Seat, SeatsError, arrange_seats, seat_at
from server.sessions.recording import is_recording, read_recording
from server.sessions.session import Table
from server.sessions.store import REMEMBERED, Store
from server.settings import USUAL_RULES
from server.terms import Exchange, Match, Tie, playable_numbers, rules_on_terms, terms_of
from server.web.opening import DEMO, NONE, Plan, demo_presses
from vision.pathname import as_meant
from vision.stream import SCHEMES, mask_password

FILM_SUFFIXES: Final = (
    ".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ts", ".mts", ".wmv", ".3gp", ".mjpeg", ".ogv",
)  # fmt: skip
"""A page that anybody in the network may use asks for films only, whatever else the machine holds."""


class SourceBody(BaseModel):
    """Where the pictures come from: ``value`` is a camera's number, an address or the path of a film.

    Demo and ``none``, a score kept by hand, have no value.
    """

    model_config = ConfigDict(extra="forbid")

    kind: Literal["camera", "stream", "film", "demo", "none"]
    value: str = Field("", max_length=2000)


class PersonBody(BaseModel):
    """Somebody at the table: the side of the picture and the name."""

    model_config = ConfigDict(extra="forbid")

    side: str
    name: str


class TermsBody(BaseModel):
    """What the table has agreed on; null is as the profile has it. See :class:`server.terms.Terms`."""

    model_config = ConfigDict(extra="forbid")

    arrastre: bool | None = None
    exchange: Exchange | None = None
    tie: Tie | None = None
    match: Match | None = None


class StartBody(BaseModel):
    """A game to begin. ``dealer`` is a side; null: whoever plays first leads. ``replace`` ends the game going on.

    ``deck`` is the name of an enrolled deck; null: any deck. The demo has its own.
    """

    model_config = ConfigDict(extra="forbid")

    source: SourceBody
    people: list[PersonBody] = Field(min_length=2, max_length=6)
    rules: str = USUAL_RULES
    terms: TermsBody = TermsBody()
    dealer: str | None = None
    deck: str | None = Field(None, max_length=NAME_LENGTH)
    replace: bool = False


class SessionBody(BaseModel):
    """A game that was left off, by its id."""

    model_config = ConfigDict(extra="forbid")

    session: str = Field(min_length=1, max_length=100, pattern=r"^[0-9A-Za-z-]+$")


class ResumeBody(SessionBody):
    """The same, to go on with; ``source`` is watched from now on, null: the one that was watched."""

    source: SourceBody | None = None


def kind_of(spec: str) -> str:
    """The kind of source that a ``--source`` is, as :class:`SourceBody` calls it."""
    if spec in (DEMO, NONE):
        return spec
    if spec.isdecimal() or spec.startswith("/dev/video"):
        return "camera"
    return "stream" if "://" in spec else "film"


def offers() -> dict[str, Any]:
    """The profiles with the numbers of players and their own terms, and where people usually sit."""
    profiles = []
    for name in list_profiles():
        rules = load_profile(name)
        profiles.append(
            {
                "name": name,
                "title": rules.title,
                "players": playable_numbers(rules),
                "terms": terms_of(rules).as_json(),
                "trump_shown": rules.trump_rank_visible,
            }
        )
    sides = {str(players): list(usual) for players, usual in DEFAULT_SIDES.items()}
    return {"profiles": profiles, "sides": list(SIDES), "usual_sides": sides}


def source_spec(source: SourceBody, known: dict[str, Any] | None = None) -> str:
    """What :func:`vision.source.open_source` is to open. ``known`` is the remembered start.

    Raises a :class:`~server.errors.StartError` for what cannot be meant.
    """
    value = source.value.strip()
    match source.kind:
        case "demo":
            return DEMO
        case "none":
            return NONE
        case "camera":
            if not value.isascii() or not value.isdecimal() or len(value) > 3:
                raise CameraError(
                    "Choose one of the cameras that were found, or look for cameras again.", "choose_camera"
                )
            return value
        case "stream":
            scheme = value.partition("://")[0].lower()
            if "://" not in value or scheme not in SCHEMES:
                raise StreamError(
                    "The address must begin with http:// or rtsp://, as the phone's app shows it.", "no_address"
                )
            kept = (known or {}).get("source", {})
            if kept.get("kind") == "stream" and mask_password(kept.get("value", "")) == value:
                return str(kept["value"])  # its password was not shown to the screen
            return value
    if not value:
        raise FilmError("Write where the film lies on the computer that runs brisca.", "no_film_named")
    try:
        path = Path(as_meant(value)).expanduser()
        recorded = is_recording(path)
        path.exists()  # asks the system, which refuses names that are too long
    except (OSError, RuntimeError, ValueError) as error:
        raise FilmError(f"{value[:80]} is no name that a file can have: check it.", "no_file_name") from error
    if path.suffix.lower() not in FILM_SUFFIXES and not recorded:
        raise FilmError(
            f"{value} is not the name of a film: it ends in .mp4, .mov, .avi, .mkv or the like.",
            "no_film_name",
            name=value,
        )
    return str(path)


def plan_of(body: StartBody, spec: str, speed: float = 1.0, decks: Decks | None = None) -> Plan:
    """The plan of the game that was asked for, its source ``spec``; ``decks`` are those that it may ask for.

    Raises :class:`~server.errors.StartError`, :class:`~server.seats.SeatsError`, a
    :class:`~server.errors.RecordingError`, or what :meth:`server.decks.Decks.load` raises, with one sentence.
    """
    seats = _seats(body.people)
    try:
        rules = rules_on_terms(body.rules, len(seats), body.terms.model_dump())
    except RulesError as error:
        raise StartError(str(error), "rules_for_others") from error
    dealer = None if body.dealer is None else seat_at(seats, body.dealer)
    table = Table(body.rules, rules, seats, dealer)
    deck = None if body.deck is None or decks is None else decks.load(body.deck)  # also where nothing is read with it
    if body.source.kind == "demo":
        return Plan(spec, table, demo_presses(table), speed=speed)
    if body.source.kind == "film" and is_recording(Path(spec)):
        return Plan(spec, table, recording=read_recording(Path(spec)), speed=speed)
    return Plan(spec, table, speed=speed, deck=deck if body.source.kind != "none" else None)


def remember(store: Store | None, body: StartBody, spec: str) -> None:
    """Keep what was chosen for the next time."""
    if store is not None:
        kept = body.model_dump(exclude={"replace"})
        if body.source.kind == "stream":
            kept["source"]["value"] = spec
        store.remember(REMEMBERED, kept)


def recall(store: Store | None, masked: bool = True) -> dict[str, Any] | None:
    """What was chosen the last time; ``masked``: without passwords, as it may be shown."""
    kept = None if store is None else store.recall(REMEMBERED)
    if not isinstance(kept, dict):
        return None
    if masked and kept.get("source", {}).get("kind") == "stream":
        kept = {**kept, "source": {**kept["source"], "value": mask_password(kept["source"]["value"])}}
    return kept


def chosen(table: Table) -> dict[str, Any]:
    """A table as the start page would have asked for it."""
    return {
        "people": [{"side": seat.side, "name": seat.name} for seat in table.seats],
        "rules": table.profile,
        "terms": TermsBody().model_dump(),
        "dealer": None if table.dealer is None else table.seats[table.dealer].side,
    }


def _seats(people: list[PersonBody]) -> tuple[Seat, ...]:
    names: dict[str, str] = {}
    for person in people:
        if person.side not in DIRECTIONS:
            raise SeatsError(
                f"There is no side {person.side!r} of the picture; use {', '.join(SIDES)}.", "no_such_place"
            )
        if person.side in names:
            raise SeatsError("Two players have the same place; give each a place of his own.", "same_place")
        names[person.side] = person.name
    if len(names) not in DEFAULT_SIDES:
        raise SeatsError("Brisca is played here by two, three, four or six.", "how_many_play")
    return arrange_seats(names)

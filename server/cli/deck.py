"""``brisca deck``: have the program learn the look of your own deck from one or a few pictures."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.errors import DeckError, UsageError
from server.settings import load_settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from server.decks import Decks, EnrolledDeck
    from vision.enrolment import Face

SETTLING_FRAMES: Final = 15
"""Frames that a camera is given to find its exposure before one is taken."""
BETWEEN: Final = 44
"""Up to so many cards are taken for a deck of 40 where nobody says otherwise."""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``deck`` and its actions."""
    parser = subparsers.add_parser(
        "deck",
        help="enrol your own deck, so that it is read better",
        description="Enrol decks: from one or a few pictures of all its cards a deck of any design is known, and read "
        "better than one never seen. Then: brisca watch --deck NAME.",
    )
    actions = parser.add_subparsers(title="what to do", metavar="ACTION", dest="action", required=True)
    enrol = actions.add_parser(
        "enrol",
        help="get to know a deck from pictures",
        description="Spread the whole deck face up, in rows, no card on another, and give one or a few pictures of it. "
        "Every card is named, all together; a sheet shows the names for you to check.",
    )
    enrol.add_argument("name", metavar="NAME", help="what the deck is to be called")
    enrol.add_argument(
        "pictures", nargs="+", metavar="PICTURE", help="pictures, folders of them, or a camera's number or address"
    )
    enrol.add_argument(
        "--cards", type=int, choices=(40, 48), help="cards of the deck; 40 is without 8 and 9 (default: by those found)"
    )
    enrol.add_argument(
        "--order",
        choices=("suits",),
        help="the cards lie in order: oros, copas, espadas, bastos, each from the ace up, row by row from the left; "
        "nothing is read then",
    )
    enrol.add_argument("--replace", action="store_true", help="replace the deck of this name")
    enrol.set_defaults(run=run_enrol)
    correct = actions.add_parser(
        "correct",
        help="put names of cards right",
        description="Put names right by the numbers on the sheet; the other cards are settled around them.",
    )
    correct.add_argument("name", metavar="NAME", help="the deck")
    correct.add_argument(
        "names",
        nargs="+",
        metavar="N=CARD",
        help="such as 3=7B or 12=10O; 3=none where number 3 is no card of it",
    )
    correct.set_defaults(run=run_correct)
    listing = actions.add_parser("list", help="list the enrolled decks", description="List the enrolled decks.")
    listing.set_defaults(run=run_list)
    show = actions.add_parser("show", help="what is known of a deck", description="Tell what is known of a deck.")
    remove = actions.add_parser(
        "remove", help="forget a deck", description="Remove a deck and the small pictures of its cards."
    )
    for command, run in ((show, run_show), (remove, run_remove)):
        command.add_argument("name", metavar="NAME", help="the deck")
        command.set_defaults(run=run)
    for command in (enrol, correct, listing, show, remove):
        command.add_argument("--data", metavar="DIR", help="folder of the decks (default: the user's data folder)")


def run_enrol(args: argparse.Namespace) -> int:
    """Find and name the cards, keep the deck."""
    from server.decks import checked_name, references_of
    from vision.enrolment import find_faces, merge
    from vision.identifier import Identifier
    from vision.locator import Locator
    from vision.reader import TableReader
    from vision.weights import find_weights

    decks = _decks(args)
    name = checked_name(args.name)
    if not args.replace and name.casefold() in {one.casefold() for one in decks.names()}:
        raise UsageError(f"There is a deck called {name} already: choose another name, or add --replace.")
    images = _images(args.pictures)
    identifier = Identifier(find_weights("identify").path)
    reader = TableReader(Locator(find_weights("locate").path), identifier)
    found: list[list[Face]] = []
    for image in images:
        found.append(find_faces(reader.read, identifier, image))
        print(f"picture {len(found)} of {len(images)}: {_number(len(found[-1]), 'face')} found", flush=True)
    size = args.cards or (40 if len(merge(found, 40)) <= BETWEEN else 48)
    if args.order is None:
        cards, told = merge(found, size), None
    else:
        cards, told = _in_suits([face for faces in found for face in faces], size, args.cards is not None)
    if len(cards) < size // 2:
        raise DeckError(
            f"Only {len(cards)} of {size} cards were found: spread them so that none lies on another, take the picture "
            "from above in even light, near enough that each card is at least 100 pixels high, or take several."
        )
    deck = decks.enrol(name, cards, size, told)
    references_of(deck, find_weights("identify"))
    return _tell(deck)


def run_correct(args: argparse.Namespace) -> int:
    """Name cards as the user says."""
    from server.decks import references_of
    from vision.weights import find_weights

    told: dict[int, str | None] = {}
    for text in args.names:
        number, _, card = text.partition("=")
        if not number.isascii() or not number.isdecimal() or not card:
            raise UsageError(f"{text!r} is not understood: write the number on the sheet and the card, such as 3=7B.")
        told[int(number)] = None if card.lower() in ("none", "-") else card.upper()
    decks = _decks(args)
    deck = decks.correct(args.name, told)
    references_of(deck, find_weights("identify"))
    return _tell(deck)


def run_list(args: argparse.Namespace) -> int:
    """List the decks."""
    decks = _decks(args)
    damaged = 0
    for name in decks.names():
        try:
            deck = decks.load(name)
        except DeckError as error:
            damaged += 1
            print(f"brisca: {error}", file=sys.stderr)
            continue
        print(f"{deck.name}  {deck.size - len(deck.missing)} of {deck.size} cards  enrolled {deck.made[:10]}")
    if not decks.names():
        print("No deck is enrolled yet: brisca deck enrol NAME PICTURE")
    return 1 if damaged else 0


def run_show(args: argparse.Namespace) -> int:
    """Tell what is known of a deck."""
    return _tell(_decks(args).load(args.name))


def run_remove(args: argparse.Namespace) -> int:
    """Forget a deck."""
    decks = _decks(args)
    print(f"{decks.remove(args.name)} is forgotten.")
    return 0


def _decks(args: argparse.Namespace) -> "Decks":
    from server.decks import Decks

    return Decks(load_settings(args.data).data)


def _images(given: list[str]) -> "list[NDArray[np.uint8]]":
    """The pictures meant: files, folders, or one picture of a camera or stream."""
    from server.cli.detect import list_files
    from vision.stills import read_picture

    images = []
    for one in given:
        if one.isdecimal() or "://" in one:
            images.append(_taken(one))
        else:
            images += [read_picture(file) for file in list_files([Path(one)])]
    return images


def _taken(spec: str) -> "NDArray[np.uint8]":
    from vision.errors import SourceError
    from vision.source import open_source

    newest = None
    with open_source(spec) as source:
        for count, frame in enumerate(source, 1):
            newest = frame.image
            if count >= SETTLING_FRAMES:
                break
    if newest is None:
        raise SourceError(f"{spec} sends no picture: check it and try again, or give a photograph.")
    return newest


def _in_suits(faces: "list[Face]", size: int, sure_of_size: bool) -> "tuple[list[list[Face]], dict[int, int | None]]":
    """Cards laid suit by suit: their names follow from their places."""
    from vision.enrolment import deck_cards

    if len(faces) != size:
        hint = "" if sure_of_size else " (or say --cards)"
        raise DeckError(
            f"{_number(len(faces), 'face')} found instead of {size}{hint}: with --order every card must be found once; "
            "take the picture again, or leave out --order."
        )
    return [[face] for face in faces], dict(enumerate(deck_cards(size)))


def _tell(deck: "EnrolledDeck") -> int:
    have = deck.size - len(deck.missing)
    print(f"{deck.name}: {have} of {deck.size} cards, {have - len(deck.doubtful)} sure; see them all on {deck.sheet}")
    for face in deck.doubtful:
        print(f"  doubtful: number {face.number} is {face.label or 'no card'}, or {', or '.join(face.rivals)}")
    if deck.doubtful:
        face = deck.doubtful[0]
        print(f'  put right what is wrong: brisca deck correct "{deck.name}" {face.number}={face.rivals[0]}')
    if deck.surplus:
        numbers = ", ".join(str(face.number) for face in deck.surplus)
        print(f"  too many: number {numbers} was taken for no card of the deck (found twice, or of another deck)")
    if deck.missing:
        print(
            f"brisca: missing: {', '.join(deck.missing)}; the deck can be used so, but enrol it again with all its "
            "cards (several pictures are fine) to have them known too.",
            file=sys.stderr,
        )
    return 0


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"

"""JSON that cannot be read is refused with a sentence that names the field."""

import pytest

from engine.codec import entry_from_json, event_from_json, event_to_json
from engine.errors import ParseError
from engine.events import CardPlayed


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (["card_played"], "JSON object"),
        ({"type": "tea"}, "no fact of the game"),
        ({"type": "card_played"}, "lacks 'seat'"),
        ({"type": "card_played", "seat": "one", "card": None}, "seat"),
        ({"type": "card_played", "seat": True, "card": None}, "seat"),
        ({"type": "card_played", "seat": 1, "card": "99X"}, "not a card"),
        ({"type": "card_played", "seat": 1, "card": 3}, "card in text"),
        ({"type": "card_played", "seat": 1, "card": None, "t": "soon"}, "number"),
        ({"type": "card_played", "seat": 1, "card": None, "mood": 1}, "no field 'mood'"),
        ({"type": "card_played", "seat": 1, "card": None, "candidates": [["3C"]]}, "candidates"),
        ({"type": "card_played", "seat": 1, "card": None, "candidates": [["3Z", 1]]}, "not a card"),
        ({"type": "trump_shown", "suit": "X"}, "suit"),
    ],
)
def test_bad_facts(data: object, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        event_from_json(data)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"id": "e1"}, "seq, id and a source"),
        ({"seq": 1, "id": "e1", "source": "ghost", "body": {"type": "hand_ended"}}, "source"),
        ({"seq": 1, "id": "e1", "source": "vision", "body": None}, "body"),
        ({"seq": 1, "id": "e1", "source": "vision", "body": {"type": "retract"}}, "target"),
        ({"seq": 1, "id": "e1", "source": "vision", "body": {"type": "amend", "target": "e0"}}, "event"),
    ],
)
def test_bad_entries(data: dict[str, object], says: str) -> None:
    with pytest.raises(ParseError, match=says):
        entry_from_json(data)


def test_candidates_are_written_only_when_there_are_some() -> None:
    assert "candidates" not in event_to_json(CardPlayed(0, None))
    fact = CardPlayed(0, None, (("3C", 0.5),), t=1.5)
    assert event_from_json(event_to_json(fact)) == fact

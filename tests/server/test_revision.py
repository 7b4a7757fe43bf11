"""A game of the history put right: score, statistics and files follow, undo and redo, refusals, two phones at once."""

import csv
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kept import AT_TABLE, keep_game
from rooms import ServedRoom, serving_room

from engine.cards import Card
from engine.record import read_record
from server.sessions.journals import Journals


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedRoom]:
    with serving_room(tmp_path) as server:
        yield server


def told(served: ServedRoom, id: str) -> dict[str, Any]:
    status, game = served.ask("GET", f"/api/sessions/{id}/game")
    assert status == 200
    return dict(game)


def press(served: ServedRoom, id: str, **body: Any) -> list[str]:
    status, answer = served.ask("POST", f"/api/sessions/{id}/press", body)
    assert status == 200, answer
    return list(answer["entries"])


def refused(served: ServedRoom, id: str, **body: Any) -> tuple[int, str]:
    status, answer = served.ask("POST", f"/api/sessions/{id}/press", body)
    assert answer["error"]["message"].endswith(".")
    return status, answer["error"]["reason"]


def points_of(tricks: list[dict[str, Any]], side: int) -> int:
    cards = [play["card"] for trick in tricks if trick["winner"] == side for play in trick["plays"]]
    return sum(Card.parse(card).points for card in cards if card)


def swapped_winner(hand: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A trick and a play that is worth nothing in it, and the play of an ace in a later one that somebody else won."""
    for trick in hand["tricks"][2:]:
        for play in trick["plays"]:
            if Card.parse(play["card"]).points:
                continue
            for later in hand["tricks"][trick["n"] :]:
                for other in later["plays"]:
                    if later["winner"] != trick["winner"] and other["card"][:-1] == "1":
                        return trick, play, other
    raise AssertionError("no such game")


def test_two_cards_mixed_up_are_put_right_with_one_tap_and_all_follows(served: ServedRoom) -> None:
    id, (game,) = keep_game(served.store, 3)
    before = told(served, id)["hands"][0]
    trick, play, other = swapped_winner(before)
    made = press(served, id, type="correct_card", play=play["id"], card=other["card"])
    after = told(served, id)
    hand = after["hands"][0]
    now = next(one for one in hand["tricks"][trick["n"] - 1]["plays"] if one["id"] == play["id"])
    assert (now["card"], now["confidence"], now["doubtful"]) == (other["card"], 1.0, False)
    cards = [one["card"] for one in (p for t in hand["tricks"] for p in t["plays"])]
    assert sorted(cards) == sorted(str(card) for card in after_cards(game)), "the only card left is the other one's"
    assert [score["points"] for score in hand["scores"]] == [points_of(hand["tricks"], 0), points_of(hand["tricks"], 1)]
    assert sum(hand["result"]["points"]) == 120
    assert [score["points"] for score in hand["scores"]] != [score["points"] for score in before["scores"]]
    assert after["match"]["totals"] == hand["result"]["points"]
    head = next(one for one in after["corrections"] if one["id"] == made[0])
    assert (head["by"], head["why"]) == ("person", "by_hand")
    assert (head["before"], head["after"]) == (play["card"], other["card"])
    assert [one["by"] for one in after["corrections"] if one["id"] in made[1:]] == ["rule"]

    # The list, the players' figures and the files tell the same.
    (short,) = served.ask("GET", "/api/history")[1]["games"]
    assert short["points"] == hand["result"]["points"]
    players = {one["name"]: one["points"] for one in served.ask("GET", "/api/players")[1]["players"]}
    assert [players["Ana"][0]["points"], players["Luis"][0]["points"]] == hand["result"]["points"]
    rows = list(csv.DictReader(io.StringIO(served.ask("GET", f"/api/sessions/{id}/export/csv")[1].decode())))
    assert other["card"] in [row["card"] for row in rows if row["trick"] == str(trick["n"])]
    for form in ("json", "txt"):
        text = served.ask("GET", f"/api/sessions/{id}/export/{form}")[1]
        record = read_record(json.dumps(text) if form == "json" else text.decode())
        assert list(record.state().hands[0].result.points) == hand["result"]["points"]


def test_two_plays_change_places_in_one_step_told_in_one_line(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 3)
    before = told(served, id)["hands"][0]
    one, other = before["tricks"][2]["plays"][0], before["tricks"][5]["plays"][1]
    made = press(served, id, type="swap_cards", play=one["id"], other_play=other["id"])
    after = told(served, id)
    cards = {play["id"]: play["card"] for trick in after["hands"][0]["tricks"] for play in trick["plays"]}
    assert (cards[one["id"]], cards[other["id"]]) == (other["card"], one["card"])
    assert len(made) == 2
    (line,) = after["corrections"]
    assert (line["change"], line["by"], line["before"], line["after"]) == (
        "swapped",
        "person",
        one["card"],
        other["card"],
    )
    press(served, id, type="undo")
    assert told(served, id)["hands"][0] == before

    second = before["tricks"][3]["plays"][1]
    press(served, id, type="correct_seat", play=second["id"], seat=1 - second["seat"])
    after = told(served, id)
    plays = after["hands"][0]["tricks"][3]["plays"]
    assert [play["seat"] for play in plays] == [1 - play["seat"] for play in before["tricks"][3]["plays"]]
    assert [line["change"] for line in after["corrections"]] == ["swapped"]
    assert refused(served, id, type="swap_cards", play=one["id"], other_play=one["id"]) == (400, "same_play")


def after_cards(game: Any) -> list[Card]:
    return [move.card for move in game.moves if type(move).__name__ == "Played"]


def test_undo_and_redo_take_whole_steps_and_stop_at_the_end_of_the_game(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 3, corrected=True)
    first = told(served, id)
    assert first["steps"] == {"undo": False, "redo": False}, "what was pressed during the game stays"
    _, play, other = swapped_winner(first["hands"][0])
    press(served, id, type="correct_card", play=play["id"], card=other["card"])
    one = told(served, id)
    press(served, id, type="set_winner", trick=1, seat=1 - first["hands"][0]["tricks"][0]["winner"], hand=1)
    two = told(served, id)
    assert two["hands"][0]["tricks"][0]["why"] == "awarded"
    again = {"type": "set_winner", "trick": 1, "seat": two["hands"][0]["tricks"][0]["winner"], "hand": 1}
    assert refused(served, id, **again) == (400, "nothing_changes")
    assert two["hands"][0]["scores"] != one["hands"][0]["scores"]
    for wanted in (one, first):
        press(served, id, type="undo")
        now = told(served, id)
        assert (now["hands"], now["corrections"], now["match"]) == (
            wanted["hands"],
            wanted["corrections"],
            wanted["match"],
        )
    assert now["steps"] == {"undo": False, "redo": True}
    assert refused(served, id, type="undo") == (400, "nothing_to_undo")
    for wanted in (one, two):
        press(served, id, type="redo")
        assert told(served, id)["hands"] == wanted["hands"]
    assert refused(served, id, type="redo") == (400, "nothing_to_redo")
    press(served, id, type="undo")
    press(served, id, type="confirm", play=play["id"])
    assert refused(served, id, type="redo") == (400, "nothing_to_redo")


def test_plays_are_taken_out_put_in_and_given_to_others(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 8)
    tricks = told(served, id)["hands"][0]["tricks"]
    first, second = tricks[4]["plays"]
    press(served, id, type="remove_play", play=second["id"])
    trick = told(served, id)["hands"][0]["tricks"][4]
    left = [(first["seat"], first["card"]), (second["seat"], None)]
    assert [(one["seat"], one["card"]) for one in trick["plays"]] == left
    assert refused(served, id, type="correct_card", play=second["id"], card="1O") == (400, "no_such_play")
    press(served, id, type="add_play", trick=5, seat=second["seat"], card=second["card"], hand=1)
    assert shape(told(served, id)["hands"][0]["tricks"]) == shape(tricks)
    press(served, id, type="remove_play", trick=5, seat=first["seat"], hand=1)
    again = told(served, id)["hands"][0]["tricks"][4]["plays"]
    before = next(one["id"] for one in again if one["card"] == second["card"])
    press(served, id, type="add_play", before=before, seat=first["seat"], card=first["card"])
    assert shape(told(served, id)["hands"][0]["tricks"]) == shape(tricks), "put in before a play that was put in itself"
    press(served, id, type="undo")
    press(served, id, type="redo")
    assert shape(told(served, id)["hands"][0]["tricks"]) == shape(tricks)
    press(served, id, type="correct_seat", play=tricks[6]["plays"][0]["id"], seat=tricks[6]["plays"][1]["seat"])
    moved = told(served, id)["hands"][0]["tricks"][6]
    assert [one["seat"] for one in moved["plays"]] == [one["seat"] for one in reversed(tricks[6]["plays"])]
    assert moved["winner"] != tricks[6]["winner"]


def shape(tricks: list[dict[str, Any]]) -> list[Any]:
    return [(one["winner"], one["points"], [(play["seat"], play["card"]) for play in one["plays"]]) for one in tricks]


def test_trump_exchange_names_and_violations_are_put_right(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 3, hands=2)
    game = told(served, id)
    first, second = game["hands"]
    suit = next(letter for letter in "OCEB" if letter != first["trump"]["suit"])
    press(served, id, type="set_trump", suit=suit, hand=1)
    now = told(served, id)["hands"]
    assert now[0]["trump"]["suit"] == suit
    assert shape(now[0]["tricks"]) != shape(first["tricks"])
    assert shape(now[1]["tricks"]) == shape(second["tricks"]), "the other hand stays"
    press(served, id, type="undo")

    press(served, id, type="exchange", seat=1, given=f"7{second['trump']['suit']}", after_trick=3, hand=2)
    exchanges = told(served, id)["hands"][1]["exchanges"]
    assert [(one["seat"], one["after_trick"]) for one in exchanges if one["after_trick"] == 3] == [(1, 3)]
    press(served, id, type="exchange", seat=0, given=f"7{second['trump']['suit']}", after_trick=3, hand=2)
    assert [one["seat"] for one in told(served, id)["hands"][1]["exchanges"] if one["after_trick"] == 3] == [0]
    press(served, id, type="remove_exchange", after_trick=3, hand=2)
    assert told(served, id)["hands"][1]["exchanges"] == second["exchanges"]

    assert press(served, id, type="swap_seats", seat=0, other=1) == []
    assert [seat["name"] for seat in told(served, id)["seats"]] == ["Luis", "Ana"]
    players = {one["name"]: one for one in served.ask("GET", "/api/players")[1]["players"]}
    points = [hand["result"]["points"][0] for hand in game["hands"]]
    assert [one["points"] for one in players["Luis"]["points"]] == points

    led, answered = first["tricks"][3]["plays"]
    press(served, id, type="correct_seat", play=led["id"], seat=answered["seat"])
    broken = told(served, id)["hands"][0]["violations"][0]
    press(served, id, type="dismiss", violation=broken["key"])
    assert next(one for one in told(served, id)["hands"][0]["violations"] if one["key"] == broken["key"])["dismissed"]


def test_what_cannot_be_meant_is_refused_and_changes_nothing(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 3)
    before = (told(served, id), served.store.entries(id), served.store.session(id))
    other = next(suit for suit in "OC" if suit != before[0]["hands"][0]["trump"]["suit"])
    for body, reason in (
        ({"type": "pause"}, "game_is_over"),
        ({"type": "next_hand"}, "game_is_over"),
        ({"type": "correct_card", "play": "e9999", "card": "3C"}, "no_such_play"),
        ({"type": "correct_card", "trick": 1, "seat": 0, "card": "8C"}, "not_in_deck"),
        ({"type": "correct_card", "play": 7, "card": "3C"}, "malformed"),
        ({"type": "correct_card", "card": "3C", "trick": 1, "seat": 0, "hand": 2}, "no_such_hand"),
        ({"type": "remove_play", "trick": 21, "seat": 0}, "no_play_there"),
        ({"type": "add_play", "trick": 2, "seat": 0, "card": "3C"}, "seat_has_card"),
        ({"type": "add_play", "trick": 21, "seat": 0, "card": "3C"}, "no_more_tricks"),
        ({"type": "exchange", "seat": 0, "given": f"7{other}", "after_trick": 2}, "exchange_of_other_suit"),
        ({"type": "set_winner", "trick": 21, "seat": 0}, "trick_not_full"),
        ({"type": "set_trump", "card": "3C", "suit": "O"}, "other_suit"),
        ({"type": "remove_exchange", "after_trick": 19}, "no_exchange_then"),
        ({"type": "dismiss", "violation": "what:e1:0"}, "no_such_violation"),
        ({"type": "swap_seats", "seat": 1, "other": 1}, "same_seat"),
        ({"type": "nonsense"}, "malformed"),
    ):
        assert refused(served, id, **body) == (400, reason), body
    assert served.ask("POST", "/api/sessions/none/press", {"type": "undo"})[0] == 404
    assert (told(served, id), served.store.entries(id), served.store.session(id)) == before


def test_the_trump_and_an_exchange_that_people_told_go_together_after_the_end_too(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 3)
    suit = told(served, id)["hands"][0]["trump"]["suit"]
    other = next(one for one in "OC" if one != suit)
    press(served, id, type="exchange", seat=0, given=f"7{suit}", after_trick=0)
    assert refused(served, id, type="set_trump", suit=other) == (400, "exchange_of_other_suit")
    press(served, id, type="undo")
    press(served, id, type="set_trump", suit=other)
    assert refused(served, id, type="exchange", seat=0, given=f"7{suit}", after_trick=0)[1] == "exchange_of_other_suit"


def test_a_card_is_added_to_the_trick_that_is_due_after_the_end_too(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 3)
    last = told(served, id)["hands"][0]["tricks"][-1]
    for play in last["plays"]:
        press(served, id, type="remove_play", play=play["id"])
    status, answer = served.ask(
        "POST", f"/api/sessions/{id}/press", {"type": "add_play", "trick": 21, "seat": 0, "card": "3C"}
    )
    assert (status, answer["error"]["reason"]) == (400, "no_more_tricks")
    before = told(served, id)["hands"][0]["tricks"][-1]
    for play in before["plays"]:
        press(served, id, type="remove_play", play=play["id"])
    status, answer = served.ask(
        "POST", f"/api/sessions/{id}/press", {"type": "add_play", "trick": 20, "seat": 0, "card": "3C"}
    )
    assert answer["error"]["values"] == {"trick": 20, "next": 19}
    assert "belongs to trick 19" in answer["error"]["message"]


def test_a_game_that_can_go_on_is_not_put_right_before_that_is_decided(served: ServedRoom, tmp_path: Path) -> None:
    id, _ = keep_game(served.store, 3, written=False)
    journal = Journals(tmp_path).new(id)
    journal.folder.mkdir(parents=True)
    (journal.folder / "session.json").write_text("{}")
    (journal.folder / "log.jsonl").write_text("")
    assert refused(served, id, type="set_trump", suit="O") == (409, "left_off")
    journal.remove()
    assert served.store.session(id).ended is None
    press(served, id, type="set_trump", suit="O")
    assert served.store.session(id).ended is not None, "what was put right by hand does not go on"


def test_two_phones_at_once_lose_nothing(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 5, seats=AT_TABLE[4])
    hand = told(served, id)["hands"][0]
    plays = [play for trick in hand["tricks"] for play in trick["plays"]]
    answers: list[tuple[int, Any]] = []

    def phone(number: int) -> None:
        for play in plays[number::2][:6]:
            answers.append(served.ask("POST", f"/api/sessions/{id}/press", {"type": "confirm", "play": play["id"]}))
        same = {"type": "correct_card", "play": plays[0]["id"], "card": plays[20 + number]["card"]}
        answers.append(served.ask("POST", f"/api/sessions/{id}/press", same))

    phones = [threading.Thread(target=phone, args=(number,)) for number in (0, 1)]
    for one in phones:
        one.start()
    for one in phones:
        one.join()
    assert [status for status, _ in answers] == [200] * 14
    seqs = [entry["seq"] for entry in served.store.entries(id)]
    assert seqs == list(range(1, len(seqs) + 1))
    cards = [play["card"] for trick in told(served, id)["hands"][0]["tricks"] for play in trick["plays"]]
    assert cards[0] in (plays[20]["card"], plays[21]["card"]), "the one who came last"
    assert len({card for card in cards if card}) == len([card for card in cards if card]), "no card twice"


def test_the_game_on_the_screens_takes_it_as_from_a_screen(served: ServedRoom) -> None:
    _, begun = served.start(source={"kind": "none"})
    id = begun["session"]
    press(served, id, type="set_trump", card="4O")
    press(served, id, type="add_play", trick=1, seat=0, card="3C")
    state = served.ask("GET", "/api/state")[1]
    assert [play["card"] for play in state["hand"]["trick"]["plays"]] == ["3C"]
    assert state["steps"]["undo"]

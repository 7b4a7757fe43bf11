"""Small scenes at a table of two: what the referee makes of them."""

from collections.abc import Iterable

import pytest

from engine.events import CardPlayed, GameEvent, HandEnded, HandStarted, TrickSwept, TrumpExchanged, TrumpShown
from engine.ledger import Amend, LedgerEntry
from engine.rules import load_profile
from engine.state import GameState
from server.errors import ServerError
from server.referee import Referee
from server.seats import default_seats
from vision.facts import EventKind, Kind, TableEvent

STOCK, TRUMP = (300.0, 360.0), (390.0, 360.0)
SOUTH, NORTH = (660.0, 460.0), (640.0, 260.0)


class Scene:
    """A table under a camera of 1280 x 720 in which a card is 100 x 150 pixels."""

    def __init__(self, profile: str = "arrastro", dealer: int | None = None) -> None:
        self.referee = Referee(load_profile(profile, 2), default_seats(2), dealer)
        self.t = 0.0
        self.id = 0
        self.track = 0
        self.entries: list[LedgerEntry] = []

    def say(
        self,
        kind: EventKind,
        at: tuple[float, float],
        labels: dict[str, float] | str = "",
        *,
        track: int | None = None,
        face: Kind = "face",
        side: str | None = None,
        tracks: tuple[int, ...] = (),
        visible: float = 1.0,
        after: float = 1.0,
        t: float | None = None,
    ) -> int:
        if track is None:
            self.track += 1
            track = self.track
        self.id += 1
        self.t = self.t + after if t is None else t
        x, y = at
        quad = ((x - 50, y - 75), (x + 50, y - 75), (x + 50, y + 75), (x - 50, y + 75))
        read = {labels: 0.98} if isinstance(labels, str) and labels else dict(labels or {})
        pairs = tuple(sorted(read.items(), key=lambda one: -one[1]))
        event = TableEvent(
            self.id, self.t, kind, track, face, pairs, quad, (x / 1280, y / 720), visible, (0, 0), None, side, tracks
        )
        self.entries.extend(self.referee.feed(event))
        return track

    def open(self, trump: dict[str, float] | str = "4O", stock: bool = True) -> int:
        if stock:
            self.say("settled", STOCK, face="back")
        return self.say("settled", TRUMP, trump, visible=0.6)

    def south(self, labels: dict[str, float] | str, **more: object) -> int:
        return self.say("settled", SOUTH, labels, side="south", **more)  # type: ignore[arg-type]

    def north(self, labels: dict[str, float] | str, **more: object) -> int:
        return self.say("settled", NORTH, labels, side="north", **more)  # type: ignore[arg-type]

    def sweep(self, *tracks: int, side: str | None = None) -> None:
        self.say("swept", SOUTH, track=tracks[0], tracks=tracks, side=side)

    def trick(self, south: str, north: str, side: str | None = None, *, north_leads: bool = False) -> None:
        order = (("n", north), ("s", south)) if north_leads else (("s", south), ("n", north))
        tracks = [self.south(card) if who == "s" else self.north(card) for who, card in order]
        self.sweep(*tracks, side=side)

    @property
    def facts(self) -> list[GameEvent]:
        return [event for _, event in self.referee.ledger.effective()]

    @property
    def hand(self) -> GameState:
        hand = self.referee.state.hand
        assert hand is not None
        return hand

    def plays(self) -> list[tuple[int, str | None]]:
        return [(play.seat, None if play.card is None else str(play.card)) for play in self.hand.all_plays]


def kinds(facts: Iterable[GameEvent]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


def test_a_trick_is_told_as_it_falls() -> None:
    scene = Scene()
    scene.open()
    assert kinds(scene.facts) == ["HandStarted", "TrumpShown"]
    scene.trick("3C", "1C", "north")
    assert kinds(scene.facts) == ["HandStarted", "TrumpShown", "CardPlayed", "CardPlayed", "TrickSwept"]
    assert scene.plays() == [(0, "3C"), (1, "1C")]
    assert scene.hand.tricks[0].winner == 1
    assert scene.hand.points_by_seat == (0, 21)
    assert isinstance(scene.facts[-1], TrickSwept)
    assert scene.facts[-1].seat == 1


def test_the_leader_is_whoever_plays_first_by_where_the_card_lands() -> None:
    scene = Scene()
    scene.open()
    scene.north("5B")
    assert scene.plays() == [(1, "5B")]
    assert scene.hand.turn == 0


def test_the_film_may_begin_with_the_trump_lying_there_and_no_stock_seen() -> None:
    scene = Scene()
    scene.open(stock=False)
    scene.trick("3C", "1C")
    scene.trick("5C", "6C", north_leads=True)
    assert scene.hand.trump_suit == "O"
    assert [card for _, card in scene.plays()] == ["3C", "1C", "6C", "5C"]


def test_the_first_card_may_fall_before_the_trump_is_recognised() -> None:
    scene = Scene()
    scene.south("3C")
    scene.open()
    scene.north("1C")
    assert scene.plays() == [(0, "3C"), (1, "1C")]
    assert str(scene.hand.trump_card) == "4O"


def test_a_trump_read_wrongly_at_first_is_amended() -> None:
    scene = Scene()
    track = scene.open({"5O": 0.97, "4O": 0.02})
    scene.trick("3C", "1C")
    scene.say("read", TRUMP, {"4O": 0.99}, track=track)
    scene.trick("5O", "6C", north_leads=True)
    assert str(scene.hand.trump_card) == "4O"
    assert any(isinstance(entry.body, Amend) and isinstance(entry.body.event, TrumpShown) for entry in scene.entries)


def test_a_doubtful_card_is_not_guessed_and_settled_by_a_clearer_view() -> None:
    scene = Scene()
    scene.open()
    track = scene.south({"3C": 0.55, "2C": 0.44})
    assert scene.plays() == [(0, None)]
    assert dict(scene.hand.trick[0].candidates).keys() >= {"3C", "2C"}
    assert [question.kind for question in scene.referee.status.questions] == ["card"]
    scene.say("read", SOUTH, {"2C": 0.99}, track=track)
    assert scene.plays() == [(0, "2C")]
    assert scene.referee.status.questions == ()
    amendment = scene.entries[-1]
    assert isinstance(amendment.body, Amend)
    assert amendment.source == "vision"


def test_a_later_certain_card_settles_an_earlier_doubt_by_rule() -> None:
    scene = Scene()
    scene.open()
    scene.south({"3C": 0.6, "2C": 0.39})
    scene.north("12B")
    scene.sweep(2 + 1, 4)
    scene.say("settled", SOUTH, {"3C": 0.995}, side="south")
    assert scene.plays()[0] == (0, "2C")
    assert scene.entries[-1].source == "rule" or any(
        entry.source == "rule" and isinstance(entry.body, Amend) for entry in scene.entries
    )


def test_a_card_lost_for_a_moment_is_the_same_play() -> None:
    scene = Scene()
    scene.open()
    track = scene.south("3C")
    scene.say("vanished", SOUTH, track=track, after=0.4)
    scene.say("settled", (SOUTH[0] + 6, SOUTH[1] - 4), "3C", after=0.6)
    scene.north("1C")
    assert scene.plays() == [(0, "3C"), (1, "1C")]


def test_a_card_lost_and_read_otherwise_in_the_same_place_is_one_play_in_doubt() -> None:
    scene = Scene()
    scene.open()
    track = scene.south({"3C": 0.9, "2C": 0.05})
    scene.say("vanished", SOUTH, track=track, after=0.4)
    scene.say("settled", SOUTH, {"2C": 0.7, "3C": 0.2}, after=0.6)
    scene.north("1C")
    assert len(scene.plays()) == 2


def test_a_pushed_card_is_no_new_play() -> None:
    scene = Scene()
    scene.open()
    track = scene.south("3C")
    scene.say("moved", (560.0, 300.0), "3C", track=track)
    scene.north("1C")
    assert scene.plays() == [(0, "3C"), (1, "1C")]


def test_a_gathering_that_nobody_saw_is_implied_by_the_next_card() -> None:
    scene = Scene()
    scene.open()
    scene.south("3C")
    scene.north("1C")
    scene.say("settled", (NORTH[0] + 40, NORTH[1] + 30), "5B", side="north")
    assert kinds(scene.facts)[-2:] == ["TrickSwept", "CardPlayed"]
    assert scene.hand.trick_number == 2


def test_cards_gathered_one_by_one_are_a_trick() -> None:
    scene = Scene()
    scene.open()
    tracks = scene.south("3C"), scene.north("1C")
    for track in tracks:
        scene.say("vanished", SOUTH, track=track, after=0.3)
    scene.north("5B", after=3.0)
    assert scene.plays()[2] == (1, "5B")
    assert len(scene.hand.tricks) == 1


def test_a_gathering_told_before_its_card_came_to_rest() -> None:
    scene = Scene()
    scene.open()
    south = scene.south("3C")
    scene.say("swept", SOUTH, track=south, tracks=(south, south + 1), side="north", t=9.0)
    scene.say("settled", NORTH, "1C", track=south + 1, side="north", t=5.0)
    assert scene.plays() == [(0, "3C"), (1, "1C")]
    assert len(scene.hand.tricks) == 1


def test_clutter_that_reads_as_no_card_is_nothing() -> None:
    scene = Scene()
    scene.say("settled", (1100.0, 400.0), {"4O": 0.05, "4B": 0.04, "2C": 0.04})
    scene.open()
    scene.trick("3C", "1C")
    assert scene.plays() == [(0, "3C"), (1, "1C")]
    assert str(scene.hand.trump_card) == "4O"


def test_the_seven_changes_the_trump_card() -> None:
    scene = Scene()
    trump = scene.open("12O")
    scene.trick("3C", "1C", "north")
    scene.say("vanished", TRUMP, track=trump)
    scene.say("settled", (TRUMP[0] + 5, TRUMP[1]), {"7O": 0.9, "6O": 0.08}, visible=0.6)
    scene.trick("5C", "12O", north_leads=True)
    exchange = next(fact for fact in scene.facts if isinstance(fact, TrumpExchanged))
    assert (exchange.seat, str(exchange.given), str(exchange.taken)) == (1, "7O", "12O")
    assert str(scene.hand.trump_card) == "7O"
    assert scene.plays()[2:] == [(1, "12O"), (0, "5C")]
    assert not scene.hand.violations


def test_an_exchange_that_tracking_slept_through() -> None:
    scene = Scene()
    trump = scene.open("12O")
    scene.trick("3C", "1C", "north")
    scene.say("read", TRUMP, {"7O": 0.97}, track=trump, visible=0.6)
    scene.north("5C")
    exchange = next(fact for fact in scene.facts if isinstance(fact, TrumpExchanged))
    assert (str(exchange.given), str(exchange.taken)) == ("7O", "12O")


def test_a_hand_over_the_trump_changes_nothing() -> None:
    scene = Scene()
    trump = scene.open("12O")
    scene.trick("3C", "1C")
    scene.say("vanished", TRUMP, track=trump)
    scene.say("settled", TRUMP, {"12O": 0.9, "11O": 0.08}, visible=0.6)
    scene.north("5C")
    assert not any(isinstance(fact, TrumpExchanged) for fact in scene.facts)
    assert str(scene.hand.trump_card) == "12O"


def test_the_wrong_side_gathers() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "south")
    scene.trick("5C", "6C", "north", north_leads=True)
    assert [(violation.code, violation.seat) for violation in scene.hand.violations] == [("wrong_gather", 0)]


def test_the_wrong_player_leads() -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "3C", "south")
    scene.trick("6C", "5C", north_leads=True)
    scene.trick("5E", "6E")
    assert [seat for seat, _ in scene.plays()] == [0, 1, 1, 0, 0, 1]
    assert [violation.code for violation in scene.hand.violations] == ["wrong_leader"]


def test_where_every_story_is_unlikely_nobody_is_sure_who_laid_what() -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "3C", "south")
    scene.trick("5C", "6C", north_leads=True)
    scene.trick("5E", "6E")  # and south leads again, although north's six took the trick
    assert all((play.confidence or 0) < 0.9 for play in scene.hand.tricks[1].plays)
    assert not any(violation.certainty == "certain" for violation in scene.hand.violations)


def test_a_second_card_that_goes_back_into_the_hand_is_two_cards() -> None:
    scene = Scene()
    scene.open()
    first = scene.south("3C")
    second = scene.say("settled", (SOUTH[0] + 90, SOUTH[1]), "7E", side="south")
    scene.say("vanished", (SOUTH[0] + 90, SOUTH[1]), "7E", track=second, after=2.0)
    answer = scene.north("5C")
    scene.sweep(first, answer, side="south")
    assert scene.plays() == [(0, "3C"), (1, "5C")]
    (told,) = scene.hand.violations
    assert (told.code, told.seat, told.trick, told.certainty) == ("two_cards", 0, 1, "possible")
    # The card is proven to be one of that hand when the same seat plays it.
    scene.trick("7E", "6E")
    (told,) = scene.hand.violations
    assert (told.code, told.certainty, told.evidence) == ("two_cards", "certain", ("7E",))


@pytest.mark.parametrize("how", ["brief", "elsewhere", "unread", "known", "alone"])
def test_what_is_not_clearly_a_second_card_accuses_nobody(how: str) -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "7E", "south")
    first = 0 if how == "alone" else scene.south("3C")
    labels: dict[str, float] | str = {"unread": {"6E": 0.5, "5E": 0.4}, "known": "7E"}.get(how, "6E")
    place, side = ((640, 360), None) if how == "elsewhere" else ((SOUTH[0] + 90, SOUTH[1]), "south")
    second = scene.say("settled", place, labels, side=side)
    scene.say("vanished", place, labels, track=second, after=0.3 if how == "brief" else 2.0)
    first = first or scene.south("3C", after=6.0)
    scene.sweep(first, scene.north("5C"), side="south")
    assert scene.hand.violations == ()


def test_a_film_that_ends_early_leaves_the_hand_open() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "north")
    scene.north("5B")
    scene.referee.finish(scene.t + 1)
    assert not any(isinstance(fact, HandEnded) for fact in scene.facts)
    assert scene.hand.result is None
    assert scene.plays() == [(0, "3C"), (1, "1C"), (1, "5B")]


def test_too_many_cards_lose_the_thread_and_offer_ways_back() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "north")
    for number, card in enumerate(["5B", "6B", "7B", "4E", "5E", "6E"]):
        scene.say("settled", (400.0 + 110 * number, 300.0 + 40 * number), card, side="south", after=0.2)
    status = scene.referee.status
    assert status.lost
    question = status.questions[0]
    assert question.kind == "lost"
    assert {option["type"] for option in question.options} >= {"found", "end_hand"}
    scene.referee.press({"type": "found"})
    assert not scene.referee.status.lost


def test_the_dealer_decides_who_should_lead() -> None:
    scene = Scene(dealer=0)
    scene.open()
    scene.say("settled", (650.0, 360.0), "5B")  # right in the middle: the place says nothing
    assert scene.plays() == [(1, "5B")]
    assert scene.facts[0] == HandStarted(dealer=0, t=2.0)


def test_the_same_facts_give_the_same_ledger() -> None:
    ledgers = []
    for _ in range(2):
        scene = Scene()
        scene.open({"5O": 0.6, "4O": 0.39})
        scene.trick("3C", "1C", "north")
        scene.trick("5C", "12O", north_leads=True)
        scene.referee.finish(60.0)
        ledgers.append(scene.referee.ledger.entries)
    assert ledgers[0] == ledgers[1]


def test_every_fact_is_written_once() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "north")
    assert tuple(scene.entries) == scene.referee.ledger.entries
    assert sum(isinstance(fact, CardPlayed) for fact in scene.facts) == 2


def test_seats_must_fit_the_rules() -> None:
    with pytest.raises(ServerError, match="need 2 seats"):
        Referee(load_profile("arrastro", 2), default_seats(3))

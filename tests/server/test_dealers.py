"""Who deals and who leads, told before the first card of every hand."""

from typing import Any

import pytest

from server.scoreboard.snapshot import snapshot_json
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts

CARDS = ["1O", "3O", "12O", "11O", "10O", "7O", "6O", "5O"]


def shown(session: Session) -> dict[str, Any]:
    return dict(snapshot_json(SessionFacts("s", "none", ""), session, False)["hand"] or {})


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("named", [None, 0, 1])
def test_who_leads_is_known_before_the_first_card_of_every_hand_but_perhaps_the_first(
    players: int, named: int | None
) -> None:
    sides = "south=A,north=B" if players == 2 else "south=A,east=B,north=C,west=D"
    dealer = None if named is None else sides.split(",")[named].split("=")[0]
    session = Session(make_table(seats=sides, dealer=dealer))
    t, first = 0.0, None if named is None else (named + 1) % players
    for number in (1, 2, 3):
        for press in ({"type": "next_hand"}, {"type": "set_trump", "card": "4C"}):
            if press["type"] == "next_hand" and number == 1:
                hand = shown(session)
            else:
                t += 1.0
                session.press({**press, "t": t})
                hand = shown(session)
            assert (hand["n"], hand["next_leader"]) == (number, first), press
            assert hand["dealer"] == (None if first is None else (first - 1) % players), press
        first = 1 if first is None else first  # where nobody dealt for all to see, anybody may lead
        for place in range(players):
            t += 1.0
            press = {"type": "add_play", "trick": 1, "seat": (first + place) % players, "card": CARDS[place]}
            session.press({**press, "t": t})
        first = (first + 1) % players

"""From table actions to movements: hands that come and go with cards, and when what lies where."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.synth.film_actions import (
    Bump,
    Draw,
    Exchange,
    ExposureJump,
    Gather,
    Hover,
    LostFrames,
    PlaceStock,
    Play,
    ShowTrump,
    Side,
    TableAction,
    TakeBack,
    TakeTrump,
    action_end,
)
from vision.synth.film_camera import Camera, Pose, mix
from vision.synth.film_level import FilmLevel
from vision.synth.film_plan import HAND_HIGH_MM, HAND_LOW_MM, Change, FilmError, Moving, Plan, Track, ease
from vision.synth.film_stage import MIDDLE, PILES, STOCK, TRUMP, Lying, lying_card, lying_stack
from vision.synth.film_sweep import Sweep
from vision.synth.film_table import CARD_THICKNESS_MM, Layout

STOCK_KEY: Final = "stock"
TRUMP_KEY: Final = "trump"

_HOLD_MM: Final = 31.0


def _attached(hand: Pose, thing: Pose) -> Callable[[Pose], Pose]:
    """How ``thing`` lies when it is carried by a hand that held it in this position."""
    dx, dy = thing.x - hand.x, thing.y - hand.y
    c, s = math.cos(-hand.yaw), math.sin(-hand.yaw)
    right, down = c * dx - s * dy, s * dx + c * dy
    turn = thing.yaw - hand.yaw

    def carried(now: Pose) -> Pose:
        placed = now.offset(right, down, turn)
        return Pose(placed.x, placed.y, thing.z + max(0.0, now.z - hand.z), placed.yaw)

    return carried


@dataclass(frozen=True, slots=True)
class _Reach:
    """A hand's way between outside and a place; share 0 is outside, 1 is there."""

    home: tuple[float, float]
    place: Pose
    swing: float
    bow: float
    high: float

    def at(self, share: float) -> Pose:
        s = ease(share)
        dx, dy = self.place.x - self.home[0], self.place.y - self.home[1]
        bend = self.bow * math.sin(math.pi * s)
        length = math.hypot(dx, dy) or 1.0
        x = self.home[0] + dx * s - dy / length * bend
        y = self.home[1] + dy * s + dx / length * bend
        # the hand comes down only at the end of its way
        z = mix(self.high, self.place.z, s**4)
        return Pose(x, y, z, self.place.yaw + self.swing * (1 - s))


class Planner:
    """Turns actions into a :class:`Plan`; random only through the generator that it is given."""

    def __init__(
        self, layout: Layout, level: FilmLevel, camera: Camera, rng: np.random.Generator, hands: dict[Side, int]
    ):
        self._layout = layout
        self._level = level
        self._camera = camera
        self._rng = rng
        self._hands = hands
        self._plan = Plan()
        self._stock = 0
        self._stock_scatter = rng.normal(0, 1, (16, 3)) * (0.5, 0.5, 0.008)
        self._trump: tuple[str, Pose] | None = None
        self._middle: list[tuple[str, str, Pose, float]] = []
        self._piles: dict[Side, list[tuple[Pose, int]]] = {side: [] for side in layout.sides}
        self._laid = 0

    def plan(self, actions: tuple[TableAction, ...]) -> Plan:
        """The movements of all actions; raises FilmError for an action that the table does not allow."""
        for action in sorted(actions, key=lambda a: a.t):
            side = getattr(action, "side", None)
            if side is not None and side not in self._layout.sides:
                raise FilmError(
                    f"Nobody sits at the {side} side of this film; players sit {', '.join(self._layout.sides)}."
                )
            self._act(action)
            self._plan.end = max(self._plan.end, action_end(action))
        self._plan.changes.sort(key=lambda change: change.t)
        self._plan.tracks.sort(key=lambda track: track.start)
        return self._plan

    def _act(self, action: TableAction) -> None:
        match action:
            case PlaceStock():
                self._stock = action.count
                self._change(action.t, self._stock_thing())
            case ShowTrump():
                pose = self._near(self._layout.trump, 0.25)
                self._trump = (action.label, pose)
                self._lay(action, pose, TRUMP_KEY, TRUMP)
            case Play():
                pose = self._near(self._layout.plays[action.side].offset(action.aside, 0.0), 1.0)
                self._laid += 1
                key = f"card{self._laid}"
                self._middle.append((key, action.label, pose, action.rest))
                self._lay(action, pose, key, MIDDLE)
            case TakeBack():
                self._take_back(action)
            case Gather():
                self._gather(action)
            case Draw():
                self._draw(action)
            case TakeTrump():
                label, pose = self._face_up("take")
                self._trump = None
                self._change(action.lift, TRUMP_KEY)
                self._fetch(action.t, action.duration, action.lift, action.side, pose, f"face:{label}", label)
            case Exchange():
                self._exchange(action)
            case Hover():
                self._hover(action)
            case Bump():
                self._plan.bumps.append(action)
            case LostFrames():
                self._plan.lost.append(action)
            case ExposureJump():
                self._plan.exposures.append(action)

    def _change(self, t: float, what: Lying | str | None) -> None:
        if isinstance(what, str):
            self._plan.changes.append(Change(t, remove=(what,)))
        elif what is not None:
            self._plan.changes.append(Change(t, put=(what,)))

    def _near(self, pose: Pose, share: float) -> Pose:
        # two people never lay a card at quite the same place, and hardly ever straight
        dx, dy = np.clip(self._rng.normal(0, 1, 2), -2, 2) * self._level.place_mm * share
        turn = float(np.clip(self._rng.normal(0, 1), -2.2, 2.2)) * math.radians(self._level.place_deg) * share
        return Pose(pose.x + float(dx), pose.y + float(dy), pose.z, pose.yaw + turn)

    def _face_up(self, doing: str) -> tuple[str, Pose]:
        if self._trump is None:
            raise FilmError(f"There is no face-up card at the stock to {doing}; show one first.")
        return self._trump

    def _stock_thing(self) -> Lying | str:
        if self._stock <= 0:
            return STOCK_KEY
        batches: list[tuple[Pose, int]] = []
        left, index = self._stock, 0
        place = self._layout.stock
        while left > 0:
            count = min(6, left)
            dx, dy, turn = self._stock_scatter[index % 16]
            batches.append((Pose(place.x + dx, place.y + dy, 0, place.yaw + turn), count))
            left, index = left - count, index + 1
        return lying_stack(STOCK_KEY, STOCK, tuple(batches), CARD_THICKNESS_MM)

    def _reach(self, side: Side, place: Pose, high: float = HAND_HIGH_MM) -> _Reach:
        rng = self._rng
        yaw = self._layout.reach(side, (place.x, place.y)) + math.radians(float(rng.normal(0, 5)))
        return _Reach(
            self._layout.home(side, self._camera, (place.x, place.y)),
            Pose(place.x, place.y, place.z, yaw),
            math.radians(float(rng.uniform(-14, 14))),
            float(rng.uniform(-25, 25)),
            high,
        )

    def _hold(self, side: Side, card: Pose) -> Pose:
        """Where the hand's grip is when it holds a card: over the edge that is nearest to the player."""
        yaw = self._layout.reach(side, (card.x, card.y))
        at = Pose(card.x, card.y, HAND_LOW_MM + card.z, yaw).offset(0, _HOLD_MM)
        if abs(math.cos(card.yaw - yaw)) < 0.6:
            # a card that lies across is held by its short end, away from the stock
            stock = self._layout.stock
            ends = [card.offset(0, end) for end in (-_HOLD_MM - 6, _HOLD_MM + 6)]
            best = max(ends, key=lambda p: math.hypot(p.x - stock.x, p.y - stock.y))
            at = Pose(best.x, best.y, HAND_LOW_MM + card.z, yaw).offset(0, 10)
        return at

    def _hand(self, side: Side, pose: str) -> str:
        return f"hand:{self._hands[side]}:{pose}"

    def _lay(self, action: ShowTrump | Play, pose: Pose, key: str, level: int) -> None:
        """A hand brings a card from outside, lays it down and leaves."""
        rest_share = (action.rest - action.t) / action.duration
        under = (STOCK_KEY,) if level == TRUMP and self._layout.under_stock else ()
        self._bring(action.t, action.duration, rest_share, action.side, pose, action.label, under)
        self._change(action.rest, lying_card(key, action.label, pose, level))

    def _bring(
        self,
        start: float,
        duration: float,
        rest_share: float,
        side: Side,
        pose: Pose,
        label: str,
        under: tuple[str, ...],
    ) -> None:
        reach = self._reach(side, self._hold(side, pose))
        carried = _attached(reach.place, pose)
        hand = self._hand(side, "holding")
        leave = rest_share + 0.08

        def pieces(t: float) -> list[Moving]:
            u = (t - start) / duration
            if u < rest_share:
                at = reach.at(u / rest_share)
                return [Moving(f"face:{label}", carried(at), label, under), Moving(hand, at)]
            at = reach.at(1 - (u - leave) / (1 - leave))
            return [Moving(hand, at)]

        self._plan.tracks.append(Track(start, start + duration, pieces))

    def _fetch(
        self, start: float, duration: float, lift: float, side: Side, pose: Pose, key: str, label: str | None,
        under: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """A hand comes, takes what lies at ``pose`` and carries it off."""
        reach = self._reach(side, self._hold(side, pose))
        carried = _attached(reach.place, pose)
        hand = self._hand(side, "holding")
        taken = (lift - start) / duration

        def pieces(t: float) -> list[Moving]:
            u = (t - start) / duration
            if u < taken:
                return [Moving(hand, reach.at(u / (taken - 0.06)))]
            at = reach.at(1 - (u - taken) / (1 - taken))
            return [Moving(key, carried(at), label, under), Moving(hand, at)]

        self._plan.tracks.append(Track(start, start + duration, pieces))

    def _take_back(self, action: TakeBack) -> None:
        found = [lying for lying in self._middle if lying[1] == action.label and lying[3] <= action.lift]
        if not found:
            raise FilmError(f"The {action.label} does not lie in the middle to be taken back; play it first.")
        key, label, pose, _ = found[-1]
        self._middle.remove(found[-1])
        self._change(action.lift, key)
        self._fetch(action.t, action.duration, action.lift, action.side, pose, f"face:{label}", label)

    def _draw(self, action: Draw) -> None:
        before = self._stock_thing()
        if isinstance(before, str):
            raise FilmError("The stock is empty; nobody can draw from it any more.")
        self._stock -= 1
        self._change(action.lift, self._stock_thing())
        self._fetch(action.t, action.duration, action.lift, action.side, before.pose, "back", None)

    def _exchange(self, action: Exchange) -> None:
        old, pose = self._face_up("exchange")
        under = (STOCK_KEY,) if self._layout.under_stock and self._stock > 0 else ()
        half = 0.48 * action.duration
        self._fetch(action.t, half, action.lift, action.side, pose, f"face:{old}", old, under)
        self._change(action.lift, TRUMP_KEY)
        fresh = self._near(self._layout.trump, 0.3)
        self._trump = (action.label, fresh)
        start = action.t + half
        left = action.t + action.duration - start
        self._bring(start, left, (action.rest - start) / left, action.side, fresh, action.label, under)
        self._change(action.rest, lying_card(TRUMP_KEY, action.label, fresh, TRUMP))

    def _hover(self, action: Hover) -> None:
        middle = Pose(float(self._rng.normal(0, 15)), float(self._rng.normal(0, 15)), 55.0)
        reach = self._reach(action.side, middle, 80.0)
        hand = self._hand(action.side, str(self._rng.choice(["pointing", "flat", "resting"])))

        def pieces(t: float) -> list[Moving]:
            u = (t - action.t) / action.duration
            at = reach.at(min(u / 0.3, (1 - u) / 0.3, 1.0))
            sway = 6 * math.sin(5.1 * t)
            return [Moving(hand, Pose(at.x + sway, at.y + 0.6 * sway, at.z, at.yaw + 0.01 * sway))]

        self._plan.tracks.append(Track(action.t, action.t + action.duration, pieces))

    def _gather(self, action: Gather) -> None:
        late = [label for _, label, _, rest in self._middle if rest > action.t + 0.3 * action.duration]
        if not self._middle or late:
            raise FilmError(
                "A trick can be gathered only after its cards lie in the middle; let the gathering begin later."
            )
        pile = self._layout.piles[action.side]
        cards, self._middle = self._middle, []
        target = self._near(pile, 0.35)
        batches = self._piles[action.side]
        batches.append((target, len(cards)))
        height = sum(count for _, count in batches) * CARD_THICKNESS_MM
        sweep = Sweep(
            action, self._layout, cards, Pose(target.x, target.y, height, target.yaw), self._camera, self._rng
        )
        hand = self._hand(action.side, "gathering")
        self._plan.tracks.append(Track(action.t, action.t + action.duration, lambda t: sweep.pieces(t, hand)))
        for (key, _, _, _), share in zip(cards, sweep.starts, strict=True):
            self._change(action.t + share * action.duration, key)
        self._change(action.rest, lying_stack(f"pile-{action.side}", PILES, tuple(batches), CARD_THICKNESS_MM))

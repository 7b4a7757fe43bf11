"""The gathering of a trick: a hand pulls its cards together, turns them over and lays them on a pile."""

import math

import numpy as np

from vision.labels import CARD_MM
from vision.synth.film_actions import Gather
from vision.synth.film_camera import Camera, Pose, blend, mix, turn_between
from vision.synth.film_plan import HAND_HIGH_MM, HAND_LOW_MM, Moving, ease
from vision.synth.film_table import Layout


class Sweep:
    """A hand that reaches over a trick, pulls its cards together, turns them over and lays them on a pile."""

    OVER, PULL, LIFT, DOWN, AWAY = 0.22, 0.26, 0.5, 0.8, 0.85

    def __init__(
        self, action: Gather, layout: Layout, cards: list[tuple[str, str, Pose, float]], pile: Pose, camera: Camera,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self._action = action
        self._cards = cards
        self._pile = pile
        towards = np.array([layout.shoulders[action.side][0], layout.shoulders[action.side][1]])
        towards /= np.hypot(*towards)
        depth = [float(np.dot((pose.x, pose.y), towards)) for _, _, pose, _ in cards]
        far = cards[int(np.argmin(depth))][2]
        near = max(depth)
        x, y = towards * mix(min(depth), near, 0.8)
        yaw = layout.reach(action.side, (x, y))
        self._far = Pose(far.x, far.y, HAND_LOW_MM, layout.reach(action.side, (far.x, far.y)))
        self._together = Pose(float(x), float(y), HAND_LOW_MM, yaw)
        reach = layout.reach(action.side, (pile.x, pile.y))
        self._grip = Pose(pile.x, pile.y, HAND_LOW_MM + pile.z, reach).offset(0, 22)
        self._homes = (
            layout.home(action.side, camera, (far.x, far.y)),
            layout.home(action.side, camera, (self._grip.x, self._grip.y)),
        )
        length = max(near - min(depth), 1.0)
        self.starts = [mix(self.PULL, self.LIFT - 0.09, min(1.0, (d - min(depth)) / length)) for d in depth]
        self._scatter = rng.normal(0, 1, (len(cards), 3)) * (3.0, 3.0, 0.05)
        # the bundle turns with the hand, and lies on the pile as the pile lies
        self._turn = turn_between(self._grip.yaw, pile.yaw)
        self._mean = turn_between(yaw, cards[-1][2].yaw)

    def _hand(self, u: float) -> Pose:
        if u < self.OVER:
            home = Pose(*self._homes[0], HAND_HIGH_MM, self._far.yaw)
            return blend(home, self._far, ease(u / self.OVER))
        if u < self.LIFT:
            return blend(self._far, self._together, ease((u - self.OVER) / (self.LIFT - self.OVER)))
        if u < self.DOWN:
            s = ease((u - self.LIFT) / (self.DOWN - self.LIFT))
            at = blend(self._together, self._grip, s)
            return Pose(at.x, at.y, at.z + 45 * math.sin(math.pi * s), at.yaw)
        home = Pose(*self._homes[1], HAND_HIGH_MM, self._grip.yaw)
        return blend(self._grip, home, ease((u - self.AWAY) / (1 - self.AWAY)))

    def pieces(self, t: float, hand: str) -> list[Moving]:
        """What moves at ``t``, bottom first; ``hand`` is the key of the hand."""
        u = (t - self._action.t) / self._action.duration
        at = self._hand(u)
        moving = [Moving(hand, at)]
        if u >= self.DOWN:
            return moving
        flip = ease((u - self.LIFT) / (self.DOWN - self.LIFT))
        turn = mix(self._mean, self._turn, flip)
        cards: list[Moving] = []
        for index, ((_, label, lay, _), start) in enumerate(zip(self._cards, self.starts, strict=True)):
            if u < start:
                continue
            dx, dy, extra = self._scatter[index] * (1 - flip)
            held = at.offset(dx, mix(-12.0, -22.0, flip) + dy, turn + extra)
            roll = math.pi * flip
            # half a card's width must clear the table while it turns
            z = max(0.4 + 0.3 * index, at.z - HAND_LOW_MM) + CARD_MM[0] / 2 * math.sin(roll)
            pulled = blend(Pose(lay.x, lay.y, 0.4, lay.yaw), held, ease((u - start) / 0.1))
            pose = Pose(pulled.x, pulled.y, z, pulled.yaw, roll)
            if flip < 0.5:
                cards.append(Moving(f"face:{label}", pose, label))
            else:
                cards.insert(0, Moving("back", Pose(pose.x, pose.y, z, pose.yaw, roll - math.pi)))
        return cards + moving

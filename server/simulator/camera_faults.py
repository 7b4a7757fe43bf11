"""What goes wrong with the camera of a film, by name: at which trick, and what the film then shows.

A fault is written ``name@trick``, such as ``lost_frames@4``: it begins while a card of that trick comes to rest. What
holds for a whole film (``mirrored``) has no trick.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from server.errors import UsageError
from server.simulator.script import Script
from vision.synth.film_actions import Bump, ExposureJump, Gather, LostFrames, Play, TableAction


class CameraFaultError(UsageError):
    """A fault of the camera that a film cannot show."""

    code = "bad_camera_fault"


@dataclass(frozen=True, slots=True)
class CameraFaults:
    """The faults as table actions, and whether the whole film is mirrored."""

    actions: tuple[TableAction, ...] = ()
    mirrored: bool = False


_AT: Final[dict[str, Callable[[float], TableAction]]] = {
    "lost_frames": lambda t: LostFrames(t, 1.0),
    "exposure_up": lambda t: ExposureJump(t, 1.7, 1.6),
    "exposure_down": lambda t: ExposureJump(t, 0.45, 1.6),
    "bumped": lambda t: Bump(t),
    "turned": lambda t: Bump(t, 1.4, degrees=8.0),
}
CAMERA_FAULTS: Final = (*_AT, "mirrored")
"""Names of the faults that can be scripted."""


def camera_faults(wishes: Sequence[str], script: Script) -> CameraFaults:
    """The faults ``wishes`` on the clock of ``script``. Raises :class:`CameraFaultError` with a way out."""
    actions: list[TableAction] = []
    for wish in wishes:
        name, at, number = wish.partition("@")
        if name not in CAMERA_FAULTS:
            raise CameraFaultError(f"There is no fault {name!r} of a camera; choose one of {', '.join(CAMERA_FAULTS)}.")
        if name == "mirrored":
            if at:
                raise CameraFaultError("A camera is mirrored for a whole film; write it without a trick.")
            continue
        plays = _first_plays(script)
        if not number.isdecimal() or not 1 <= int(number) <= len(plays):
            raise CameraFaultError(f"{wish!r} names no trick of this film; write {name}@1 to {name}@{len(plays)}.")
        # Just before the card lies still: the worst moment.
        actions.append(_AT[name](round(plays[int(number) - 1].rest - 0.2, 3)))
    return CameraFaults(tuple(actions), "mirrored" in wishes)


def _first_plays(script: Script) -> list[Play]:
    """The first card laid in each trick."""
    found: list[Play] = []
    fresh = True
    for action in script.actions:
        if isinstance(action, Play) and fresh:
            found.append(action)
            fresh = False
        elif isinstance(action, Gather):
            fresh = True
    return found

"""What the server room says when something cannot be done: one clear sentence with a way out.

The command line prints the sentence and exits with :attr:`ServerError.exit_code`; the web app answers it as JSON with
:attr:`ServerError.code` and :attr:`ServerError.status`. No traceback reaches a user.

Where a screen can come to see it, the error bears a ``reason`` and its values as well: the screen has a text for the
reason in each of its languages (``refused.REASON``) and fills the values in.
"""

from typing import ClassVar


class ServerError(ValueError):
    """Base of this room's errors; the message is one sentence for the user.

    ``reason`` is what a screen has words for, empty where no screen sees it; ``values`` go into those words: ``card``
    a card text, ``seat`` a seat's number, ``suit`` a suit's letter, all others as they are.
    """

    code: ClassVar[str] = "failed"
    status: ClassVar[int] = 400
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, reason: str = "", **values: str | int) -> None:
        super().__init__(message)
        self.reason = reason
        self.values = values


class UsageError(ServerError):
    """The command was given something that it cannot mean (exit code 2)."""

    code = "usage"
    exit_code = 2


class SettingsError(UsageError):
    """A setting (option or environment variable) has a value that is not allowed."""

    code = "bad_setting"


class StoreError(ServerError):
    """The history database cannot be opened, read or written."""

    code = "store"
    status = 500


class RecordingError(ServerError):
    """A session folder cannot be written, or is not one."""

    code = "recording"


class PressError(ServerError):
    """What was pressed is not something that a table can do."""

    code = "bad_press"


class PortError(ServerError):
    """The address to serve on cannot be had."""

    code = "port"


class NotFoundError(ServerError):
    """There is no such thing."""

    code = "not_found"
    status = 404


class BusyError(ServerError):
    """It cannot be done while a game is going on."""

    code = "busy"
    status = 409


class StartError(ServerError):
    """What the start page asks for cannot be begun."""

    code = "start"


class CameraError(StartError):
    """The camera that was chosen cannot be had."""

    code = "camera"


class StreamError(StartError):
    """The address that was given brings no pictures."""

    code = "stream"


class FilmError(StartError):
    """The file that was named is no film that can be shown."""

    code = "film"


class DeckError(ServerError):
    """A deck cannot be enrolled, or there is none of that name."""

    code = "deck"

"""The command ``brisca``. Each module of this package adds its commands in ``register(subparsers)``.

Exit codes: 0 done, 1 it could not be done (a sentence on stderr says why and what to do), 2 the command was not
understood, 130 broken off with Ctrl-C.
"""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final

from engine.errors import EngineError
from server.errors import ServerError
from server.version import version
from vision.errors import VisionError

FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``brisca`` with all its commands."""
    # The groups use what is defined here: they can be imported only when this module is there.
    from server.cli import (
        cameras,
        data,
        deck,
        detect,
        doctor,
        films,
        model,
        replay,
        rules,
        score,
        simulate,
        train,
        watch,
    )
    from server.cli import eval as eval_

    parser = argparse.ArgumentParser(
        prog="brisca",
        description="Point one camera at a real game of brisca and the score keeps itself.",
        epilog="'brisca watch --source demo' shows a whole game without a camera.",
    )
    parser.add_argument("--version", action="version", version=f"brisca {version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    play = (watch, detect, deck, replay, simulate, films, score, rules, cameras, doctor)
    for group in (*play, data, train, eval_, model):
        group.register(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``brisca`` with these arguments (None: those of the process); gives the exit code."""
    parser = build_parser()
    args = parser.parse_args(argv)
    run = getattr(args, "run", None)
    if run is None:
        parser.print_help(sys.stderr)
        return USAGE
    try:
        code = int(run(args))
        sys.stdout.flush()
    except (ServerError, EngineError, VisionError) as error:
        return complain(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe (head, less) has left: not our failure. The interpreter must not complain at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def complain(error: Exception) -> int:
    """Print an error's sentence on stderr (with ``BRISCA_DEBUG=1`` its traceback too); gives the exit code."""
    if os.environ.get("BRISCA_DEBUG") == "1":
        traceback.print_exception(error)
    print(f"brisca: {error}", file=sys.stderr)
    return error.exit_code if isinstance(error, ServerError) else FAILED

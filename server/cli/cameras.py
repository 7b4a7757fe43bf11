"""``brisca cameras``: list the cameras of this machine."""

import argparse
import sys


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``cameras``."""
    parser = subparsers.add_parser(
        "cameras",
        help="list the cameras of this machine",
        description="List the cameras that can be used now, with the number to give after --source.",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the cameras; 1 when there is none."""
    from vision.camera import probe_cameras

    found = probe_cameras()
    for camera in found:
        label = f"  {camera.label}" if camera.label else ""
        print(f"{camera.index}  {camera.width}x{camera.height}  {camera.fps:.0f} fps{label}")
    if not found:
        print(
            "brisca: No camera is free on this machine; plug one in, close other programs that use it, or watch a "
            "phone's camera by its address (--source http://...).",
            file=sys.stderr,
        )
    return 0 if found else 1

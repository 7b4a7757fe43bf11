"""Keeps OpenCV and FFmpeg from writing their own complaints to the terminal.

Their messages are for programmers and may show a stream's password; ours say what to do. Importing this module is
enough; it must come before the first film or camera is opened. ``BRISCA_CV_LOG=1`` leaves the messages on.
"""

import os
from contextlib import suppress

import cv2


def hush() -> None:
    """Turn off the log output of OpenCV and of the FFmpeg inside it (no effect with ``BRISCA_CV_LOG`` set)."""
    if os.environ.get("BRISCA_CV_LOG"):
        return
    # FFmpeg's level is read from the environment when the first film is opened; -8 is AV_LOG_QUIET.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    with suppress(AttributeError):  # some builds come without the logging module
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


hush()

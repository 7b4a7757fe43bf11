"""What can go wrong in the vision room. Every message is one sentence that says what to do about it."""


class VisionError(Exception):
    """Base of all errors of the vision room; ``str(error)`` is fit to be shown to a person."""


class SourceError(VisionError):
    """A camera, film, picture, folder or stream cannot be opened or has broken off for good.

    ``reason`` names the cause in one word for programs that say it in another language; empty for rare ones.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class PictureError(SourceError):
    """A file cannot be read as a picture."""


class WeightsError(VisionError):
    """Weights are missing, damaged, or not those that ``MODELS.toml`` lists."""


class ModelError(VisionError):
    """An ONNX file loads, but it is not the kind of model that was asked for."""


class RecordError(VisionError):
    """A recorded observation or table event is not well-formed."""

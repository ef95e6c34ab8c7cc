"""Errors of ``vision``: pictures, calibrations and weights that can't be used."""

from __future__ import annotations

from rules.errors import ToreshiError


class VisionError(ToreshiError):
    """Pictures or numbers that the eyes can't work with."""


class BadPicture(VisionError):
    """A file that is no picture, or one that is empty, broken or too large.

    Attributes:
        at_ns: monotonic time, where a running camera gave it in the place of a picture; else 0.
    """

    at_ns: int = 0


class BadCalibration(VisionError):
    """A calibration that is missing, broken, or made for another set-up."""


class BadWeights(VisionError):
    """A network file that is missing, or is not the one its card describes."""

"""Errors of ``device``: sources, settings, journals and hardware."""

from __future__ import annotations

from rules.errors import ToreshiError
from vision.errors import BadPicture


class DeviceError(ToreshiError):
    """Something outside the program is not as it has to be."""


class BadSource(DeviceError):
    """No pictures can be had from where they were asked for."""


class BadConfig(DeviceError):
    """A setting that is unknown or has a wrong value."""


class BadJournal(DeviceError):
    """A journal or bundle that can't be replayed."""


class HardwareMissing(DeviceError):
    """Lamps, buttons or a camera that were asked for and are not there."""


class DiskFails(DeviceError):
    """A disk that doesn't take what has to be kept; it may again when there is room."""


class Silent(BadPicture):
    """A camera that is open and gives no pictures."""

"""The settings of one table: a TOML file, each key of which has a default.

``systemd/toreshi.toml`` is the example with every key; a test holds the two together.  The
standard library reads TOML; a settings library would check types but not say the line, and bring
a compiled package to every Pi for some thirty flat keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.games import NAMES

from .clock import control_of
from .config_check import Document, choice, filled, number, text
from .errors import BadConfig
from .locale import LANGUAGES
from .modes import MODES
from .pins import Pins

#: Where the service's settings lie.
SYSTEM = Path("/etc/toreshi/toreshi.toml")

#: In the place of a pin's number where nothing is wired; TOML has no nothing.
NOT_WIRED = "none"

EDGES = ("", "bottom", "top", "left", "right")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The game that is played at this table when nobody says otherwise.

    Attributes:
        game: its name.
        mode: ``home``, ``club`` or ``tournament``, see `device.modes`.
        clock: empty for none, ``club`` for the club's own, else a control such as ``15+5``.
        white, black, event: names for the record.
        white_at: edge of the picture at which White sits; empty to find out.
        kings: whether kings are marked so that a camera sees it.
    """

    game: str = choice("russian", NAMES)
    mode: str = choice("home", tuple(MODES))
    clock: str = text()
    white: str = text()
    black: str = text()
    event: str = text()
    white_at: str = choice("", EDGES)
    kings: str = choice("auto", ("auto", "marked", "unmarked"))


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The eyes.

    Attributes:
        source: ``pi``, ``usb:0``, the address of a stream, or a video.
        width, height: of the stream that the board is read from, pixels.
        fps: pictures that are looked at in a second.
        lock: whether exposure, white balance and focus stay as they are after calibration.
    """

    source: str = text("pi", 500)
    width: int = number(2304, 320, 9248)
    height: int = number(1296, 240, 6944)
    fps: float = number(5.0, 0.5, 30)
    lock: bool = True


@dataclass(frozen=True, slots=True)
class SignalSettings:
    """Lamps, buzzer and buttons.

    Attributes:
        lamps: ``gpio``, ``console`` or ``none``.
        buttons: ``gpio`` or ``none``.
    """

    lamps: str = choice("gpio", ("gpio", "console", "none"))
    buttons: str = choice("gpio", ("gpio", "none"))


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The page.

    Attributes:
        host: address that it listens on; ``0.0.0.0`` is the whole local net.
        port: its port.
        access: ``home``: everybody may do everything; ``club``: by role.
        reading: ``open``: whoever is on the net may look; ``members``: players and arbiter only.
    """

    host: str = text("0.0.0.0")
    port: int = number(8080, 1, 65535)
    access: str = choice("home", ("home", "club"))
    reading: str = choice("open", ("open", "members"))


@dataclass(frozen=True, slots=True)
class KeepSettings:
    """What stays on the disk.

    Attributes:
        folder: games, calibrations and pictures.
        picture_days: evidence pictures older than this are removed.
        picture_megabytes: the oldest ones are removed beyond this.
    """

    folder: str = text("/var/lib/toreshi", 500)
    picture_days: int = number(30, 1, 3650)
    picture_megabytes: int = number(2000, 10, 1_000_000)


@dataclass(frozen=True, slots=True)
class PowerSettings:
    """Switching off.

    Attributes:
        off_button: the button that shuts the machine down when it is held; empty for none.  Held
            clock buttons resign.
        hold_s: for how long, seconds.
    """

    off_button: str = choice("arbiter", ("", "arbiter"))
    hold_s: float = number(5.0, 2, 30)


@dataclass(frozen=True, slots=True)
class Settings:
    """All of them.

    Attributes:
        language: of sentences, a code of `LANGUAGES`; empty for the system's.
        wiring: the pins in BCM numbers.
    """

    language: str = choice("", ("", *LANGUAGES))
    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    signals: SignalSettings = field(default_factory=SignalSettings)
    pins: Pins = field(default_factory=Pins)
    page: PageSettings = field(default_factory=PageSettings)
    keep: KeepSettings = field(default_factory=KeepSettings)
    power: PowerSettings = field(default_factory=PowerSettings)


#: Name of each table of the file -> its settings.
_TABLES: Mapping[str, type[Any]] = {
    "table": TableSettings,
    "camera": CameraSettings,
    "signals": SignalSettings,
    "page": PageSettings,
    "keep": KeepSettings,
    "power": PowerSettings,
}


def read_settings(path: Path) -> Settings:
    """The settings that a file has.

    Raises:
        BadConfig: no such file, no TOML, an unknown key or a wrong value; says which and where.
    """
    document = Document(path)
    document.only(("v", "language", *_TABLES, "pins"))
    if (version := document.tables.get("v", 1)) != 1:
        raise BadConfig(f"version {version!r:.20}", document.where("v"), "1")
    top = {key: value for key, value in document.tables.items() if key == "language"}
    language = filled(Settings, top, document, "").language
    made = {
        name: filled(kind, document.table(name), document, name) for name, kind in _TABLES.items()
    }
    settings = Settings(language, pins=_pins(document), **made)
    _consistent(settings, document)
    return settings


def _pins(document: Document) -> Pins:
    given = document.table("pins")
    try:
        return Pins.of({key: None if pin == NOT_WIRED else pin for key, pin in given.items()})
    except BadConfig as error:
        raise BadConfig(error.what, document.where(error.where), error.expected) from error


def _consistent(settings: Settings, document: Document) -> None:
    """What one key alone can't get wrong."""
    if settings.table.clock not in ("", "club"):
        try:
            control_of(settings.table.clock)
        except BadConfig as error:
            where = document.where("table.clock")
            raise BadConfig(error.what, where, f"club, or {error.expected}") from error
    button = settings.power.off_button
    if button and getattr(settings.pins, button) is None:
        where = document.where("power.off_button")
        raise BadConfig(f"the button {button} has no pin", where, f"a pin for pins.{button}")

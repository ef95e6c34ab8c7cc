"""What `toreshi check` looks at, each with one line that says ``ok`` or what to do."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2

from rules.errors import ToreshiError
from rules.said import Said
from vision.errors import BadPicture
from vision.frame import Frame

from .config import Settings
from .date import source_of_date
from .power import undervoltage
from .source import Source
from .weights import weights_path

#: Room below which a club evening might fill the disk, megabytes.
LEAST_MB = 500

#: A camera is looked at for so many frames, or so many seconds.
_FRAMES, _CAMERA_S = 10, 6.0

#: Mean lightness of a picture in which a board can be read; and a measure of sharpness (variance
#: of the Laplacian) that a picture with anything in it has when it is in focus.
_DARK, _LIGHT, _SHARP = 35, 225, 15.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One line.

    Attributes:
        name: what was looked at.
        said: what was found.
        todo: what to do about it; empty when all is well.
    """

    name: str
    said: str
    todo: str = ""

    @property
    def ok(self) -> bool:
        """Whether all is well."""
        return not self.todo


def check_camera(
    open_it: Callable[[], Source], now_s: Callable[[], float] = time.monotonic
) -> Finding:
    """Open the camera and look at some pictures."""
    try:
        camera = open_it()
    except ToreshiError as error:
        return Finding("camera", str(error), _plug_it_in())
    try:
        return _looked(camera.frames(), now_s)
    finally:
        camera.close()


def _plug_it_in() -> str:
    return Said(
        "Plug it in and see that no other program has it: sudo systemctl stop toreshi; the source "
        "is camera.source in the settings."
    )


def _looked(frames: Iterator[Frame | BadPicture], now_s: Callable[[], float]) -> Finding:
    began, good, trouble = now_s(), [], ""
    for given in frames:
        if isinstance(given, Frame):
            good.append(given)
        else:
            trouble = given.what
        if len(good) >= _FRAMES or now_s() - began > _CAMERA_S:
            break
    if len(good) < 2:
        return Finding("camera", trouble or Said("no pictures"), _plug_it_in())
    spent = (good[-1].at_ns - good[0].at_ns) / 1e9
    width, height = good[-1].size_wh
    fps = f"{(len(good) - 1) / spent:.1f}" if spent > 0 else "?"
    grey = cv2.cvtColor(good[-1].image, cv2.COLOR_BGR2GRAY)
    light, sharp = float(grey.mean()), float(cv2.Laplacian(grey, cv2.CV_64F).var())
    said = Said(
        "{width}x{height}, {fps} pictures a second, lightness {light} of 255, sharpness {sharp}",
        {
            "width": width,
            "height": height,
            "fps": fps,
            "light": round(light),
            "sharp": round(sharp),
        },
    )
    if light < _DARK:
        return Finding("camera", said, Said("It is too dark: switch a lamp on."))
    if light > _LIGHT:
        return Finding("camera", said, Said("It is too light: keep the sun or the lamp off."))
    if sharp < _SHARP:
        return Finding("camera", said, Said("Nothing is sharp: clean the lens, set the focus."))
    return Finding("camera", said)


def check_disk(folder: Path) -> Finding:
    """Room, and whether it can be written."""
    place = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    free = shutil.disk_usage(place).free // 1_000_000
    said = Said("{folder}: {free} MB free", {"folder": str(folder), "free": free})
    if not os.access(place, os.W_OK):
        return Finding(
            "disk",
            Said("{folder} can't be written", {"folder": str(folder)}),
            Said("Run it as the service does: sudo -u toreshi toreshi check."),
        )
    if free < LEAST_MB:
        return Finding("disk", said, Said("Make room: remove old games or pictures."))
    return Finding("disk", said)


def check_clock(root: Path = Path("/")) -> Finding:
    """Whether the machine knows the date."""
    source = source_of_date(root)
    said = {
        "network": Said("the date came over the network"),
        "chip": Said("the date came from a clock chip"),
    }.get(source)
    if said is not None:
        return Finding("clock", said)
    return Finding(
        "clock",
        Said("nobody has set the date; records are written without one"),
        Said("Connect to a network once, or type the date on the page when a game is set up."),
    )


def check_power(sys: Path = Path("/sys")) -> Finding:
    """Whether the power supply is strong enough."""
    low = undervoltage(sys)
    if low is None:
        return Finding("power", Said("this machine doesn't tell its voltage"))
    if low:
        return Finding(
            "power",
            Said("the voltage is too low"),
            Said("Use the Raspberry Pi's own power supply and a short cable."),
        )
    return Finding("power", Said("the voltage is right"))


def check_models(folder: Path | None = None) -> Finding:
    """Whether each network is the one that its card tells of."""
    place = folder or weights_path().parent
    cards = sorted(place.glob("*.json"))
    for card in cards:
        try:
            about = json.loads(card.read_text("utf-8"))
            found = hashlib.sha256((place / about["file"]).read_bytes()).hexdigest()
        except (OSError, ValueError, KeyError, TypeError):
            return _reinstall(card.stem)
        if found != about.get("sha256"):
            return _reinstall(card.stem)
    if not cards:
        return _reinstall("squares")
    names = ", ".join(card.stem for card in cards)
    return Finding("models", Said("{names}: whole", {"names": names}))


def _reinstall(name: str) -> Finding:
    return Finding(
        "models",
        Said("{name} is missing or broken", {"name": name}),
        Said("Install again: sudo ./install."),
    )


def check_names(settings: Settings, root: Path = Path("/")) -> Finding:
    """Whether the page is there, and under which name the local net finds it."""
    port = settings.page.port
    name = _name(root)
    where = f"http://{name}.local:{port}" if name else f"http://{socket.gethostname()}:{port}"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            pass
    except OSError:
        return Finding(
            "names",
            Said("{where}: no page answers", {"where": where}),
            Said("Start the service: sudo systemctl start toreshi."),
        )
    if not name:
        return Finding(
            "names",
            Said("{where}: the page answers, but has no name on the net", {"where": where}),
            Said("Install avahi-daemon, or use the machine's address."),
        )
    return Finding("names", Said("{where}: the page answers", {"where": where}))


def _name(root: Path) -> str:
    """The machine's name on the local net; empty without avahi."""
    if not (root / "run/avahi-daemon/pid").exists():
        return ""
    try:
        lines = (root / "etc/avahi/avahi-daemon.conf").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.split("=", 1)[1].strip() for line in lines if line.startswith("host-name=")]
    return named[0] if named else socket.gethostname().split(".")[0]

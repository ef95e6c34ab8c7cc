"""`toreshi check`: each line says ok or what to do, from machines that are made up in folders."""

import json
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import gpiozero
import numpy as np
import pytest
from click.testing import CliRunner
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device import checks
from device.buttons import Name
from device.checks_table import SHOWN, show_signals, wait_for_buttons
from device.cli import toreshi
from device.cli.check import NAMES
from device.config import PageSettings, Settings
from device.errors import BadSource
from device.gpio import GpioButtons, GpioSignaller
from device.pins import Pins
from device.signals import SIDES, Side, Signal, shown_at
from device.weights import weights_path
from vision.errors import BadPicture
from vision.frame import Frame

MS = 1_000_000
PINS = Pins()


class Camera:
    settled, count = False, 0

    def __init__(self, image: np.ndarray | None) -> None:
        self.image, self.closed = image, False

    def frames(self) -> Iterator[Frame | BadPicture]:
        for number in range(100):
            if self.image is None:
                yield BadPicture("the picture stands still", "usb:0")
            else:
                yield Frame(self.image.copy(), number, number * 200 * MS)

    def close(self) -> None:
        self.closed = True


def board(low: int = 60, high: int = 180) -> np.ndarray:
    squares = (np.indices((8, 8)).sum(0) % 2 * (high - low) + low).astype(np.uint8)
    grey = cv2.resize(squares, (320, 320), interpolation=cv2.INTER_NEAREST)
    return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)


def ticking() -> Callable[[], float]:
    times = iter(range(1000))
    return lambda: float(next(times))


@pytest.mark.parametrize(
    ("image", "said", "todo"),
    [
        (board(), "320x320, 5.0 pictures a second", ""),
        (board(2, 20), "lightness 11", "switch a lamp on"),
        (board(230, 254), "lightness 242", "too light"),
        (cv2.GaussianBlur(board(), (0, 0), 30), "sharpness 0", "set the focus"),
        (None, "the picture stands still", "Plug it in"),
    ],
)
def test_the_camera(image: np.ndarray | None, said: str, todo: str) -> None:
    camera = Camera(image)
    finding = checks.check_camera(lambda: camera, ticking() if image is None else lambda: 0.0)
    assert said in finding.said
    assert finding.ok is (todo == "")
    assert todo in finding.todo
    assert camera.closed


def test_a_camera_that_can_not_be_opened() -> None:
    def gone() -> Camera:
        raise BadSource("no picture", "usb:0", "a camera")

    finding = checks.check_camera(gone)
    assert "usb:0: no picture" in finding.said
    assert "systemctl stop toreshi" in finding.todo


def test_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.check_disk(tmp_path / "not" / "yet").ok
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(9, 8, 10**8))
    full = checks.check_disk(tmp_path)
    assert "100 MB free" in full.said
    assert "Make room" in full.todo
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert "can't be written" in checks.check_disk(tmp_path).said


def test_the_clock(tmp_path: Path) -> None:
    assert "without one" in checks.check_clock(tmp_path).said
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    (tmp_path / "run/systemd/timesync/synchronized").touch()
    assert checks.check_clock(tmp_path).ok


@pytest.mark.parametrize(("alarm", "ok"), [("1", False), ("0", True)])
def test_the_power(tmp_path: Path, alarm: str, ok: bool) -> None:
    assert checks.check_power(tmp_path).ok, "nothing tells"
    folder = tmp_path / "class/hwmon/hwmon0"
    folder.mkdir(parents=True)
    (folder / "name").write_text("rpi_volt")
    (folder / "in0_lcrit_alarm").write_text(alarm)
    assert checks.check_power(tmp_path).ok is ok


def test_the_models_of_the_package_are_whole() -> None:
    finding = checks.check_models()
    assert finding.ok, finding
    assert "squares" in finding.said


def test_a_broken_model_is_noticed(tmp_path: Path) -> None:
    assert not checks.check_models(tmp_path).ok
    card = json.loads(weights_path("squares.json").read_text())
    (tmp_path / "squares.json").write_text(json.dumps(card))
    assert not checks.check_models(tmp_path).ok, "missing"
    (tmp_path / "squares.onnx").write_bytes(weights_path().read_bytes()[:-1])
    assert "squares is missing or broken" in checks.check_models(tmp_path).said
    (tmp_path / "squares.onnx").write_bytes(weights_path().read_bytes())
    assert checks.check_models(tmp_path).ok


def avahi(root: Path, conf: str) -> None:
    (root / "run/avahi-daemon").mkdir(parents=True)
    (root / "run/avahi-daemon/pid").write_text("1")
    (root / "etc/avahi").mkdir(parents=True)
    (root / "etc/avahi/avahi-daemon.conf").write_text(conf)


def test_the_name_on_the_net(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as page:
        port = page.getsockname()[1]
        settings = Settings(page=PageSettings(port=port))
        nameless = checks.check_names(settings, tmp_path)
        assert "avahi-daemon" in nameless.todo
        avahi(tmp_path, "[server]\nhost-name=board3\n")
        assert checks.check_names(settings, tmp_path).said == (
            f"http://board3.local:{port}: the page answers"
        )
    silent = checks.check_names(settings, tmp_path)
    assert "board3.local" in silent.said
    assert "systemctl start toreshi" in silent.todo


# ---- lamps and buttons on mock pins ----------------------------------------------------------


class Clock:
    """Time passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0
        self.plan: list[tuple[int, Callable[[], Any]]] = []

    def now_ns(self) -> int:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += round(seconds * 1e9)
        while self.plan and self.plan[0][0] <= self.now:
            self.plan.pop(0)[1]()


@pytest.fixture
def pins() -> Iterator[Any]:
    before = gpiozero.Device.pin_factory
    factory = MockFactory(pin_class=MockPWMPin)
    gpiozero.Device.pin_factory = factory
    yield factory
    factory.reset()
    gpiozero.Device.pin_factory = before


def test_every_signal_is_shown_at_every_side_with_its_rhythm(pins: Any) -> None:
    """The lamps of each moment are those of the table of signals."""
    clock, told, seen = Clock(), [], []
    signaller = GpioSignaller(PINS)
    began = 0

    def say(signal: Signal, side: Side) -> None:
        nonlocal began
        began = clock.now
        told.append((signal, side))

    def sleep(seconds: float) -> None:
        numbers = PINS.white if told[-1][1] == "w" else PINS.black
        lit = tuple(bool(pins.pin(number).state) for number in numbers)
        seen.append((told[-1][0], clock.now - began, lit))
        clock.sleep(seconds)

    assert show_signals(signaller, 3.0, clock, sleep, say).ok
    assert told == [(signal, side) for side in SIDES for signal in SHOWN]
    assert set(SHOWN) == set(Signal)
    assert len(seen) == 300 * len(told)
    lamps = ["bottom, green", "middle, amber", "top, red"]
    for signal, elapsed, lit in seen:
        lamp = shown_at(signal, elapsed).lamp.value
        assert lit == tuple(lamp in (each, "all three, white") for each in lamps)
    assert not any(pins.pin(number).state for number in (*PINS.white, *PINS.black))
    signaller.close()


def press(clock: Clock, pins: Any, at_ms: int, number: int | None, ms: int = 200) -> None:
    pin = pins.pin(number)
    clock.plan.append((at_ms * MS, pin.drive_low))
    if ms:
        clock.plan.append(((at_ms + ms) * MS, pin.drive_high))


def test_buttons_that_are_pressed_are_heard(pins: Any) -> None:
    clock, heard = Clock(), list[Name]()
    buttons = GpioButtons(PINS)
    press(clock, pins, 500, PINS.clock_black)
    press(clock, pins, 1000, PINS.clock_white)
    press(clock, pins, 1500, PINS.arbiter)
    assert wait_for_buttons(buttons, PINS, 20, clock, clock.sleep, heard.append).ok
    assert heard == ["clock_black", "clock_white", "arbiter"]
    assert clock.now < 2_000 * MS, "nobody waits longer than needed"
    buttons.close()


def test_a_button_that_is_not_heard_is_named(pins: Any) -> None:
    clock, heard = Clock(), list[Name]()
    buttons = GpioButtons(PINS)
    press(clock, pins, 500, PINS.arbiter)
    finding = wait_for_buttons(buttons, PINS, 20, clock, clock.sleep, heard.append)
    assert finding.said == "clock button of White and clock button of Black: not heard"
    assert "look at its wires" in finding.todo
    buttons.close()


def test_a_button_that_stays_down_is_named(pins: Any) -> None:
    clock = Clock()
    wired = Pins(clock_white=None, clock_black=None)
    buttons = GpioButtons(wired)
    press(clock, pins, 500, wired.arbiter, 0)
    finding = wait_for_buttons(buttons, wired, 20, clock, clock.sleep, lambda name: None)
    assert finding.said == "arbiter's button: stays down"
    buttons.close()


# ---- the command -----------------------------------------------------------------------------


def checked(tmp_path: Path, *arguments: str) -> Any:
    settings = tmp_path / "toreshi.toml"
    settings.write_text(
        f"""
        [signals]
        lamps = "none"
        buttons = "none"
        [keep]
        folder = "{tmp_path}"
        """
    )
    done = CliRunner().invoke(
        toreshi, ["check", "--config", str(settings), *arguments], env={"LC_ALL": "C"}
    )
    assert done.exit_code == 0, done.output
    return done.stdout


def test_every_line_says_ok_or_what_to_do(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in checked(tmp_path, "--json").splitlines()]
    assert [row["name"] for row in rows] == list(NAMES)
    for row in rows:
        assert row["v"] == 1
        assert row["said"]
        assert row["ok"] is (row["todo"] == "")
    found = {row["name"]: row for row in rows}
    assert "picamera2 is not installed" in found["camera"]["said"]
    assert found["lamps"]["ok"]


def test_only_some_are_looked_at(tmp_path: Path) -> None:
    text = checked(tmp_path, "models", "disk")
    assert [line.split()[:2] for line in text.splitlines()] == [["disk", "ok"], ["models", "ok"]]


def test_a_video_can_stand_in_for_the_camera(tmp_path: Path) -> None:
    video = Path(checks.__file__).parent / "demo" / "russian.mjpeg"
    text = checked(tmp_path, "camera", "--source", str(video))
    assert text.startswith("camera   ok  512x384")

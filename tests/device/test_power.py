"""Long presses, the way to switch off, undervoltage, and what day it is."""

from pathlib import Path

import pytest

from device.buttons import Press
from device.date import UNKNOWN, date_of_record, source_of_date
from device.errors import DeviceError
from device.power import SECOND_NS, LongPress, ask_to_switch_off, undervoltage

HOLD = 5 * SECOND_NS


def down(at_s: float, button: str = "arbiter") -> Press:
    return Press(button, True, round(at_s * SECOND_NS))  # type: ignore[arg-type]


def up(at_s: float, button: str = "arbiter") -> Press:
    return Press(button, False, round(at_s * SECOND_NS))  # type: ignore[arg-type]


def told(presses: list[Press], until_s: int = 20) -> list[float]:
    """Seconds at which a long press was noticed, looking ten times a second."""
    long, found, waiting = LongPress("arbiter", HOLD), [], sorted(presses, key=lambda p: p.at_ns)
    for tenth in range(until_s * 10):
        now = tenth * SECOND_NS // 10
        fresh = tuple(p for p in waiting if p.at_ns <= now)
        waiting = waiting[len(fresh) :]
        if long.update(fresh, now):
            found.append(tenth / 10)
    return found


@pytest.mark.parametrize(
    ("presses", "when"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([down(1), up(2)], [], id="a short press"),
        pytest.param([down(1), up(5.9)], [], id="nearly"),
        pytest.param([down(1), up(9)], [6.0], id="held, told once"),
        pytest.param([down(1)], [6.0], id="never let go, told once"),
        pytest.param([down(1), up(3), down(4)], [9.0], id="time counts from the last press"),
        pytest.param([down(1), up(7), down(8), up(14)], [6.0, 13.0], id="twice"),
        pytest.param([down(1, "clock_white")], [], id="another button"),
    ],
)
def test_a_long_press(presses: list[Press], when: list[float]) -> None:
    assert told(presses) == when


def test_switching_off_is_asked_for_by_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", f"{tmp_path}:/run/another")
    ask_to_switch_off()
    assert [path.name for path in tmp_path.iterdir()] == ["switch-off"]


def test_without_a_service_nobody_can_be_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    with pytest.raises(DeviceError, match="Toreshi as a service"):
        ask_to_switch_off()
    with pytest.raises(DeviceError, match="gone"):
        ask_to_switch_off(tmp_path / "gone")


def hwmon(root: Path, number: int, name: str, alarm: str | None) -> None:
    folder = root / f"class/hwmon/hwmon{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(name + "\n")
    if alarm is not None:
        (folder / "in0_lcrit_alarm").write_text(alarm)


@pytest.mark.parametrize(("alarm", "low"), [("1\n", True), ("0\n", False), (None, None)])
def test_undervoltage_as_the_kernel_tells_it(
    tmp_path: Path, alarm: str | None, low: bool | None
) -> None:
    hwmon(tmp_path, 0, "cpu_thermal", "1")
    hwmon(tmp_path, 1, "rpi_volt", alarm)
    assert undervoltage(tmp_path) is low


def test_a_machine_that_does_not_tell(tmp_path: Path) -> None:
    assert undervoltage(tmp_path) is None


# ---- the date --------------------------------------------------------------------------------


def network(root: Path) -> None:
    (root / "run/systemd/timesync").mkdir(parents=True)
    (root / "run/systemd/timesync/synchronized").touch()


def chip(root: Path, set_by_it: str, since_epoch: str) -> None:
    folder = root / "sys/class/rtc/rtc0"
    folder.mkdir(parents=True)
    (folder / "hctosys").write_text(set_by_it)
    (folder / "since_epoch").write_text(since_epoch)


#: 2026-11-30, 12:00 UTC.
NOON = 1_796_040_000


def test_a_date_that_nobody_set_is_unknown(tmp_path: Path) -> None:
    assert source_of_date(tmp_path) == ""
    assert date_of_record(tmp_path, NOON) == UNKNOWN == "????.??.??"


def test_the_network_knows_the_date(tmp_path: Path) -> None:
    network(tmp_path)
    assert source_of_date(tmp_path) == "network"
    assert date_of_record(tmp_path, NOON) == "2026.11.30"


@pytest.mark.parametrize(
    ("set_by_it", "since_epoch", "source"),
    [
        ("1\n", f"{NOON}\n", "chip"),
        ("0\n", f"{NOON}\n", ""),
        ("1\n", "4711\n", ""),  # without a battery it counts from 1970
        ("1\n", "no number", ""),
    ],
)
def test_a_clock_chip_knows_the_date_if_it_has_a_battery(
    tmp_path: Path, set_by_it: str, since_epoch: str, source: str
) -> None:
    chip(tmp_path, set_by_it, since_epoch)
    assert source_of_date(tmp_path) == source

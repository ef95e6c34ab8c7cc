"""The units, as systemd itself reads them, and the other files that the installer lays down."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from device.config import SYSTEM, Settings

ROOT = Path(__file__).parents[2]
UNITS = ("toreshi.service", "toreshi-off.service", "toreshi-off.path")
MOST_EXPOSED = 2.5

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="no systemd-analyze here"
)


def text(name: str) -> str:
    return (ROOT / "systemd" / name).read_text("utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with the system's own units, ours, and programs of the names they call."""
    shutil.copytree("/usr/lib/systemd/system", tmp_path / "usr/lib/systemd/system", symlinks=True)
    ours = tmp_path / "etc/systemd/system"
    ours.mkdir(parents=True)
    for unit in UNITS:
        shutil.copy(ROOT / "systemd" / unit, ours)
    for program in ("opt/toreshi/venv/bin/toreshi", "usr/bin/rm", "usr/bin/systemctl"):
        (tmp_path / program).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy("/usr/bin/true", tmp_path / program)
    return tmp_path


def verify(root: Path) -> str:
    """All that systemd-analyze has to say; it exits 0 for unknown keys and bad values too."""
    done = subprocess.run(
        ["systemd-analyze", "verify", f"--root={root}", *UNITS],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@needs_systemd
def test_systemd_has_nothing_to_say_about_the_units(root: Path) -> None:
    assert verify(root) == ""


@needs_systemd
@pytest.mark.parametrize(
    ("line", "slip", "complaint"),
    [
        ("WatchdogSec=30", "WatchdogSex=30", "WatchdogSex"),
        ("Type=notify", "Type=notifies", "notifies"),
        ("ExecStart=/opt/toreshi/venv", "ExecStart=/opt/toreshi/vent", "/opt/toreshi/vent"),
    ],
)
def test_a_slip_in_a_unit_would_be_noticed(
    root: Path, line: str, slip: str, complaint: str
) -> None:
    unit = root / "etc/systemd/system/toreshi.service"
    unit.write_text(unit.read_text().replace(line, slip))
    assert complaint in verify(root)


@needs_systemd
def test_the_service_is_exposed_little() -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "systemd/toreshi.service"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"exposure level for toreshi\.service: ([\d.]+)", done.stdout)
    assert found, done.stdout + done.stderr
    assert float(found[1]) <= MOST_EXPOSED


def settings_of(unit: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text(unit).splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            found.setdefault(key, []).append(value)
    return found


def test_what_the_service_promises() -> None:
    unit = settings_of("toreshi.service")
    assert unit["Type"] == ["notify"]
    assert unit["NotifyAccess"] == ["main"]
    assert unit["Restart"] == ["always"]
    assert unit["StartLimitIntervalSec"] == ["0"], "an appliance never gives up"
    assert unit["StateDirectory"] == ["toreshi"]
    environment = " ".join(unit["Environment"]).split()
    assert "ORT_DISABLE_TELEMETRY=1" in environment
    assert "LG_WD=%t/toreshi" in environment
    assert unit["SupplementaryGroups"] == ["video gpio"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("DevicePolicy", "closed"),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX AF_NETLINK"),
        ("User", "toreshi"),
    ],
)
def test_what_the_service_may_not(key: str, value: str) -> None:
    assert settings_of("toreshi.service")[key] == [value]


def test_the_service_reads_the_settings_that_are_installed() -> None:
    (start,) = settings_of("toreshi.service")["ExecStart"]
    assert start.endswith(f"--config {SYSTEM}")
    assert Settings().keep.folder == "/var/lib/toreshi"


def test_the_button_and_the_unit_mean_the_same_file() -> None:
    (path,) = settings_of("toreshi-off.path")["PathExists"]
    starts = settings_of("toreshi-off.service")["ExecStart"]
    assert starts[0].endswith(path), "else it would switch off again and again"
    (runtime,) = settings_of("toreshi.service")["RuntimeDirectory"]
    assert path == f"/run/{runtime}/switch-off"


def test_the_groups_of_the_service_are_made() -> None:
    made = re.findall(r"^m toreshi (\w+)$", text("toreshi.sysusers"), re.M)
    assert made == settings_of("toreshi.service")["SupplementaryGroups"][0].split()


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="no systemd-sysusers here")
def test_systemd_makes_the_user_and_its_groups(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/group").write_text("root:x:0:\nvideo:x:44:\n")
    (tmp_path / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", str(ROOT / "systemd/toreshi.sysusers")],
        check=True,
        capture_output=True,
    )
    groups = (tmp_path / "etc/group").read_text()
    assert re.search(r"^video:x:44:toreshi$", groups, re.M)
    assert re.search(r"^gpio:x:\d+:toreshi$", groups, re.M)
    assert "/var/lib/toreshi" in (tmp_path / "etc/passwd").read_text()


@pytest.mark.skipif(shutil.which("systemd-tmpfiles") is None, reason="no systemd-tmpfiles here")
def test_systemd_makes_the_folder(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/group").write_text("toreshi:x:0:\n")
    (tmp_path / "etc/passwd").write_text("toreshi:x:0:0::/:/bin/sh\n")
    (tmp_path / "run").mkdir()
    done = subprocess.run(
        ["systemd-tmpfiles", "--create", f"--root={tmp_path}", ROOT / "systemd/toreshi.tmpfiles"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert (tmp_path / "run/toreshi").stat().st_mode & 0o777 == 0o750


def test_avahi_is_told_of_the_page() -> None:
    service = ET.fromstring(text("toreshi.avahi.xml")).find("service")
    assert service is not None
    assert service.findtext("type") == "_http._tcp"
    assert service.findtext("port") == str(Settings().page.port)

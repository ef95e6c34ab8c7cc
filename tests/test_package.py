"""The wheel holds all that is needed to run, and nothing of the tests."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("rules", "vision", "device", "models")
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Built as a packager would, without the network."""
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (path,) = out.glob("toreshi-*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def names(wheel: zipfile.ZipFile) -> list[str]:
    return wheel.namelist()


def tracked(pattern: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


def test_there_is_a_wheel_of_all_four_packages_and_nothing_else(names: list[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert tops == {*OURS, f"toreshi-{version}.dist-info"}


@pytest.mark.parametrize("package", OURS)
def test_every_package_says_that_it_is_typed(names: list[str], package: str) -> None:
    assert f"{package}/py.typed" in names


@pytest.mark.parametrize("pattern", ["models/weights/*.onnx", "models/weights/*.json"])
def test_weights_and_their_cards_are_in_it(names: list[str], pattern: str) -> None:
    wanted = tracked(pattern)
    assert wanted, f"no {pattern} in this folder"
    assert set(wanted) <= set(names)


@pytest.mark.parametrize("game", ["russian", "nardi"])
def test_the_demo_is_in_it_and_small(wheel: zipfile.ZipFile, game: str) -> None:
    parts = [p for p in wheel.infolist() if p.filename.startswith(f"device/demo/{game}.")]
    assert parts
    assert sum(part.file_size for part in parts) <= 5 * MEGABYTE


def test_the_command_is_named(wheel: zipfile.ZipFile, names: list[str]) -> None:
    (entry,) = [name for name in names if name.endswith("entry_points.txt")]
    assert "toreshi = device.cli:main" in wheel.read(entry).decode()


def test_the_licence_is_in_it(names: list[str]) -> None:
    assert any(name.endswith("LICENSE") for name in names)


def test_it_runs_from_the_wheel_alone(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path / "there")
    code = f"""
import sys
sys.path[:] = [p for p in sys.path if p != {str(ROOT)!r}]
sys.path.insert(0, {str(tmp_path / "there")!r})
import rules, models, device.cli
from device.weights import weights_path
from vision.model import SquareModel
SquareModel(weights_path())
print(rules.__file__)
"""
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "there" / "rules" / "__init__.py")


def test_the_changelog_begins_with_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## \[(\d[^\]]*)\] - (?:unreleased|\d{4}-\d\d-\d\d)$", log, re.M)
    assert versions[0] == version


@pytest.mark.parametrize("lang", ["kk", "ru", "ka", "it"])
def test_compiled_catalogues_are_in_it(names: list[str], lang: str) -> None:
    assert f"device/locale/{lang}/LC_MESSAGES/toreshi.mo" in names

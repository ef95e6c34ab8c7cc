"""Our top-level packages have plain names; nobody else's may be found in their place."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("rules", "vision", "device", "models")

#: Run with the wrong folder first on the path, this has to fail.
CHECK = f"""
import sys
sys.path.insert(0, {str(ROOT / "tests")!r})
from test_names import stranger
print(stranger("rules"))
"""


def stranger(name: str) -> str | None:
    """Why the package called ``name`` is not the one of this folder; None when it is."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return f"no package {name} can be imported"
    folder = Path(spec.origin).parent
    if not (folder / "py.typed").is_file():
        return f"{folder} has no py.typed"
    if not folder.samefile(ROOT / name):
        return f"{name} is imported from {folder}, not from {ROOT / name}"
    return None


@pytest.mark.parametrize("name", OURS)
def test_the_package_that_is_imported_is_ours(name: str) -> None:
    assert stranger(name) is None


@pytest.mark.parametrize("name", OURS)
def test_no_other_distribution_brings_a_package_of_this_name(name: str) -> None:
    """Of two that do, the one that was installed last would win.

    An editable installation lists no files and so isn't found under the name at all.
    """
    assert set(packages_distributions().get(name, [])) <= {"toreshi"}


def test_toreshi_itself_is_installed() -> None:
    try:
        distribution("toreshi")
    except PackageNotFoundError:
        pytest.fail("toreshi is not installed in this environment")


def test_a_package_that_shadows_ours_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "__init__.py").write_text("")
    (tmp_path / "rules" / "py.typed").write_text("")
    answers = []
    for path in ("", str(tmp_path)):
        done = subprocess.run(
            [sys.executable, "-P", "-c", CHECK],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        answers.append(done.stdout.strip())
    assert answers[0] == "None"
    assert answers[1].startswith(f"rules is imported from {tmp_path}")

"""Imports point down: rules <- vision <- device, and the workshop ``models`` beside them."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("rules", "vision", "device", "models")

#: Which of our packages each may import, besides itself.
MAY_IMPORT = {
    "rules": set(),
    "vision": {"rules"},
    # the workshop plays whole games through the device, too
    "models": {"rules", "vision", "device"},
    "device": {"rules", "vision"},
}
#: The only files that may reach for more: the simulated camera draws its own boards.
EXCEPTIONS = {"device/simulated.py": {"models"}}


def imports(path: Path) -> list[tuple[int, str]]:
    """Line and absolute module name of every import in a file, lazy ones and typing ones too."""
    package = path.relative_to(ROOT).parent.parts
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.append((node.lineno, node.module or ""))
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            found.append((node.lineno, ".".join((*base, node.module or ""))))
        elif isinstance(node, ast.Call) and _loads(node.func) and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                inside = ".".join(package) if name.value.startswith(".") else ""
                found.append((node.lineno, inside + name.value))
    return found


def _loads(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__")


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", OURS)
def test_imports_point_down(package: str) -> None:
    wrong = []
    for path in sources(package):
        name = path.relative_to(ROOT).as_posix()
        allowed = MAY_IMPORT[package] | {package} | EXCEPTIONS.get(name, set())
        for line, module in imports(path):
            top = module.split(".")[0]
            if top in OURS and top not in allowed:
                wrong.append(f"{name}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_rules_need_the_standard_library_only() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in sources("rules")
        for line, module in imports(path)
        if module.split(".")[0] not in sys.stdlib_module_names | {"rules"}
    ]
    assert not wrong, "\n".join(wrong)


#: Standard library modules that read clocks, files, nets or processes, or keep logs.
WORLD = {"io", "logging", "os", "pathlib", "random", "shutil", "socket", "subprocess", "time"}


def test_rules_touch_no_files_clocks_nets_or_logs() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in sources("rules")
        for line, module in imports(path)
        if module.split(".")[0] in WORLD
    ]
    assert not wrong, "\n".join(wrong)


#: Needed for making weights, or only on a Pi: the rest must load without them.
HEAVY = {"torch", "torchvision", "ultralytics", "onnx", "bpy"}


def test_what_runs_on_the_pi_never_imports_the_workshop() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for package in ("rules", "vision", "device")
        for path in sources(package)
        for line, module in imports(path)
        if module.split(".")[0] in HEAVY
    ]
    assert not wrong, "\n".join(wrong)


def test_hardware_is_imported_only_inside_functions() -> None:
    wrong = []
    for path in sources("device"):
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            tops = {name.split(".")[0] for name in names}
            wrong += [f"{path.name}: {top}" for top in tops & {"gpiozero", "lgpio", "picamera2"}]
    assert not wrong, "\n".join(wrong)


def test_every_package_is_looked_at() -> None:
    """An empty list of files would make all of the above pass."""
    assert all(len(sources(package)) > 1 for package in OURS)

"""Files and functions stay small enough to be read in one go."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("rules", "vision", "device", "models", "tests")
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 60


def sources() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def test_files_are_short() -> None:
    counts = {path: len(path.read_text("utf-8").splitlines()) for path in sources()}
    assert counts, "no sources found"
    long = {
        str(path.relative_to(ROOT)): count
        for path, count in counts.items()
        if count > MOST_LINES_OF_A_FILE
    }
    assert long == {}, f"files of more than {MOST_LINES_OF_A_FILE} lines: {long}"


def test_functions_are_short() -> None:
    long = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count = (node.end_lineno or 0) - node.lineno + 1
                if count > MOST_LINES_OF_A_FUNCTION:
                    long[f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"] = count
    assert long == {}, f"functions of more than {MOST_LINES_OF_A_FUNCTION} lines: {long}"

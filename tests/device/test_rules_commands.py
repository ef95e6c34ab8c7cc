"""``toreshi games``, ``moves``, ``perft`` and ``judge``."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from device.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    """(exit code, lines of stdout, stderr) of a command."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out.splitlines(), err


def batch(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    text: bytes,
    *arguments: str,
) -> tuple[int, list[dict[str, Any]], str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    code, lines, err = run(capsys, *arguments, "--batch")
    return code, [json.loads(line) for line in lines], err


def test_lists_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = run(capsys, "games")
    assert (code, lines) == (
        0,
        ["italian", "russian", "international", "english", "giveaway", "nardi"],
    )


def test_lists_moves_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = run(capsys, "moves", "--game", "russian", "--fen", "W:Wf6:Be7,b6", "--json")
    assert code == 0
    assert [json.loads(line) for line in lines] == [
        {
            "moves": [
                {
                    "text": "f6:a5",
                    "from": "f6",
                    "to": "a5",
                    "taken": ["e7", "b6"],
                    "path": ["f6", "d8", "a5"],
                    "crowned": True,
                    "fen": "B:WKa5:B",
                }
            ]
        }
    ]


def test_lists_moves_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = run(capsys, "moves", "--game", "italian")
    assert (code, lines) == (0, ["21-17", "21-18", "22-18", "22-19", "23-19", "23-20", "24-20"])


def test_lists_turns_of_nardi(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "W:W24x15:B12x15:O0-0"
    code, lines, _ = run(
        capsys, "moves", "--game", "nardi", "--fen", fen, "--dice", "6-5", "--first", "--json"
    )
    assert code == 0
    (reply,) = [json.loads(line) for line in lines]
    assert {move["fen"] for move in reply["moves"]} == {"B:W24x14,13:B12x15:O0-0"}


def test_a_bad_line_is_told_in_its_place(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b'{"fen": "W:W18:B1"}\nnonsense\n\n[1]\n{"fen": 7}\n{"fen": "W:W99:B1"}\n\xff\n'
    text += b'{"fen": "W:WK18:B1", "dice": [6, 5]}\n{"fen": "W:W5:B32"}\n{"fen": "W:W5:B2"}\n'
    code, replies, err = batch(capsys, monkeypatch, text, "moves", "--game", "italian")
    assert code == 2
    assert err == "toreshi: line 2: no JSON; expected a JSON object on each line (and 6 more)\n"
    assert [move["text"] for move in replies[0]["moves"]] == ["18-13", "18-14"]
    assert [sorted(reply) for reply in replies[1:8]] == [["error"]] * 7
    assert replies[4]["error"] == "FEN, character 4: unknown square 99; expected 1..32"
    assert [move["text"] for move in replies[8]["moves"]] == ["5-1"]


def test_a_deep_line_is_bad_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"[" * 100_000 + b"\n"
    code, replies, _ = batch(capsys, monkeypatch, text, "judge", "--game", "russian")
    assert code == 2
    assert list(replies[0]) == ["error"]


def test_lines_may_be_set_up_with_more_men_than_a_game_has(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b'{"fen": "W:W20-32:B1"}\n'
    code, replies, _ = batch(capsys, monkeypatch, text, "moves", "--game", "italian")
    assert code == 0
    assert replies[0]["moves"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ("moves", "--game", "italian", "--fen", "W:W20-32:B1"),
            "toreshi: FEN: 13 white pieces; expected at most 12",
        ),
        (
            ("moves", "--game", "italian", "--fen", "W:W22,22:B1"),
            "toreshi: 22: square named twice; expected each square once",
        ),
        (("moves", "--game", "halma"), "toreshi: no game 'halma'; expected one of italian"),
        (("moves",), "toreshi: Missing option '--game'"),
        (("moves", "--game", "russian", "--dice", "6-5"), "toreshi: dice: dice in a game"),
        (
            ("moves", "--game", "nardi"),
            "toreshi: dice: no dice; expected 6-5 or [6, 5]",
        ),
        (("perft", "--game", "italian", "--depth", "-1"), "toreshi: Invalid value for '--depth'"),
        (("judge", "--game", "italian"), "toreshi: --before and --after are needed"),
        (
            ("judge", "--game", "italian", "--before", "W:W1:B2", "--after", "W:W1:B2"),
            "toreshi: 1: a man on its own last row",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], line: str
) -> None:
    code, lines, err = run(capsys, *arguments)
    assert (code, lines) == (2, [])
    assert err.startswith(line)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (("--game", "giveaway", "--depth", "4"), "1469"),
        (("--game", "italian", "--depth", "0"), "1"),
        # counted by two independent programs: DmitriiNov/long-nardy-engine and the shared oracle
        (("--game", "nardi", "--depth", "2"), "484"),
        (("--game", "international", "--depth", "2", "--fen", "W:W6-10:B41-45"), "81"),
    ],
)
def test_counts_leaves(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], count: str
) -> None:
    code, lines, _ = run(capsys, "perft", *arguments)
    assert (code, lines[-1]) == (0, count)


def test_judges_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--before", "W:W22,31:B19", "--after", "W:W22,27:B19", "--json")
    code, lines, _ = run(capsys, "judge", "--game", "italian", *asked)
    assert code == 0
    assert [json.loads(line) for line in lines] == [
        {
            "verdict": "offence",
            "code": "O6",
            "kind": "capture-ignored",
            "article": "FID 6.1; FMJD 5.4.6",
            "squares": ["27", "31", "22"],
            "due": ["22x15"],
            "short": "Capture due: undo 31-27, play 22x15",
            "message": "31-27 was played although a capture is due: take it back and play 22x15.",
            "also": [],
        }
    ]


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        ("B:W15,31:B", ["legal: 22x15"]),
        ("B:W22,31:B19", ["unchanged"]),
        (
            "B:W22,27:B19",
            [
                "O6 capture-ignored (FID 6.1; FMJD 5.4.6)",
                "31-27 was played although a capture is due: take it back and play 22x15.",
                "due: 22x15",
            ],
        ),
    ],
)
def test_judges_for_people(
    capsys: pytest.CaptureFixture[str], after: str, lines: list[str]
) -> None:
    asked = ("--before", "W:W22,31:B19", "--after", after)
    assert run(capsys, "judge", "--game", "italian", *asked)[:2] == (0, lines)


def test_judges_lines_of_nardi(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = "W:W24x15:B12x15:O0-0"
    asked = {"before": before, "after": "B:W24x14,13:B12x15:O0-0", "dice": [6, 5], "first": True}
    text = "\n".join(json.dumps(asked | {"first": first}) for first in (True, "yes")).encode()
    code, replies, _ = batch(capsys, monkeypatch, text, "judge", "--game", "nardi")
    assert code == 2
    assert replies[0] == {
        "verdict": "legal",
        "move": "24/18/13",
        "fen": "B:W24x14,13:B12x15:O0-0",
    }
    assert replies[1] == {"error": "first: first yes; expected true or false"}

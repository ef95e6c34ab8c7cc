"""Bundles of games in which the referee went wrong once: now it says what it should have said."""

from pathlib import Path

import pytest

from device import bundle, journal
from device.replay import replay

GAMES = Path(__file__).parents[1] / "data" / "games"

WANTED = {
    "own-man-by-the-same-hand": [
        "move c3:e5",
        "corrected",
        "offence O13 w",
        "resolved put-right",
        "move c3:e5",
    ],
    "chain-stopped-after-a-lifting": ["offence O9 w"],
    "king-of-two-colours": ["move a7-b8", "move h6-g5", "move b8-e5"],
    "king-pauses-in-its-capture": ["move e1-d2", "move c1:g1"],
    "one-man-gone": ["offence O7 w"],
}


@pytest.mark.parametrize("name", WANTED)
def test_a_game_that_went_wrong_once(name: str) -> None:
    past = bundle.read(GAMES / f"{name}.zip")
    assert replay(past).differences == ()
    assert said(past) == ["start-position", *WANTED[name]]


def said(past: journal.Past) -> list[str]:
    """Events of a journal in short."""
    events = [e["event"] for row in past.rows if row["what"] == "out" for e in row["out"]
              if e["is"] == "publish" and e["event"]["event"] != "covered"]  # fmt: skip
    keys = {"move": ("text",), "offence": ("code", "side"), "resolved": ("how",)}
    return [" ".join([e["event"], *(e[k] for k in keys.get(e["event"], ()))]) for e in events]

"""Games in which the referee went wrong once, as bundles.

    python -m tests.benchmarks.bug_bundles

Each is what happened in a longer game of the bench, made again before made-up eyes without noise.
``tests/device/test_bug_bundles.py`` runs them again and asks for what should have been said.
Bundles are written only where they are not there yet, since a bundle keeps what was said then.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from device import bundle
from device.app import Watch
from device.session_values import Setup
from device.signals import NoSignaller
from rules.draughts.game import DraughtsGame
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

OUT = Path(__file__).parents[1] / "data" / "games"
FPS = 5


@dataclass(frozen=True)
class Look:
    """A board that is looked at for a while, under a hand where squares are named."""

    board: str
    seconds: float
    hand: Sequence[int] = ()
    misread: Mapping[int, str] = field(default_factory=dict)


CHAIN = "W:Wc3:Bd4,f6,a7"
TAKES = "W:Wc3,f2,a1,h2:Bd4,h8,b8"
STARTS = [Look(TAKES, 2), Look(TAKES, 0.6, [17]), Look(TAKES, 1), Look(TAKES, 0.6, [17]),
          Look(TAKES, 1), Look(TAKES, 0.6, [17])]  # fmt: skip
KING = {1: "b"}
REST = "Bb8,f8,h8,a7,b6,d6,c3"

#: Those that are not of the Russian game.
OTHERWISE = {"king-pauses-in-its-capture": "giveaway"}

STORIES: dict[str, Sequence[Look]] = {
    # the captured man is laid beside the board, and the hand comes back for its own man
    "own-man-by-the-same-hand": [
        *STARTS,
        Look("W:We5,f2,a1,h2:Bh8,b8", 0.6),
        Look("W:We5,f2,a1,h2:Bh8,b8", 0.6, range(21, 33)),
        Look("W:We5,f2,h2:Bh8,b8", 6),
        Look("W:We5,f2,h2:Bh8,b8", 0.6, range(21, 33)),
        Look("W:We5,f2,a1,h2:Bh8,b8", 1),
    ],
    # a man is lifted after its jump, and the chain is not gone on with
    "chain-stopped-after-a-lifting": [
        Look(CHAIN, 2),
        Look(CHAIN, 0.6, [18]),
        Look("W:We5:Bd4,f6,a7", 1),
        Look("W:We5:Bd4,f6,a7", 0.6, [18]),
        Look("W:We5:Bf6,a7", 7),
    ],
    # a king of a white man on a black one reads as Black's from then on
    "king-of-two-colours": [
        Look("W:Wa7,c1,e1:Bh8,h6", 2),
        Look("W:Wa7,c1,e1:Bh8,h6", 0.6, [1, 5]),
        Look("W:WKb8,c1,e1:Bh8,h6", 2, misread=KING),
        Look("W:WKb8,c1,e1:Bh8,h6", 0.6, [12]),
        Look("W:WKb8,c1,e1:Bh8,g5", 2, misread=KING),
        Look("W:WKb8,c1,e1:Bh8,g5", 0.6, [15]),
        Look("W:WKe5,c1,e1:Bh8,g5", 2, misread={15: "b"}),
    ],
    # after a quick e1-d2 a king stops on e3 in its capture of d2 and f2: four plies lead there, too
    "king-pauses-in-its-capture": [
        Look(f"W:Wh4,f2,e1:{REST},Kc1", 2),
        Look(f"W:Wh4,f2,e1:{REST},Kc1", 0.6, [23, 26, 30, 31]),
        Look(f"W:Wh4,f2:{REST},Ke3", 2.4),
        Look(f"W:Wh4,f2:{REST},Ke3", 0.6, [23, 27, 28, 32]),
        Look(f"W:Wh4:{REST},Kg1", 2),
    ],
    # one man goes from the board, which shows on one square
    "one-man-gone": [*STARTS[:-1], Look(TAKES, 0.6, [28]), Look("W:Wc3,f2,a1:Bd4,h8,b8", 6)],
}


class Told:
    """Eyes that are told what each frame shows."""

    def __init__(self, game: DraughtsGame) -> None:
        self._game, self._eyes = game, FakeEyes(game.board, spread=0.0)
        self.look = Look("W:W:B", 0)

    def see(self, frame: Frame) -> Percept:
        """What one frame says."""
        look = self.look
        motion = 0.2 if look.hand else 0.0
        board = self._game.read_board(look.board)
        return self._eyes.see(
            board, frame.at_ns, covered=look.hand, misread=look.misread, motion=motion
        )

    def learn(self, grid: tuple[str, ...]) -> None:
        """There is nothing to learn."""


def make(story: Sequence[Look], out: Path, name: str = "russian") -> None:
    """Let the referee watch a story, and put all of it into a bundle."""
    game, number = DraughtsGame.by_name(name), 0
    eyes = Told(game)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "game"
        setup = Setup(name, story[0].board, mode="club")
        run = Watch(setup, eyes, NoSignaller(), folder, lambda event: None, {}, {})
        for look in story:
            eyes.look = look
            for _ in range(round(look.seconds * FPS)):
                number += 1
                run.look(Frame(np.zeros((4, 4, 3), np.uint8), number, number * 10**9 // FPS))
        run.close()
        for path in (folder / "evidence").glob("*"):
            path.unlink()  # there was nothing to see
        bundle.write(folder, out)


def main() -> None:
    """Write those that aren't there."""
    for name, story in STORIES.items():
        path = OUT / f"{name}.zip"
        if not path.exists():
            make(story, path, OTHERWISE.get(name, "russian"))


if __name__ == "__main__":
    main()

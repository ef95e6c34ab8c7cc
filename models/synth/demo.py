"""``python -m models.synth.demo``: the game that ``toreshi demo`` plays, drawn and written as a video.

The moves are those of a small search, so that captures are exchanged and kings are made.  Two
wrong deeds are put in and put right: an illegal move, and a capture that is missed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position, other
from rules.verdict import Offence

from .arrays import Array, Rng
from .camera import sample_camera
from .game import Grid, Pace, frames
from .light import sample_light
from .style import Style, sample_style

#: The pace of the video, and of the hands: brisk, so that the game fits into the package.
FPS = 4.0
PACE = Pace(rest=(1.75, 1.75), reach=(0.5, 0.7), carry=(0.5, 0.8))
PICTURE = (640, 480)

#: Plies after which the wrong deeds are done, at the first that allows one.
ILLEGAL_FROM, MISSED_FROM = 6, 12

_VALUES = {"w": 10, "W": 25, "b": -10, "B": -25}


@dataclass(frozen=True, slots=True)
class Shown:
    """One position of the story, and what it means."""

    position: Position
    told: dict[str, Any]


# ---------------------------------------------------------------- the story


def story(game: DraughtsGame, plies: int, rng: Rng) -> list[Shown]:
    """A game of so many plies, with an illegal move and a missed capture that are put right."""
    position, shown = game.start(), [Shown(game.start(), {})]
    wanted = [(ILLEGAL_FROM, "O1"), (MISSED_FROM, "O6")]
    for ply in range(plies):
        move = chosen(game, position, rng)
        if move is None:
            break
        if wanted and ply >= wanted[0][0]:
            wrong = wrong_deed(game, position, wanted[0][1], rng)
            if wrong is not None:
                shown.append(Shown(wrong, {"verdict": "offence", "code": wanted.pop(0)[1]}))
        text = game.text(position, move)
        shown.append(Shown(move.after, {"verdict": "legal", "move": text}))
        position = move.after
    return shown


def wrong_deed(game: DraughtsGame, position: Position, code: str, rng: Rng) -> Position | None:
    """A board after a deed of that code which moves one piece and lifts none; None if none does."""
    found = []
    for deed in game.deeds(position):
        if deed.code == code and len(deed.changes) == 2:
            pieces = {**position.pieces(), **dict(deed.changes)}
            found.append(Position.of(pieces, other(position.side)))
    if not found:
        return None
    board = found[int(rng.integers(len(found)))]
    verdict = game.judge(position, board)
    return board if isinstance(verdict, Offence) and verdict.code == code else None


def chosen(game: DraughtsGame, position: Position, rng: Rng, depth: int = 4) -> Move | None:
    """A good move, at random among those that are about as good."""
    sign = 1 if position.side == "w" else -1
    scored = [(-search(game, m.after, depth - 1, -sign), m) for m in game.moves(position)]
    if not scored:
        return None
    best = max(score for score, _ in scored)
    good = [move for score, move in scored if score >= best - 1]
    return good[int(rng.integers(len(good)))]


def search(
    game: DraughtsGame, position: Position, depth: int, sign: int, low: int = -9999,
    high: int = 9999,
) -> int:  # fmt: skip
    """Material after best play, for the side to move; captures are followed to their end."""
    moves = game.moves(position)
    if not moves:
        return -1000
    if depth <= 0 and not moves[0].taken:
        return sign * sum(_VALUES[piece] for piece in position.pieces().values())
    for move in moves:
        low = max(low, -search(game, move.after, depth - 1, -sign, -high, -low))
        if low >= high:
            break
    return low


# ---------------------------------------------------------------- the pictures


def grid_of(game: DraughtsGame, position: Position) -> Grid:
    """A position as rows seen by White."""
    size = game.board.size
    rows = [["."] * size for _ in range(size)]
    for square, piece in position.pieces().items():
        row, column = game.board.cell(square)
        rows[row][column] = piece
    return tuple("".join(row) for row in rows)


def style_for(game: DraughtsGame, rng: Rng) -> Style:
    """A set whose dark squares lie as the game wants them, played on the dark ones."""
    dark = 0 if game.board.mirrored else 1
    while True:
        style = sample_style(rng, game.board.size, "validation")
        fits = style.on_dark and style.parity == dark and style.sloppy < 0.08
        if fits and style.contrast > 0.3 and style.king == "stack":
            return style


def drawn(game: DraughtsGame, shown: Sequence[Shown], seed: int) -> Iterator[Array]:
    """The frames of a story."""
    rng = np.random.default_rng([seed, 23])
    style = style_for(game, rng)
    camera = sample_camera(rng, style, *PICTURE, tilt_deg=(22, 32), fill=(0.86, 0.9))
    grids = [grid_of(game, one.position) for one in shown]
    light = sample_light(rng)
    for image, _ in frames(style, camera, light, grids, rng, fps=FPS, pace=PACE):
        yield image


@click.command()
@click.option("--game", "name", default="russian", show_default=True)
@click.option("--plies", default=34, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write to.")
def main(name: str, plies: int, seed: int, out: Path) -> None:
    """Draw a game and write NAME.mp4 and NAME.json, its truth."""
    cv2.setNumThreads(1)
    game = DraughtsGame.by_name(name)
    shown = story(game, plies, np.random.default_rng(seed))
    writer = cv2.VideoWriter(str(out / f"{name}.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), FPS, PICTURE)
    count = 0
    for image in drawn(game, shown, seed):
        writer.write(image)
        count += 1
    writer.release()
    truth = {"game": name, "source": f"{name}.mp4", "then": [one.told for one in shown[1:]]}
    (out / f"{name}.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    click.echo(f"{count} frames of {len(shown)} positions")


if __name__ == "__main__":
    main()

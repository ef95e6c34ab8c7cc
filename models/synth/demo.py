"""``python -m models.synth.demo``: the game that ``toreshi demo`` plays, as a video.

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

#: Few and small frames, so that the game fits into the package; JPEGs in a row, since the encoders
#: that OpenCV brings along either take no quality or far more room.
FPS = 2.5
PACE = Pace(rest=(1.6, 1.6), reach=(0.5, 0.7), carry=(0.5, 0.8))
PICTURE = (512, 384)
QUALITY = 45

#: The players need a moment to see an alarm: so many more still frames of a wrong board.
STARTLED = 4

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
    """A board after a deed of that code which moves one piece along a diagonal and lifts none."""
    found = []
    for deed in game.deeds(position):
        squares = [game.board.cell(square) for square, _ in deed.changes]
        moved = {position.piece(square) for square, _ in deed.changes} >= {"."}
        if deed.code == code and len(squares) == 2 and moved and on_a_diagonal(*squares):
            pieces = {**position.pieces(), **dict(deed.changes)}
            found.append(Position.of(pieces, other(position.side)))
    if not found:
        return None
    board = found[int(rng.integers(len(found)))]
    verdict = game.judge(position, board)
    return board if isinstance(verdict, Offence) and verdict.code == code else None


def on_a_diagonal(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Whether two cells lie on one diagonal, as those of a man who goes too far do."""
    return abs(one[0] - two[0]) == abs(one[1] - two[1])


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
    """The frames of a story; of those with a hand every second one."""
    rng = np.random.default_rng([seed, 23])
    style = style_for(game, rng)
    camera = sample_camera(rng, style, *PICTURE, tilt_deg=(22, 32), fill=(0.86, 0.9))
    grids = [grid_of(game, one.position) for one in shown]
    light = sample_light(rng)
    before: tuple[Array, dict[str, Any]] | None = None
    for image, truth in frames(style, camera, light, grids, rng, fps=FPS, pace=PACE):
        if before is not None and before[1]["settled"] and not truth["settled"]:
            wrong = shown[before[1]["ply"]].told.get("verdict") == "offence"
            yield from [before[0]] * (STARTLED if wrong else 0)
        if truth["settled"] or truth["frame"] % 2:
            yield image
        before = image, truth


def written(path: Path, images: Iterator[Array]) -> int:
    """Write a video, one JPEG after the other; how many frames it has."""
    count = 0
    with path.open("wb") as file:
        for image in images:
            _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            file.write(data.tobytes())
            count += 1
    return count


@click.command()
@click.option("--game", "name", default="russian", show_default=True)
@click.option("--plies", default=32, show_default=True)
@click.option("--seed", default=9, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write to.")
def main(name: str, plies: int, seed: int, out: Path) -> None:
    """Draw a game and write NAME.mjpeg and NAME.json, its truth."""
    cv2.setNumThreads(1)
    game = DraughtsGame.by_name(name)
    shown = story(game, plies, np.random.default_rng(seed))
    count = written(out / f"{name}.mjpeg", drawn(game, shown, seed))
    truth = {
        "game": name,
        "source": f"{name}.mjpeg",
        "fps": FPS,
        "frames": count,
        "then": [one.told for one in shown[1:]],
    }
    (out / f"{name}.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    click.echo(f"{count} frames of {len(shown)} positions")


if __name__ == "__main__":
    main()

"""How many pieces are kings, by how full the board is: the prior of ``vision.answer``.

Recorded games are those of strong players, who give up before many kings stand; a player who looks
two plies ahead plays on to the end.  People at a club's boards are between them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from rules.draughts import pdn_read
from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.position import Move, Position
from rules.draughts.record import Ply
from vision.answer import most_men

GAMES = Path(__file__).parents[2] / "tests" / "data" / "games"

#: Plies after which a played game is broken off, and how often a move is made at random.
LONGEST, CARELESS = 120, 0.05

#: Men that a king is worth to the player.
_KING = 3


@dataclass(slots=True)
class Share:
    """Counts over the positions of one fullness."""

    kings: int = 0
    pieces: int = 0
    positions: int = 0


def recorded(folder: Path) -> Iterator[tuple[DraughtsGame, Position]]:
    """All positions of the PDN games in a folder."""
    for path in sorted(folder.glob("*.pdn")):
        for record in pdn_read.read(path.read_bytes()):
            game = DraughtsGame.by_name(record.game)
            for ply in record.plies:
                yield game, ply.move.after if isinstance(ply, Ply) else ply.after


def played(games: int, rng: random.Random) -> Iterator[tuple[DraughtsGame, Position]]:
    """All positions of so many games of each kind between two players of two plies."""
    for name in NAMES:
        game = DraughtsGame.by_name(name)
        for _ in range(games):
            position = game.start()
            for _ in range(LONGEST):
                moves = list(game.moves(position))
                if not moves:
                    break
                careless = rng.random() < CARELESS
                move = rng.choice(moves) if careless else _best(game, position, 2, rng)[1]
                assert move is not None
                position = move.after
                yield game, position


def _best(
    game: DraughtsGame, position: Position, depth: int, rng: random.Random
) -> tuple[int, Move | None]:
    moves = list(game.moves(position))
    if not moves:
        return -100, None
    if depth == 0:
        return _worth(position), None
    rng.shuffle(moves)
    tried = [(-_best(game, move.after, depth - 1, rng)[0], k) for k, move in enumerate(moves)]
    value, k = max(tried, key=lambda t: t[0])
    return value, moves[k]


def _worth(position: Position) -> int:
    white = position.white_men.bit_count() + _KING * position.white_kings.bit_count()
    black = position.black_men.bit_count() + _KING * position.black_kings.bit_count()
    return white - black if position.side == "w" else black - white


def shares(positions: Iterable[tuple[DraughtsGame, Position]]) -> list[Share]:
    """Ten counts, by tenths of a full board's pieces."""
    out = [Share() for _ in range(10)]
    for game, position in positions:
        kings = (position.white_kings | position.black_kings).bit_count()
        pieces = kings + (position.white_men | position.black_men).bit_count()
        share = out[min(9, 10 * pieces // (2 * most_men(game.board.size)))]
        share.kings += kings
        share.pieces += pieces
        share.positions += 1
    return out


@click.command()
@click.option("--games", default=10, help="Games of each kind to play.")
@click.option("--seed", default=1)
def main(games: int, seed: int) -> None:
    """Print the shares of kings in recorded and in played games."""
    for name, found in (
        ("recorded", shares(recorded(GAMES))),
        ("played", shares(played(games, random.Random(seed)))),
    ):
        click.echo(name)
        for tenth, share in enumerate(found):
            part = share.kings / share.pieces if share.pieces else 0.0
            click.echo(f"  {tenth}: {100 * part:5.1f} % of {share.pieces} pieces")


if __name__ == "__main__":
    main()

"""Our rules against the slow oracles, on random positions and random pairs of boards.

    python tests/rules/draughts_differential.py --positions 20000 --pairs 5000

Positions come half from random games and half from random set-ups, kings included.  Pairs are a
position and a board after a legal move, after a wrong deed, or with squares changed at random.
Every difference is told; the exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from rules.draughts.game import NAMES, DraughtsGame
from rules.draughts.position import Position, Side
from rules.verdict import Legal, Offence

SHARED = Path(os.environ.get("TORESHI_SHARED", Path(__file__).parents[2].parent / "shared"))
ORACLES = SHARED / "rules" / "draughts"


def oracle(name: str) -> ModuleType:
    """A module of the shared folder by its name."""
    if name not in sys.modules:
        sys.path.insert(0, str(ORACLES))
        spec = importlib.util.spec_from_file_location(name, ORACLES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


# ---------------------------------------------------------------------- random positions


def positions(game: DraughtsGame, number: int, rng: random.Random) -> Iterator[Position]:
    """Half along random games, half set up at random."""
    while number > 0:
        position = game.start()
        for _ in range(rng.randrange(10, 120)):
            moves = game.moves(position)
            if not moves or number <= 0:
                break
            position = rng.choice(moves).after
            if rng.random() < 0.25:
                yield position
                number -= 1
                if number > 0:
                    yield set_up(game, rng)
                    number -= 1


def set_up(game: DraughtsGame, rng: random.Random) -> Position:
    """Pieces on random squares, no man on its own last row."""
    most = game.variant.men
    squares = list(range(1, game.board.count + 1))
    rng.shuffle(squares)
    kings = rng.choice((0.0, 0.2, 0.5, 1.0))
    pieces: dict[int, str] = {}
    for letter, bias in (("w", rng.randint(1, most)), ("b", rng.randint(1, most))):
        side: Side = "w" if letter == "w" else "b"
        for _ in range(min(bias, rng.randint(1, most))):
            square = squares.pop()
            crowned = rng.random() < kings or game.variant.last_row(side) >> square - 1 & 1
            pieces[square] = letter.upper() if crowned else letter
    return Position.of(pieces, rng.choice(("w", "b")))


# ---------------------------------------------------------------------- moves


def board_text(game: DraughtsGame, position: Position) -> str:
    """The oracle's board: '-' and one letter a square."""
    pieces = position.pieces()
    return "-" + "".join(pieces.get(n, ".") for n in range(1, game.board.count + 1))


def differing_moves(game: DraughtsGame, position: Position) -> list[str]:
    """What differs between our legal moves and the oracle's, in words."""
    slow = oracle("oracle")
    rules = slow.variant(game.name)
    wanted = slow.legal(rules, board_text(game, position), position.side)
    ours = game.moves(position)
    wrong = []
    got = {(m.frm, m.to, frozenset(m.taken)): m for m in ours}
    if len(got) != len(ours) or got.keys() != wanted.keys():
        wrong.append(f"moves {sorted(got)} are not {sorted(wanted)}")
    if len({game.text(position, move) for move in ours}) != len(ours):
        wrong.append("two moves share a text")
    for key in got.keys() & wanted.keys():
        move, routes = got[key], wanted[key]
        if not any((r[0], *r[1]) == move.path and r[2] == move.taken for r in routes):
            wrong.append(f"route {move.path} over {move.taken} is none of {routes}")
        if board_text(game, move.after) != routes[0][4] or move.crowned != routes[0][3]:
            wrong.append(f"after {key}: {game.write(move.after)}")
        text = game.text(position, move)
        if text not in spellings(game, key, wanted):
            wrong.append(f"text {text}")
        if game.parse_move(position, text) != move:
            wrong.append(f"text {text} reads as another move")
    return wrong


def spellings(game: DraughtsGame, key: Any, wanted: Any) -> set[str]:
    """The texts that the oracle allows for a move: each route that its pieces can be taken on."""
    slow = oracle("oracle")
    rules = slow.variant(game.name)
    return {slow.notation(rules, key, {**wanted, key: [route]}) for route in wanted[key]}


# ---------------------------------------------------------------------- pairs


def after_boards(game: DraughtsGame, position: Position, rng: random.Random) -> Position:
    """A board that may stand after a deed in the position."""
    moves, kind = game.moves(position), rng.random()
    board = rng.choice(moves).after if moves and rng.random() < 0.6 else position
    if kind < 0.1:
        return board
    if kind < 0.5:
        deeds = list(game.deeds(position))
        if deeds:
            code = rng.choice(sorted({deed.code for deed in deeds}))
            deed = rng.choice([deed for deed in deeds if deed.code == code])
            pieces = position.pieces() | dict(deed.changes)
            board = Position.of(pieces, position.side)
    if kind > 0.45:
        board = shaken(game, board, rng)
    return board


def shaken(game: DraughtsGame, board: Position, rng: random.Random) -> Position:
    """A board with one to three pieces moved, lifted, crowned or added."""
    pieces = board.pieces()
    for _ in range(rng.choice((1, 1, 2, 3))):
        deed, square = rng.random(), rng.randint(1, game.board.count)
        if pieces and deed < 0.55:
            pieces[square] = pieces.pop(rng.choice(list(pieces)))
        elif pieces and deed < 0.8:
            del pieces[rng.choice(list(pieces))]
        elif pieces and deed < 0.92:
            chosen = rng.choice(list(pieces))
            pieces[chosen] = pieces[chosen].swapcase()
        else:
            pieces[square] = rng.choice("wWbB")
    return Position.of(pieces, board.side)


def differing_verdict(
    game: DraughtsGame, before: Position, after: Position, seen: Counter[str]
) -> list[str]:
    """What differs between our verdict and the reference's, in words."""
    wanted = oracle("reference_judge").judge(game.name, game.write(before), game.write(after))
    verdict = game.judge(before, after)
    seen[wanted["code"] or wanted["verdict"]] += 1
    got: tuple[str, str | None, str, list[str]]
    if isinstance(verdict, Legal):
        got = ("legal", None, "legal", [verdict.move])
        told = [wanted["move"]] if wanted["move"] else []
    elif isinstance(verdict, Offence):
        got = ("offence", verdict.code, verdict.kind, list(verdict.due))
        told = wanted["due"]
        if len(verdict.short) > 60 or not verdict.message.endswith("."):
            return [f"words {verdict.short!r} {verdict.message!r}"]
    else:
        got, told = ("unchanged", None, "unchanged", []), []
    if got[:3] != (wanted["verdict"], wanted["code"], wanted["kind"]):
        return [f"{got} is not {wanted}"]
    if sorted(got[3]) != sorted(told):
        # several routes take the same pieces: another spelling of the same moves is right too
        read = [{game.parse_move(before, text) for text in texts} for texts in (got[3], told)]
        if read[0] != read[1]:
            return [f"{got[3]} are not {told}"]
        seen["spelt otherwise"] += 1
    return []


# ---------------------------------------------------------------------- the run


def compare(game: DraughtsGame, number: int, pairs: int, seed: int) -> tuple[list[str], str]:
    """(differences, a line about what was compared) of one game."""
    rng = random.Random(f"{seed} {game.name}")
    wrong, moves, seen = [], 0, Counter[str]()
    for position in positions(game, number, rng):
        moves += len(game.moves(position))
        wrong += [f"{game.write(position)}: {w}" for w in differing_moves(game, position)]
    for before in positions(game, pairs, rng):
        after = after_boards(game, before, rng)
        told = differing_verdict(game, before, after, seen)
        wrong += [f"{game.write(before)} -> {game.write(after)}: {w}" for w in told]
    codes = " ".join(f"{code} {n}" for code, n in sorted(seen.items()))
    return wrong, f"{number} positions, {moves} moves, {pairs} pairs ({codes})"


def main() -> int:
    """Compare all games and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--positions", type=int, default=20000)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=NAMES, action="append")
    asked = parser.parse_args()
    differences = 0
    for name in asked.game or NAMES:
        game = DraughtsGame.by_name(name)
        wrong, line = compare(game, asked.positions, asked.pairs, asked.seed)
        differences += len(wrong)
        sys.stdout.write(f"{name}: {line}: {len(wrong)} differences\n")
        for each in wrong[:20]:
            sys.stdout.write(f"   {each}\n")
        sys.stdout.flush()
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

"""How well a nardi game is followed by made-up eyes: ``python -m tests.benchmarks.nardi_session``.

Games at random and wrong turns of every code go through the session; nothing here is a picture.
Prints turns that were written as they were played, games without an error, false alarms, wrong
turns that were noticed, and the time of a step.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import click

from rules.nardi.board import START, Position
from rules.nardi.deeds import deeds
from rules.nardi.dice import Roll
from rules.nardi.moves import legal
from tests.device.nardi.conftest import GAME, Table
from tests.device.tables import short
from vision.nardi.fake import die

#: How a turn ends: the button, the dice picked up in sight or under a hand, or the next throw.
ENDINGS = ("press", "gone", "hands", "thrown")

#: What is said in a game in which nothing is wrong.
USUAL = ("covered", "end", "move", "roll", "start-position", "unsure")


@dataclass(slots=True)
class Tally:
    """What came of the games."""

    turns: int = 0
    right: int = 0
    games: int = 0
    clean: int = 0
    asked: int = 0
    alarms: list[str] = field(default_factory=list)
    staged: Counter[str] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    steps: list[float] = field(default_factory=list)


class Player:
    """Plays both sides at a table."""

    def __init__(self, seed: int, settled: bool, ending: str, tally: Tally) -> None:
        self.rng = random.Random(seed)
        self.board = Table(settled=settled, eyes={"seed": seed, "way": seed % 2})
        self.ending, self.tally = ending, tally
        self.position = START
        self.first = {"w", "b"}
        self.show(START, 1.4)

    def show(self, position: Position, seconds: float) -> list[dict[str, Any]]:
        """Let the camera look, and take the time of each step."""
        before, begun = len(self.board.inputs), time.thread_time()
        events = self.board.show(position, seconds)
        spent = time.thread_time() - begun
        self.tally.steps.append(spent / max(1, len(self.board.inputs) - before))
        return events

    def throw(self) -> Roll:
        """Dice come to lie somewhere on one half of the board."""
        rng = self.rng
        if self.board.dice and not self.board.setup.settled:
            self.board.dice = ()
            self.board.hand(self.position, [9, 10, 11])
            self.show(self.position, 0.4)
        roll = Roll((rng.randint(1, 6), rng.randint(1, 6)), self.position.side in self.first)
        self.first.discard(self.position.side)
        x = rng.choice((rng.uniform(0.03, 0.38), rng.uniform(0.55, 0.88)))
        y = rng.uniform(0.15, 0.85)
        near = (x + rng.uniform(-0.02, 0.08), y + rng.choice((-1, 1)) * rng.uniform(0.05, 0.1))
        one, two = rng.sample(roll.dice, 2)
        self.board.dice = (die(one, x, y), die(two, *near))
        self.show(self.position, 1.2)
        return roll

    def end(self, after: Position) -> None:
        """The turn is over, in this table's way."""
        self.board.hand(after, [self.rng.randint(1, 20) + k for k in range(4)])
        self.show(after, 1.2)
        if self.ending == "press":
            self.board.press(self.board.state.side)
            self.show(after, 1.2)
        elif self.ending in ("gone", "hands"):
            self.board.dice = ()
            if self.ending == "hands":
                self.board.hand(after, [5, 6, 7, 8], 2)
            self.show(after, 1.4)

    def game(self) -> None:
        """A whole game, each turn at random."""
        wanted = []
        while not self.position.winner():
            move = self.rng.choice(legal(self.position, self.throw()))
            self.end(move.after)
            self.position = move.after
            wanted.append(GAME.write(move.after))
        self.board.press(self.board.state.side)
        self.show(self.position, 5)
        events = self.board.events()
        told = [e["fen"] for e in events if e["event"] == "move"]
        right = sum(a == b for a, b in zip(told, wanted, strict=False))
        alarms = [short(e) for e in events if e["event"] not in USUAL]
        self.tally.turns += len(wanted)
        self.tally.right += right
        self.tally.games += 1
        self.tally.clean += told == wanted
        self.tally.asked += sum(e["event"] == "unsure" for e in events)
        self.tally.alarms += alarms


def offences(seed: int, settled: bool, tally: Tally, turns: int) -> None:
    """Wrong turns of every code from positions of a game at random, each put right."""
    player = Player(seed, settled, "press", tally)
    for _ in range(turns):
        if player.position.winner():
            return
        roll = player.throw()
        by_code: dict[str, list[Position]] = {}
        for deed in deeds(player.position, roll):
            by_code.setdefault(deed.code, []).append(deed.after(player.position))
        move = player.rng.choice(legal(player.position, roll))
        if by_code:
            # the rarer codes first, so that each has its turn
            code = min(by_code, key=lambda c: (tally.staged[c], c))
            tally.staged[code] += 1
            before = len(player.board.effects)
            player.end(player.rng.choice(by_code[code]))
            player.show(player.position, 2)
            said = player.board.said(before)
            tally.noticed[f"{code} as {_first(said)}"] += 1
            # whatever was said: the board is put as it was, and the position is told
            player.board.command("correct", GAME.write(move.after), "arbiter")
            player.board.dice = ()
        else:
            player.end(move.after)
        player.position = move.after
        player.show(move.after, 1.4)


def _first(said: list[str]) -> str:
    offence = next((text.split()[1] for text in said if text.startswith("offence")), None)
    return offence or next((text.split()[0] for text in said if text != "covered"), "nothing")


@click.command()
@click.option("--games", default=2, show_default=True, help="Games of each kind.")
@click.option("--staged", default=2, show_default=True, help="Games with wrong turns.")
@click.option("--seed", default=0, show_default=True)
def main(games: int, staged: int, seed: int) -> None:
    """Play, and print what came of it."""
    tally = Tally()
    for number in range(seed, seed + games):
        for settled in (False, True):
            for ending in ENDINGS:
                Player(number, settled, ending, tally).game()
    for number in range(seed, seed + staged):
        offences(number, bool(number % 2), tally, 60)
    steps = sorted(tally.steps)
    click.echo(f"turns {tally.right} of {tally.turns} as played; games {tally.clean} of "
               f"{tally.games} without an error; asked {tally.asked} times")  # fmt: skip
    click.echo(f"false alarms {len(tally.alarms)} {tally.alarms[:10]}")
    for text, count in sorted(tally.noticed.items()):
        click.echo(f"  {text}: {count} of {tally.staged[text.split()[0]]}")
    click.echo(f"a step: median {1e3 * steps[len(steps) // 2]:.1f} ms, most {1e3 * steps[-1]:.1f}")


if __name__ == "__main__":
    main()

"""Whole nardi games before made-up eyes: ``python -m tests.benchmarks.nardi_session --games 20``.

People throw, think, move with a hand over the board, adjust, pick dice up early or late; dice are
read late, blurred, not at all, or lean; tall stacks are misjudged for as long as they stand, and
points are misread for a while.  Who is asked for a roll or a count tells it at every other time.
Wrong turns of every code are staged and put right.  Nothing here is a picture: it says what the
session makes of percepts that are as good as that.  Prints turns as they stand in the record when
the game is over, games without an error there, turns that were written otherwise at first, false
alarms, wrong turns that were noticed, and the time of a percept on one thread; with ``--log`` every
miss and false alarm.
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
from tests.benchmarks.nardi_positions import RARE, staged_in
from tests.device.nardi.conftest import GAME, Table
from tests.device.tables import short
from vision.nardi.fake import FakeEyes, die
from vision.nardi.percept import DieSeen

#: How a turn ends: the button, the dice picked up in sight or under a hand, or the next throw.
ENDINGS = ("press", "gone", "hands", "thrown")

#: What is said in a game in which nothing is wrong.
USUAL = ("board-found", "covered", "end", "move", "roll", "start-position", "takeback", "unsure")


@dataclass(slots=True)
class Tally:
    """What came of the games."""

    turns: int = 0
    right: int = 0
    games: int = 0
    clean: int = 0
    asked: int = 0
    amended: int = 0
    alarms: list[str] = field(default_factory=list)
    staged: Counter[str] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Trouble:
    """How bad the eyes are.

    Attributes:
        blur: checkers by which a stack of five is misjudged, standard deviation; more when taller.
        misread: chance that some point is surely misread while a scene lasts.
        dim: chance that some point can't be read while a scene lasts.
        late: chance that dice are read some time after they lie.
        blurred: chance a frame that a die can't be read in it.
        wrong: chance a frame that a die surely reads as another number.
        unread: chance a throw that one die can't be read at all.
    """

    blur: float = 0.35
    misread: float = 0.01
    dim: float = 0.05
    late: float = 0.2
    blurred: float = 0.03
    wrong: float = 0.002
    unread: float = 0.03


class Player:
    """Plays both sides at a table."""

    def __init__(
        self, seed: int, settled: bool, ending: str, tally: Tally, trouble: Trouble | None = None
    ) -> None:
        self.rng = random.Random(seed)
        self.trouble = trouble or Trouble(misread=0, dim=0, late=0, blurred=0, wrong=0, unread=0)
        eyes = {"seed": seed, "way": seed % 2, "blur": self.trouble.blur}
        self.board = Table(settled=settled, eyes=eyes)
        self.eyes: FakeEyes = self.board.eyes
        self.ending, self.tally = ending, tally
        self.position = START
        self.first = {"w", "b"}
        self.unread: int | None = None
        self.look(START, 1.4)

    def look(self, position: Position, seconds: float, late: float = 0.0) -> list[dict[str, Any]]:
        """Let the camera look, and take the time of each step."""
        board, before = self.board, len(self.board.effects)
        errors = self.errors(position)
        for n, now in enumerate(board.frames(seconds)):
            dice = self.seen(unread=n < late * 5)
            percept = self.eyes.see(position, now, dice=dice, **errors)
            begun = time.thread_time()
            board.feed(percept)
            self.tally.steps.append(time.thread_time() - begun)
        return board.events(before)

    def errors(self, position: Position) -> dict[str, Any]:
        """What is misread for as long as a scene lasts; low stacks only, and not surely wrong."""
        rng, points = self.rng, range(1, 25)
        misread: dict[int, tuple[int, int]] = {}
        if rng.random() < self.trouble.misread:
            point = rng.choice(points)
            white, black = position.count("w", point), position.count("b", point)
            step = rng.choice((-1, 1))
            if white or black:
                misread[point] = (
                    max(0, white + step) if white else 0,
                    max(0, black + step) if black else 0,
                )
        dim = [rng.choice(points)] if rng.random() < self.trouble.dim else []
        return {"misread": misread, "dim": dim}

    def seen(self, unread: bool = False) -> tuple[DieSeen, ...]:
        """The dice as one frame shows them."""
        rng, shown = self.rng, []
        for n, lying in enumerate(self.board.dice):
            pips, p = lying.pips, lying.p
            if unread or n == self.unread or rng.random() < self.trouble.blurred:
                pips, p = 0, 0.4
            elif rng.random() < self.trouble.wrong:
                pips = rng.choice([other for other in range(1, 7) if other != pips])
            shown.append(die(pips, *lying.centre, p=p, cocked=lying.cocked))
        return tuple(shown)

    def throw(self, roll: Roll | None = None, cocked: bool = False) -> Roll:
        """Dice come to lie somewhere on one half of the board."""
        rng, trouble = self.rng, self.trouble
        if self.board.dice and not self.board.setup.settled:
            self.board.dice = ()
            self.board.hand(self.position, [9, 10, 11])
            self.look(self.position, 0.4)
        if roll is None:
            first = self.position.side in self.first
            roll = Roll((rng.randint(1, 6), rng.randint(1, 6)), first)
            self.first.discard(self.position.side)
        x = rng.choice((rng.uniform(0.03, 0.38), rng.uniform(0.55, 0.88)))
        y = rng.uniform(0.15, 0.85)
        near = (x + rng.uniform(-0.02, 0.08), y + rng.choice((-1, 1)) * rng.uniform(0.05, 0.1))
        one, two = rng.sample(roll.dice, 2)
        self.board.dice = (die(one, x, y), die(two, *near, cocked=cocked))
        self.unread = rng.randrange(2) if rng.random() < trouble.unread else None
        late = rng.uniform(0.2, 1.2) if rng.random() < trouble.late else 0.0
        self.look(self.position, rng.uniform(1.2, 2.4) + late, late)
        return roll

    def adjust(self, after: Position) -> None:
        """A checker is lifted for a moment and put back."""
        own = after.counts(after.side)
        point = self.rng.choice([n for n in range(1, 25) if own[n - 1]])
        counts = tuple(count - (n == point) for n, count in enumerate(own, 1))
        sides = {"w": after.white, "b": after.black} | {after.side: counts}
        lifted = Position(after.side, sides["w"], sides["b"], after.white_off, after.black_off)
        self.board.hand(after, [point])
        self.look(lifted, self.rng.uniform(0.4, 1.2))
        self.board.hand(after, [point])

    def end(self, after: Position) -> None:
        """The turn is played and over, in this table's way."""
        rng = self.rng
        self.board.hand(after, [rng.randint(1, 20) + k for k in range(4)], rng.randint(2, 6))
        if not self.board.setup.settled and rng.random() < 0.05:
            self.adjust(after)
        self.look(after, rng.uniform(0.8, 2.0))
        if self.ending == "press":
            self.board.press(self.board.state.side)
            self.look(after, 1.2)
        elif self.ending in ("gone", "hands"):
            self.board.dice = ()
            if self.ending == "hands":
                self.board.hand(after, [5, 6, 7, 8], 2)
            self.look(after, 1.4)

    def game(self, most: int = 400) -> None:
        """A whole game, each turn at random."""
        wanted: list[str] = []
        while not self.position.winner() and len(wanted) < most:
            if self.trouble.late and self.rng.random() < 0.03:
                self.throw(Roll((self.rng.randint(1, 6), 3)), cocked=True)
            roll = self.throw()
            self.tell(roll)
            self.answer()
            move = self.rng.choice(legal(self.position, roll))
            self.end(move.after)
            self.position = move.after
            wanted.append(GAME.write(move.after))
        self.board.press(self.board.state.side)
        self.look(self.position, 5)
        self.count(wanted)

    def tell(self, roll: Roll) -> None:
        """Whoever is asked for a roll that can't be read tells it, at every other time."""
        if self.unread is not None and self.board.state.bad == "unread" and self.rng.random() < 0.5:
            self.board.command("roll", roll.text, self.position.side)

    def answer(self) -> None:
        """Whoever is asked how many stand somewhere tells it, at every other time."""
        asked = self.board.state.asked
        if asked is not None and self.rng.random() < 0.5:
            count = self.position.count(asked.side, asked.point)
            self.board.command("count", f"{asked.point} {asked.side}{count}")

    def count(self, wanted: list[str]) -> None:
        """What was written of the turns that were played."""
        events, tally = self.board.events(), self.tally
        turns = self.board.state.game.turns
        told = [GAME.write(turned.after) for turned in turns if turned.stands]
        written = Counter(told)
        tally.turns += len(wanted)
        tally.right += sum(written[fen] > 0 for fen in wanted)
        tally.games += 1
        tally.clean += told == wanted
        tally.amended += sum(e["plies"] for e in events if e["event"] == "takeback")
        tally.asked += sum(e["event"] == "unsure" for e in events)
        alarms = [e for e in events if e["event"] not in USUAL]
        where = f"{self.ending} {self.rng.random():.3f}"
        tally.alarms += [f"{short(e)} at {e['t']} ({where})" for e in alarms]
        tally.missed += [f"not written: {fen} ({where})" for fen in wanted if not written[fen]]


def offences(
    seed: int, settled: bool, tally: Tally, turns: int, trouble: Trouble | None = None
) -> None:
    """Wrong turns of every code, each put right: most from a game at random, the rare ones made."""
    player = Player(seed, settled, "press", tally, trouble)
    for _ in range(turns):
        if player.position.winner():
            player.position = START
            told(player, START)
        dice = player.rng.randint(1, 6), player.rng.randint(1, 6)
        roll = Roll(dice, player.board.state.game.first)
        move = player.rng.choice(legal(player.position, roll))
        by_code: dict[str, list[Position]] = {"P1": [move.after]}
        if not settled and move.text != "pass":
            by_code["P4"] = [move.after]
        if move.text == "pass":
            del by_code["P1"]
        for deed in deeds(player.position, roll):
            by_code.setdefault(deed.code, []).append(deed.after(player.position))
        # the rarer codes first, so that each has its turn
        code = min((*by_code, *RARE), key=lambda c: (tally.staged[c], c))
        if code in by_code:
            staged(player, code, player.rng.choice(by_code[code]), roll)
        else:
            player.position, rare, wrong = staged_in(code, player.rng)
            told(player, player.position)
            staged(player, code, wrong, rare)
        # whatever was said: the board is put as it was, and the position is told
        player.position = move.after
        told(player, move.after)


def told(player: Player, position: Position) -> None:
    """The arbiter puts up a position and tells it."""
    player.board.command("correct", GAME.write(position), "arbiter")
    player.board.dice = ()
    player.look(position, 1.4)


def staged(player: Player, code: str, after: Position, roll: Roll) -> None:
    """One wrong turn: what was said first."""
    tally, board = player.tally, player.board
    tally.staged[code] += 1
    before = len(board.effects)
    player.throw(roll, cocked=code == "P1")
    player.tell(roll)
    if code == "P4":
        one, two = board.dice
        other = player.rng.choice([n for n in range(1, 7) if n != two.pips])
        turned = player.rng.random() < 0.5
        board.hand(player.position, [9, 10, 11])
        board.dice = (one, die(other, *two.centre)) if turned else (one,)
        player.look(player.position, 4)
    player.end(after)
    player.look(after, 3)
    if not any(event["event"] == "offence" for event in board.events(before)):
        # dice may hide a point: they are picked up
        board.dice = ()
        player.look(after, 3)
    said = board.events(before)
    codes = [event["code"] for event in said if event["event"] == "offence"]
    tally.noticed[f"{code} as {codes[0] if codes else 'nothing'}"] += 1
    if not codes:
        doubt = [str(event.get("message", "")) for event in said if event["event"] == "unsure"]
        rolled = [short(event) for event in said if event["event"] == "roll"]
        tally.missed.append(
            f"{code}: {GAME.write(player.position)} {roll.text} -> {GAME.write(after)}; "
            f"{rolled} {doubt[-1:]} unread {player.unread}"
        )


@click.command()
@click.option("--games", default=20, show_default=True, help="Whole games before a camera.")
@click.option("--staged", default=4, show_default=True, help="Games with wrong turns.")
@click.option("--turns", default=60, show_default=True, help="Wrong turns in each of those.")
@click.option("--settled", is_flag=True, help="Settled pictures instead of a running camera.")
@click.option("--seed", default=0, show_default=True)
@click.option("--easy", is_flag=True, help="Eyes without trouble.")
@click.option("--log", is_flag=True, help="List every miss and false alarm.")
def main(
    games: int, staged: int, turns: int, settled: bool, seed: int, easy: bool, log: bool
) -> None:
    """Play, and print what came of it."""
    tally, trouble = Tally(), None if easy else Trouble()
    for number in range(seed, seed + games):
        Player(number, settled, ENDINGS[number % len(ENDINGS)], tally, trouble).game()
        click.echo(f"game {number}: {tally.right}/{tally.turns} turns, {tally.clean} clean, "
                   f"{len(tally.alarms)} alarms", err=True)  # fmt: skip
    for number in range(seed, seed + staged):
        offences(number, settled, tally, turns, trouble)
    report(tally, log)


def report(tally: Tally, log: bool) -> None:
    """Print the figures."""
    steps = sorted(tally.steps)
    if tally.games:
        click.echo(f"turns {tally.right} of {tally.turns} as played; games {tally.clean} of "
                   f"{tally.games} without an error; {tally.amended} turns were told otherwise at "
                   f"first; asked {tally.asked} times")  # fmt: skip
        click.echo(f"false alarms {len(tally.alarms)}")
    for text, count in sorted(tally.noticed.items()):
        click.echo(f"  {text}: {count} of {tally.staged[text.split()[0]]}")
    told = sum(n for text, n in tally.noticed.items() if not text.endswith("nothing"))
    named = sum(n for text, n in tally.noticed.items() if text.split()[0] == text.split()[2])
    click.echo(f"staged {sum(tally.staged.values())}: noticed {told}, rightly named {named}")
    at = [steps[int(share * (len(steps) - 1))] * 1e3 for share in (0.5, 0.99, 1.0)]
    click.echo(f"a percept: median {at[0]:.1f}, p99 {at[1]:.1f}, most {at[2]:.1f} ms")
    for line in (*tally.alarms, *tally.missed) if log else ():
        click.echo(f"  {line}")


if __name__ == "__main__":
    main()

"""Whole games before made-up eyes: what the session gets right, misses and invents.

    python tests/benchmarks/session_games.py --games 20 --surety 6 --spread 1.5 --misread 0.03

People play at random, as people do: hands cover the board, men are lifted one by one and late,
pieces are adjusted, replies come under the same hand, moves are taken back, and wrong deeds are
done and put right.  The eyes misread squares for a whole scene at a time.  It says nothing of
pictures; it says what the session makes of percepts that are as good as that.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from device.session import Setup, begin, step
from device.session_values import Publish
from rules.draughts.game import DraughtsGame
from rules.draughts.position import Move, Position
from rules.verdict import Offence
from vision.fake import FakeEyes
from vision.percept import Percept

FRAME_NS = 200_000_000
GAMES = ("italian", "russian", "international", "english", "giveaway")


@dataclass
class Story:
    """What was really done, and what was told."""

    texts: list[str] = field(default_factory=list)
    staged: list[str] = field(default_factory=list)
    noticed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    unsure: int = 0
    delays: list[float] = field(default_factory=list)


class Players:
    """Two people, a board, and a camera."""

    def __init__(self, name: str, seed: int, options: argparse.Namespace) -> None:
        self.game = DraughtsGame.by_name(name)
        self.rng = random.Random(seed)
        self.options = options
        self.eyes = FakeEyes(
            self.game.board, self.rng.randrange(4), seed, options.surety, options.spread
        )
        self.state = begin(Setup(name))
        self.now = 0
        self.story = Story()
        self.board = self.game.start()
        self.events: list[dict[str, Any]] = []

    def look(self, seconds: float, board: Position | None = None, hand: bool = False) -> None:
        """The camera looks for a while; squares may be misread all that time."""
        shown = self.board if board is None else board
        errors = {} if hand else self._errors()
        middle = range(self.game.board.count // 3, self.game.board.count // 2)
        covered = {"covered": middle, "motion": 0.2} if hand else {}
        for _ in range(max(1, round(seconds * 5))):
            self.now += FRAME_NS
            self.feed(self.eyes.see(shown, self.now, **errors, **covered))  # type: ignore[arg-type]

    def feed(self, percept: Percept) -> None:
        """One percept into the session."""
        self.state, effects = step(self.state, percept)
        for effect in effects:
            if isinstance(effect, Publish):
                self.events.append(dict(effect.event))

    def _errors(self) -> dict[str, Any]:
        squares = range(1, self.game.board.count + 1)
        chance = self.options.misread
        misread = {n: self.rng.choice(".wb") for n in squares if self.rng.random() < chance / 8}
        dim = [n for n in squares if self.rng.random() < chance / 4]
        return {"misread": misread, "dim": dim}

    def play(self, plies: int) -> None:
        """A game."""
        self.look(2)
        while not any(e["event"] == "start-position" for e in self.events) and self.now < 60e9:
            self.look(1)
        made = 0
        while made < plies and self.game.moves(self.board):
            what = self.rng.random()
            if what < 0.05:
                self._adjust()
            elif what < 0.05 + self.options.offences:
                self._offend()
            elif what < 0.08 + self.options.offences and made:
                self._take_back()
            quick = 1 + (self.rng.random() < 0.15) + (self.rng.random() < 0.05)
            for number in range(quick):
                moves = self.game.moves(self.board)
                if moves:
                    self._move(self.rng.choice(moves), last=number == quick - 1)
                    made += 1
        self.look(6)

    def _move(self, move: Move, last: bool) -> None:
        self.story.texts.append(self.game.text(self.board, move))
        self.look(self.rng.uniform(0.3, 1.2), hand=True)
        if move.taken and self.rng.random() < 0.5:
            self._lift_one_by_one(move)
        self.board = move.after
        if last:
            begun = self.now
            before = len(self.events)
            self.look(1.4)
            told = [e for e in self.events[before:] if e["event"] == "move"]
            if told:
                self.story.delays.append(told[-1]["t"] - begun / 1e9)
            self.look(self.rng.uniform(0.2, 3))

    def _lift_one_by_one(self, move: Move) -> None:
        """The piece stands on its last square; the captured men go one by one."""
        pieces = dict(move.after.pieces())
        left = {n: self.board.piece(n) for n in move.taken}
        order = list(left)
        self.rng.shuffle(order)
        for square in order:
            stands = Position.of({**pieces, **left}, move.after.side)
            self.look(self.rng.uniform(0.4, 1.6), stands)
            self.look(0.4, stands, hand=True)
            del left[square]

    def _adjust(self) -> None:
        """A piece is lifted for a moment and put back."""
        square = self.rng.choice(list(self.board.pieces()))
        pieces = {n: p for n, p in self.board.pieces().items() if n != square}
        self.look(0.4, hand=True)
        self.look(self.rng.uniform(0.4, 1.5), Position.of(pieces, self.board.side))
        self.look(0.4, hand=True)
        self.look(0.6)

    def _offend(self) -> None:
        """A wrong deed, which is put right when it was told, or after a while."""
        before = self.board
        deed = self.rng.choice(list(self.game.deeds(before)))
        pieces = {**before.pieces(), **dict(deed.changes)}
        wrong = Position.of({n: p for n, p in pieces.items() if p != "."}, before.side)
        verdict = self.game.judge(before, wrong)
        if not isinstance(verdict, Offence) or (wrong.white, wrong.black) in {
            (m.after.white, m.after.black) for m in self.game.moves(before)
        }:
            return
        self.story.staged.append(verdict.code)
        self.look(0.6, hand=True)
        count = len(self.events)
        for _ in range(12):
            self.look(1, wrong)
            codes = [e["code"] for e in self.events[count:] if e["event"] == "offence"]
            if codes:
                same = codes[0] == verdict.code
                self.story.noticed.append(verdict.code if same else f"{verdict.code}>{codes[0]}")
                break
        for event in self.events[count:]:
            event["staged"] = True
        self.look(0.6, wrong, hand=True)
        self.look(1.5)

    def _take_back(self) -> None:
        """The last move is taken back."""
        match = self.state.match
        if match.pending or match.position != self.board or len(match.seen) < 2:
            return
        self.look(0.5, hand=True)
        self.board = match.seen[-2]
        self.story.texts.pop()
        self.look(1.5)

    def idle(self, hours: float) -> None:
        """Nobody moves: people lean over, rest an arm, adjust pieces, talk."""
        self.look(2)
        for _ in range(6):
            self._move(self.rng.choice(self.game.moves(self.board)), last=True)
        self.look(3)
        until = self.now + hours * 3600e9
        while self.now < until:
            what = self.rng.random()
            if what < 0.3:
                self.look(self.rng.uniform(0.3, 8), hand=True)
            elif what < 0.5:
                self._adjust()
            elif what < 0.6:
                arm = self.rng.sample(range(1, self.game.board.count + 1), 3)
                for _ in range(round(self.rng.uniform(5, 60))):
                    self.now += FRAME_NS
                    self.feed(self.eyes.see(self.board, self.now, covered=arm))
            else:
                self.look(self.rng.uniform(2, 60))

    def finish(self) -> Story:
        """What became of it."""
        told = [e for e in self.events if e["event"] == "offence" and "staged" not in e]
        self.story.false = [e["code"] for e in told]
        self.story.unsure = sum(e["event"] == "unsure" for e in self.events)
        return self.story


def texts_of(players: Players) -> list[str]:
    """The moves in the record; a board that stood is ``?``."""
    match = players.state.match
    told = []
    for before, ply in zip(match.seen, match.plies, strict=False):
        move = getattr(ply, "move", None)
        told.append(players.game.text(before, move) if move else "?")
    return told


def wrong_in(want: list[str], got: list[str]) -> int:
    """Edit distance."""
    row = list(range(len(got) + 1))
    for i, a in enumerate(want, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(got, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def idle(options: argparse.Namespace) -> None:
    """Watch a board at which nobody moves, and print what was told all the same."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    players = Players("russian", options.seed, options)
    players.idle(options.idle)
    told = Counter(event["event"] for event in players.events)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    sys.stdout.write(
        f"{options.idle} h, {len(players.story.texts)} moves made: told {dict(told)}; "
        f"memory grew by {grown:.1f} MiB\n"
    )


def main() -> None:
    """Play the games and print the sums."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--plies", type=int, default=70)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--surety", type=float, default=7.0)
    parser.add_argument("--spread", type=float, default=1.3)
    parser.add_argument("--misread", type=float, default=0.0, help="chance a square and scene")
    parser.add_argument("--offences", type=float, default=0.03, help="chance a turn")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--idle", type=float, default=0.0, help="hours in which nobody moves")
    options = parser.parse_args()
    if options.idle:
        idle(options)
        return
    plies = errors = perfect = 0
    codes: Counter[str] = Counter()
    staged: Counter[str] = Counter()
    false: list[str] = []
    delays: list[float] = []
    unsure = 0
    for number in range(options.games):
        players = Players(GAMES[number % 5], options.seed + number, options)
        players.play(options.plies)
        story, got = players.finish(), texts_of(players)
        wrong = wrong_in(story.texts, got)
        plies, errors, perfect = plies + len(story.texts), errors + wrong, perfect + (not wrong)
        codes.update(story.noticed)
        staged.update(story.staged)
        false += story.false
        unsure += story.unsure
        delays += story.delays
        if options.show and (wrong or story.false or len(story.noticed) < len(story.staged)):
            name = players.game.name
            told = f"false {story.false}, staged {story.staged} {story.noticed}"
            sys.stdout.write(f"seed {options.seed + number} {name}: wrong {wrong}, {told}\n")
    delays.sort()
    half, most = delays[len(delays) // 2], delays[len(delays) * 95 // 100]
    right = sum(count for code, count in codes.items() if ">" not in code)
    sys.stdout.write(
        f"{options.games} games, {plies} plies: {errors} wrong, {perfect} games without an error; "
        f"offences {sum(staged.values())}, noticed {sum(codes.values())}, by name {right}; "
        f"false alarms {len(false)} {dict(Counter(false))}; unsure {unsure}; "
        f"move told after {half:.2f} s, p95 {most:.2f} s\n"
    )
    named = {code: count for code, count in codes.items() if ">" in code}
    if named:
        sys.stdout.write(f"by other names: {named}\n")


if __name__ == "__main__":
    main()

"""Kill the referee at random instants and let it go on: ``python -m tests.benchmarks.kill_nine``.

A child watches a game through made-up eyes and writes every move that it tells to a pipe; it is
killed (SIGKILL) after a random while, and the next child goes on with the same folder.  Each time
the journal must hold every move that was told, and no other; at the end it must replay.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device import journal
from device.app import Watch
from device.replay import replay
from device.resume import rebuilt
from device.session_values import Button, Json, Setup
from device.signals import NoSignaller
from rules.draughts.game import DraughtsGame
from rules.nardi.board import START
from rules.nardi.dice import Roll
from rules.nardi.game import NardiGame
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.nardi.fake import FakeEyes as NardiEyes
from vision.nardi.fake import die
from vision.percept import Percept

RUSSIAN, NARDI = DraughtsGame.by_name("russian"), NardiGame()
FRAME_NS = 200_000_000
PLIES = 60


class NoEyes:
    """Percepts are made elsewhere."""

    def see(self, frame: Frame) -> Percept:
        """Never asked: whoever does has taken the wrong way."""
        raise AssertionError("percepts are made elsewhere")

    def learn(self, grid: tuple[str, ...]) -> None:
        """Learn nothing."""


@dataclass(frozen=True)
class Game:
    """How a game is made up, played before the camera, and found in a journal.

    Attributes:
        name: of the game.
        field: of the event ``move`` that is written to the pipe.
        script: moves at random by a seed, each with what that field says of it.
        play: (run, script, now): play what the run has not seen yet.
        kept: what the moves of a session's state would say in that field.
    """

    name: str
    field: str
    script: Callable[[int], list[tuple[str, Any]]]
    play: Callable[[Watch, list[tuple[str, Any]], int], None]
    kept: Callable[[Any], list[str]]


def _draughts_script(seed: int) -> list[tuple[str, Any]]:
    rng, position = random.Random(seed), RUSSIAN.start()
    told: list[tuple[str, Any]] = []
    while len(told) < PLIES and (moves := RUSSIAN.moves(position)):
        move = rng.choice(moves)
        told.append((RUSSIAN.text(position, move), move.after))
        position = move.after
    return told


def _draughts_play(run: Watch, script: list[tuple[str, Any]], now: int) -> None:
    eyes, position = FakeEyes(RUSSIAN.board, seed=now % 1000), run.state.position

    def look(frames: int, **more: Any) -> None:
        nonlocal now
        for _ in range(frames):
            now += FRAME_NS
            run.feed(eyes.see(position, now, **more))

    look(5)
    for _, after in script[len(run.state.match.plies) :]:
        look(2, covered=range(8, 20), motion=0.2)
        position = after
        look(4)


def _draughts_kept(state: Any) -> list[str]:
    moves = (ply.move for ply in state.match.plies if hasattr(ply, "move"))
    return [RUSSIAN.text(at, move) for at, move in zip(state.match.seen, moves, strict=False)]


def _nardi_script(seed: int) -> list[tuple[str, Any]]:
    rng, position, told = random.Random(seed), START, list[tuple[str, Any]]()
    while len(told) < PLIES and not position.winner():
        roll = Roll((rng.randint(1, 6), rng.randint(1, 6)), len(told) < 2)
        after = rng.choice(NARDI.moves(position, roll)).after
        told.append((NARDI.write(after), (after, roll.dice)))
        position = after
    return told


def _nardi_play(run: Watch, script: list[tuple[str, Any]], now: int) -> None:
    eyes, dice, position = NardiEyes(seed=now % 1000, blur=0.1), (), run.state.position

    def look(frames: int, **more: Any) -> None:
        nonlocal now
        for _ in range(frames):
            now += FRAME_NS
            run.feed(eyes.see(position, now, dice=dice, **more))

    first = len(run.state.game.turns)
    if first and run.state.game.roll is None:
        dice = _dice(first - 1, script[first - 1][1][1])
    look(5)
    for number, (_, (after, roll)) in enumerate(script[first:], first):
        dice = _dice(number, roll)
        look(5)
        look(2, covered=(1, 2, 3), motion=0.2)
        position = after
        look(4)
        side: Any = "clock_black" if number % 2 else "clock_white"
        run.feed(Button(side, True, now))
        look(4)


def _dice(number: int, roll: tuple[int, int]) -> tuple[Any, ...]:
    x = 0.7 if number % 2 else 0.2
    return die(roll[0], x, 0.46 + 0.01 * (number % 7)), die(roll[1], x + 0.1, 0.5)


def _nardi_kept(state: Any) -> list[str]:
    return [NARDI.write(turn.after) for turn in state.game.turns if turn.stands]


GAMES = {
    "russian": Game("russian", "text", _draughts_script, _draughts_play, _draughts_kept),
    "nardi": Game("nardi", "fen", _nardi_script, _nardi_play, _nardi_kept),
}


def child(game: Game, folder: Path, script: list[tuple[str, Any]], told: int, now: int) -> None:
    """Watch the game from where it is to its end; write what is told to ``told``."""

    def publish(event: Json) -> None:
        if event["event"] == "move":
            os.write(told, f"{event[game.field]}\n".encode())

    path = folder / "journal.jsonl"
    past = journal.read(path) if path.exists() and path.stat().st_size else None
    if past is None and path.exists():
        path.unlink()
    run = Watch(Setup(game.name), NoEyes(), NoSignaller(), folder, publish, {}, {}, past)
    game.play(run, script, now)
    os._exit(0)


def kept(game: Game, folder: Path) -> list[str]:
    """The moves with which the game goes on."""
    path = folder / "journal.jsonl"
    if not path.exists() or not path.stat().st_size:
        return []
    return game.kept(rebuilt(journal.read(path)).state)


def main() -> None:
    """Kill so often, and print what was lost and invented."""
    parser = argparse.ArgumentParser(description="Kill the referee at random instants.")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.5, help="the longest while")
    parser.add_argument("--game", choices=GAMES, default="russian")
    options = parser.parse_args()
    game = GAMES[options.game]
    rng = random.Random(options.seed)
    lost = invented = kills = games = moves = differ = 0
    while kills < options.kills:
        folder, script = Path(tempfile.mkdtemp()), game.script(options.seed + games)
        texts = [text for text, _ in script]
        told: list[str] = []
        games += 1
        while kills < options.kills:
            out, into = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(out)
                child(game, folder, script, into, rng.randrange(1 << 40))
            os.close(into)
            time.sleep(rng.uniform(0.0, options.seconds))
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            with os.fdopen(out) as lines:
                told += [line.rstrip("\n") for line in lines]
            kills += os.WIFSIGNALED(status)
            stands = kept(game, folder)
            lost += stands[: len(told)] != told
            invented += stands != texts[: len(stands)]
            if not os.WIFSIGNALED(status) or lost or invented:
                break
            told = stands
        moves += len(told)
        if told:
            differ += len(replay(journal.read(folder / "journal.jsonl")).differences)
        shutil.rmtree(folder)
    sys.stdout.write(
        f"{kills} kills, {games} games, {moves} moves: {lost} lost, {invented} invented, "
        f"{differ} effects replay otherwise\n"
    )


if __name__ == "__main__":
    main()

"""Kill the referee at random instants and let it go on: ``python tests/benchmarks/kill_nine.py``.

A child watches a game through made-up eyes and writes every move that it tells to a pipe; it is
killed (SIGKILL) after a random while, and the next child goes on with the same folder.  Each time
the journal must hold every move that was told, and no other.
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
from pathlib import Path

from device import journal
from device.app import Watch
from device.resume import rebuilt
from device.session_values import Json, Setup
from device.signals import NoSignaller
from rules.draughts.game import DraughtsGame
from vision.fake import FakeEyes
from vision.frame import Frame
from vision.percept import Percept

GAME = DraughtsGame.by_name("russian")
FRAME_NS = 200_000_000


class NoEyes:
    """Percepts are made elsewhere."""

    def see(self, frame: Frame) -> Percept:
        """Never asked."""
        raise NotImplementedError

    def learn(self, grid: tuple[str, ...]) -> None:
        """Learn nothing."""


def script(seed: int, plies: int = 60) -> list[str]:
    """Moves of a game at random."""
    rng, position = random.Random(seed), GAME.start()
    texts: list[str] = []
    while len(texts) < plies and (moves := GAME.moves(position)):
        move = rng.choice(moves)
        texts.append(GAME.text(position, move))
        position = move.after
    return texts


def child(folder: Path, texts: list[str], told: int, now: int) -> None:
    """Watch the game from where it is to its end; write what is told to ``told``."""

    def publish(event: Json) -> None:
        if event["event"] == "move":
            os.write(told, f"{event['text']}\n".encode())

    path = folder / "journal.jsonl"
    past = journal.read(path) if path.exists() and path.stat().st_size else None
    if past is None and path.exists():
        path.unlink()
    run = Watch(Setup("russian"), NoEyes(), NoSignaller(), folder, publish, {}, {}, past)
    eyes = FakeEyes(GAME.board, seed=now % 1000)

    def look(frames: int, hand: bool = False) -> None:
        nonlocal now
        for _ in range(frames):
            now += FRAME_NS
            if hand:
                run.feed(eyes.see(position, now, covered=range(8, 20), motion=0.2))
            else:
                run.feed(eyes.see(position, now))

    position = run.state.position
    look(5)
    for text in texts[len(run.state.match.plies) :]:
        look(2, hand=True)
        position = GAME.parse_move(position, text).after
        look(4)
    os._exit(0)


def kept(folder: Path) -> list[str]:
    """The moves with which the game goes on."""
    path = folder / "journal.jsonl"
    if not path.exists() or not path.stat().st_size:
        return []
    match = rebuilt(journal.read(path)).state.match
    moves = (ply.move for ply in match.plies if hasattr(ply, "move"))
    return [GAME.text(here, move) for here, move in zip(match.seen, moves, strict=False)]


def main() -> None:
    """Kill so often, and print what was lost and invented."""
    parser = argparse.ArgumentParser(description="Kill the referee at random instants.")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.5, help="the longest while")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    lost = invented = kills = games = moves = 0
    while kills < options.kills:
        folder, texts = Path(tempfile.mkdtemp()), script(options.seed + games)
        told: list[str] = []
        games += 1
        while kills < options.kills:
            out, into = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(out)
                child(folder, texts, into, rng.randrange(1 << 40))
            os.close(into)
            time.sleep(rng.uniform(0.0, options.seconds))
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            with os.fdopen(out) as lines:
                told += [line.rstrip("\n") for line in lines]
            kills += os.WIFSIGNALED(status)
            stands = kept(folder)
            lost += stands[: len(told)] != told
            invented += stands != texts[: len(stands)]
            if not os.WIFSIGNALED(status) or lost or invented:
                break
            told = stands
        moves += len(told)
        shutil.rmtree(folder)
    sys.stdout.write(
        f"{kills} kills, {games} games, {moves} moves: {lost} lost, {invented} invented\n"
    )


if __name__ == "__main__":
    main()

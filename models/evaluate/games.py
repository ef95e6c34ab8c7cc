"""The game bench: whole games in front of the referee, on sets and cameras kept out of training.

    python -m models.evaluate.games --games 40 --out FOLDER     # goes on where it was stopped
    python -m models.evaluate.games --idle 12 --out FOLDER      # boards that nobody plays on
    python -m models.evaluate.games --games 60 --given --out FOLDER   # the session without eyes
    python -m models.evaluate.games --games 40 --rescue --out FOLDER  # of a run that was stopped
    python -m models.evaluate.games --summary --out FOLDER      # writes into BENCHMARKS.md

Games are drawn in memory, seen by the very pipeline of ``toreshi watch``, and scored against what
was played.  Each game is a line of ``games.jsonl``; of those with misses journal, record and
pictures are kept beside it.  Which games, sets and offences follows from seed and number alone.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import cv2

from rules.draughts.game import NAMES, DraughtsGame
from vision.model import SquareModel

from .games_disturb import idle
from .games_given import CLEAN, NOISY, Noise
from .games_report import HASHES, Hashes, hashes, write_section
from .games_rescue import rescued
from .games_score import Row, scored
from .games_story import rng_of, story
from .games_watch import Log, Plan, watched

ROOT = Path(__file__).parents[2]
WEIGHTS = ROOT / "models" / "weights" / "squares.onnx"

#: Plies of a game, and minutes of a board that nobody plays on.
PLIES, MINUTES = 60, 4.0

#: Mode and clock of game 0, 5, 10, ... of each variant in turn.
TABLES = (("home", False), ("club", False), ("club", True))


#: How noisy eyes see kings, game after game.
KINGS = ("vague", "two-tone", "shown")


def plans(count: int, seed: int, variant: str | None) -> list[Plan]:
    """Which games: the variants in turn, the modes in turn for each."""
    names = NAMES if variant is None else (variant,)
    made = []
    for number in range(count):
        mode, clocked = TABLES[number // len(names) % len(TABLES)]
        made.append(Plan(number, names[number % len(names)], seed, mode, clocked))
    return made


def run_one(
    plan: Plan, out: Path, weights: Path | None, plies: int, minutes: float, noise: Noise = CLEAN
) -> Row:
    """Play and score one game, or an idle board where ``minutes`` is above 0."""
    cv2.setNumThreads(1)
    if noise != CLEAN:
        noise = replace(noise, kings=KINGS[plan.number % len(KINGS)])
    game, rng = DraughtsGame.by_name(plan.game), rng_of(plan.seed, plan.number, 1)
    unseen = frozenset(("O14",)) if noise.kings == "vague" else frozenset[str]()
    acts = idle(game, rng, minutes) if minutes else story(
        game, rng, plies, plan.mode, plan.clocked, unseen
    )  # fmt: skip
    folder = out / ("idle" if minutes else "games") / plan.name
    shutil.rmtree(folder, ignore_errors=True)
    if weights:
        log = watched(plan, acts, SquareModel(weights), folder, noise)
    else:
        log = watched(plan, acts, None, None, noise)
    row = scored(log)
    if row["misses"]:
        keep_pictures(log, row, folder)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return row


def keep_pictures(log: Log, row: Row, folder: Path) -> None:
    """The picture before and at each miss, and the list of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for miss in row["misses"]:
        for name, at in (("before", miss["at"] - 3), ("at", miss["at"] + 0.4)):
            data = log.picture(at)
            if data is not None:
                path = folder / f"miss-{miss['at']:07.1f}-{miss['kind'].replace(' ', '-')}-{name}"
                path.with_name(path.name + ".jpg").write_bytes(data)
    (folder / "misses.json").write_text(json.dumps(row["misses"], indent=1) + "\n", "utf-8")
    told = "".join(json.dumps(event) + "\n" for event in log.told)
    (folder / "told.jsonl").write_text(told, "utf-8")


def done_rows(path: Path) -> Iterator[Row]:
    """Games that were played before; a torn last line is passed over."""
    if not path.exists():
        return
    for line in path.read_text("utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def wanted(chosen: Iterable[Plan], path: Path, stamps: Hashes) -> list[Plan]:
    """Plans that were not yet played with these weights and this code."""
    done = {row["name"] for row in done_rows(path) if all(row[k] == stamps[k] for k in HASHES)}
    return [plan for plan in chosen if plan.name not in done]


def rescue_all(todo: list[Plan], out: Path, plies: int, stamps: Hashes) -> None:
    """Score the games of which there is a journal and no line yet."""
    for plan in todo:
        folder = out / "games" / plan.name
        if not (folder / "journal.jsonl").exists():
            continue
        game, rng = DraughtsGame.by_name(plan.game), rng_of(plan.seed, plan.number, 1)
        acts = story(game, rng, plies, plan.mode, plan.clocked)
        row = rescued(plan, acts, folder)
        if row is not None:
            with (out / "games.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps({**row, **stamps}) + "\n")


def played(job: Callable[[Plan], Row], todo: list[Plan], workers: int) -> Iterator[Row]:
    """The games one after the other, or so many at a time."""
    if workers == 1:
        yield from map(job, todo)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(job, todo)


@click.command()
@click.option("--games", "count", default=0, help="Whole games.")
@click.option("--idle", "idles", default=0, help="Boards that nobody plays on.")
@click.option("--plies", default=PLIES, show_default=True, help="Most plies of a game.")
@click.option("--minutes", default=MINUTES, show_default=True, help="Of each idle board.")
@click.option("--variant", type=click.Choice(NAMES), help="One of the five games only.")
@click.option("--seed", default=1, show_default=True)
@click.option("--workers", default=1, show_default=True)
@click.option("--weights", type=click.Path(path_type=Path), default=WEIGHTS)
@click.option("--out", type=click.Path(path_type=Path), default=Path("games-out"))
@click.option("--given", is_flag=True, help="Nothing drawn, all read right: the session alone.")
@click.option("--noisy", is_flag=True, help="With --given: read right but for now and then.")
@click.option("--rescue", is_flag=True, help="Score games whose run was stopped, so far.")
@click.option("--summary", is_flag=True, help="Write the section of BENCHMARKS.md.")
def main(
    count: int, idles: int, plies: int, minutes: float, variant: str | None, seed: int,
    workers: int, weights: Path, out: Path, given: bool, noisy: bool, rescue: bool, summary: bool,
) -> None:  # fmt: skip
    """Score the referee on whole drawn games."""
    out.mkdir(parents=True, exist_ok=True)
    stamps = hashes(ROOT, weights)
    if rescue:
        rescue_all(
            wanted(plans(count, seed, variant), out / "games.jsonl", stamps), out, plies, stamps
        )
        count = 0
    mark = ("noisy-" if noisy else "given-") if given else ""
    for number, minute, name in (
        (count, 0.0, f"{mark}games.jsonl"),
        (idles, minutes, f"{mark}idle.jsonl"),
    ):
        todo = wanted(plans(number, seed, variant), out / name, stamps)
        network = None if given else weights
        job = partial(
            run_one, out=out, weights=network, plies=plies, minutes=minute,
            noise=NOISY if given and noisy else CLEAN,
        )  # fmt: skip
        for row in played(job, todo, workers):
            with (out / name).open("a", encoding="utf-8") as file:
                file.write(json.dumps({**row, **stamps}) + "\n")
            told = sum(o["said"] != "" for o in row["offences"])
            click.echo(
                f"{row['name']}: {row['right']}/{row['plies']} moves, {told}/"
                f"{len(row['offences'])} offences, {len(row['false'])} false alarms, "
                f"{row['frames']} frames, {sum(row['cost'].values()):.0f} s"
            )
    if summary:
        games, quiet, unseen, unseen_quiet = (
            [row for row in done_rows(out / name) if all(row[k] == stamps[k] for k in HASHES)]
            for name in ("games.jsonl", "idle.jsonl", "given-games.jsonl", "given-idle.jsonl")
        )
        page = ROOT / "BENCHMARKS.md"
        write_section(page, (games, quiet), (unseen, unseen_quiet), stamps)


if __name__ == "__main__":
    main()

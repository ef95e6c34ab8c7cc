"""``python -m models.synth.nardi_demo``: the game that ``toreshi demo --game nardi`` plays.

A short game: an opening throw, then turns of which one is left unfinished and put right.  Drawn
frame by frame: the dice roll out, a hand comes, the checkers lie elsewhere, the dice are picked up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from rules.nardi.board import START, Position
from rules.nardi.deeds import deeds
from rules.nardi.dice import Roll
from rules.nardi.moves import legal

from .arrays import Array, Rng
from .camera import Camera, axes_of, sample_lens
from .hand import sample_hand, sample_look
from .light import sample_light
from .nardi_extras import Thing
from .nardi_layout import Checker, checkers_of
from .nardi_scene import SIZE, NardiScene, framed, render_nardi
from .nardi_style import NardiStyle, sample_nardi_style

FPS = 2.5
PICTURE = (960, 720)
QUALITY = 40

#: Still frames: of dice that came to rest, of checkers that were played, of a board without dice.
DICE, PLAYED, EMPTY = 3, 3, 3
#: A hand is over the board for so many; the players take so long to see an alarm, and to be right.
HAND, STARTLED, RIGHT = 1, 8, 4

#: The turn that is left unfinished first, counted from 0.
WRONG_AT = 3

#: Points in the order of a scene's counts: the far row from left to right, then the near one.
ORDER = (*range(13, 25), *range(12, 0, -1))


@dataclass(frozen=True, slots=True)
class Page:
    """Some equal frames: what stands, the dice as (pips, x, y), and whether a hand is there."""

    position: Position
    dice: tuple[tuple[int, float, float], ...]
    frames: int
    hand: bool = False


def story(turns: int, rng: Rng) -> tuple[list[Page], list[dict[str, Any]]]:
    """The pages of a game of so many turns, and what each turn is."""
    position = START
    told: list[dict[str, Any]] = [{"opening": [3, 5]}]
    left, right = (3, 0.21, 0.5), (5, 0.78, 0.53)
    pages = [
        Page(START, (), EMPTY + 1), Page(START, (left,), DICE + 2),
        Page(START, (left, right), DICE), Page(START, (), EMPTY),
    ]  # fmt: skip
    first = {"w", "b"}
    for turn in range(turns):
        dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        roll = Roll(dice, position.side in first)
        first.discard(position.side)
        half, y = (0.1, 0.6)[turn % 2], float(rng.uniform(0.44, 0.5))
        x = half + float(rng.uniform(0.0, 0.12))
        lie = ((dice[0], x, y), (dice[1], x + float(rng.uniform(0.06, 0.12)), y + 0.06))
        moves = legal(position, roll)
        move = moves[int(rng.integers(len(moves)))]
        pages += [Page(position, lie, DICE), Page(position, lie, HAND, hand=True)]
        if turn == WRONG_AT:
            wrong = next(d.after(position) for d in deeds(position, roll) if d.code == "M6")
            pages += [Page(wrong, lie, PLAYED), Page(wrong, (), EMPTY + 2 * STARTLED)]
            pages += [Page(wrong, (), HAND, hand=True), Page(move.after, (), RIGHT)]
            told.append({"verdict": "offence", "code": "M6"})
        else:
            pages += [Page(move.after, lie, PLAYED), Page(move.after, (), EMPTY)]
        told.append({"verdict": "legal", "dice": list(dice), "move": move.text})
        position = move.after
    return pages, told


def counts_of(position: Position) -> tuple[int, ...]:
    """A position as the counts of a scene."""
    return tuple(position.count("w", p) - position.count("b", p) for p in ORDER)


def lying(style: NardiStyle, counts: tuple[int, ...], seed: int) -> tuple[Checker, ...]:
    """Checkers that lie the same as long as their point holds as many."""
    found: list[Checker] = []
    for place, count in enumerate(counts):
        if count:
            alone = tuple(count if k == place else 0 for k in range(len(counts)))
            found += checkers_of(style, alone, np.random.default_rng([seed, place]))
    return tuple(found)


def view(style: NardiStyle, rng: Rng) -> Camera:
    """A camera above the board, a little from the near side."""
    tilt = float(np.radians(8))
    axes = axes_of(tilt, 0.0, 0.01)
    lens = sample_lens(rng, "train")
    camera = Camera(*PICTURE, lens, (0, 0, 1.0), tuple(map(tuple, axes)), float(np.degrees(tilt)))
    return framed(camera, style, 0.9, np.array([0.5, 0.5]))


def frames(pages: list[Page], seed: int) -> Iterator[Array]:
    """The pictures of a story."""
    rng = np.random.default_rng(seed)
    style = sample_nardi_style(rng, "train")
    scene = NardiScene(style, view(style, rng), sample_light(rng), (0,) * 24, ())
    look = sample_look(rng, "train", 0.0)
    number = 0
    for page in pages:
        counts = counts_of(page.position)
        things = tuple(_die(style, *each) for each in page.dice)
        still = replace(scene, counts=counts, checkers=lying(style, counts, seed), things=things)
        for _ in range(page.frames):
            hand = sample_hand(rng, look, SIZE) if page.hand else None
            yield render_nardi(replace(still, hand=hand), seed * 10_000 + number).image
            number += 1


def _die(style: NardiStyle, pips: int, x: float, y: float) -> Thing:
    """An ivory die with dark pips, at a place in board units."""
    edge, turn = 0.44, 0.2 + 0.9 * x + pips
    ivory, ink = (0.93, 0.9, 0.82), (0.08, 0.08, 0.1)
    return Thing(x * style.width, y * style.height, 0.0, (edge,) * 3, turn, ivory, ink, pips)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("device/demo"))
@click.option("--turns", default=6, show_default=True)
@click.option("--seed", default=3, show_default=True)
@click.option("--only", default=0, help="Draw so many frames only, as PNG files.")
def main(out: Path, turns: int, seed: int, only: int) -> None:
    """Draw the game, and write it as JPEGs in a row with its truth beside it."""
    pages, told = story(turns, np.random.default_rng([seed, 3]))
    made = frames(pages, seed)
    if only:
        for number, image in zip(range(only), made, strict=False):
            cv2.imwrite(str(out / f"{number:03d}.png"), image)
        return
    count = 0
    with (out / "nardi.mjpeg").open("wb") as file:
        for image in made:
            done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            assert done, "a picture that JPEG holds"
            file.write(data.tobytes())
            count += 1
    about = {"game": "nardi", "source": "nardi.mjpeg", "fps": FPS, "frames": count, "then": told}
    (out / "nardi.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

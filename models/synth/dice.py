"""Drawn pictures of dice with their truth: where each one is and what it shows.

``draw_dice`` makes a small picture with up to two dozen dice on a table, a cloth or a nardi board,
among checkers, coins, doubling cubes and print, as a part of a larger photograph shows them: 12 to
60 pixels an edge.  ``python -m models.synth.dice --out FOLDER`` writes pictures and labels.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import click
import cv2
import numpy as np

from .arrays import Array, Rng
from .dice_draw import Die, Light, big_shadow, draw_die
from .dice_ground import ground
from .dice_look import like, sample_cube, sample_die
from .dice_sensor import develop
from .dice_things import (
    Checker,
    contact_mask,
    draw_checker,
    draw_finger,
    sample_checkers,
    shadow_mask,
)
from .dice_trace import top_face, top_marks
from .dice_view import View, sample_lamp, sample_view
from .paint import SPLITS, Split

#: A face that leans more than this, as a cosine, is no face that lies on top: the die is cocked.
FLAT = float(np.cos(np.radians(12)))

#: How far a cocked die leans, degrees.
LEANS = (13, 45)

#: Share of a drawn picture's dice that are cocked, unless more are asked for.
COCKED = 0.05

#: Share of a die that must be seen to be called a die at all, and to be read.
SEEN, READABLE = 0.45, 0.86

#: A die smeared farther than this many edges shows nobody its pips.
SMEARED = 0.3


@dataclass(frozen=True, slots=True)
class Truth:
    """What a person sees of a die.

    Attributes:
        pips: 1 to 6, 0 where nobody can tell.
        box: x0, y0, x1, y1 pixels around all of it that is seen.
        edge: its edge in pixels.
        marks: the middles of the pips on top, (x, y) pixels; none where pips is 0.
        cocked: it leans, so that no face lies on top.
    """

    pips: int
    box: tuple[float, float, float, float]
    edge: float
    marks: tuple[tuple[float, float], ...] = ()
    cocked: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DicePicture:
    """A picture, uint8 BGR (H, W, 3), the dice in it, and the camera's tilt in degrees."""

    image: Array
    dice: tuple[Truth, ...]
    tilt: float


def attitude(rng: Rng, cocked: bool) -> Array:
    """How a die lies: any face up, any way round; or leaning on something."""
    order = rng.permutation(3)
    turn = np.eye(3)[:, order] * rng.choice((-1.0, 1.0), 3)
    angle = rng.uniform(0, 2 * np.pi)
    spin = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    )
    if cocked:
        lean, axis = np.radians(rng.uniform(*LEANS)), rng.uniform(0, 2 * np.pi)
        about = np.array([np.cos(axis), np.sin(axis), 0]) * lean
        return np.asarray(cv2.Rodrigues(about)[0] @ spin @ turn)
    return np.asarray(spin @ turn)


def sample_dice(
    rng: Rng, split: Split, view: View, edge: float, leaning: float = COCKED
) -> list[Die]:
    """Dice of one to three sets, none within another, some touching, a share ``leaning``."""
    sets = [sample_die(rng, split) for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.3, 0.1])))]
    few, some, many = rng.integers(1, 4), rng.integers(3, 9), rng.integers(8, 19)
    count = int(rng.choice(np.array([0, few, some, many]), p=[0.06, 0.3, 0.34, 0.3]))
    reach = min(view.size) / view.scale / 2 * 1.05
    tight = rng.choice([1.0, 0.6, 0.35], p=[0.6, 0.25, 0.15])
    moving = rng.random() < 0.08
    dice: list[Die] = []
    for _ in range(count * 3):
        if len(dice) >= count:
            break
        own = edge * rng.uniform(0.97, 1.03)
        cocked = rng.random() < leaning
        turn = attitude(rng, cocked)
        flat = rng.uniform(-reach, reach, 2) * tight
        lift = own / 2 * (np.abs(turn[2]).sum() if cocked else 1.0)
        if any(np.hypot(*(d.middle[:2] - flat)) < own * rng.uniform(1.05, 1.45) for d in dice):
            continue
        cube = rng.random() < 0.05
        look = sample_cube(rng, split) if cube else like(rng, sets[int(rng.integers(len(sets)))])
        far = rng.uniform(0.1, 1.2) * own * view.scale if moving and rng.random() < 0.6 else 0.0
        smear = (float(far), float(rng.uniform(0, np.pi)))
        dice.append(Die(look, float(own), np.array([*flat, lift]), turn, smear))
    return dice


def round_about(rng: Rng, split: Split, view: View, dice: list[Die]) -> list[Checker]:
    """Checkers beside the dice; those that would stand in a die are left out, but for a few."""
    if rng.random() < 0.45:
        return []
    reach = min(view.size) / view.scale / 2 * 1.2
    things = sample_checkers(rng, split, int(rng.integers(1, 12)), reach)
    kept = []
    for thing in things:
        away = [
            np.hypot(thing.x - d.middle[0], thing.y - d.middle[1]) - d.edge * 0.72 for d in dice
        ]
        if all(a > thing.radius for a in away):
            kept.append(thing)
    return kept


def table(rng: Rng, split: Split, scene: Light, dice: list[Die], checkers: list[Checker]) -> Array:
    """The lit ground with the shadows of all that stands on it, linear float32 (H, W, 3)."""
    view, lamp = scene.view, scene.lamp
    albedo = np.square(ground(rng, split, view))
    cubes = [d.corners() for d in dice]
    discs = [np.concatenate([c.outline(0), c.outline(c.height)]) for c in checkers]
    left = scene.left.copy()
    sky = np.ones_like(left)
    if cubes:
        edge = dice[0].edge
        left *= 1 - shadow_mask(cubes, edge, view, lamp)
        sky -= 0.55 * contact_mask(cubes, 0.2 * edge, view)
    if discs:
        left *= 1 - shadow_mask(discs, checkers[0].height, view, lamp)
        sky -= 0.45 * contact_mask(discs, 0.35 * checkers[0].height, view)
    key = np.array(lamp.key, np.float32) * lamp.towards[2]
    light = left[..., None] * key + sky[..., None] * np.array(lamp.sky, np.float32)
    return np.asarray(albedo * light, np.float32)


def cover(owner: Array, thing: Checker, view: View) -> None:
    """Take the pixels that a checker hides from the dice behind it."""
    ring = np.concatenate([thing.outline(0), thing.outline(thing.height)])
    hull = cv2.convexHull(view.project(ring).astype(np.float32))
    cv2.fillConvexPoly(owner, np.rint(hull).astype(np.int32), 0)


def truths(
    dice: list[Die], owner: Array, areas: dict[int, float], view: View, shake: float
) -> tuple[Truth, ...]:
    """What a person sees of the dice; cubes without pips are none, hidden dice neither."""
    told = []
    for number, die in enumerate(dice, 1):
        rows, columns = np.nonzero(owner == number)
        if not die.look.is_die or len(rows) < SEEN * max(1.0, areas[number]):
            continue
        edge = die.edge * view.scale
        face, flat = top_face(die.turn)
        whole = len(rows) >= READABLE * areas[number]
        clear = (die.smear[0] + shake) < SMEARED * edge
        box = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        pips = face if flat > FLAT and whole and clear else 0
        spots = die.middle + top_marks(die.turn, die.look) @ die.turn.T * (die.edge / 2)
        marks = tuple((float(x), float(y)) for x, y in view.project(spots)) if pips else ()
        spot = tuple(float(v) for v in box)
        told.append(Truth(pips, spot, float(edge), marks, flat <= FLAT))  # type: ignore[arg-type]
    return tuple(told)


def draw_dice(
    rng: Rng,
    split: Split = "train",
    size: int = 320,
    edge_px: tuple[float, float] = (12.5, 58),
    leaning: float = COCKED,
) -> DicePicture:
    """A random picture of dice, a share ``leaning`` of them cocked."""
    edge = rng.uniform(9, 16)
    pixels = np.exp(rng.uniform(*np.log(edge_px)))
    view = sample_view(rng, (size, size), pixels / edge)
    lamp = sample_lamp(rng)
    scene = Light(view, lamp, big_shadow(rng, view.size))
    dice = sample_dice(rng, split, view, edge, leaning)
    round_things = round_about(rng, split, view, dice)
    picture = table(rng, split, scene, dice, round_things)
    owner = np.zeros(picture.shape[:2], np.int32)
    eye = view.place
    order: list[tuple[float, int, Die | Checker]] = [
        (float(np.linalg.norm(eye - d.middle)), k + 1, d) for k, d in enumerate(dice)
    ]
    order += [
        (float(np.linalg.norm(eye - (c.x, c.y, c.base + c.height))), 0, c) for c in round_things
    ]
    areas = {}
    for _, number, thing in sorted(order, key=lambda o: -o[0]):
        if isinstance(thing, Die):
            areas[number] = draw_die(picture, owner, number, thing, scene)
        else:
            lit = float(scene.lit_at(view.project(np.array([[thing.x, thing.y, 0.0]])))[0])
            draw_checker(picture, thing, view, lamp, lit)
            cover(owner, thing, view)
    if rng.random() < 0.06:
        hidden = np.zeros(picture.shape[:2], np.float32)
        draw_finger(picture, hidden, rng, split, np.array(lamp.key) * 0.6 + np.array(lamp.sky))
        owner[hidden > 0] = 0
    image, shake = develop(picture, rng, pixels)
    told = truths(dice, owner, areas, view, shake)
    return DicePicture(image, told, float(np.degrees(view.tilt)))


def label(die: Truth) -> dict[str, object]:
    """A die as a line of labels tells it."""
    marks = [[round(v, 1) for v in mark] for mark in die.marks]
    told = {"pips": die.pips, "box": die.box, "edge": round(die.edge, 1), "marks": marks}
    return told | {"cocked": die.cocked}


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--count", default=24, show_default=True)
@click.option("--split", type=click.Choice(SPLITS), default="train", show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--size", default=320, show_default=True, help="Edge of a picture, pixels.")
@click.option("--leaning", default=COCKED, show_default=True, help="Share of cocked dice.")
def main(out: Path, count: int, split: Split, seed: int, size: int, leaning: float) -> None:
    """Draw labelled pictures of dice."""
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for k in range(count):
        rng = np.random.default_rng([seed, k, SPLITS.index(split)])
        drawn = draw_dice(rng, split, size, leaning=leaning)
        name = f"{split}_{seed}_{k:05d}.jpg"
        cv2.imwrite(str(out / name), drawn.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        dice = [label(die) for die in drawn.dice]
        rows.append({"file": name, "dice": dice, "tilt": round(drawn.tilt, 1)})
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (out / "labels.jsonl").write_text(text, encoding="utf-8")
    click.echo(f"{count} pictures")


if __name__ == "__main__":
    main()

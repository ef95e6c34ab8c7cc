"""Hands, sleeves and robot arms over the board, built of tapered capsules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Array, Rng
from .paint import Colour, Split, draw, scaled

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Capsule:
    """A limb between two points (x, y, height), with a radius at each, squares.

    ``coat`` is an index into the hand's coats; ``nail`` marks the end of a finger.
    """

    start: Point
    end: Point
    start_radius: float
    end_radius: float
    coat: int
    nail: bool = False


@dataclass(frozen=True, slots=True)
class Coat:
    """Surface of a limb: colour, gloss and roughness, and how strongly it is mottled."""

    colour: Colour
    gloss: float
    roughness: float
    mottled: float
    skin: bool


@dataclass(frozen=True, slots=True)
class Look:
    """A person's hand, or a robot's.

    Attributes:
        coats: skin, sleeve, cuff; or shell, joint, grip of a robot.
        palm: width of the palm, squares.
        slender: thickness of the fingers, 1 is usual.
        cuff: where the sleeve begins, palm widths behind the wrist.
        loose: how much wider than the arm the sleeve is.
        left: whether it is a left hand.
        robot: a machine instead of a person.
        lift: height of the wrist over the fingertips, palm widths.
    """

    coats: tuple[Coat, ...]
    palm: float
    slender: float
    cuff: float
    loose: float
    left: bool
    robot: bool
    lift: float


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand in a pose.

    Attributes:
        capsules, coats: what is drawn.
        smear: movement in the picture during the exposure, pixels.
    """

    capsules: tuple[Capsule, ...]
    coats: tuple[Coat, ...]
    smear: tuple[float, float] = (0.0, 0.0)


POSES = ("pinch", "flat", "point", "fist")

#: Fingers in palm widths: knuckle forward and aside of the wrist, length, radius, splay (radians).
FINGERS = (
    (0.98, -0.36, 0.82, 0.105, -0.10),
    (1.06, -0.12, 0.92, 0.110, -0.02),
    (1.02, 0.12, 0.86, 0.105, 0.06),
    (0.92, 0.35, 0.68, 0.090, 0.16),
)
THUMB = (0.34, -0.38, 0.80, 0.12, -0.75)
#: How far each finger curls in a pose, 0 straight to 1 in the fist: four fingers, then the thumb.
CURLS: dict[str, tuple[float, ...]] = {
    "pinch": (0.38, 0.42, 0.62, 0.72, 0.25),
    "flat": (0.05, 0.03, 0.05, 0.08, 0.0),
    "point": (0.08, 0.75, 0.85, 0.88, 0.5),
    "fist": (0.9, 0.95, 0.95, 0.95, 0.6),
}


def sample_look(rng: Rng, split: Split, robot_share: float = 0.15) -> Look:
    """A random hand and sleeve, or a robot's arm."""
    robot = bool(rng.random() < robot_share)
    cloths = ("black", "charcoal", "white", "grey", "red", "green", "blue", "sky", "brown",
              "purple", "cream", "yellow", "orange")
    if robot:
        shell = draw(rng, ("grey", "white", "charcoal"), split)
        joint = draw(rng, ("black", "charcoal", "grey", "blue"), split)
        coats = (Coat(shell, 0.9, 0.2, 0.05, False), Coat(joint, 0.6, 0.3, 0.05, False),
                 Coat(scaled(joint, 0.8), 0.5, 0.4, 0.05, False))
    else:
        skin = draw(rng, ("skin",), split)
        sleeve = draw(rng, cloths, split)
        folds = rng.uniform(0.03, 0.16)
        coats = (Coat(skin, 0.35, 0.5, 0.12, True), Coat(sleeve, 0.08, 0.7, folds, False),
                 Coat(scaled(sleeve, rng.uniform(0.8, 1.2)), 0.08, 0.7, 0.08, False))
    return Look(
        coats=coats,
        palm=float(rng.uniform(1.5, 2.4)),
        slender=float(rng.uniform(0.85, 1.15)),
        cuff=float(rng.choice([rng.uniform(0.1, 0.8), rng.uniform(0.8, 6.0)])),
        loose=float(rng.uniform(1.05, 1.5)),
        left=bool(rng.random() < 0.25),
        robot=robot,
        lift=float(rng.uniform(0.35, 0.9)),
    )


def pose(
    look: Look, tip: Point, heading: float, kind: str = "pinch", spread: float = 0.0
) -> tuple[Capsule, ...]:
    """The hand whose fingertips are at ``tip``, reaching along ``heading`` (radians).

    ``spread`` opens the fingers, radians.  Pinching tips meet over the tip; other poses lie flat
    above it.
    """
    if look.robot:
        return machine(look, tip, heading)
    curls = CURLS[kind]
    reach = 1.62 if kind == "pinch" else 1.75 - 0.6 * curls[0]
    lift = look.lift if kind == "pinch" else 0.12
    frame = Frame(tip, heading, look.palm, -1.0 if look.left else 1.0, reach, lift)
    parts = [*palm(frame, lift), *arm(look, frame, lift)]
    for k, finger in enumerate(FINGERS):
        parts += digit(frame, finger, curls[k], lift, look.slender, spread * (k - 1.5) / 3, kind)
    parts += digit(frame, THUMB, curls[4], lift, look.slender, -spread, kind)
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class Frame:
    """Local coordinates of a hand: palm widths forward and to its right, from the wrist."""

    tip: Point
    heading: float
    palm: float
    mirror: float
    reach: float
    lift: float

    def at(self, forward: float, aside: float, up: float) -> Point:
        """Board coordinates of a local point; ``up`` in palm widths over the fingertips."""
        along = (forward - self.reach) * self.palm
        across = aside * self.mirror * self.palm
        cosine, sine = float(np.cos(self.heading)), float(np.sin(self.heading))
        return (
            self.tip[0] + along * cosine - across * sine,
            self.tip[1] + along * sine + across * cosine,
            max(0.05, self.tip[2] + up * self.palm),
        )

    def capsule(
        self,
        start: Sequence[float] | Array,
        end: Sequence[float] | Array,
        radii: tuple[float, float],
        coat: int = 0,
        nail: bool = False,
    ) -> Capsule:
        """A capsule between two local points; radii in palm widths."""
        return Capsule(
            self.at(*start), self.at(*end), radii[0] * self.palm, radii[1] * self.palm, coat, nail
        )


def palm(frame: Frame, lift: float) -> list[Capsule]:
    """The back of the hand, and the ball of the thumb."""
    parts = []
    for forward, aside, _, radius, _ in FINGERS:
        start = (0.05, aside * 0.55, lift)
        parts.append(frame.capsule(start, (forward, aside, lift), (0.2, radius * 1.35)))
    ball = (THUMB[0], THUMB[1], lift * 0.8)
    parts.append(frame.capsule((0.1, -0.2, lift * 0.95), ball, (0.2, 0.15)))
    return parts


def arm(look: Look, frame: Frame, lift: float) -> list[Capsule]:
    """Wrist and forearm, bare up to the cuff, then in its sleeve."""
    slope = 0.12
    far = 9.0
    cuff = min(look.cuff, far - 1)

    def at(back: float) -> tuple[float, float, float]:
        return (-back, 0.0, lift + back * slope)

    def thick(back: float) -> float:
        return 0.24 + 0.22 * min(1.0, back / 2.6)

    parts = [frame.capsule(at(-0.2), at(cuff + 0.2), (0.24, thick(cuff)))]
    if look.cuff < far - 1:
        wide = thick(cuff) * look.loose
        parts.append(frame.capsule(at(cuff), at(cuff + 0.12), (wide * 1.04, wide * 1.04), 2))
        parts.append(frame.capsule(at(cuff + 0.1), at(far), (wide, wide * 1.35), 1))
    return parts


def digit(
    frame: Frame, finger: tuple[float, ...], curl: float, lift: float, slender: float,
    spread: float, kind: str,
) -> list[Capsule]:
    """The joints of one finger."""
    forward, aside, length, radius, splay = finger
    turn = splay + spread
    thumb = finger is THUMB
    at = np.array([forward, aside, lift * (0.85 if thumb else 1.0)])
    shares, parts = (0.55, 0.45) if thumb else (0.45, 0.32, 0.23), []
    goal = np.array([frame.reach, -0.06 if thumb else aside * 0.25, 0.04])
    drop = 0.25 if kind == "pinch" else 0.0
    for joint, share in enumerate(shares):
        drop += curl * (0.9 if joint else 0.55)
        step = length * share
        way = np.array([np.cos(turn) * np.cos(drop), np.sin(turn) * np.cos(drop), -np.sin(drop)])
        nxt = at + way * step
        if kind == "pinch" and (thumb or aside < 0) and joint == len(shares) - 1:
            nxt = goal
        nxt[2] = max(nxt[2], 0.0 if kind == "pinch" else 0.05)
        last = joint == len(shares) - 1
        thick = radius * slender
        radii = (thick * (1.08 - 0.1 * joint), thick * (1.0 - 0.1 * joint))
        parts.append(frame.capsule(at, nxt, radii, 0, last))
        at = nxt
    return parts


def machine(look: Look, tip: Point, heading: float) -> tuple[Capsule, ...]:
    """A robot's gripper, wrist joints and arm."""
    frame = Frame(tip, heading, look.palm * 0.9, 1.0, 0.9, 0.0)
    up = 0.5 + look.lift
    return (
        frame.capsule((0.9, -0.12, 0.0), (0.8, -0.16, 0.4), (0.05, 0.07), 2),
        frame.capsule((0.9, 0.12, 0.0), (0.8, 0.16, 0.4), (0.05, 0.07), 2),
        frame.capsule((0.8, -0.2, 0.42), (0.8, 0.2, 0.42), (0.12, 0.12), 2),
        frame.capsule((0.8, 0.0, 0.42), (0.6, 0.0, up), (0.26, 0.3), 0),
        frame.capsule((0.6, -0.25, up), (0.6, 0.35, up), (0.36, 0.36), 1),
        frame.capsule((0.6, 0.35, up), (-0.9, 0.35, up + 0.2), (0.32, 0.32), 0),
        frame.capsule((-0.9, -0.2, up + 0.2), (-0.9, 0.45, up + 0.2), (0.4, 0.4), 1),
        frame.capsule((-0.9, -0.2, up + 0.2), (-7.0, -0.2, up + 0.9), (0.34, 0.4), 0),
    )


def sample_hand(rng: Rng, look: Look, size: int) -> Hand:
    """A hand somewhere over the board, from any side."""
    kind = POSES[int(rng.choice(4, p=[0.5, 0.25, 0.15, 0.1]))]
    x, y = rng.uniform(0.3, size - 0.3, 2)
    heading = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.45)
    height = float(rng.uniform(0.15, 1.6))
    capsules = pose(
        look, (float(x), float(y), height), float(heading), kind, float(rng.uniform(0, 0.5))
    )
    moving = rng.random() < 0.35
    smear = tuple(float(v) for v in rng.normal(0, 6, 2)) if moving else (0.0, 0.0)
    return Hand(capsules, look.coats, (smear[0], smear[1]))


def outline(capsule: Capsule, slant: Array) -> Array:
    """Corners (k, 2) of a capsule's shadow on the board; ``slant`` is its shift per height."""
    start, end = np.array(capsule.start), np.array(capsule.end)
    turn = np.arange(12) * (np.pi / 6)
    ring = np.stack([np.cos(turn), np.sin(turn)], -1)
    low = start[:2] + slant * start[2] + ring * capsule.start_radius
    high = end[:2] + slant * end[2] + ring * capsule.end_radius
    return np.concatenate([low, high])

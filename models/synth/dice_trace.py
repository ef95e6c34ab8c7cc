"""One die as rays of a camera meet it: a rounded cube with pips on its faces.

A die has edges of length 2 in its own axes, its middle at (0, 0, 0).  Colours are display values
B, G, R; light is linear, display values squared.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .arrays import Array

#: Where the pips of a face are, in steps of the face's pip distance.
LAYOUTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}

#: Values of the faces +x, -x, +y, -y, +z, -z; opposite faces add up to seven.
FACES = (1, 6, 2, 5, 3, 4)

_STEPS = 11


@dataclass(frozen=True, slots=True)
class DieLook:
    """What a die is made of; lengths in half edges.

    Attributes:
        body, pip: display colours.
        one: colour of the single pip, and one_size: its radius times the others'.
        rounding: radius of the edges.
        ball: radius of a sphere that cuts the corners off; 2 leaves them.
        pip_radius, pip_gap: size of a pip, and its distance from the face's middle line.
        hollow: how deep pips are, 0 painted to 1 drilled.
        gloss, shine: strength and narrowness of highlights.
        clear: share of light that goes through, 0 opaque.
        veins: strength of marbling.
        numbers: faces show numerals, as a doubling cube does, and no pips; blank ones: none.
        seed: decides the marbling and which way faces are turned.
    """

    body: tuple[float, float, float]
    pip: tuple[float, float, float]
    one: tuple[float, float, float]
    one_size: float
    rounding: float
    ball: float
    pip_radius: float
    pip_gap: float
    hollow: float
    gloss: float
    shine: float
    clear: float
    veins: float
    numbers: tuple[str, ...]
    seed: int

    @property
    def is_die(self) -> bool:
        """Whether it has pips."""
        return not self.numbers


def meet(origin: Array, rays: Array, look: DieLook, last: bool = False) -> tuple[Array, Array]:
    """Where unit rays (n, 3) from one origin first, or last, meet the die: points, and whether."""
    side = np.float32(-1 if last else 1)
    # only rays through the ball around the die can; they start where they enter it
    reach = np.float32(min(look.ball, 1.735))
    along = rays @ origin
    room = reach**2 + along * along - np.float32(origin @ origin)
    chosen = np.flatnonzero(room > 0)
    start = -along[chosen] - side * np.sqrt(room[chosen])
    ways = np.ascontiguousarray(rays[chosen].T)
    x, y, z = origin[:, None] + ways * start
    away = distance(x, y, z, look)
    ways *= side
    for _ in range(_STEPS):
        x += ways[0] * away
        y += ways[1] * away
        z += ways[2] * away
        away = distance(x, y, z, look)
    points, hit = np.zeros_like(rays), np.zeros(len(rays), bool)
    points[chosen], hit[chosen] = np.stack([x, y, z], -1), away < 0.02
    return points, hit


def distance(x: Array, y: Array, z: Array, look: DieLook) -> Array:
    """Signed distance of points from the die's surface."""
    inner = np.float32(1 - look.rounding)
    a, b, c = np.abs(x) - inner, np.abs(y) - inner, np.abs(z) - inner
    inward = np.minimum(np.maximum(np.maximum(a, b), c), 0)
    a, b, c = np.maximum(a, 0), np.maximum(b, 0), np.maximum(c, 0)
    box = np.sqrt(a * a + b * b + c * c) + inward - np.float32(look.rounding)
    if look.ball >= 1.73:
        return np.asarray(box)
    ball = np.sqrt(x * x + y * y + z * z) - np.float32(look.ball)
    return np.asarray(np.maximum(box, ball))


def unit(vectors: Array) -> Array:
    """Vectors (n, 3) scaled to length 1."""
    return np.asarray(vectors / np.sqrt(dot(vectors, vectors) + 1e-12)[:, None])


def dot(first: Array, second: Array) -> Array:
    """Scalar products of vectors (n, 3)."""
    return np.asarray(np.einsum("ij,ij->i", first, second))


def normals(points: Array, look: DieLook) -> Array:
    """Outward unit normals (n, 3) of points on the surface."""
    over = np.maximum(np.abs(points) - np.float32(1 - look.rounding), 1e-5)
    straight = unit(over * np.sign(points))
    if look.ball >= 1.73:
        return straight
    radius = np.sqrt(dot(points, points)) + np.float32(1e-6)
    corner = np.clip((radius - look.ball + 0.05) / 0.05, 0, 1)[:, None]
    return unit(straight * (1 - corner) + points / radius[:, None] * corner)


def faces_of(points: Array) -> tuple[Array, Array]:
    """Which face (0..5, as in FACES) points lie on, and where on it (n, 2)."""
    axis = np.abs(points).argmax(-1)
    rows = np.arange(len(points))
    face = axis * 2 + (points[rows, axis] < 0)
    where = np.stack([points[rows, (axis + 1) % 3], points[rows, (axis + 2) % 3]], -1)
    return face, where


def pip_places(index: int, look: DieLook) -> Array:
    """Where the pips of the face FACES[index] are on it, (n, 2)."""
    spots = np.array(LAYOUTS[FACES[index]], np.float32) * np.float32(look.pip_gap)
    if np.random.default_rng(look.seed).integers(0, 2, 6)[index]:
        spots = spots[:, ::-1] * np.array([1, -1], np.float32)
    return spots


def top_marks(turn: Array, look: DieLook) -> Array:
    """Middles (n, 3) of the pips on top, in the die's own axes."""
    axis = int(np.abs(turn[2]).argmax())
    down = turn[2, axis] < 0
    flat = pip_places(axis * 2 + int(down), look)
    marks = np.empty((len(flat), 3))
    marks[:, axis] = -1 if down else 1
    marks[:, (axis + 1) % 3], marks[:, (axis + 2) % 3] = flat.T
    return marks


def paint_pips(points: Array, colour: Array, normal: Array, look: DieLook) -> None:
    """Colour the pips that points lie in, and bend the normals of drilled ones, in place."""
    face, where = faces_of(points)
    for index, value in enumerate(FACES):
        chosen = np.flatnonzero(face == index)
        if not len(chosen):
            continue
        spots = pip_places(index, look)
        away = where[chosen][:, None, :] - spots[None]
        square = (away * away).sum(-1)
        nearest = square.argmin(1)
        radius = look.pip_radius * (look.one_size if value == 1 else 1.0)
        inside = square[np.arange(len(chosen)), nearest] < radius**2
        if not inside.any():
            continue
        hit = chosen[inside]
        colour[hit] = look.one if value == 1 else look.pip
        if look.hollow:
            lean = away[inside, nearest[inside]] / radius * (0.8 * look.hollow)
            axis = index // 2
            bent = normal[hit]
            bent[:, (axis + 1) % 3] -= lean[:, 0]
            bent[:, (axis + 2) % 3] -= lean[:, 1]
            normal[hit] = unit(bent)


def paint_numbers(points: Array, colour: Array, look: DieLook) -> None:
    """Colour the numerals that points lie in, in place."""
    face, where = faces_of(points)
    edge = 48
    for index, text in enumerate(look.numbers):
        chosen = np.flatnonzero(face == index)
        if not len(chosen) or not text:
            continue
        plate = np.zeros((edge, edge), np.uint8)
        size = 1.1 if len(text) == 1 else 0.8
        (wide, tall), _ = cv2.getTextSize(text, 0, size, 3)
        cv2.putText(plate, text, ((edge - wide) // 2, (edge + tall) // 2), 0, size, 255, 3)
        at = np.clip((where[chosen] + 1) * (edge / 2), 0, edge - 1).astype(int)
        colour[chosen[plate[at[:, 1], at[:, 0]] > 0]] = look.pip


def colours(points: Array, normal: Array, look: DieLook) -> Array:
    """Display colours (n, 3) of points on the surface; bends ``normal`` in drilled pips."""
    colour = np.tile(np.array(look.body, np.float32), (len(points), 1))
    if look.veins:
        rng = np.random.default_rng(look.seed + 1)
        waves = rng.normal(0, 2.2, (3, 4)).astype(np.float32)
        field = np.sin(points @ waves + rng.uniform(0, 6, 4).astype(np.float32)).mean(-1)
        colour *= 1 + look.veins * field[:, None]
    if look.numbers:
        paint_numbers(points, colour, look)
    else:
        paint_pips(points, colour, normal, look)
    return np.clip(colour, 0.005, 1)


def top_face(turn: Array) -> tuple[int, float]:
    """Value of the face that points up most, and the cosine of its lean.

    ``turn`` (3, 3): columns are the die's axes in the world.
    """
    up = turn[2]
    axis = int(np.abs(up).argmax())
    return FACES[axis * 2 + int(up[axis] < 0)], float(abs(up[axis]))


def mirrored(turn: Array) -> Array:
    """A die whose faces run the other way round: both sorts are made."""
    return turn @ np.diag(np.array([-1.0, 1.0, 1.0]))

"""From lattices to a board: where on one it lies, fitted to its edges, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from .errors import VisionError
from .geometry import BoardGeometry, project
from .locate_evidence import (
    Edges,
    ToImage,
    Window,
    best_window,
    exchanged,
    look_at_edges,
    worth_inside,
)
from .locate_fit import fit_edges, read_edges
from .locate_grid import Lattice, find_lattices
from .locate_planes import Image, Pyramid, contrast_plane
from .locate_saddles import find_saddles

#: Board sizes that are told apart: a board of another of them is refused.
SIZES = (8, 10, 12)
#: Nothing else is tried once this share of the inner edges shows and the score is as high as this.
PLAIN = 0.85
CLEAR = 0.65
#: At most this many lattices are looked at in each plane, and so many of them fitted.
MOST = 6
FITTED = 2
#: A place is not fitted when less of its inner edges shows: boards show 0.46 of them or more before
#: they are fitted, noise and pages of text mostly less than this.
HOPELESS = 0.3
#: Nor is one looked at once more that misses by this, RMS in squares, and scores less than WELL.
ASTRAY, WELL = 0.055, 0.15
#: Share of the inner edges of a board under arms that show.
HALF = 0.6
#: A pattern that lies as exactly as this and still explains less than nothing is no board of that
#: size: what should show would show.
CRISP = 0.015
#: A first fit that misses by less than this needs no more that look as far; others get so many.
NEAR = 0.03
PULLS = 3
#: Where there is no board the first fit misses by 0.16 or more; on a blurred one by 0.11.
ANYWHERE = 0.14
#: Shifts of a guess tried before a fit, which itself reaches about a third of a square.
SHIFTS = (-0.5, -0.25, 0.0, 0.25, 0.5)


NOWHERE = Window(0, 0, 0, -1e9, -1e9, 0.0, 0.0, (0.0,) * 4)


@dataclass(frozen=True, slots=True)
class Board:
    """A board that may be there.

    Attributes:
        geometry: where.
        bright: whether its first square is a bright one.
        window: how well it explains what is seen.
    """

    geometry: BoardGeometry
    bright: bool
    window: Window

    @property
    def plain(self) -> bool:
        """Whether there is nothing to doubt."""
        return self.window.shown > PLAIN and self.window.score > CLEAR

    @property
    def exact(self) -> bool:
        """Whether the edges that show lie where they must, though many may be hidden."""
        return self.window.shown > HALF and self.geometry.residual < NEAR and self.window.score > 0

    @property
    def misfit(self) -> bool:
        """Whether it is a pattern of squares, but no board of this size."""
        return self.window.score < 0 and self.geometry.residual < CRISP

    @property
    def hopeless(self) -> bool:
        """Whether looking closer would be of no use."""
        return self.geometry.residual > ASTRAY and self.window.score < WELL

    def agrees(self, other: Board) -> bool:
        """Whether another board lies where this one does, to a fifth of a square."""
        ours, theirs = self.geometry, other.geometry
        gap = np.abs(ours.corners - theirs.corners).max()
        return ours.size == theirs.size and bool(gap < 0.2 * ours.square_px())


def better(one: Board | None, other: Board | None) -> Board | None:
    """The one of two boards that explains more, the first one when they are alike."""
    if one is None or other is None:
        return one or other
    if _same_lattice(one.geometry, other.geometry):
        return other if other.window.gain > one.window.gain else one
    if one.window.shown > PLAIN and other.window.shown > PLAIN:
        # two boards: the nearer one is meant
        return other if other.geometry.square_px() > one.geometry.square_px() else one
    return other if other.window.score > one.window.score else one


def _same_lattice(a: BoardGeometry, b: BoardGeometry) -> bool:
    """Whether two boards are two readings of one, perhaps of another size or shifted."""
    middle = a.to_board(b.to_image([b.size / 2, b.size / 2]))
    inside = bool((middle > 0).all() and (middle < a.size).all())
    return inside and 0.8 < a.square_px() / b.square_px() < 1.25


def board_on(pyramid: Pyramid, size: int, finest: int = 0) -> Board | None:
    """The best board that one plane shows, found by its saddle points from a level on."""
    places: list[tuple[Window, Lattice]] = []
    for lattice in find_lattices(pyramid, find_saddles(pyramid, finest))[:MOST]:
        places.append((_place(pyramid, lattice, size), lattice))
        if places[-1][0].score > CLEAR:
            break
    best: Board | None = None
    places = [place for place in places if place[0].shown > HOPELESS]
    # those that show well stay in the order of their squares' size, the rest goes by score
    places.sort(key=lambda place: 0.0 if place[0].shown > PLAIN else 2.0 - place[0].score)
    for window, lattice in places[:FITTED]:
        board = _settled(pyramid, partial(project, lattice.h), window, lattice.bright, pyramid.wh)
        if board is not None and board.hopeless:
            continue
        best = better(best, None if board is None else ends(pyramid, board, size))
        if best is not None and best.plain:
            break
    return best


def again(image: Image, board: Board, size: int, known: bool = False) -> Board | None:
    """A board looked at once more, in the mixture of colours that parts its squares best.

    Args:
        known: whether ``size`` is the board's for sure.
    """
    pyramid = contrast_plane(image, board.geometry, board.bright)
    fitted = tighten(pyramid, board.geometry, board.bright)
    if fitted is None:
        return None
    return ends(pyramid, replace(board, geometry=fitted), size, known)


def near(pyramid: Pyramid, guess: BoardGeometry) -> Board | None:
    """The board up to about half a square from a guess."""
    board = _nudged(pyramid, guess)
    if board.window.shown < HOPELESS:
        return None
    fitted = tighten(pyramid, board.geometry, board.bright)
    if fitted is None:
        return None
    return ends(pyramid, replace(board, geometry=fitted), guess.size, known=True)


def _nudged(pyramid: Pyramid, guess: BoardGeometry) -> Board:
    """The guess, moved by up to half a square to where most edges show."""
    n = guess.size
    square = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float64)
    steps = sorted(((x, y) for x in SHIFTS for y in SHIFTS), key=lambda s: np.hypot(*s))
    best, most = Board(guess, True, NOWHERE), -1.0
    for step in steps:
        try:
            geometry = replace(guess, corners=guess.to_image(square + np.array(step)))
        except VisionError:  # beyond the horizon
            continue
        edges = _edges_of(pyramid, geometry, True, 0)
        for bright, seen in ((True, edges), (False, exchanged(edges))):
            worth = worth_inside(seen)
            if worth > most:
                best, most = Board(geometry, bright, best_window(seen, n)), worth
        if best.plain:
            break
    return best


def _place(pyramid: Pyramid, lattice: Lattice, size: int) -> Window:
    """Where on a lattice the board lies; of another size when that explains more."""
    # a few points may be mistaken ones
    low, high = np.percentile(lattice.ij, (5, 95), axis=0).astype(np.int64)
    most = max(SIZES)
    if (high - low > most).any():
        # a pattern without end, or a board on one; look around the middle
        low = high = np.median(lattice.ij, axis=0).astype(np.int64)
    low, high = high - most - 1, low + most + 1
    middle = lattice.ij.mean(axis=0)
    ahead = middle + np.array([1.0, 0.0])
    step = float(np.hypot(*(project(lattice.h, ahead) - project(lattice.h, middle))))
    if not np.isfinite(step):  # the horizon of a lattice that is none
        step = 1.0
    to_image = partial(project, lattice.h)
    return _best_size(look_at_edges(pyramid, to_image, low, high, lattice.bright, step), size)


def ends(pyramid: Pyramid, board: Board, size: int, known: bool = False) -> Board | None:
    """A board looked at once more for where it ends, now that its edges are known exactly."""
    current: Board | None = board
    for _ in range(2):
        if current is None:
            return None
        found, n = current.geometry, current.geometry.size
        window = _best_size(_edges_of(pyramid, found, current.bright, 3), size, known)
        if (window.x, window.y, window.size) == (0, 0, n):
            return replace(current, window=window)
        current = _settled(pyramid, found.to_image, window, current.bright, found.image_wh)
    return current


def _edges_of(pyramid: Pyramid, geometry: BoardGeometry, bright: bool, around: int) -> Edges:
    """The edges of a board and of ``around`` rows around it."""
    low, high = (-around, -around), (geometry.size + around, geometry.size + around)
    return look_at_edges(pyramid, geometry.to_image, low, high, bright, geometry.square_px())


def _best_size(edges: Edges, size: int, known: bool = False) -> Window:
    """The best place of a board of any size; of ``size`` alone where that is known, or where that
    one hardly shows, as it would on a board of another size.
    """
    most = min(edges.down.shape[0] - 1, edges.down.shape[1])
    first = best_window(edges, size)
    if known or first.shown < HOPELESS:
        return first
    rest = (best_window(edges, n) for n in SIZES if n <= most and n != size)
    return max([first, *rest], key=lambda window: window.gain)


def _settled(
    pyramid: Pyramid, to_image: ToImage, window: Window, bright: bool, image_wh: tuple[int, int]
) -> Board | None:
    """The board in a window of a lattice, fitted to its edges."""
    n = window.size
    square = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float64)
    corners = to_image(square + np.array([window.x, window.y]))
    first = bright == ((window.x + window.y) % 2 == 0)
    try:
        guess = BoardGeometry(n, corners, image_wh=image_wh)
    except VisionError:  # beyond the horizon of a lattice that is none
        return None
    fitted = tighten(pyramid, guess, first, sure=window.score > WELL)
    return None if fitted is None else Board(fitted, first, window)


def tighten(
    pyramid: Pyramid, geometry: BoardGeometry, bright: bool, sure: bool = True
) -> BoardGeometry | None:
    """A geometry fitted to the edges near it, in rounds that look less and less far.

    One that is not ``sure`` to be a board is let go when the first round misses as it would
    anywhere.
    """
    fitted = fit_edges(geometry, read_edges(pyramid, geometry, bright, 0.35), lens=False)
    for _ in range(PULLS):
        if fitted is None or fitted.residual < NEAR:
            break
        if not sure and fitted.residual > ANYWHERE:
            return None
        fitted = fit_edges(fitted, read_edges(pyramid, fitted, bright, 0.35), lens=False)
    for reach in (0.2, 0.12):
        if fitted is None:
            return None
        fitted = fit_edges(fitted, read_edges(pyramid, fitted, bright, reach), lens=True)
    return fitted

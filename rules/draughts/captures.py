"""Captures: jumps one by one, whole captures, and which of them the rules prefer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from .geometry import DIRECTIONS, Board
from .position import Side
from .variant import Criterion, Variant


class Jump(NamedTuple):
    """A single jump over ``victim`` (``bit`` is its bitboard) onto one of ``landings``.

    ``room`` is the bitboard that has to be empty for it; 0 where that is known already.
    """

    victim: int
    bit: int
    landings: tuple[int, ...]
    room: int


class Capture(NamedTuple):
    """A capture from ``path[0]`` to ``path[-1]``; ``taken`` is the bitboard of ``victims``.

    ``king`` tells what stands up at the end, before a crowning for ending on the last row.
    """

    path: tuple[int, ...]
    victims: tuple[int, ...]
    taken: int
    king: bool


#: (squares touched, pieces taken, bitboard of what may still be taken) along a capture.
Way = tuple[tuple[int, ...], tuple[int, ...], int]


class Line(dict[int, tuple[int, tuple[Jump, ...]]]):
    """What a flying king sees along one diagonal: occupied squares -> (free squares, jumps).

    ``occupied`` is cut down to ``mask``, the diagonal without the king's own square.  Entries
    are worked out when first asked for; a diagonal of ten squares has at most 512.
    """

    def __init__(self, rays: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        super().__init__()
        self.rays = rays
        self.mask = sum(1 << square - 1 for ray in rays for square in ray)

    def __missing__(self, occupied: int) -> tuple[int, tuple[Jump, ...]]:
        free, jumps = 0, []
        for ray in self.rays:
            blockers = [i for i, square in enumerate(ray) if occupied >> square - 1 & 1]
            first, second, *_ = *blockers, len(ray), len(ray)
            free |= sum(1 << square - 1 for square in ray[:first])
            if first + 1 < second:
                jumps.append(Jump(ray[first], 1 << ray[first] - 1, ray[first + 1 : second], 0))
        self[occupied] = seen = (free, tuple(jumps))
        return seen


def lines(board: Board) -> tuple[tuple[Line, Line], ...]:
    """For each square (index 0 unused) its two diagonals."""
    both = []
    for square in range(1, board.count + 1):
        up_left, up_right, down_left, down_right = board.rays(square)
        both.append((Line((up_left, down_right)), Line((up_right, down_left))))
    return (both[0], *both)


def short_jumps(board: Board, row_steps: tuple[int, ...]) -> tuple[tuple[Jump, ...], ...]:
    """For each square (index 0 unused) the jumps over a neighbour, in rows of ``row_steps``."""
    table: list[tuple[Jump, ...]] = [()]
    for square in range(1, board.count + 1):
        rays = zip(DIRECTIONS, board.rays(square), strict=True)
        table.append(
            tuple(
                Jump(ray[0], 1 << ray[0] - 1, ray[1:2], 1 << ray[1] - 1)
                for direction, ray in rays
                if direction[0] in row_steps and len(ray) > 1
            )
        )
    return tuple(table)


class Captures:
    """The captures of one game, piece by piece.  Priorities come last, in `preferred`."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        board = variant.board
        around = short_jumps(board, (-1, 1))
        self.lines = lines(board)
        self._kings = around
        self._men: dict[Side, tuple[tuple[Jump, ...], ...]] = {
            "w": around if variant.men_capture_backward else short_jumps(board, (-1,)),
            "b": around if variant.men_capture_backward else short_jumps(board, (1,)),
        }
        nowhere = 0
        self._crowning: dict[Side, int] = {
            "w": variant.last_row("w") if variant.crowned_in_passing else nowhere,
            "b": variant.last_row("b") if variant.crowned_in_passing else nowhere,
        }

    def jumps(self, side: Side, square: int, king: bool, foes: int, occupied: int) -> list[Jump]:
        """The single jumps of a piece of ``side`` from ``square``.

        Args:
            side: whose piece it is.
            square: where it stands; it must not be among ``occupied``.
            king: whether it is a king now.
            foes: what it may take: without the pieces taken already, which may not be jumped twice.
            occupied: all that stands on the board, pieces taken already included (they leave it
                when the move is over).
        """
        if king and self.variant.kings_fly:
            one, two = self.lines[square]
            seen = one[occupied & one.mask][1] + two[occupied & two.mask][1]
            return [jump for jump in seen if jump.bit & foes]
        table = self._kings if king else self._men[side]
        return [jump for jump in table[square] if jump.bit & foes and not jump.room & occupied]

    def of_piece(
        self, side: Side, square: int, king: bool, foes: int, occupied: int
    ) -> list[Capture]:
        """Every complete capture of the piece on ``square``, priorities not asked."""
        occupied &= ~(1 << square - 1)
        if king and self.variant.kings_fly:
            return self._flying(side, ((square,), (), foes), foes, occupied)
        table, crowning = self._kings if king else self._men[side], self._crowning[side]
        found: list[Capture] = []
        ways: list[Way] = [((square,), (), foes)]
        for path, victims, left in ways:
            goes_on = False
            for victim, bit, landings, room in table[path[-1]]:
                if bit & left and not room & occupied:
                    goes_on = True
                    way = (path + landings, (*victims, victim), left ^ bit)
                    if room & crowning and not king:
                        found += self._as_king(side, way, foes, occupied)
                    else:
                        ways.append(way)
            if victims and not goes_on:
                found.append(Capture(path, victims, foes ^ left, king))
        return found

    def _as_king(self, side: Side, way: Way, foes: int, occupied: int) -> list[Capture]:
        """A capture of a man that has just become a king in passing, to all its ends."""
        path, victims, left = way
        longer = self._flying(side, way, foes, occupied)
        return longer or [Capture(path, victims, foes ^ left, True)]

    def _flying(self, side: Side, way: Way, foes: int, occupied: int) -> list[Capture]:
        """Every way on of a king that stands at the end of its way.

        It meets the same pieces in many orders: each (square, pieces left) is entered once, so
        that of several routes with the same result one is given.
        """
        entered: dict[tuple[int, int], bool] = {}
        found: list[Capture] = []

        def extend(path: tuple[int, ...], victims: tuple[int, ...], left: int) -> bool:
            """Add every way to go on; False if there is none."""
            key = (path[-1], left)
            if key in entered:
                return entered[key]
            jumps = self.jumps(side, path[-1], True, left, occupied)
            entered[key] = bool(jumps)
            for victim, bit, landings, _ in jumps:
                ways = [((*path, landing), (*victims, victim), left ^ bit) for landing in landings]
                stops = [way for way in ways if not extend(*way)]
                if len(stops) == len(ways) or not self.variant.king_must_go_on:
                    found.extend(Capture(way[0], way[1], foes ^ way[2], True) for way in stops)
            return bool(jumps)

        extend(*way)
        return found

    def begun(
        self, side: Side, square: int, king: bool, foes: int, occupied: int
    ) -> set[tuple[int, int, bool]]:
        """(square, bitboard taken, king now) after each jump of every capture of a piece.

        The captures need not be complete, nor land where they could go on.
        """
        occupied &= ~(1 << square - 1)
        reached: set[tuple[int, int, bool]] = set()

        def walk(here: int, king: bool, left: int) -> None:
            for _, bit, landings, _ in self.jumps(side, here, king, left, occupied):
                for landing in landings:
                    state = (landing, foes ^ left ^ bit, self.king_on(side, king, landing))
                    if state not in reached:
                        reached.add(state)
                        walk(landing, state[2], left ^ bit)

        walk(square, king, foes)
        return reached

    def preferred(self, captures: list[Capture], own_kings: int, foe_kings: int) -> list[Capture]:
        """Those that the game allows of all complete captures of one side."""
        criteria = self.variant.precedence
        ranks = [precedence(capture, criteria, own_kings, foe_kings) for capture in captures]
        best = max(ranks)
        if ranks.count(best) == len(ranks):
            return captures
        return [capture for capture, rank in zip(captures, ranks, strict=True) if rank == best]

    def king_on(self, side: Side, king: bool, landing: int) -> bool:
        """Whether a piece that lands there during a capture goes on as a king."""
        return king or bool(self._crowning[side] >> landing - 1 & 1)


def precedence(
    capture: Capture, criteria: Iterable[Criterion], own_kings: int, foe_kings: int
) -> tuple[int, ...]:
    """Rank of a capture: the greatest must be played."""
    return tuple([_WORTH[criterion](capture, own_kings, foe_kings) for criterion in criteria])


def _kings_first(capture: Capture, own_kings: int, foe_kings: int) -> int:
    """1 for a king and 0 for a man, in the order jumped, read as binary digits: among captures of
    equally many pieces it is the greater, the earlier kings are met, king by king (FID 6.9).
    """
    digits = 0
    for victim in capture.victims:
        digits = digits << 1 | foe_kings >> victim - 1 & 1
    return digits


_WORTH: dict[Criterion, Callable[[Capture, int, int], int]] = {
    "most-pieces": lambda capture, own_kings, foe_kings: len(capture.victims),
    "with-king": lambda capture, own_kings, foe_kings: own_kings >> capture.path[0] - 1 & 1,
    "most-kings": lambda capture, own_kings, foe_kings: (capture.taken & foe_kings).bit_count(),
    "kings-first": _kings_first,
}

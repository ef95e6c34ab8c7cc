"""One turn: every half-move, which rules it breaks, and where a roll can lead.

A turn is worked out on the mover's own path.  A *place* is what the mover has on the board in
one integer: eight bits a point, index 0 lowest, above a mask of 24 bits of the occupied indices.
Checkers borne off are those that are missing.  The opponent's checkers never change, so a mask
of them is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from operator import add

from .board import CHECKERS, HOME_INDEX, POINTS, Position, Side, index, other, point_at
from .dice import Roll
from .facts import CLASSIC, Rules

FULL = (1 << POINTS) - 1
OUTSIDE = (1 << HOME_INDEX) - 1
_HALF = POINTS // 2
_WIDTH = 8
_FIELD = (1 << _WIDTH) - 1
#: Adding this puts a checker on an index.
_ONE = tuple(1 << (POINTS + _WIDTH * i) for i in range(POINTS)) + (0,) * POINTS

#: The rules that a single half-move can break, in the order in which they are told when two
#: explain a wrong turn equally well, each with its bit.
BREAKS = ("B1", "B2", "M4", "M5", "M3")
B1, B2, M4, M5, M3 = (1 << k for k in range(len(BREAKS)))

#: A place, the dice not yet played, and the rules broken on the way.
Node = tuple[int, tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class HalfMove:
    """One checker taken one die on, or off.

    Attributes:
        die: the number played.
        frm: the point left.
        to: the point reached, 0 when borne off.
        breaks: bits of the rules that this breaks, 0 when it is permitted.
    """

    die: int
    frm: int
    to: int
    breaks: int = 0


#: The last half-move of a way: the way before it, die, index left, rules broken.
Way = tuple["Way", int, int, int] | None
#: The nodes that are reached by so many half-moves, each with the first way found.
Level = dict[Node, Way]


@cache
def half_move(side: Side, die: int, path_index: int, breaks: int = 0) -> HalfMove:
    """The half-move of a side's checker on an index of its path."""
    to = point_at(side, path_index + die) if path_index + die < POINTS else 0
    return HalfMove(die, point_at(side, path_index), to, breaks)


class Turn:
    """What the side to move may do from a proper position with a roll.

    Args:
        position: a position without `Position.fault`.
        roll: the dice, and whether this is the side's first turn.
        rules: the facts to play by.
    """

    def __init__(self, position: Position, roll: Roll, rules: Rules = CLASSIC) -> None:
        self.position, self.roll, self.rules = position, roll, rules
        self.side: Side = position.side
        self.enemy = _mask(position.path(other(self.side), self.side))
        self.start = pack(position.path(self.side))
        self._head = position.path(self.side)[0]
        self.head_limit = self._head_limit()
        self._each = rules.block_timing == "each"
        self._lockable = self._windows_without_help()
        if rules.block_may_stand:
            self._lockable &= ~_windows(self.start & FULL, rules.block_points)
        self._locks: dict[int, int] = {}
        self._off_open = rules.off_same_turn or not self.start & OUTSIDE

    def _head_limit(self) -> int:
        """How many checkers may leave the head in this turn (§1.2, §3.1)."""
        exception, die = self.rules.head_exception, self.roll.dice[0]
        if not self.roll.first or not self.roll.double or die not in exception.doubles:
            return self.rules.head_limit
        before_their_head = sum(1 << i for i in range(die, _HALF, die))
        if exception.only_opposing_head and self.enemy & before_their_head:
            return self.rules.head_limit
        return self.rules.head_limit_first

    def _windows_without_help(self) -> int:
        """First indices, on the opponent's path, of the windows that would lock him (§3.4)."""
        theirs = _turned(self.enemy)
        if self.position.off(other(self.side)):
            return 0  # one that is off is past every block
        foremost, size = theirs.bit_length() - 1, self.rules.block_points
        windows = (1 << (POINTS - size + 1)) - 1
        if self.rules.block_saved_by == "home":
            return 0 if foremost >= HOME_INDEX else windows
        return windows & -(1 << max(0, foremost - size + 1))

    def locked(self, place: int) -> int:
        """The windows that newly lock the opponent, a bit for each one's first index."""
        occupied = place & FULL
        found = self._locks.get(occupied)
        if found is None:
            found = _windows(occupied, self.rules.block_points) & self._lockable
            self._locks[occupied] = found
        return found

    def half_moves(
        self, place: int, die: int, permitted: bool = True
    ) -> Iterator[tuple[int, int, int]]:
        """Every half-move with a die, rearmost checker first.

        Args:
            place: where the mover stands.
            die: the number to play.
            permitted: leave out those that break a rule.

        Yields:
            the place after it, the index left, and the rules broken as bits.
        """
        occupied = place & FULL
        on_board = occupied & (FULL >> die)
        held = self.enemy >> die
        spent = int(self._head - (place >> POINTS & _FIELD) >= self.head_limit)
        left = on_board & ~(held | spent) if permitted else on_board
        blocks = self._each and self._lockable
        while left:
            bit = left & -left
            left ^= bit
            i = bit.bit_length() - 1
            after = (place - _ONE[i] + _ONE[i + die]) | bit << die
            if not after >> (POINTS + _WIDTH * i) & _FIELD:
                after ^= bit
            breaks = (M3 if held & bit else 0) | (M4 if spent & bit else 0)
            if blocks and self.locked(after):
                breaks |= M5
            if not (permitted and breaks):
                yield after, i, breaks
        if occupied != on_board:
            yield from self._bear_offs(place, die, permitted)

    def _bear_offs(self, place: int, die: int, permitted: bool) -> Iterator[tuple[int, int, int]]:
        """The half-moves that take a checker off the board (§2.2, §3.8, §3.9)."""
        occupied = place & FULL
        outside = bool(occupied & OUTSIDE) or not self._off_open
        early = B1 if outside and self.rules.off_needs_all_home else 0
        if permitted and early:
            return
        for i in range(POINTS - die, POINTS):
            bit = 1 << i
            if not occupied & bit:
                continue
            low = i + die > POINTS and occupied & (bit - 1)
            breaks = early | (B2 if low and self.rules.off_larger_from_rearmost else 0)
            if permitted and breaks:
                continue
            after = place - _ONE[i]
            if not after >> (POINTS + _WIDTH * i) & _FIELD:
                after ^= bit
            yield after, i, breaks

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The permitted half-moves: what can be reached with 0, 1, 2, ... of them."""
        return self._grown(allowed=0)

    def bending(self, rule: int) -> tuple[Level, ...]:
        """The same when one more rule may be broken; nodes tell whether it was."""
        return self._grown(allowed=rule)

    def _grown(self, allowed: int) -> tuple[Level, ...]:
        level: Level = {(self.start, self.roll.to_play, 0): None}
        grown = []
        while level:
            grown.append(level)
            following: Level = {}
            for (place, dice, broken), way in level.items():
                for die, rest in _choices(dice):
                    for after, i, breaks in self.half_moves(place, die, not allowed):
                        if breaks & ~allowed:
                            continue
                        key = (after, rest, broken | breaks)
                        if key not in following:
                            following[key] = (way, die, i, breaks)
            level = following
        return tuple(grown)

    def settled(self, level: Level) -> list[Node]:
        """The nodes of a level at which the turn may end: all, or those that lock nobody."""
        if self._each:
            return list(level)
        return [node for node in level if not self.locked(node[0])]

    @cached_property
    def playable(self) -> tuple[int, list[Node]]:
        """The most half-moves that can be played, and the nodes there (§1.10)."""
        for played in range(len(self.levels) - 1, 0, -1):
            nodes = self.settled(self.levels[played])
            if nodes:
                return played, nodes
        return 0, list(self.levels[0])

    @cached_property
    def ends(self) -> dict[int, Way]:
        """Every place where a legal turn can end, with a way there."""
        played, nodes = self.playable
        levels = self.levels[played : played + 1]
        if not self.rules.full_move:
            levels = self.levels
            nodes = [node for level in levels for node in self.settled(level)]
        elif played == 1 and not self.roll.double and self.rules.larger_die:
            larger = [node for node in nodes if node[1] == self.roll.dice[1:]]
            nodes = larger or nodes
        ends: dict[int, Way] = {}
        for node in nodes:
            ends.setdefault(node[0], self.way(node, levels))
        return ends

    @staticmethod
    def way(node: Node, levels: Sequence[Level]) -> Way:
        """The way found to a node of these levels."""
        return next(level[node] for level in levels if node in level)

    def goes_on(self, node: Node) -> HalfMove | None:
        """A permitted half-move from a node that leads, at once or later, to a fair end."""
        place, dice, _ = node
        for die, rest in _choices(dice):
            for after, i, breaks in self.half_moves(place, die):
                following = (after, rest, 0)
                fair = self._each or not self.locked(after) or self.goes_on(following)
                if fair:
                    return half_move(self.side, die, i, breaks)
        return None

    def steps(self, way: Way) -> tuple[HalfMove, ...]:
        """The half-moves of a way, in order."""
        found: list[HalfMove] = []
        while way is not None:
            way, die, i, breaks = way
            found.append(half_move(self.side, die, i, breaks))
        found.reverse()
        return tuple(found)

    def after(self, place: int) -> Position:
        """The position when the mover stands at a place and the turn is over."""
        counts = unpack(place)
        off = CHECKERS - sum(counts)
        # index i is the side's head minus i, so the points upwards are the path backwards
        if self.side == "w":
            return Position("b", counts[::-1], self.position.black, off, self.position.black_off)
        points = counts[_HALF - 1 :: -1] + counts[: _HALF - 1 : -1]
        return Position("w", self.position.white, points, self.position.white_off, off)

    def readings(self, goal: int) -> tuple[Level, ...]:
        """All ways with these dice, rules broken or not, that can still lead to a place.

        Left out is what can't: a checker already further than it stands at the end, or more
        pips to go than are on the dice left.
        """
        target = _reach(goal)
        level: Level = {}
        if self._on_the_way(self.start, self.roll.to_play, target):
            level[(self.start, self.roll.to_play, 0)] = None
        grown = []
        while level:
            grown.append(level)
            following: Level = {}
            for (place, dice, broken), way in level.items():
                for die, rest in _choices(dice):
                    for after, i, breaks in self.half_moves(place, die, permitted=False):
                        key = (after, rest, broken | breaks)
                        if key not in following and self._on_the_way(after, rest, target):
                            following[key] = (way, die, i, breaks)
            level = following
        return tuple(grown)

    @staticmethod
    def _on_the_way(place: int, dice: tuple[int, ...], target: tuple[int, ...]) -> bool:
        here = _reach(place)
        if any(map(int.__lt__, here, target)):
            return False
        return sum(here) - sum(target) <= sum(dice)

    def sums(self) -> list[int]:
        """What one checker can be taken on with these dice: each, larger first, and together."""
        dice = self.roll.to_play
        if self.roll.double:
            return [dice[0] * k for k in range(1, len(dice) + 1)]
        return [*dice, sum(dice)]

    def first_too_far_back(self, goal: int) -> int | None:
        """The first index at which a checker stands that must have gone back there (§1.9).

        None when every own checker can go to its place at the end going forward or standing.
        """
        pairs = zip(_reach(self.start), _reach(goal), strict=True)
        return next((i for i, (here, there) in enumerate(pairs) if here < there), None)

    def places(self, steps: Sequence[HalfMove]) -> list[int]:
        """Where the mover stands before the first of these half-moves and after each."""
        counts = list(unpack(self.start))
        found = [self.start]
        for step in steps:
            counts[index(self.side, step.frm)] -= 1
            if step.to:
                counts[index(self.side, step.to)] += 1
            found.append(pack(counts))
        return found


def _choices(dice: tuple[int, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The next die, larger first, and what is left after it."""
    if len(dice) == 2 and dice[0] != dice[1]:
        return (dice[0], dice[1:]), (dice[1], dice[:1])
    return ((dice[0], dice[1:]),) if dice else ()


def _turned(mask: int) -> int:
    """A mask of one side's indices by the other side's: half a round on."""
    return (mask << _HALF | mask >> _HALF) & FULL


def _windows(occupied: int, size: int) -> int:
    """The rows of so many held points, a bit for the opponent's index at which each begins."""
    mine = found = _turned(occupied)
    for k in range(1, size):
        found &= mine >> k
    return found


def _mask(counts: Sequence[int]) -> int:
    return sum(1 << i for i, count in enumerate(counts) if count)


def pack(counts: Sequence[int]) -> int:
    """The place with so many checkers on the indices 0..23."""
    return int.from_bytes(bytes(counts), "little") << POINTS | _mask(counts)


def unpack(place: int) -> tuple[int, ...]:
    """The checkers on the indices 0..23 of a place."""
    return tuple((place >> POINTS).to_bytes(POINTS, "little"))


def _reach(place: int) -> tuple[int, ...]:
    """How many checkers stand at an index or before it, for each index: forward makes it less."""
    return tuple(accumulate((place >> POINTS).to_bytes(POINTS, "little"), add))

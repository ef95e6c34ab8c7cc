"""Counting towards the draw rules: how far each one has got after every ply."""

from __future__ import annotations

from .draws import DrawRule, Event, Material
from .position import Position

#: For each rule the plies counted; None while its condition does not hold.
Counts = tuple[int | None, ...]


def events(before: Position, after: Position) -> frozenset[Event]:
    """What a ply did, read from the boards, so that an illegal ply that stood counts too."""
    found: set[Event] = set()
    lost = (before.white | before.black).bit_count() - (after.white | after.black).bit_count()
    if lost:
        found.add("capture")
    if _man_moved(before, after):
        found.add("man")
    kings = (
        (before.white_kings, after.white_kings),
        (before.black_kings, after.black_kings),
    )
    if any(new.bit_count() > old.bit_count() for old, new in kings):
        found.add("promotion")
    return frozenset(found)


def _man_moved(before: Position, after: Position) -> bool:
    """A man stands where none stood, or the mover has fewer men: it left, if only to be crowned."""
    if after.white_men & ~before.white_men or after.black_men & ~before.black_men:
        return True
    men = before.white_men if before.side == "w" else before.black_men
    return bool(men & ~(after.white_men | after.black_men))


def begin(rules: tuple[DrawRule, ...], start: Position) -> Counts:
    """The counters at the start of a game."""
    return tuple(0 if _begins(rule, start) else None for rule in rules)


def advance(
    rules: tuple[DrawRule, ...], counts: Counts, before: Position, after: Position
) -> Counts:
    """The counters after a ply."""
    done = events(before, after)
    return tuple(_next(rule, count, done, after) for rule, count in zip(rules, counts, strict=True))


def _next(rule: DrawRule, count: int | None, done: frozenset[Event], after: Position) -> int | None:
    if rule.material is not None and not holds(rule.material, after):
        return None
    if count is None:
        return 0 if _begins(rule, after) else None
    if done & rule.resets:
        return 0
    return count + 1 if _on_road(rule, after) else count


def _begins(rule: DrawRule, position: Position) -> bool:
    material = rule.material is None or holds(rule.material, position)
    return material and _on_road(rule, position)


def holds(material: Material, position: Position) -> bool:
    """Whether a position has the pieces that a rule speaks of."""
    low, high = material.pieces
    if not material.lone_king:
        pieces = (position.white | position.black).bit_count()
        return bool(position.white_kings and position.black_kings) and low <= pieces <= high
    white = (position.white_men, position.white_kings)
    black = (position.black_men, position.black_kings)
    return _faces(material, white, black) or _faces(material, black, white)


def _faces(material: Material, strong: tuple[int, int], lone: tuple[int, int]) -> bool:
    low, high = material.pieces
    men, kings = strong
    return (
        not lone[0]
        and lone[1].bit_count() == 1
        and bool(kings)
        and low <= (men | kings).bit_count() <= high
        and not (material.all_kings and men)
    )


def _on_road(rule: DrawRule, position: Position) -> bool:
    if not rule.road:
        return True
    lone = position.white if position.white.bit_count() == 1 else position.black
    return lone.bit_length() in rule.road


def occurrences(rule: DrawRule, seen: tuple[Position, ...], since: int) -> int:
    """How often the last position has stood, the same side to move.

    Args:
        rule: a rule that counts ``times``.
        seen: every position of the game, the start first.
        since: index of the position after the last irreversible ply.
    """
    first = since if rule.resets else 0
    return seen[first:].count(seen[-1])

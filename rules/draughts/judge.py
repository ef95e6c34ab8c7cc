"""What happened between two boards: the first row that fits in a table of deeds.

``before`` is the board that the rules know; one deed of its side is judged.  Colours are compared
first; crowns count only in the rows that speak of them.  Two boards show the result of a deed, not
the deed: a row names the simplest story that explains them.
"""

from __future__ import annotations

from dataclasses import replace

from ..verdict import Legal, Unchanged, Verdict
from .captures import Capture, precedence
from .moves import Forces, MoveGenerator, forces, generator
from .pair import Pair, bits, known
from .position import Move, Position, other, squares_of
from .telling import Finding, tell
from .variant import Variant


def judge(game: MoveGenerator, before: Position, after: Position) -> Verdict[Position]:
    """Unchanged, legal, or the offence; the side to move of ``after`` is ignored."""
    pair = Pair(known(game, before), forces(after.with_side(before.side)))
    if pair.now == pair.before.seen:
        return Unchanged()
    for move, end in pair.before.ends:
        if end == pair.now:
            return Legal(pair.before.text(move), move.after)
    return tell(pair, find(pair))


def find(pair: Pair) -> Finding:
    """The first row that fits a board that is neither unchanged nor legal."""
    return next(found for row in ROWS if (found := row(pair)))


# ---------------------------------------------------------------------- crowns


def crown_missing(pair: Pair) -> Finding | None:
    """A legal move, but the man that became a king stands unmarked (FMJD 5.4.15)."""
    for move, end in _same_colours(pair):
        men, kings, foe_men, foe_kings = end
        last = 1 << move.to - 1
        if move.crowned and pair.now == (men | last, kings ^ last, foe_men, foe_kings):
            return Finding("O14", "", (move.to,), {"to": pair.name(move.to)})
    return None


def wrong_crowns(pair: Pair) -> Finding | None:
    """The colours of the board before or of a legal move, but crowns wrong otherwise."""
    same = _same_colours(pair)
    if not same and pair.left | pair.new | pair.gone | pair.risen:
        return None
    _, kings, _, foe_kings = same[0][1] if same else pair.before.seen
    wanted, marked = kings | foe_kings, pair.now[1] | pair.now[3]
    crowned, lost = marked & ~wanted, wanted & ~marked
    form, squares = ("crowned", crowned) if crowned else ("crown-lost", lost)
    fields = {"squares": pair.names(squares)}
    return Finding("O1", form, (*squares_of(crowned), *squares_of(lost)), fields)


def _same_colours(pair: Pair) -> list[tuple[Move, Forces]]:
    """The legal moves, and the forces after each, that leave the colours as they stand."""
    return [
        (move, end)
        for move, end in pair.before.ends
        if end[0] | end[1] == pair.own_now and end[2] | end[3] == pair.foes_now
    ]


# ---------------------------------------------------------------------- whose pieces


def opponents_piece(pair: Pair) -> Finding | None:
    """An enemy piece stands on a new square and one is missing elsewhere (FMJD 5.4.5)."""
    if not (pair.risen and pair.gone):
        return None
    squares = (*squares_of(pair.risen), *squares_of(pair.gone))
    turned = known(pair.before.game, pair.before.position.with_side(other(pair.before.side)))
    foes_first = (*pair.now[2:], *pair.now[:2])
    for move, end in turned.ends:
        if end == foes_first:
            return Finding("O5", "turn", squares, {"played": turned.text(move)})
    fields = {"squares": pair.names(pair.risen)}
    if pair.risen.bit_count() == pair.gone.bit_count() == 1:
        fields |= {"frm": pair.names(pair.gone), "to": pair.names(pair.risen)}
    return Finding("O5", "", squares, fields)


def from_nowhere(pair: Pair) -> Finding | None:
    """More pieces of one colour than before."""
    extra = pair.risen or (pair.new if pair.new.bit_count() > pair.left.bit_count() else 0)
    if not extra:
        return None
    return Finding("O1", "from-nowhere", tuple(squares_of(extra)), {"squares": pair.names(extra)})


def removed_own(pair: Pair) -> Finding | None:
    """An own piece is off and another one moved, or made a round trip (FMJD 5.4.14)."""
    if pair.left.bit_count() <= pair.new.bit_count():
        return None
    if not pair.new and all(trip.taken != pair.gone for trip in pair.trips):
        return None
    lost = pair.left
    for frm in squares_of(pair.left):
        landing = pair.new.bit_length()
        if pair.new.bit_count() == 1 and _could_be(pair, frm, landing):
            lost = pair.left & ~(1 << frm - 1)
            break
    return Finding("O13", "", tuple(squares_of(lost)), {"squares": pair.names(lost)})


def _could_be(pair: Pair, frm: int, to: int) -> bool:
    """Whether the piece on ``frm`` could have gone to ``to``, taking what is gone."""
    if not pair.gone:
        return (frm, to) in pair.before.quiet
    return pair.gone in pair.before.ways(frm, to)


# ---------------------------------------------------------------------- nothing moved


def round_trip(pair: Pair) -> Finding | None:
    """No own piece moved or is missing, and a round trip explains what is gone."""
    if pair.left or pair.new:
        return None
    gone = pair.gone
    for trip in sorted(pair.trips, key=lambda trip: not trip.complete):
        if trip.taken == gone:
            return _not_allowed(pair, trip.square, trip.square, trip.complete)
    for trip in pair.trips:
        if not gone & ~trip.taken:
            ways = pair.before.ways(trip.square, trip.square)
            return _left_standing(pair, trip.square, trip.square, ways)
    for trip in pair.trips:
        if trip.complete and not trip.taken & ~gone:
            return _removed_more(pair, trip.square, trip.square, {trip.taken})
    return None


def removed_without_reason(pair: Pair) -> Finding | None:
    """Pieces are off and nothing stands on a new square (FMJD 5.4.7)."""
    if pair.new:
        return None
    off = pair.left | pair.gone
    return Finding("O7", "", tuple(squares_of(off)), {"squares": pair.names(off)})


# ---------------------------------------------------------------------- one piece moved


def stopped_or_minor(pair: Pair) -> Finding | None:
    """What is gone is just what the piece could take on its way there."""
    if not pair.moved:
        return None
    frm, to = pair.moved
    if pair.gone not in pair.before.ways(frm, to):
        return None
    whole = any((c.path[-1], c.taken) == (to, pair.gone) for c in pair.before.complete(frm))
    return _not_allowed(pair, frm, to, whole)


def capture_ignored(pair: Pair) -> Finding | None:
    """A quiet move while a capture was due (FMJD 5.4.6)."""
    if not pair.moved or pair.gone or pair.moved not in pair.before.quiet:
        return None
    frm, to = pair.moved
    capturing = sorted({move.frm for move in pair.before.moves if move.taken})
    squares = tuple(dict.fromkeys((to, frm, *capturing)))
    return Finding("O6", "", squares, {"frm": pair.name(frm), "to": pair.name(to)})


def wrong_count(pair: Pair) -> Finding | None:
    """Pieces that were jumped still stand (FMJD 5.4.11)."""
    if not pair.moved:
        return None
    frm, to = pair.moved
    ways = pair.before.ways(frm, to)
    if all(pair.gone & ~taken for taken in ways):
        return None
    return _left_standing(pair, frm, to, ways)


def removed_uncaptured(pair: Pair) -> Finding | None:
    """Pieces are off that no single way there jumps (FMJD 5.4.12)."""
    if not pair.moved or not pair.gone:
        return None
    frm, to = pair.moved
    ways = pair.before.ways(frm, to)
    if pair.moved in pair.before.quiet:
        ways = ways | {0}
    return _removed_more(pair, frm, to, ways) if ways else None


def backward(pair: Pair) -> Finding | None:
    """A man went back, or captured backward where men may not."""
    if not pair.moved:
        return None
    frm, to = pair.moved
    stayed_man = not pair.before.is_king(frm) and pair.now[0] >> to - 1 & 1
    if not stayed_man:
        return None
    rows = pair.before.game.variant.board.row_of(to) - pair.before.game.variant.board.row_of(frm)
    fields = {"frm": pair.name(frm), "to": pair.name(to)}
    if not pair.gone and (rows > 0 if pair.before.side == "w" else rows < 0):
        return Finding("O4a", "step", (to, frm), fields)
    if _would_be(pair, replace(pair.before.game.variant, men_capture_backward=True)):
        return Finding("O4a", "capture", (to, frm), fields)
    return None


def _would_be(pair: Pair, rules: Variant) -> bool:
    """Whether the piece that moved could take what is gone on its way under other rules."""
    if not pair.moved or not pair.gone:
        return False
    freer = known(generator(rules), pair.before.position)
    return pair.gone in freer.ways(*pair.moved)


# ---------------------------------------------------------------------- several pieces moved


def two_moves(pair: Pair) -> Finding | None:
    """The colours after two legal moves in a row (FMJD 5.4.1)."""
    if not 1 <= pair.new.bit_count() == pair.left.bit_count() <= 2:
        return None
    if not pair.before.twice(pair.own_now, pair.foes_now):
        return None
    squares = (*squares_of(pair.new), *squares_of(pair.left))
    return Finding("O2", "", squares, {"squares": pair.names(pair.new)})


def other_piece(pair: Pair) -> Finding | None:
    """Two own pieces stand elsewhere (FMJD 5.4.3)."""
    if not pair.left.bit_count() == pair.new.bit_count() == 2:
        return None
    squares = (*squares_of(pair.new), *squares_of(pair.left))
    for move in pair.before.moves:
        frm, to = 1 << move.frm - 1, 1 << move.to - 1
        if frm & pair.left and to & pair.new and bits(move.taken) == pair.gone:
            odd, home = pair.new ^ to, pair.left ^ frm
            fields = {"to": pair.names(odd), "frm": pair.names(home)}
            squares = (odd.bit_length(), home.bit_length(), move.to, move.frm)
            return Finding("O3", "", squares, fields)
    return Finding("O3", "", squares, {"squares": pair.names(pair.new)})


def illegal_move(pair: Pair) -> Finding:
    """All the rest (FMJD 5.4.2)."""
    squares = (*squares_of(pair.new), *squares_of(pair.left))
    if not pair.moved:
        return Finding("O1", "upset", squares, {"squares": pair.names(pair.new)})
    frm, to = pair.moved
    fields = {"frm": pair.name(frm), "to": pair.name(to)}
    freer = replace(pair.before.game.variant, men_capture_kings=True)
    if not pair.before.is_king(frm) and _would_be(pair, freer):
        return Finding("O1", "man-takes-king", squares, fields)
    if pair.gone:
        fields["off"] = pair.names(pair.gone)
    return Finding("O1", "", squares, fields)


# ---------------------------------------------------------------------- captures that went wrong


def _not_allowed(pair: Pair, frm: int, to: int, complete: bool) -> Finding:
    """A capture with all its pieces off: priority forbade it, or it had to go on."""
    return _minor(pair, frm, to) if complete else _stopped(pair, frm, to)


def _minor(pair: Pair, frm: int, to: int) -> Finding:
    """A complete capture, but another one has priority: by how much."""
    better = next(move for move in pair.before.moves if move.taken)
    _, own_kings, _, foe_kings = pair.before.seen
    criteria = pair.before.game.variant.precedence
    same = [c for c in pair.before.complete(frm) if (c.path[-1], c.taken) == (to, pair.gone)]
    had = max(precedence(capture, criteria, own_kings, foe_kings) for capture in same)
    allowed = Capture(better.path, better.taken, bits(better.taken), bool(had))
    need = precedence(allowed, criteria, own_kings, foe_kings)
    compared = zip(criteria, had, need, strict=True)
    reason, count, wanted = next(step for step in compared if step[1] != step[2])
    fields = {
        "better": pair.before.text(better),
        "count": str(count),
        "wanted": str(wanted),
        "frm": pair.name(frm),
        "to": pair.name(to),
    }
    return Finding("O8b", reason, tuple(dict.fromkeys((to, frm, better.frm))), fields)


def _stopped(pair: Pair, frm: int, to: int) -> Finding:
    """A capture that had to go on: from where it stopped, or from another landing square."""
    fields = {"here": pair.name(to)}
    states = [s for s in pair.before.begun(frm) if s[1] == pair.gone]
    for here, taken, king in sorted(states, key=lambda state: (state[0] != to, state)):
        onward = pair.before.onward(frm, here, taken, king)
        if onward:
            victim, landing = onward
            fields |= {"victim": pair.name(victim), "landing": pair.name(landing)}
            if here == to:
                return Finding("O9", "go-on", (to, victim, landing), fields)
            return Finding("O9", "land", (to, here), fields | {"landing": pair.name(here)})
    return Finding("O9", "", (to,), fields)


def _left_standing(pair: Pair, frm: int, to: int, ways: set[int]) -> Finding:
    """Jumped pieces still stand; ``ways`` are the sets of pieces that can be jumped."""
    fitting = [taken for taken in ways if not pair.gone & ~taken]
    taken = min(fitting, key=lambda t: (pair.before.move(frm, to, t) is None, t.bit_count(), t))
    standing = taken & ~pair.gone
    form = "lift" if pair.before.move(frm, to, taken) else "undo"
    fields = {"squares": pair.names(standing), "frm": pair.name(frm), "to": pair.name(to)}
    return Finding("O11", form, (*squares_of(standing), to), fields)


def _removed_more(pair: Pair, frm: int, to: int, ways: set[int]) -> Finding:
    """Pieces are off that were not jumped; ``ways`` are the sets that can be jumped."""
    gone = pair.gone

    def likeness(taken: int) -> tuple[int, bool, int]:
        return (gone ^ taken).bit_count(), pair.before.move(frm, to, taken) is None, taken

    taken = min(ways, key=likeness)
    extra, standing = gone & ~taken, taken & ~gone
    legal = pair.before.move(frm, to, taken)
    form = "undo" if not legal else "swap" if standing else "put-back"
    fields = {"squares": pair.names(extra), "frm": pair.name(frm), "to": pair.name(to)}
    if standing:
        fields["standing"] = pair.names(standing)
    return Finding("O12", form, (*squares_of(extra), *squares_of(standing), to), fields)


#: In the order asked: the first that fits names the deed.
ROWS = (
    crown_missing,
    wrong_crowns,
    opponents_piece,
    from_nowhere,
    removed_own,
    round_trip,
    removed_without_reason,
    stopped_or_minor,
    capture_ignored,
    wrong_count,
    removed_uncaptured,
    backward,
    two_moves,
    other_piece,
    illegal_move,
)

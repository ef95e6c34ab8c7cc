"""Reading PDN files: headers, and which game is meant."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from ..errors import RulesError
from .game import NAMES, DraughtsGame
from .pdn_body import Body, Wrong
from .pdn_facts import ALIASES, COMPUTED, READ_RESULTS, RESULTS, SEVEN
from .pdn_games import RawGame, split
from .pdn_line import Line, positions_of
from .pdn_tokens import Token, short, tokens
from .position import Position
from .record import Fault, GameRecord, Ply, Result, Stand, one_line

#: Faults told for one game; the rest are counted.
MOST_FAULTS = 50

_TYPE = re.compile(r"\s*(\d{1,4})(?!\d)")
_NAME = re.compile(r"[a-j]\d")
_NUMBER = re.compile(r"\d{1,2}")
_EMPTY = Position("w", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Places:
    """Turns offsets into lines and columns."""

    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Places:
        """For one text."""
        return cls((0, *(match.end() for match in re.finditer("\n", text))))

    def fault(self, at: int, what: str, expected: str = "") -> Fault:
        """A fault at an offset."""
        line = bisect_right(self.starts, at)
        return Fault(line, at - self.starts[line - 1] + 1, what, expected)


def read(text: str | bytes, game: str | None = None) -> tuple[GameRecord, ...]:
    """Every game of a PDN file, in order; what is wrong is told in ``faults``, never raised.

    Args:
        text: the file; bytes are UTF-8 or, failing that, Latin-1.
        game: which game is played where a file does not say so by ``GameType``; without it the
            one under which most of the moves are legal.

    Returns:
        One record a game; none for an empty text.  A game of a kind not played here has no plies
        and ``game`` is empty.

    Raises:
        UnknownGame: ``game`` is no draughts game.
    """
    default = DraughtsGame.by_name(game) if game else None
    source, broken = _decoded(text)
    places = Places.of(source)
    records = []
    for raw in split(tokens(source)):
        raw.faults += broken
        broken = []
        records.append(_record(raw, default, places))
    return tuple(records)


def _decoded(text: str | bytes) -> tuple[str, list[Token]]:
    """The text with plain line ends, and a fault where bytes were not UTF-8."""
    broken: list[Token] = []
    if isinstance(text, str):
        source = text
    else:
        try:
            source = text.decode("utf-8")
        except UnicodeDecodeError as error:
            at = len(text[: error.start].replace(b"\r\n", b"\n"))
            broken = [Token("fault", f"byte {text[error.start]:#04x}", at, "UTF-8")]
            source = text.decode("latin-1")
    return source.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", " "), broken


@dataclass(frozen=True, slots=True)
class _Played:
    """A game's moves read under the rules of one game."""

    game: DraughtsGame
    start: Position
    plies: tuple[Ply | Stand, ...]
    remarks: tuple[str, ...]
    wrong: list[Wrong]


def _record(raw: RawGame, default: DraughtsGame | None, places: Places) -> GameRecord:
    tags = _tags(raw)
    wrong: list[Wrong] = [(token.at, token.text, token.value) for token in raw.faults]
    games, unplayable = _games(raw, tags, default)
    odd = _odd_result(raw, tags)
    body = [token for token in raw.body if token is not odd]
    played = max(
        (_played(game, tags.get("FEN"), body) for game in games),
        key=lambda each: (len(each.plies), -len(each.wrong)),
        default=None,
    )
    result, conflict = _result(raw, tags)
    wrong += unplayable + conflict + (played.wrong if played else [])
    return GameRecord(
        game=played.game.name if played else "",
        start=played.start if played else _EMPTY,
        plies=played.plies if played else (),
        result=result,
        reason=tags["Termination"].value if "Termination" in tags else "",
        tags=_kept(tags, played.game.variant.tag if played else "", result),
        remarks=played.remarks if played else (),
        faults=_faults(wrong, places),
    )


def _faults(wrong: list[Wrong], places: Places) -> tuple[Fault, ...]:
    faults = [places.fault(*each) for each in sorted(wrong)[:MOST_FAULTS]]
    if len(wrong) > MOST_FAULTS:
        last, more = faults[-1], len(wrong) - MOST_FAULTS
        faults.append(Fault(last.line, last.column, f"{more} more faults in this game"))
    return tuple(faults)


# ------------------------------------------------------------------ headers


def _tags(raw: RawGame) -> dict[str, Token]:
    """Name -> tag; names begin with a capital in PDN, the first of a name counts."""
    found: dict[str, Token] = {}
    for token in raw.tags:
        name = token.text[0].upper() + token.text[1:]
        found.setdefault(ALIASES.get(name, name), token)
    return found


def _kept(tags: dict[str, Token], variant: str, result: Result) -> tuple[tuple[str, str], ...]:
    """What a record keeps: the seven tags first, without what is not known or follows anyway.

    A result in a way of counting not known here, as ``4-6``, is kept as it is.
    """
    names = [name for name in SEVEN if name in tags]
    names += [name for name in tags if name not in SEVEN]
    computed = COMPUTED | ({"Variant"} if variant else set())
    if result == "*" and "Result" in tags and _close(tags["Result"].value) != "*":
        computed -= {"Result"}
    return tuple(
        (name, one_line(tags[name].value, braces=True))
        for name in names
        if name not in computed and not _is_unknown(name, tags[name].value)
    )


def _is_unknown(name: str, value: str) -> bool:
    return name in SEVEN and value.strip() in ("", "?", SEVEN[name])


def _games(
    raw: RawGame, tags: dict[str, Token], default: DraughtsGame | None
) -> tuple[list[DraughtsGame], list[Wrong]]:
    """The games that may be meant, and what is wrong with ``GameType``."""
    token = tags.get("GameType")
    if token is None or token.value.strip() in ("", "?"):
        return ([default] if default else _guesses(raw, tags)), []
    match = _TYPE.match(token.value)
    number = match[1] if match else ""
    games = [DraughtsGame.by_name(name) for name in NAMES]
    fitting = [game for game in games if game.variant.game_type.split(",")[0] == number]
    if not fitting:
        return [], [(token.at, f"game type {short(token.value)!r}", "20, 21, 22 or 25")]
    variant = tags["Variant"].value.strip() if "Variant" in tags else ""
    named = [game for game in fitting if game.variant.tag == variant]
    return named or [game for game in fitting if not game.variant.tag], []


def _guesses(raw: RawGame, tags: dict[str, Token]) -> list[DraughtsGame]:
    """The games that the squares named in a file allow."""
    texts = [token.text.lower() for token in raw.body if token.kind == "move"]
    boards = [token.text for token in raw.body if token.kind == "setup"]
    texts += [board.partition(":")[2] for board in boards]
    texts += [tags["FEN"].value.partition(":")[2]] if "FEN" in tags else []
    named = any(_NAME.search(text) for text in texts)
    large = any(int(number) > 32 for text in texts for number in _NUMBER.findall(text))
    names = ["english", "russian", "italian", "international"]
    if named:
        names = ["russian"]
    elif large:
        names = ["international"]
    elif "Result" in tags and _close(tags["Result"].value) in RESULTS["2-1-0"].values():
        names.insert(0, names.pop())
    return [DraughtsGame.by_name(name) for name in names]


# ------------------------------------------------------------------ results


def _result(raw: RawGame, tags: dict[str, Token]) -> tuple[Result, list[Wrong]]:
    """The result of the tag, or of the token at the end where the tag has none."""
    tag = tags.get("Result")
    told = READ_RESULTS.get(_close(tag.value), "*") if tag else "*"
    ended = READ_RESULTS.get(_close(raw.result.text), "*") if raw.result else "*"
    if raw.result and tag and "*" not in (told, ended) and told != ended:
        what = f"result {raw.result.text!r} at the end"
        return told, [(raw.result.at, what, f"{short(tag.value)!r} as in the tag")]
    return (ended if told == "*" else told), []


def _odd_result(raw: RawGame, tags: dict[str, Token]) -> Token | None:
    """A result that looks like a move: ``4-6`` behind the last move, and in the tag as well."""
    moves = [token for token in raw.body if token.kind == "move"]
    if not moves or "Result" not in tags:
        return None
    return moves[-1] if _close(moves[-1].text) == _close(tags["Result"].value) else None


def _close(text: str) -> str:
    return "".join(text.split())


# ------------------------------------------------------------------ moves


def _played(game: DraughtsGame, fen: Token | None, body: list[Token]) -> _Played:
    starts, wrong = [game.start()], []
    if fen is not None and fen.value.strip():
        try:
            starts = positions_of(game, fen.value)
        except RulesError as error:
            wrong = [(fen.at, f"{error.where}: {error.what}", error.expected)]
    reader = Body(game, [Line(start) for start in starts])
    for token in body:
        reader.add(token)
    plies, more = reader.finish()
    return _Played(game, reader.start.position, plies, reader.remarks, wrong + more)

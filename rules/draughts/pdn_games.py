"""Sorting the tokens of a PDN file into games; variations are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .pdn_tokens import Token


@dataclass(slots=True)
class RawGame:
    """The tokens of one game.

    Attributes:
        tags: its header.
        body: its main line, in order; comments behind the result too.
        result: the token that ends it.
        faults: what was wrong on the way.
    """

    tags: list[Token] = field(default_factory=list)
    body: list[Token] = field(default_factory=list)
    result: Token | None = None
    faults: list[Token] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Nothing in it, not even a tag."""
        return not (self.tags or self.body)

    @property
    def begun(self) -> bool:
        """A tag from here on belongs to the next game."""
        return bool(self.body or self.result)


def split(found: Iterable[Token]) -> Iterator[RawGame]:
    """The games of a file, one after the other.

    A game ends at a result, at ``*``, or where tags follow moves.  Faults before the first game
    belong to it.
    """
    game = RawGame()
    opened: list[Token] = []
    for token in found:
        if token.kind == "fault":
            game.faults.append(token)
        elif token.kind == "tag":
            game.faults += [_unclosed(at) for at in opened]
            opened = []
            if game.begun:
                yield game
                game = RawGame()
            game.tags.append(token)
        elif token.kind == "open":
            opened.append(token)
        elif token.kind == "close":
            if opened:
                opened.pop()
            else:
                game.faults.append(Token("fault", "')'", token.at, "( before it"))
        elif not opened:
            if _starts_another(game, token):
                yield game
                game = RawGame()
            _add(game, token)
    game.faults += [_unclosed(at) for at in opened]
    if not game.empty or game.faults:
        yield game


def _unclosed(token: Token) -> Token:
    return Token("fault", "variation without its end", token.at, ")")


def _starts_another(game: RawGame, token: Token) -> bool:
    return game.result is not None and token.kind not in ("comment", "result")


def _add(game: RawGame, token: Token) -> None:
    if token.kind != "result":
        game.body.append(token)
    elif not game.empty and game.result is None:
        game.result = token

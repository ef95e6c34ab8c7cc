"""Who is who: players by the token of their side, the arbiter by his PIN, at home everybody.

Tokens of sides and the hash of the PIN lie in one file that only its owner can read.  Arbiters
who have shown their PIN are remembered in memory, by the hash of what their browser keeps.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from ..errors import BadConfig
from . import pin as pins
from .roles import EVERYBODY, NOTHING, SPECTATOR, Role, Side

VERSION = 1

#: Names of the cookies.
SIDE_COOKIE, ARBITER_COOKIE = "toreshi_side", "toreshi_arbiter"

#: Seconds that an arbiter stays one.
ARBITER_S = 12 * 3600

Mode = Literal["home", "club"]
Reading = Literal["open", "members"]

_SIDES: tuple[Side, Side] = ("w", "b")


class Access:
    """Who may do what at one table.

    Args:
        path: the file with the secrets; made when it isn't there.
        mode: ``home``: everybody may do everything; ``club``: by role.
        reading: ``open``: anybody on the net may look; ``members``: only players and arbiter.
        now_s: monotonic seconds.

    Raises:
        BadConfig: a file that can't be used.
    """

    def __init__(
        self,
        path: Path,
        mode: Mode = "home",
        reading: Reading = "open",
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.mode = mode
        self.reading = reading
        self.tries = pins.Tries(now_s)
        self._path = path
        self._now_s = now_s
        self._arbiters: dict[bytes, float] = {}
        kept = _read(path)
        self._pin: str = kept.get("pin", "")
        self._tokens: dict[Side, str] = {
            side: kept.get("tokens", {}).get(side) or secrets.token_urlsafe(16) for side in _SIDES
        }
        if mode == "club" and kept.get("tokens") != self._tokens:
            self._save()

    @property
    def has_pin(self) -> bool:
        """Whether an arbiter could log in."""
        return bool(self._pin)

    def set_pin(self, pin: str) -> None:
        """Keep the hash of a new PIN; whoever knew the old one has to show the new one.

        Raises:
            BadConfig: too short or too long, or the file can't be written.
        """
        self._pin = pins.hashed(pin)
        self._arbiters.clear()
        self._save()

    def renew_tokens(self) -> None:
        """Give both sides new tokens: the players of the last game are no longer these."""
        self._tokens = {side: secrets.token_urlsafe(16) for side in _SIDES}
        if self.mode == "club":
            self._save()

    def token(self, side: Side) -> str:
        """What a side's link carries."""
        return self._tokens[side]

    def role(self, cookies: Mapping[str, str]) -> Role:
        """What one with these cookies is."""
        if self.mode == "home":
            return EVERYBODY
        side = self.side_of(cookies.get(SIDE_COOKIE, ""))
        arbiter = self._is_arbiter(cookies.get(ARBITER_COOKIE, ""))
        if side or arbiter:
            return Role(True, frozenset((side,)) if side else frozenset(), arbiter)
        return SPECTATOR if self.reading == "open" else NOTHING

    def side_of(self, token: str) -> Side | None:
        """The side whose token this is."""
        found: Side | None = None
        for side, known in self._tokens.items():
            if hmac.compare_digest(_digest(token), _digest(known)):
                found = side
        return found

    def log_in(self, pin: str, address: str) -> str | float:
        """Try a PIN.  Slow on purpose: call it in a thread of its own.

        Returns:
            What the arbiter's browser is to keep; or the seconds to wait until the next try is
            looked at, 0 when it was only wrong.
        """
        wait = self.tries.wait_s(address)
        if wait > 0:
            return wait
        if not self._pin or not pins.fits(pin, self._pin):
            self.tries.failed(address)
            return self.tries.wait_s(address)
        self.tries.passed(address)
        token = secrets.token_urlsafe(32)
        self._arbiters[_digest(token)] = self._now_s() + ARBITER_S
        return token

    def log_out(self, cookies: Mapping[str, str]) -> None:
        """Forget an arbiter."""
        self._arbiters.pop(_digest(cookies.get(ARBITER_COOKIE, "")), None)

    def _is_arbiter(self, token: str) -> bool:
        now = self._now_s()
        self._arbiters = {known: until for known, until in self._arbiters.items() if until > now}
        return _digest(token) in self._arbiters

    def _save(self) -> None:
        row = {"v": VERSION, "pin": self._pin, "tokens": self._tokens}
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(row, file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            reason = error.strerror or "can't be written"
            raise BadConfig(reason, str(self._path), "a file that can be written") from error


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _read(path: Path) -> dict[str, Any]:
    expected = "what toreshi serve wrote; remove it to begin anew"
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        raise BadConfig("no file of secrets", str(path), expected) from None
    if not isinstance(row, dict) or row.get("v") != VERSION:
        raise BadConfig("a file of another version", str(path), expected)
    if not isinstance(row.get("pin"), str) or not isinstance(row.get("tokens"), dict):
        raise BadConfig("a file of secrets without them", str(path), expected)
    return row

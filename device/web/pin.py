"""The arbiter's PIN: kept as a hash that is slow to try, and few tries for whoever guesses."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ..errors import BadConfig

#: Cost of one try: 16 MiB and about a tenth of a second on a Raspberry Pi 4.
_N, _R, _P = 2**14, 8, 1
_MAX_MEMORY = 64 * 1024 * 1024

SHORTEST, LONGEST = 6, 64

#: An address may fail so often; then it waits, twice as long after each further failure.
FREE_TRIES = 5
FIRST_WAIT_S, LONGEST_WAIT_S = 30.0, 3600.0

#: Everybody together may fail so often within a time, since addresses are cheap.
ALL_TRIES, ALL_WITHIN_S = 40, 3600.0

#: So many addresses are remembered.
_ADDRESSES = 4096


def hashed(pin: str) -> str:
    """A PIN as it may be kept.

    Raises:
        BadConfig: it is too short or too long.
    """
    if not SHORTEST <= len(pin) <= LONGEST:
        raise BadConfig("a PIN of another length", "PIN", f"{SHORTEST} to {LONGEST} characters")
    salt = secrets.token_bytes(16)
    return f"scrypt${_N}${_R}${_P}${salt.hex()}${_scrypt(pin, salt, _N, _R, _P).hex()}"


def fits(pin: str, kept: str) -> bool:
    """Whether a PIN is the one that was kept.

    Raises:
        BadConfig: what was kept is no hash of ours.
    """
    try:
        kind, n, r, p, salt, digest = kept.split("$")
        costs = int(n), int(r), int(p)
        wanted, salted = bytes.fromhex(digest), bytes.fromhex(salt)
        if kind != "scrypt":
            raise ValueError
    except ValueError:
        raise BadConfig(
            "a hash of another kind", "PIN", "what toreshi serve --set-pin kept"
        ) from None
    return hmac.compare_digest(_scrypt(pin[:LONGEST], salted, *costs), wanted)


def _scrypt(pin: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    data = pin.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(data, salt=salt, n=n, r=r, p=p, maxmem=_MAX_MEMORY, dklen=32)


@dataclass(slots=True)
class _Failures:
    count: int = 0
    until_s: float = 0.0


@dataclass(slots=True)
class Tries:
    """Counts failures by address and together, and says how long to wait.

    Attributes:
        now_s: monotonic seconds.
    """

    now_s: Callable[[], float] = time.monotonic
    _by: dict[str, _Failures] = field(default_factory=dict)
    _all: deque[float] = field(default_factory=deque)

    def wait_s(self, address: str) -> float:
        """Seconds until this address may try again; 0 when it may now."""
        now = self.now_s()
        while self._all and self._all[0] <= now - ALL_WITHIN_S:
            self._all.popleft()
        together = self._all[0] + ALL_WITHIN_S - now if len(self._all) >= ALL_TRIES else 0.0
        own = self._by.get(_network(address))
        return max(0.0, together, own.until_s - now if own else 0.0)

    def failed(self, address: str) -> None:
        """Note a failure."""
        now, network = self.now_s(), _network(address)
        self._all.append(now)
        own = self._by.pop(network, _Failures())
        own.count += 1
        if own.count >= FREE_TRIES:
            doubled = FIRST_WAIT_S * math.pow(2.0, min(own.count - FREE_TRIES, 20))
            own.until_s = now + min(doubled, LONGEST_WAIT_S)
        self._by[network] = own
        while len(self._by) > _ADDRESSES:
            self._by.pop(next(iter(self._by)))

    def passed(self, address: str) -> None:
        """Forget the failures of an address that knew the PIN."""
        self._by.pop(_network(address), None)


def _network(address: str) -> str:
    """An address, or the network of one household's many IPv6 addresses."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(known, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((known, 64), strict=False))
    return str(known)

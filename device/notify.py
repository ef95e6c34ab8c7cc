"""What the service tells systemd: that it is ready, and that it is still looking.

The watchdog is fed when what the camera gave has gone all its way, so that a program that hangs
and a camera that stops giving frames are noticed from outside.  A camera that isn't there is no
reason to start anew: the page stays and says so.  sd_notify(3) is one datagram; a library for it
would be longer than this.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable

from vision.errors import BadPicture
from vision.frame import Frame

from .errors import Silent

#: Seconds after its first frame from which a camera that falls silent is worth a new program.  One
#: that falls silent sooner would have the page start anew again and again.
RAN_S = 60.0


class Notifier:
    """Tells the service manager; does nothing where there is none.

    Args:
        address: its socket; None takes the one in the environment.
    """

    def __init__(self, address: str | None = None) -> None:
        given = os.environ.get("NOTIFY_SOCKET", "") if address is None else address
        # systemd writes the NUL of an abstract socket as @
        self._address = "\0" + given[1:] if given.startswith("@") else given

    def ready(self) -> None:
        """The page is there; from now on the watchdog counts."""
        self._send("READY=1")

    def alive(self) -> None:
        """What the camera gave has been processed."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """One line for ``systemctl status``."""
        self._send("STATUS=" + " ".join(text.split()))

    def stopping(self) -> None:
        """The end is wanted and no failure."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                out.setblocking(False)
                out.sendto(message.encode(), self._address)
        except OSError:
            # nobody to tell: the watchdog will say so louder than we could
            return


class Feeding:
    """Feeds the watchdog, unless a camera that ran falls silent.

    A camera that is open and gives nothing may have hung inside this program (a driver, libcamera),
    and a new one is worth a try.  The new one then either has its camera or waits for it: where no
    camera was seen, errors feed the watchdog, too, for as long as they go all their way.

    Args:
        notifier: who is told.
        now_s: monotonic seconds.
    """

    def __init__(self, notifier: Notifier, now_s: Callable[[], float] = time.monotonic) -> None:
        self._notifier = notifier
        self._now_s = now_s
        self._first_s: float | None = None
        self._hangs = False

    def processed(self, given: Frame | BadPicture) -> None:
        """What the camera gave has gone all its way."""
        if isinstance(given, Frame):
            self._hangs = False
            if self._first_s is None:
                self._first_s = self._now_s()
        elif isinstance(given, Silent) and self._first_s is not None:
            self._hangs = self._hangs or self._now_s() - self._first_s >= RAN_S
        if not self._hangs:
            self._notifier.alive()

"""What the service tells systemd: that it is ready, and that it is still looking.

The watchdog is fed only when a frame has gone all its way, so that a program that hangs, a camera
that gives nothing and a picture that stands still are all noticed from outside.  sd_notify(3) is
one datagram; a library for it would be longer than this.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Iterator

from vision.errors import BadPicture
from vision.frame import Frame


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
        """A frame has been processed."""
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


def fed(
    frames: Iterable[Frame | BadPicture], notifier: Notifier, done: Callable[[], None] | None = None
) -> Iterator[Frame | BadPicture]:
    """The same frames; each one that was good feeds the watchdog when the next is asked for.

    Args:
        frames: from the camera.
        notifier: who is told.
        done: called as well, for whoever counts.
    """
    for frame in frames:
        yield frame
        if isinstance(frame, Frame):
            notifier.alive()
            if done is not None:
                done()

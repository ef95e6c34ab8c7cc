"""Whole files read into memory, whatever a name leads to: none is waited for without end, and
none fills the memory.

A name may be that of a pipe that nobody writes to, or of a device that never ends.
"""

from __future__ import annotations

import errno
import os
import select
import time
from pathlib import Path

#: Bytes; more than any picture, journal or collection of games here.
MOST = 256 * 1024 * 1024

#: Seconds within which a pipe has to say something.
PATIENCE_S = 5.0

_PART = 1024 * 1024


def read_whole(path: Path, most: int = MOST) -> bytes:
    """What a file, or a pipe until its end, holds.

    Args:
        path: the file.
        most: bytes that it may hold.

    Raises:
        OSError: it can't be read, holds more, or is a pipe from which nothing comes.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        parts, size = [], 0
        while part := _part(handle, path):
            size += len(part)
            if size > most:
                raise OSError(errno.EFBIG, f"more than {most // 2**20} MB", str(path))
            parts.append(part)
    finally:
        os.close(handle)
    return b"".join(parts)


def _part(handle: int, path: Path) -> bytes:
    until_s = time.monotonic() + PATIENCE_S
    while (left_s := until_s - time.monotonic()) > 0:
        try:
            return os.read(handle, _PART)
        except BlockingIOError:
            select.select([handle], [], [], left_s)
    raise OSError(errno.ETIMEDOUT, "nothing comes out of it", str(path))

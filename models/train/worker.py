"""Batches made by a process of their own, while the network learns from the last ones."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: Batches that wait at most.
AHEAD = 6


def _fill(queue: Any, make: Callable[[], Iterator[Any]]) -> None:
    import cv2  # the threads of OpenCV would take the other core

    cv2.setNumThreads(1)
    for batch in make():
        queue.put(batch)


@contextmanager
def worker(make: Callable[[], Iterator[Any]]) -> Iterator[Iterator[Any]]:
    """What ``make`` yields, made in another process, which ends with the block.

    ``make`` must be one that can be pickled: a function of a module, or a partial of one.
    """
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(AHEAD)
    process = context.Process(target=_fill, args=(queue, make), daemon=True)
    process.start()

    def taken() -> Iterator[Any]:
        while True:
            yield queue.get()

    try:
        yield taken()
    finally:
        process.terminate()
        process.join()

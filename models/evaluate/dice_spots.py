"""Dice by classical vision, to measure the networks against: round spots, and which lie together.

As hobby projects do it: OpenCV's blob detector finds dark and light round spots, spots that lie
close to each other are one die, and their number is what it shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import Die

Image = NDArray[np.uint8]

#: Smallest and largest radius of a pip, pixels.
RADII = (1.5, 12.0)

#: Spots of one die are no farther from the next one than this many diameters.
APART = 3.2

#: Pips of one die differ in size by no more than this factor.
ALIKE = 1.7

#: How far the die reaches beyond its spots, in diameters.
BEYOND = 1.6


def find_spots(image: Image) -> NDArray[np.float64]:
    """Round spots (n, 4): x, y, diameter in pixels, and 0 for dark ones, 1 for light ones."""
    told = cv2.SimpleBlobDetector.Params()
    told.filterByArea, told.minArea, told.maxArea = (
        True,
        np.pi * RADII[0] ** 2,
        np.pi * RADII[1] ** 2,
    )
    told.filterByCircularity, told.minCircularity = True, 0.7
    told.filterByInertia, told.minInertiaRatio = True, 0.4
    told.filterByConvexity, told.minConvexity = True, 0.8
    told.minDistBetweenBlobs, told.thresholdStep, told.minThreshold = 2.0, 12, 20
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    rows = []
    for light in (0, 1):
        told.filterByColor, told.blobColor = True, 255 * light
        points = cv2.SimpleBlobDetector.create(told).detect(grey)
        rows += [(p.pt[0], p.pt[1], p.size, float(light)) for p in points]
    return np.array(rows, float).reshape(-1, 4)


def together(spots: NDArray[np.float64]) -> list[NDArray[np.intp]]:
    """Which spots are one die's: those that a chain of near ones of like size joins."""
    left = set(range(len(spots)))
    groups = []
    while left:
        group, open_ones = [], [left.pop()]
        while open_ones:
            k = open_ones.pop()
            group.append(k)
            near = [j for j in left if _one_die(spots[k], spots[j])]
            left.difference_update(near)
            open_ones += near
        groups.append(np.array(sorted(group), np.intp))
    return groups


def _one_die(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    small, large = sorted((one[2], other[2]))
    away = np.hypot(one[0] - other[0], one[1] - other[1])
    return bool(one[3] == other[3] and large < ALIKE * small and away < APART * (small + large) / 2)


def find_classically(image: Image) -> Sequence[Die]:
    """Dice by their spots; more than six spots can't be read."""
    spots = find_spots(image)
    dice = []
    for group in together(spots):
        x, y, wide = spots[group, :3].T
        reach = BEYOND * float(wide.mean())
        box = (
            float(x.min() - reach), float(y.min() - reach),
            float(x.max() + reach), float(y.max() + reach),
        )  # fmt: skip
        pips = len(group) if len(group) <= 6 else 0
        dice.append(Die(pips, 1.0, box, "read" if pips else "unsure"))
    return dice

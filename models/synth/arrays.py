"""Array types and the noise that every texture is made of."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

#: Any array; shapes and units stand in the docstrings.
Array = NDArray[Any]
Rng = np.random.Generator


def clouds(shape: tuple[int, int], cells: tuple[float, float], rng: Rng, octaves: int = 4) -> Array:
    """Smooth random field, float32 (H, W), about 0 to 1 with mean 0.5.

    ``cells`` counts how many random cells the coarsest layer has down and across; each octave
    doubles them at 0.55 of the strength.
    """
    height, width = shape
    total = np.zeros(shape, np.float32)
    weight, weights = 1.0, 0.0
    for octave in range(octaves):
        rows = max(2, min(height, round(cells[0] * 2**octave) + 1))
        columns = max(2, min(width, round(cells[1] * 2**octave) + 1))
        grid = rng.random((rows, columns), np.float32)
        total += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        weights += weight
        weight *= 0.55
    return np.asarray(np.clip((total / weights - 0.5) * 1.6 + 0.5, 0.0, 1.0))


def blur(image: Array, sigma: float) -> Array:
    """Gaussian blur of a picture; sigma in pixels, none when it is tiny."""
    if sigma < 0.2:
        return image
    edge = 2 * round(2.2 * sigma + 0.4) + 1
    return cv2.GaussianBlur(image, (edge, edge), sigma)


def unit(vectors: Array) -> Array:
    """Vectors along the last axis, scaled to length 1."""
    length = np.sqrt((vectors * vectors).sum(-1, keepdims=True))
    return np.asarray(vectors / np.maximum(length, 1e-9))


#: x, y and z of many vectors, one array each.
Vector = tuple[Array, ...]


def dot(first: Vector, second: Vector) -> Array:
    """Scalar products."""
    return np.asarray(first[0] * second[0] + first[1] * second[1] + first[2] * second[2])


def unit_vector(vector: Vector) -> Vector:
    """Vectors scaled to length 1."""
    length = np.sqrt(dot(vector, vector)) + 1e-9
    return vector[0] / length, vector[1] / length, vector[2] / length

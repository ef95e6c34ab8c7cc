"""From linear light to the JPEG that a camera writes."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from .arrays import Array, Rng, blur
from .camera import Camera, Lens
from .light import Light

#: Lightness that automatic exposure aims at, display units.
AIM = 0.46


@lru_cache(maxsize=16)
def bend_maps(camera: Camera) -> tuple[Array, Array]:
    """Fixed-point maps that bend an ideal picture as the lens does."""
    columns = (np.arange(-(-camera.width // 8)) + 0.5) * 8 - 0.5
    rows = (np.arange(-(-camera.height // 8)) + 0.5) * 8 - 0.5
    given = np.stack(np.meshgrid(columns, rows), -1)
    off = (camera.undistort(given) - given).astype(np.float32)
    whole = cv2.resize(off, (len(columns) * 8, len(rows) * 8))[: camera.height, : camera.width]
    x = whole[..., 0] + np.arange(camera.width, dtype=np.float32)[None, :]
    y = whole[..., 1] + np.arange(camera.height, dtype=np.float32)[:, None]
    return cv2.convertMaps(x, y, cv2.CV_16SC2)


@lru_cache(maxsize=1)
def noise_pool() -> Array:
    """Unit noise, float32 (1400, 1900, 3), that frames cut their own part from."""
    return np.random.default_rng(20240607).standard_normal((1400, 1900, 3), np.float32)


@lru_cache(maxsize=1)
def blotchy_pool() -> Array:
    """The same after a denoiser: smeared over a few pixels."""
    smeared = cv2.GaussianBlur(noise_pool(), (0, 0), 1.1)
    return np.asarray(smeared * 2.2)


def gains(picture: Array, light: Light) -> Array:
    """Gains of B, G, R that exposure and white balance choose, with their errors."""
    small = np.sqrt(np.maximum(picture[::9, ::9], 0))
    mean = float(np.clip(small, 0, 1.5).mean()) + 1e-4
    main = np.sqrt(np.maximum(np.array(light.ambient) + sum_sources(light), 1e-3))
    cast = (main / main.mean()) ** 2
    gain = (AIM / mean) ** 2 * 2.0**light.exposure_ev * np.array(light.balance) / cast**0.8
    return np.asarray(gain)


def sum_sources(light: Light) -> Array:
    """Light of all sources together, B, G, R."""
    total = np.zeros(3)
    for source in light.sources:
        total += np.array(source.colour) * source.strength
    return total


def develop(picture: Array, camera: Camera, light: Light, rng: Rng) -> Array:
    """A linear picture (H, W, 3) as an 8-bit one: lens, exposure, noise, tone, sharpening, JPEG."""
    lens = camera.lens
    gain = np.sqrt(gains(picture, light))
    picture = blur(picture, lens.softness)
    if lens.veil:
        picture = cv2.add(picture, np.full(4, lens.veil * picture[::9, ::9].mean()))
    whole = (camera.width, camera.height)
    fall = cv2.resize(vignette(lens.vignette) * gain.astype(np.float32), whole)
    tone: Array = cv2.multiply(cv2.sqrt(picture), fall)
    add_grain(tone, lens, light.gain, rng)
    np.clip(tone, 0, 1, out=tone)
    image = cv2.LUT(cv2.convertScaleAbs(tone, alpha=255), tone_curve(lens.contrast))
    if abs(lens.k1) > 1e-4:
        first, second = bend_maps(camera)
        image = cv2.remap(image, first, second, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return finish(image, lens)


def tone_curve(contrast: float) -> Array:
    """S-shaped curve of display levels, uint8 (256)."""
    level = np.linspace(0, 1, 256)
    curve = level + (level * level * (3 - 2 * level) - level) * contrast
    return np.rint(curve * 255).astype(np.uint8)


def add_grain(tone: Array, lens: Lens, gain: float, rng: Rng) -> None:
    """Add noise of shots and of reading to display levels: stronger where it is dark."""
    height, width = tone.shape[:2]
    quarter = (width // 4, height // 4)
    small = cv2.resize(tone, quarter, interpolation=cv2.INTER_NEAREST)[..., 1]
    spread = (0.6 + 0.25 / (small + 0.25)) * np.float32(lens.noise * gain)
    level = cv2.resize(cv2.merge([spread] * 3), (width, height))
    cv2.accumulateProduct(noise(tone.shape, lens.blotchy, rng), level, tone)


def vignette(loss: float) -> Array:
    """Gain of the picture from its middle to its corners, float32 (90, 120, 1)."""
    y, x = np.mgrid[-1:1:90j, -1:1:120j].astype(np.float32)
    return np.asarray(1 - loss * 0.5 * (x * x + y * y) ** 1.3, np.float32)[..., None]


def noise(shape: tuple[int, ...], blotchy: bool, rng: Rng) -> Array:
    """A part of the pool, from anywhere in it; (H, W, 3)."""
    pool = blotchy_pool() if blotchy else noise_pool()
    height, width = shape[:2]
    if height > pool.shape[0] or width > pool.shape[1]:
        return rng.standard_normal(shape, np.float32)
    top = int(rng.integers(pool.shape[0] - height + 1))
    left = int(rng.integers(pool.shape[1] - width + 1))
    return pool[top : top + height, left : left + width]


def finish(image: Array, lens: Lens) -> Array:
    """Saturation, enlargement, sharpening and JPEG."""
    if abs(lens.saturation - 1) > 0.03:
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        image = cv2.addWeighted(image, lens.saturation, grey, 1 - lens.saturation, 0)
    if lens.detail < 1:
        height, width = image.shape[:2]
        part = (round(width * lens.detail), round(height * lens.detail))
        small = cv2.resize(image, part, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    if lens.sharpen:
        soft = cv2.GaussianBlur(image, (5, 5), 1.2)
        image = cv2.addWeighted(image, 1 + lens.sharpen, soft, -lens.sharpen, 0)
    _, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, lens.quality])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)

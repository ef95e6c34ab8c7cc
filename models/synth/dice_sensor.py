"""What a camera makes of the light of dice: blur, exposure, noise, sharpening, JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from .arrays import Array, Rng, blur


def develop(picture: Array, rng: Rng, edge: float) -> tuple[Array, float]:
    """An 8-bit picture of linear light, and how far the camera shook, pixels.

    ``edge``: of a die, pixels; blur is in proportion, so that pips stay as readable as a person
    needs them.
    """
    picture = np.maximum(picture, 0)
    picture = blur(picture, float(rng.choice([0.0, rng.uniform(0, 0.035), rng.uniform(0.03, 0.065)],
                                             p=[0.3, 0.45, 0.25])) * edge)  # fmt: skip
    shake = 0.0
    if rng.random() < 0.12:
        shake = float(rng.uniform(0.04, 0.45) * edge)
        picture = cv2.filter2D(picture, -1, shake_kernel(shake, float(rng.uniform(0, np.pi))))
    middle = float(np.sqrt(np.clip(picture[::5, ::5], 0, 1.5)).mean()) + 1e-3
    aim = rng.uniform(0.25, 0.68)
    gain = min(aim / middle, 1.15 / float(np.sqrt(np.percentile(picture[::5, ::5], 95)) + 1e-3))
    balance = np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    tone = np.sqrt(picture) * (gain * balance).astype(np.float32)
    tone = grain(tone, rng)
    tone = np.clip(tone, 0, 1)
    bend = rng.uniform(-0.2, 0.9)
    tone = tone + (tone * tone * (3 - 2 * tone) - tone) * bend
    image = np.clip(tone * 255, 0, 255).astype(np.uint8)
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    colour = rng.uniform(0.4, 1.4)
    image = cv2.addWeighted(image, colour, grey, 1 - colour, 0)
    if rng.random() < 0.35:
        amount = rng.uniform(0.2, 1.6)
        image = cv2.addWeighted(image, 1 + amount, blur(image, 1.1), -amount, 0)
    if rng.random() < 0.2:
        image = coarse(image, float(rng.uniform(max(0.55, 11 / edge), 0.95)))
    quality = int(rng.integers(45, 97))
    _, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8), shake


def shake_kernel(length: float, angle: float) -> Array:
    """A straight smear of a length in pixels."""
    edge = 2 * int(length / 2 + 1) + 1
    kernel = np.zeros((edge, edge), np.float32)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    ends = [np.rint((edge / 2 + s * reach - 0.5) * 16).astype(int).tolist() for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / max(float(kernel.sum()), 1e-6))


def grain(tone: Array, rng: Rng) -> Array:
    """Noise of the sensor, or what a denoiser leaves of it."""
    level = float(rng.choice([0.004, rng.uniform(0.004, 0.02), rng.uniform(0.02, 0.05)],
                             p=[0.4, 0.4, 0.2]))  # fmt: skip
    noise: Array = rng.standard_normal(tone.shape, np.float32)
    if rng.random() < 0.5:
        noise = blur(noise, 1.0) * 2.0
    return np.asarray(tone + noise * level * (0.6 + 0.25 / (tone[..., 1:2] + 0.25)))


def coarse(image: Array, share: float) -> Array:
    """Less detail than there are pixels."""
    tall, wide = image.shape[:2]
    part = (round(wide * share), round(tall * share))
    small = cv2.resize(image, part, interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (wide, tall), interpolation=cv2.INTER_LINEAR)

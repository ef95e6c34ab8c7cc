"""A backbone of our own without pretrained weights, in place of EfficientNet-Lite0's blocks."""

from __future__ import annotations

from typing import Any

from torch import nn

from .backbone import COARSE, FINE, SHARP

Tensor = Any


def _conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> Any:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class SmallBackbone(nn.Module):  # type: ignore[misc]
    """The same maps as ``backbone.Backbone``, from seven plain convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.sharp = nn.Sequential(_conv(3, 24, 2, 5), _conv(24, 40, 2), _conv(40, SHARP))
        self.fine = nn.Sequential(_conv(SHARP, 64, 2), _conv(64, FINE))
        self.coarse = nn.Sequential(_conv(FINE, 80, 2), _conv(80, COARSE))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See the class."""
        sharp = self.sharp(x)
        fine = self.fine(sharp)
        return sharp, fine, self.coarse(fine)

"""The network that reads one die: where the pips on top are, and what all of it says.

Learning where each pip is teaches more from one die than its number alone, and a count that
doesn't fit the number is a doubt.
"""

from __future__ import annotations

import torch
from torch import nn

#: Kinds of a crop: unreadable, one to six pips, no die in the middle.
KINDS = 8

#: Cells along an edge of the map of pips; each is two pixels of the crop.
CELLS = 24


def block(inward: int, outward: int, stride: int = 1, edge: int = 3) -> nn.Sequential:
    """Convolution, normalisation, rectifier."""
    return nn.Sequential(
        nn.Conv2d(inward, outward, edge, stride, edge // 2, bias=False),
        nn.BatchNorm2d(outward),
        nn.ReLU(inplace=True),
    )


def spots(sigmas: tuple[float, ...] = (1.2, 1.9, 3.0), edge: int = 13) -> torch.Tensor:
    """Filters (n, 1, edge, edge) that answer to round spots of some sizes, light or dark.

    Laplacians of Gaussians, each without an answer to even light: what a pip is needs not be
    learnt.
    """
    along = torch.arange(edge, dtype=torch.float32) - edge // 2
    square = along[:, None].square() + along[None].square()
    filters = []
    for sigma in sigmas:
        bell = torch.exp(-square / (2 * sigma**2))
        kernel = (square / (2 * sigma**2) - 1) * bell
        kernel -= bell * kernel.sum() / bell.sum()
        filters.append(kernel / kernel.abs().sum() * 2)
    return torch.stack(filters)[:, None]


class DieNet(nn.Module):  # type: ignore[misc]
    """Crops float32 (n, 3, 48, 48), R, G, B, 0 to 1, to logits (n, 8) and pips (n, 24, 24)."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("spots", spots())
        self.fine = nn.Sequential(block(6, 16, 2), block(16, 16))
        self.middle = nn.Sequential(block(16, 48, 2), block(48, 48))
        self.coarse = nn.Sequential(block(48, 96, 2), block(96, 96))
        self.deep = nn.Sequential(block(96, 128, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.down = block(96, 48, edge=1)
        self.joined = block(48, 64, edge=1)
        self.up = nn.PixelShuffle(2)
        self.marks = nn.Sequential(block(32, 12, edge=1), nn.Conv2d(12, 1, 3, padding=1))
        self.say = nn.Linear(128 + 9, KINDS)
        nn.init.constant_(self.marks[1].bias, -3.0)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of what crops show, and of pips in their cells."""
        mean = crops.mean((1, 2, 3), keepdim=True)
        spread = (crops - mean).square().mean((1, 2, 3), keepdim=True).sqrt()
        even = (crops - mean) / (spread + 0.03)
        round_ones = nn.functional.conv2d(even.mean(1, keepdim=True), self.spots, padding=6)
        fine = self.fine(torch.cat([even, round_ones], 1))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        wide = nn.functional.interpolate(self.down(coarse), scale_factor=2.0, mode="nearest")
        shared = self.up(self.joined(middle + wide))
        marks = self.marks(torch.cat([fine, shared], 1))
        # where pips are, coarsely: nine numbers that the kind is told from, beside the picture
        seen = nn.functional.avg_pool2d(torch.sigmoid(marks), 8).flatten(1)
        return self.say(torch.cat([self.deep(coarse), seen], 1)), marks[:, 0]


class Shipped(nn.Module):  # type: ignore[misc]
    """The network as it is exported: probabilities."""

    def __init__(self, net: DieNet, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Probabilities (n, 8) and of pips (n, 24, 24)."""
        kinds, marks = self.net(crops)
        return torch.softmax(kinds / self.temperature, 1), torch.sigmoid(marks)

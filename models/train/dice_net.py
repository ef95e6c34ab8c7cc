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


def bells(sigmas: tuple[float, ...] = (0.7, 1.3, 2.1, 3.4), edge: int = 15) -> torch.Tensor:
    """Gaussians (n, 1, 1, edge); the differences of two answer to round spots of some size."""
    along = torch.arange(edge, dtype=torch.float32) - edge // 2
    rows = torch.stack([torch.exp(-along.square() / (2 * s**2)) for s in sigmas])
    return (rows / rows.sum(1, keepdim=True))[:, None, None]


class DieNet(nn.Module):  # type: ignore[misc]
    """Crops float32 (n, 3, 48, 48), R, G, B, 0 to 1, to logits (n, 8) and pips (n, 24, 24)."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("bells", bells())
        self.fine = block(10, 24)
        self.middle = nn.Sequential(block(24, 32, 2), block(32, 40))
        self.coarse = nn.Sequential(block(40, 72, 2), block(72, 72))
        self.deep = nn.Sequential(block(72, 96, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.down = block(72, 40, edge=1)
        self.joined = block(40, 64, edge=1)
        self.up = nn.PixelShuffle(2)
        self.marks = nn.Sequential(block(40, 12, edge=1), nn.Conv2d(12, 1, 3, padding=1))
        self.say = nn.Linear(96 + 9, KINDS)
        nn.init.constant_(self.marks[1].bias, -3.0)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of what crops show, and of pips in their cells."""
        fine = self.fine(self.prepared(crops))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        wide = nn.functional.interpolate(self.down(coarse), scale_factor=2.0, mode="nearest")
        shared = self.up(self.joined(middle + wide))
        marks = self.marks(torch.cat([fine, shared], 1))
        # where pips are, coarsely: nine numbers that the kind is told from, beside the picture
        seen = nn.functional.avg_pool2d(torch.sigmoid(marks), 8).flatten(1)
        return self.say(torch.cat([self.deep(coarse), seen], 1)), marks[:, 0]

    def prepared(self, crops: torch.Tensor) -> torch.Tensor:
        """Colours and round spots in cells (n, 10, 24, 24), whatever the light; nothing is learnt.

        The mean and the spread of lightness, colour against it, and how light and how dark spots
        of three sizes are.
        """
        mean = crops.mean((1, 2, 3), keepdim=True)
        spread = (crops - mean).square().mean((1, 2, 3), keepdim=True).sqrt()
        even = (crops - mean) / (spread + 0.03)
        grey = even.mean(1, keepdim=True)
        pool = nn.functional.avg_pool2d
        small = pool(grey, 2)
        rough = (pool(grey.square(), 2) - small.square()).clamp(min=0).sqrt()
        tint = pool(even[:, ::2] - even[:, 1:2], 2)
        soft = nn.functional.conv2d(grey, self.bells, padding=(0, 7))
        down = self.bells.transpose(2, 3)
        soft = nn.functional.conv2d(soft, down, padding=(7, 0), groups=len(down))
        round_ones = 2 * (soft[:, :-1] - soft[:, 1:])
        light = nn.functional.max_pool2d(round_ones, 2)
        dark = nn.functional.max_pool2d(-round_ones, 2)
        return torch.cat([small, rough, tint, light, dark], 1)


class Shipped(nn.Module):  # type: ignore[misc]
    """The network as it is exported: probabilities."""

    def __init__(self, net: DieNet, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Probabilities (n, 8) and of pips (n, 24, 24)."""
        kinds, marks = self.net(crops)
        return torch.softmax(kinds / self.temperature, 1), torch.sigmoid(marks)

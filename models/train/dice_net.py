"""The network that reads one die: where the pips on top are, and what all of it says.

Learning where each pip is teaches more from one die than its number alone, and a count that
doesn't fit the number is a doubt.
"""

from __future__ import annotations

import torch
from torch import nn

from .dice_data import COCKED

#: Kinds of a crop: unreadable, one to six pips, no die in the middle, and a die that leans.
KINDS = COCKED + 1

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


class Twice(nn.Module):  # type: ignore[misc]
    """Two convolutions beside a way past them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = block(width, width)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)
        )
        nn.init.zeros_(self.second[1].weight)  # it begins as if it weren't there

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """As many channels as came in."""
        return torch.relu(seen + self.second(self.first(seen)))


class DieNet(nn.Module):  # type: ignore[misc]
    """Crops float32 (n, 3, 48, 48), R, G, B, 0 to 1, to logits (n, KINDS) and pips (n, 24, 24)."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("bells", bells())
        self.fine = block(10, 24)
        self.middle = nn.Sequential(block(24, 48, 2), block(48, 64))
        self.coarse = nn.Sequential(block(64, 112, 2), block(112, 112), Twice(112))
        self.deep = nn.Sequential(block(112, 144, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.down = block(112, 64, edge=1)
        self.joined = block(64, 64, edge=1)
        self.up = nn.PixelShuffle(2)
        self.marks = nn.Sequential(block(40, 16, edge=1), nn.Conv2d(16, 1, 3, padding=1))
        self.say = nn.Linear(144 + 9, KINDS)
        nn.init.constant_(self.marks[1].bias, -3.0)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of what crops show, and of pips in their cells."""
        return self.told(self.prepared(crops))

    def told(self, prepared: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The same from crops that are prepared."""
        fine = self.fine(prepared)
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
        """Probabilities (n, 8), a leaning die among the unreadable, and of pips (n, 24, 24)."""
        kinds, marks = self.net(crops)
        likely = torch.softmax(kinds / self.temperature, 1)
        unreadable = likely[:, :1] + likely[:, COCKED:]
        return torch.cat([unreadable, likely[:, 1:COCKED]], 1), torch.sigmoid(marks)

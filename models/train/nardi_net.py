"""The three networks of the nardi eyes: field, corners of halves, and halves with their points.

All of them begin with blocks of a network that knows ImageNet, so that what they learn from drawn
boards holds on real ones.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from .backbone import COARSE, FINE, SHARP, Backbone, published

Tensor = Any  # torch is absent where only the run-time package is installed

#: What FieldNet says of each cell: an outer corner, a corner at the bar, the field, the bar, cosine
#: and sine of twice the angle of the rows, and, where the rows run along the picture's upper edge,
#: each of the eight corners of both halves.
FIELD_OUT = 14
#: What HalfNet says of each cell: a checker's middle, and empty, lighter or darker side.
CELL_OUT = 4
COUNTS = 16
#: Blocks, the stem counted, that stay as published where pictures are large: those before a stride
#: of 8, whose gradients cost the most.
_KEPT = 5
#: Channels of the first block, and of the deepest one that any of these networks uses.
_FIRST, _DEEP = 16, 112


def conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> Any:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


def begun(net: Any) -> Any:
    """A network whose backbone has the published weights, for pictures as the eyes give them.

    Those have blue first and a spread of 1, where the published network saw red first and about
    half of that spread.
    """
    net.backbone.take(published())
    with torch.no_grad():
        weight = net.backbone.stem.conv.weight
        weight.copy_(weight.flip(1) * 0.5)
    return net


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions beside a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return F.relu(x + self.second(self.first(x)))


class FieldNet(nn.Module):  # type: ignore[misc]
    """Pictures (n, 3, 192, 192) to logits (n, FIELD_OUT, 48, 48)."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone = Backbone(_KEPT, 11)
        # the whole picture at a glance: which way the rows run, and where the other corners are
        self.wide = nn.Sequential(conv(_DEEP, 64, 2), Residual(64), Residual(64))
        self.low = nn.Sequential(conv(_DEEP + 64, 64, kernel=1), Residual(64))
        self.up_fine = conv(64 + FINE, 64)
        self.up_sharp = conv(64 + SHARP, 48)
        self.out = nn.Conv2d(48, FIELD_OUT, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """See the class."""
        sharp, fine, coarse = self.backbone(pictures)
        wide = F.interpolate(self.wide(coarse), scale_factor=2.0)
        low = F.interpolate(self.low(torch.cat([wide, coarse], 1)), scale_factor=2.0)
        fine = F.interpolate(self.up_fine(torch.cat([low, fine], 1)), scale_factor=2.0)
        return self.out(self.up_sharp(torch.cat([fine, sharp], 1)))


class CornerNet(nn.Module):  # type: ignore[misc]
    """Corners' pictures (n, 3, 48, 48) to logits (n, 1, 24, 24) of where the corner is."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone = Backbone(3, 5)
        self.low = nn.Sequential(conv(FINE, 64, kernel=1), Residual(64))
        self.up_mid = conv(64 + SHARP, 48)
        self.up_first = nn.Sequential(conv(48 + _FIRST, 32), conv(32, 24))
        self.out = nn.Conv2d(24, 1, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """See the class."""
        maps = self.backbone.maps(F.relu6(self.backbone.stem(pictures)))
        low = F.interpolate(self.low(maps[4]), scale_factor=2.0)
        mid = F.interpolate(self.up_mid(torch.cat([low, maps[2]], 1)), scale_factor=2.0)
        return self.out(self.up_first(torch.cat([mid, maps[0]], 1)))


class HalfNet(nn.Module):  # type: ignore[misc]
    """Halves (n, 3, 272, 144) to what lies on them.

    Output: cells (n, CELL_OUT, 68, 36) logits; counts (n, 12, COUNTS) logits of the six points of
    the upper row, left to right, then of the lower; hidden (n, 12) logits of being covered.
    """

    def __init__(self) -> None:
        super().__init__()
        self.backbone = Backbone(_KEPT, 8)
        self.up_fine = conv(COARSE + FINE, 64)
        self.up_sharp = conv(64 + SHARP, 48)
        self.cells = nn.Conv2d(48, CELL_OUT, 1)
        # along a point, from its base on: what its column and the field's middle show
        self.along = nn.Sequential(
            nn.Conv1d(2 * (48 + CELL_OUT), 64, 5, 2, 2), nn.ReLU(),
            nn.Conv1d(64, 64, 5, 2, 2), nn.ReLU(),
        )  # fmt: skip
        self.count = nn.Sequential(nn.Linear(64 * 12, 128), nn.ReLU(), nn.Linear(128, COUNTS + 1))

    def forward(self, halves: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See the class."""
        sharp, fine, coarse = self.backbone(halves)
        grown = F.interpolate(coarse, size=(34, 18))
        fine = self.up_fine(torch.cat([grown, fine], 1))
        seen = self.up_sharp(torch.cat([F.interpolate(fine, size=(68, 36)), sharp], 1))
        cells = self.cells(seen)
        both = torch.cat([seen, cells], 1)
        # six columns of five cells, three cells of room at each side
        columns = both[..., 3:33].unflatten(3, (6, 5))
        strips = torch.cat([columns.mean(4), columns.amax(4)], 1)  # (n, c, 68, 6)
        upper = strips[:, :, :48]
        lower = strips[:, :, 20:].flip(2)
        points = torch.cat([upper, lower], 3).permute(0, 3, 1, 2)  # (n, 12, c, 48)
        made = self.along(points.flatten(0, 1)).flatten(1)
        said = self.count(made).unflatten(0, (-1, 12))
        return cells, said[..., :COUNTS], said[..., COUNTS]

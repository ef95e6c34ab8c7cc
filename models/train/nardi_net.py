"""The two networks that read nardi boards: one finds the field, one reads a half of it."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

Tensor = Any  # torch is absent where only the run-time package is installed

#: What FieldNet says of each cell: an outer corner, a corner at the bar, the field, the bar, and
#: cosine and sine of twice the angle of the rows.
FIELD_OUT = 6
#: What HalfNet says of each cell: a checker's middle, and empty, lighter or darker side.
CELL_OUT = 4
COUNTS = 16


def conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> Any:
    """Convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


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
    """Pictures (n, 3, 128, 128) to logits (n, FIELD_OUT, 32, 32)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 24, 2), Residual(24))
        self.mid = nn.Sequential(conv(24, 40, 2), Residual(40), Residual(40))
        self.low = nn.Sequential(conv(40, 64, 2), Residual(64), Residual(64))
        self.deep = nn.Sequential(conv(64, 72, 2), Residual(72))
        self.up_low = conv(72 + 64, 64, kernel=1)
        self.up_mid = conv(64 + 40, 40)
        self.up_stem = conv(40 + 24, 32)
        self.out = nn.Conv2d(32, FIELD_OUT, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """See the class."""
        stem = self.stem(pictures)
        mid = self.mid(stem)
        low = self.low(mid)
        deep = self.deep(low)
        low = self.up_low(torch.cat([F.interpolate(deep, scale_factor=2.0), low], 1))
        mid = self.up_mid(torch.cat([F.interpolate(low, scale_factor=2.0), mid], 1))
        stem = self.up_stem(torch.cat([F.interpolate(mid, scale_factor=2.0), stem], 1))
        return self.out(stem)


class HalfNet(nn.Module):  # type: ignore[misc]
    """Halves (n, 3, 272, 144) to what lies on them.

    Output: cells (n, CELL_OUT, 68, 36) logits; counts (n, 12, COUNTS) logits of the six points of
    the upper row, left to right, then of the lower; hidden (n, 12) logits of being covered.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), Residual(32))
        self.mid = nn.Sequential(conv(32, 48, 2), Residual(48))
        self.low = nn.Sequential(conv(48, 64, 2), Residual(64))
        self.up_mid = conv(64 + 48, 48, kernel=1)
        self.up_stem = conv(48 + 32, 32, kernel=1)
        self.cells = nn.Conv2d(32, CELL_OUT, 1)
        # along a point, from its base on: what its column and the field's middle show
        self.along = nn.Sequential(
            nn.Conv1d(2 * (32 + CELL_OUT), 48, 5, 2, 2), nn.ReLU(),
            nn.Conv1d(48, 48, 5, 2, 2), nn.ReLU(),
        )  # fmt: skip
        self.count = nn.Sequential(nn.Linear(48 * 12, 96), nn.ReLU(), nn.Linear(96, COUNTS + 1))

    def forward(self, halves: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See the class."""
        stem = self.stem(halves)
        mid = self.mid(stem)
        low = self.low(mid)
        grown = F.interpolate(low, size=(34, 18))
        mid = self.up_mid(torch.cat([grown, mid], 1))
        stem = self.up_stem(torch.cat([F.interpolate(mid, size=(68, 36)), stem], 1))
        cells = self.cells(stem)
        both = torch.cat([stem, cells], 1)
        # six columns of five cells, three cells of room at each side
        columns = both[..., 3:33].unflatten(3, (6, 5))
        strips = torch.cat([columns.mean(4), columns.amax(4)], 1)  # (n, c, 68, 6)
        upper = strips[:, :, :48]
        lower = strips[:, :, 20:].flip(2)
        points = torch.cat([upper, lower], 3).permute(0, 3, 1, 2)  # (n, 12, c, 48)
        made = self.along(points.flatten(0, 1)).flatten(1)
        said = self.count(made).unflatten(0, (-1, 12))
        return cells, said[..., :COUNTS], said[..., COUNTS]

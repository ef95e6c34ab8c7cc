"""The network that reads squares: an encoder of crops, and a comparison with this very set.

The comparison is learned, end to end, on episodes: a start position of a set (the *support*, whose
squares are known) and other pictures of the same set (the *query*).  At run time the start
position that stands on the table is the support, so calibrating means no training at all.  A class
that the support lacks falls back to a learned idea of it; without any support the network reads
any set, less surely.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from vision.crops import CHANNELS

#: Numbers that describe one crop.
WIDTH = 64

#: What a support square can hold, in the order of its weights: empty dark, empty light, man of the
#: lighter side, man of the darker side.
KINDS = 4

Tensor = Any  # torch is absent where only the run-time package is installed


def _conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> Any:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class Encoder(nn.Module):  # type: ignore[misc]
    """Crops (n, CHANNELS, 48, 48) to descriptions (n, WIDTH), and covered and king logits (n,).

    The king logits only guide training: they make the features tell walls of one man and of two
    long before the comparison would.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(CHANNELS, 24, 2, 5),  # 24 x 24
            _conv(24, 40, 2),  # 12 x 12
            _conv(40, 64),
            _conv(64, 96, 2),  # 6 x 6
            _conv(96, 96),
        )
        # a weight for each place and channel: the middle of the crop matters, its rim is context
        self.places = nn.Conv2d(96, 192, 6, groups=96)
        self.out = nn.Linear(192, WIDTH)
        self.covered = nn.Linear(192, 1)
        self.king = nn.Linear(192, 1)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See the class."""
        flat = F.relu(self.places(self.body(crops)).flatten(1))
        return self.out(flat), self.covered(flat)[:, 0], self.king(flat)[:, 0]


class Comparison(nn.Module):  # type: ignore[misc]
    """Descriptions of a board's squares, compared with those of a support.

    Inputs: queries (m, WIDTH), all squares of one board; light (m,), 1 for a light square;
    support (k, WIDTH); weights (k, KINDS), which kind each support square is, 0 for padding.
    Output: logits (m, 5) in the order of vision.percept.CLASSES.
    """

    def __init__(self) -> None:
        super().__init__()
        self.null = nn.Parameter(torch.randn(KINDS, WIDTH) * 0.1)
        self.null_bias = nn.Parameter(torch.full((KINDS,), -4.0))
        self.key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.sharpness = nn.Parameter(torch.tensor(0.5))
        self.empty = self._mlp(4 * WIDTH + 4, 1)
        self.piece = self._mlp(5 * WIDTH + 5, 2)

    @staticmethod
    def _mlp(inputs: int, outputs: int) -> Any:
        return nn.Sequential(
            nn.Linear(inputs, 64), nn.ReLU(), nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, outputs)
        )

    def forward(self, queries: Tensor, light: Tensor, support: Tensor, weights: Tensor) -> Tensor:
        """See the class."""
        count = weights.sum(0)[:, None]
        known = count / (count + 0.05)
        mean = (weights.T @ support) / (count + 1e-6)
        mean = known * mean + (1 - known) * self.null
        near = self._nearest(queries, support, weights)  # (m, KINDS, WIDTH)
        board = (queries * light[:, None]).sum(0) / (light.sum() + 1e-6)
        drift = (board - mean[1]).expand_as(queries)  # what the light squares did since then
        own = light[:, None]
        empty_mean = own * mean[1] + (1 - own) * mean[0]
        empty_near = own * near[:, 1] + (1 - own) * near[:, 0]
        flags = known[:, 0].expand(queries.shape[0], KINDS)
        rows = [queries, empty_mean - queries, empty_near - queries, drift, flags]
        logits = [self.empty(torch.cat(rows, 1))]
        for kind in (2, 3):
            other = mean[5 - kind].expand_as(queries) - queries
            mine = mean[kind].expand_as(queries) - queries
            side = torch.full_like(own, float(kind == 3))
            rows = [queries, mine, near[:, kind] - queries, other, drift, flags, side]
            logits.append(self.piece(torch.cat(rows, 1)))
        return torch.cat(logits, 1)

    def _nearest(self, queries: Tensor, support: Tensor, weights: Tensor) -> Tensor:
        """For each query and kind, the mean of the support squares that look most like it."""
        q, k = self.key(queries), self.key(support)
        far = (q * q).sum(1, keepdim=True) + (k * k).sum(1) - 2 * (q @ k.T)
        like = -self.sharpness * far / WIDTH  # (m, k)
        null_far = ((q[:, None] - self.key(self.null)) ** 2).sum(2)
        null_like = -self.sharpness * null_far / WIDTH + self.null_bias  # (m, KINDS)
        top = torch.maximum(like.max(1, keepdim=True).values, null_like.max(1, keepdim=True).values)
        e = torch.exp(like - top)
        parts = torch.stack([(e * weights[:, c]) @ support for c in range(KINDS)], 1)
        total = e @ weights
        e_null = torch.exp(null_like - top)
        parts = parts + e_null[..., None] * self.null
        return parts / (total + e_null + 1e-12)[..., None]


class SquareNet(nn.Module):  # type: ignore[misc]
    """Encoder and comparison, as one file at run time.

    ``queries`` is an input of its own, so that descriptions once made (a calibration, a frame) are
    compared without being made again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()
        self.comparison = Comparison()
        # fitted after training: see ship.fit_surety
        self.register_buffer("temperature", torch.ones(()))
        self.register_buffer("king_bias", torch.zeros(()))

    def forward(
        self, crops: Tensor, queries: Tensor, light: Tensor, support: Tensor, weights: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Descriptions (n, WIDTH) and covered logits (n,) of crops; log-probabilities (m, 5)."""
        made, covered, _ = self.encoder(crops)
        return made, covered, self.scores(queries, light, support, weights)

    def scores(self, queries: Tensor, light: Tensor, support: Tensor, weights: Tensor) -> Tensor:
        """Log-probabilities (m, 5), as sure as they ought to be."""
        logits = self.comparison(queries, light, support, weights) / self.temperature
        kings = torch.tensor([0.0, 0.0, 1.0, 0.0, 1.0])
        return F.log_softmax(logits + kings * self.king_bias, 1)

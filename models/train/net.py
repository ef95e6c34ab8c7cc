"""The network that reads squares: an encoder of the board, and a comparison with this very set.

The comparison is learned, end to end, on episodes: a start position of a set (the *support*, whose
squares are known) and other pictures of the same set (the *query*).  At run time the start
position that stands on the table is the support, so calibrating means no training at all.  A class
that the support lacks falls back to a learned idea of it; without any support the network reads
any set, less surely.  What a first look is sure of then serves as a support of its own: it was
taken in the light that is on the board now.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from .backbone import COARSE, FINE, SHARP, Backbone
from .small import SmallBackbone

#: Numbers that describe one square.
WIDTH = 80

#: What a support square can hold, in the order of its weights: empty dark, empty light, man of the
#: lighter side, man of the darker side, king of the lighter side, king of the darker side.
KINDS = 6

#: Channels between the maps and the squares.
_NECK, _FLAT = 112, 224

#: What the encoder can stand on.
BACKBONES = {"pretrained": Backbone, "small": SmallBackbone}

Tensor = Any  # torch is absent where only the run-time package is installed


class Encoder(nn.Module):  # type: ignore[misc]
    """Boards (b, 3, P, P), upright, and how men lean there (b, m, 2), to descriptions of squares.

    A square is described by a window of two squares' edge around it.  Returns descriptions
    (b, n * n, WIDTH), and covered and king logits (b, n * n).  The king logits only guide
    training: they make the features tell walls of one man and of two long before the comparison
    would.
    """

    def __init__(self, backbone: str) -> None:
        super().__init__()
        self.backbone = BACKBONES[backbone]()
        # edges two pixels wide tell a second man from a high one
        self.edges = nn.Sequential(
            nn.Conv2d(SHARP, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU()
        )
        self.neck = nn.Sequential(
            nn.Conv2d(32 + FINE + COARSE, _NECK, 1, bias=False), nn.BatchNorm2d(_NECK), nn.ReLU()
        )
        # a weight for each place and channel: the middle of the window matters, its rim is context
        self.places = nn.Conv2d(_NECK, _FLAT, 8, 4, groups=_NECK)
        # how high a wall is says nothing without how far men lean there
        self.mix = nn.Linear(_FLAT + 2, _FLAT)
        self.out = nn.Linear(2 * _FLAT, WIDTH)
        self.covered = nn.Linear(2 * _FLAT, 1)
        self.king = nn.Linear(2 * _FLAT, 1)

    def forward(self, boards: Tensor, lean: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See the class."""
        sharp, fine, coarse = self.backbone(boards)
        coarse = F.interpolate(coarse, scale_factor=2.0, mode="nearest")
        maps = self.neck(torch.cat([self.edges(sharp), fine, coarse], 1))
        with torch.autocast("cpu", enabled=False):  # slow in bfloat16
            flat = F.relu(self.places(maps.float()))
        flat = flat.flatten(2).transpose(1, 2)  # (b, n * n, _FLAT)
        mixed = F.relu(self.mix(torch.cat([flat, lean.clamp(-0.4, 0.4) * 4], 2)))
        flat = torch.cat([flat, mixed], 2)
        return self.out(flat), self.covered(flat)[..., 0], self.king(flat)[..., 0]


class Comparison(nn.Module):  # type: ignore[misc]
    """Descriptions of a board's squares, compared with those of a support.

    Inputs: queries (m, WIDTH), all squares of one board; light (m,), 1 for a light square;
    support (k, WIDTH); weights (k, KINDS), which kind each support square is, 0 for padding.
    Output: logits (m, 5) of the first look and of the second, in the order of
    vision.percept.CLASSES.
    """

    def __init__(self) -> None:
        super().__init__()
        self.null = nn.Parameter(torch.randn(KINDS, WIDTH) * 0.1)
        self.null_bias = nn.Parameter(torch.full((KINDS,), -4.0))
        self.key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.sharpness = nn.Parameter(torch.tensor(0.5))
        self.empty = _mlp(4 * WIDTH + KINDS, 1)
        self.piece = _mlp(7 * WIDTH + KINDS + 1, 2)
        self.empty_again = _mlp(4 * WIDTH + 2 * KINDS + 5, 1)
        self.piece_again = _mlp(6 * WIDTH + 2 * KINDS + 6, 2)

    def forward(
        self, queries: Tensor, light: Tensor, support: Tensor, weights: Tensor
    ) -> tuple[Tensor, Tensor]:
        """See the class."""
        own = light[:, None]
        count = weights.sum(0)[:, None]
        known = count / (count + 0.05)
        mean = (weights.T @ support) / (count + 1e-6)
        mean = known * mean + (1 - known) * self.null
        near = self._nearest(queries, support, weights)  # (m, KINDS, WIDTH)
        board = (queries * own).sum(0) / (light.sum() + 1e-6)
        drift = (board - mean[1]).expand_as(queries)  # what the light squares did since then
        empty_mean = own * mean[1] + (1 - own) * mean[0] - queries
        empty_near = own * near[:, 1] + (1 - own) * near[:, 0] - queries
        flags = known[:, 0].expand(queries.shape[0], KINDS)
        logits = [self.empty(torch.cat([queries, empty_mean, empty_near, drift, flags], 1))]
        for kind in (2, 3):
            other, mine = mean[5 - kind] - queries, mean[kind] - queries
            side = torch.full_like(own, float(kind == 3))
            king, near_king = mean[kind + 2] - queries, near[:, kind + 2] - queries
            near_mine = near[:, kind] - queries
            rows = [queries, mine, near_mine, king, near_king, other, drift, flags, side]
            logits.append(self.piece(torch.cat(rows, 1)))
        first = torch.cat(logits, 1)
        return first, self._again(first, queries, own, mean, flags)

    def _again(
        self, first: Tensor, queries: Tensor, own: Tensor, mean: Tensor, flags: Tensor
    ) -> Tensor:
        """A second look: what the first is sure of shows each kind in the light of this picture."""
        p = F.softmax(first, 1).detach()
        held = [p[:, 1:2], p[:, 3:4], p[:, 2:3], p[:, 4:5]]
        sure = torch.cat([p[:, :1] * (1 - own), p[:, :1] * own, *held], 1)
        sure = (2 * sure - 1).clamp(min=0) ** 2
        count = sure.sum(0)[:, None]
        here = count / (count + 0.5)
        now = (sure.T @ queries) / (count + 1e-6)
        now = here * now + (1 - here) * mean
        told = torch.cat([flags, here[:, 0].expand_as(flags), first.detach().clamp(-12, 12)], 1)
        empty_now = own * now[1] + (1 - own) * now[0] - queries
        empty_then = own * mean[1] + (1 - own) * mean[0] - queries
        other = (1 - own) * now[1] + own * now[0] - queries
        logits = [self.empty_again(torch.cat([queries, empty_now, empty_then, other, told], 1))]
        for kind in (2, 3):
            side = torch.full_like(own, float(kind == 3))
            kinds = (now[kind], now[5 - kind], mean[kind], now[kind + 2])
            rows = [each - queries for each in kinds] + [empty_now]
            logits.append(self.piece_again(torch.cat([queries, *rows, told, side], 1)))
        return first + torch.cat(logits, 1)

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


def _mlp(inputs: int, outputs: int) -> Any:
    return nn.Sequential(
        nn.Linear(inputs, 64), nn.ReLU(), nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, outputs)
    )


class SquareNet(nn.Module):  # type: ignore[misc]
    """Encoder and comparison.

    Args:
        backbone: a name in BACKBONES.
    """

    def __init__(self, backbone: str = "pretrained") -> None:
        super().__init__()
        self.encoder = Encoder(backbone)
        self.comparison = Comparison()
        # fitted after training: see ship.fit_surety
        self.register_buffer("temperature", torch.ones(()))
        self.register_buffer("king_bias", torch.zeros(()))

    def scores(self, queries: Tensor, light: Tensor, support: Tensor, weights: Tensor) -> Tensor:
        """Log-probabilities (m, 5), as sure as they ought to be."""
        logits = self.comparison(queries, light, support, weights)[1] / self.temperature
        kings = torch.tensor([0.0, 0.0, 1.0, 0.0, 1.0])
        return F.log_softmax(logits + kings * self.king_bias, 1)

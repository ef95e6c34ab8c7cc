"""The network that tells kings from men: how high or how marked each is, beside all the others.

An encoder, which begins with the blocks of the network that reads squares, describes every man by
itself; then all men of a picture and those that are known (the first position's, kings that were
shown) look at each other (A. Vaswani et al., Attention Is All You Need, 2017).  A king is what
stands out from the men of its set, so what is known of the set counts for more than any mark by
itself.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from vision.men import MAN_PX
from vision.ranks import ROLES

from .backbone import FINE, SHARP, Backbone

Tensor = Any

#: Numbers that describe one man.
RANK_WIDTH = 64

_HEADS = 4

#: Blocks of EfficientNet-Lite0 that begin the encoder; they stay as the reader of squares has them.
_BLOCKS = 5


def _conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> Any:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class _Residual(nn.Module):  # type: ignore[misc]
    def __init__(self, wide: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(
            _conv(wide, wide // 2, 1),
            nn.Conv2d(wide // 2, wide, 3, 1, 1, bias=False),
            nn.BatchNorm2d(wide),
        )

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.inner(x))


class MenEncoder(nn.Module):  # type: ignore[misc]
    """Men (m, 3, MAN_PX, MAN_PX) and how they are seen (m, 2), to descriptions (m, RANK_WIDTH)."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone = Backbone(frozen=_BLOCKS + 1, depth=_BLOCKS)
        self.edges = _conv(SHARP, 32, 3, 2)
        self.maps = nn.Sequential(_conv(FINE + 32, 64, 3), _Residual(64), _conv(64, 24, 1))
        self.flat = nn.Linear(24 * (MAN_PX // 8) ** 2, 2 * RANK_WIDTH)
        # how high a wall is says nothing without how far it leans
        self.out = nn.Sequential(
            nn.Linear(2 * RANK_WIDTH + 2, 2 * RANK_WIDTH),
            nn.ReLU(),
            nn.Linear(2 * RANK_WIDTH, RANK_WIDTH),
        )

    def forward(self, men: Tensor, how: Tensor) -> Tensor:
        """See the class."""
        sharp, fine, _ = self.backbone(men)
        maps = self.maps(torch.cat([self.edges(sharp), fine], 1)).flatten(1)
        seen = F.relu(self.flat(maps.float()))
        return self.out(torch.cat([seen, how * torch.tensor([4.0, 1.0])], 1))


class _Layer(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        w = RANK_WIDTH
        self.before, self.between = nn.LayerNorm(w), nn.LayerNorm(w)
        self.asked = nn.Linear(w, 3 * w)
        self.given = nn.Linear(w, w)
        self.inner = nn.Sequential(nn.Linear(w, 2 * w), nn.ReLU(), nn.Linear(2 * w, w))

    def forward(self, x: Tensor) -> Tensor:
        t, w = x.shape[0], RANK_WIDTH // _HEADS
        q, k, v = (
            part.reshape(t, _HEADS, w).transpose(0, 1)
            for part in self.asked(self.before(x)).split(RANK_WIDTH, 1)
        )
        like = torch.softmax(q @ k.transpose(1, 2) / w**0.5, 2)
        x = x + self.given((like @ v).transpose(0, 1).reshape(t, RANK_WIDTH))
        return x + self.inner(self.between(x))


class RankNet(nn.Module):  # type: ignore[misc]
    """Encoder and comparison."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = MenEncoder()
        self.alone = nn.Linear(RANK_WIDTH, 1)
        self.role = nn.Linear(ROLES, RANK_WIDTH, bias=False)
        self.layers = nn.ModuleList([_Layer(), _Layer()])
        self.king = nn.Sequential(
            nn.LayerNorm(RANK_WIDTH), nn.Linear(RANK_WIDTH, 32), nn.ReLU(), nn.Linear(32, 1)
        )
        # fitted after training: see rank_ship.fit
        self.register_buffer("temperature", torch.ones(()))
        self.register_buffer("bias", torch.zeros(()))

    def begin(self, squares: dict[str, Tensor]) -> None:
        """Take over the first blocks of the network that reads squares."""
        head = "encoder.backbone."
        own = self.encoder.backbone.state_dict()
        self.encoder.backbone.load_state_dict({k: squares[head + k] for k in own})

    def compare(self, made: Tensor, roles: Tensor) -> Tensor:
        """Log-odds (t,) of being a king.

        Args:
            made: (t, RANK_WIDTH), descriptions of men, known and unknown.
            roles: (t, ROLES), what each one is; see ``vision.ranks``.
        """
        x = made + self.role(roles)
        for layer in self.layers:
            x = layer(x)
        return (self.alone(made) + self.king(x))[:, 0] / self.temperature + self.bias

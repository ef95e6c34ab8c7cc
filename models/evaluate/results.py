"""RESULTS.md: every figure with where it comes from, and the hashes that make it stale."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from vision.model import SquareModel

from .tally import Tally, figures

#: The parts of ``vision`` that decide how a picture is read.
CODE = (
    "answer", "calibrate", "crops", "geometry", "locate", "locate_board", "locate_evidence",
    "locate_fit", "locate_grid", "locate_planes", "locate_saddles", "markers", "men", "model",
    "network", "perceiver", "percept", "pictures", "ranks", "squares", "track",
)  # fmt: skip

RESULTS = Path(__file__).with_name("RESULTS.md")

#: Mistakes told in full under each table.
_TOLD = 12


def weights_hash(path: Path) -> str:
    """sha256 of a weight file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def eyes_hash(path: Path) -> str:
    """sha256 that stands for the reader of squares and the network that tells ranks with it."""
    return SquareModel(path).sha256


def code_hash(folder: Path) -> str:
    """sha256 over the source of CODE, in order."""
    digest = hashlib.sha256()
    for name in CODE:
        digest.update((folder / f"{name}.py").read_bytes())
    return digest.hexdigest()


def stamps(text: str) -> dict[str, str]:
    """The hashes that a RESULTS.md states."""
    return dict(re.findall(r"^- (weights|code): `([0-9a-f]{64})`$", text, re.MULTILINE))


def table(kind: str, title: str, note: str, tallies: Mapping[str, Tally]) -> list[str]:
    """One table; ``kind`` is *real* or *rendered*, and stands in front of every row."""
    lines = [f"## {title} ({kind})", "", note, ""]
    names = list(figures(Tally().counts))
    lines.append(f"| {kind} | " + " | ".join(names) + " |")
    lines.append("| --- |" + " --- |" * len(names))
    for name, tally in tallies.items():
        lines.append(f"| {kind}: {name} | " + " | ".join(figures(tally.counts).values()) + " |")
    mistakes = [m for t in tallies.values() for m in t.mistakes]
    mistakes = list(dict.fromkeys(mistakes))
    lines.append("")
    if mistakes:
        lines += [f"- {m}" for m in mistakes[:_TOLD]]
        if len(mistakes) > _TOLD:
            lines.append(f"- and {len(mistakes) - _TOLD} more pictures")
        lines.append("")
    return lines


def head(command: str, weights: Path, vision: Path) -> list[str]:
    """The beginning of RESULTS.md."""
    return [
        "# What the eyes can do",
        "",
        "*Real* figures are of photographs that neither training nor any threshold has seen, but "
        "where the table says so; "
        "*rendered* ones of drawn boards whose materials and cameras were kept out of training.",
        "*Read and right* counts pictures in which every square was answered and right; "
        "*of answered* is the share of squares that were right where an answer was given at all.",
        "",
        f"- command: `{command}`",
        f"- weights: `{eyes_hash(weights)}`",
        f"- code: `{code_hash(vision)}`",
        "",
    ]

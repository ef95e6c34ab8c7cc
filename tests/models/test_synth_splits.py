"""Training, validation and held-out scenes share no paint, no wood and no lens."""

from __future__ import annotations

import numpy as np

from models.synth.camera import sample_camera
from models.synth.hand import sample_look
from models.synth.paint import SPLITS, Split, cell
from models.synth.style import sample_style

Cells = set[tuple[int, int, int]]


def seen_in(split: Split) -> tuple[Cells, Cells]:
    """Cells of all colours and lenses of many scenes of a split."""
    rng = np.random.default_rng([4, SPLITS.index(split)])
    colours: Cells = set()
    lenses: Cells = set()
    for _ in range(120):
        style = sample_style(rng, 8, split)
        board, men = style.board, style.men
        for material in (board.light, board.dark, board.frame, *men.sides, style.table):
            colours.add(cell(material.colour))
        colours.add(cell(sample_look(rng, split, 0).coats[0].colour))
        lenses.add(sample_camera(rng, style).lens.cell())
    return colours, lenses


def test_no_colour_and_no_lens_is_in_two_splits() -> None:
    found = [seen_in(split) for split in SPLITS]
    for first in range(3):
        for second in range(first + 1, 3):
            assert not found[first][0] & found[second][0]
            assert not found[first][1] & found[second][1]
    assert all(len(colours) > 50 and len(lenses) > 20 for colours, lenses in found)

"""What is kept of one frame of a nardi board."""

import json

import numpy as np
import pytest

from vision.errors import VisionError
from vision.nardi.percept import DieSeen, NardiPercept, quantise_counts


def full() -> NardiPercept:
    logs = np.log(np.random.default_rng(1).dirichlet(np.ones(16), (24, 2)))
    return NardiPercept(
        number=7,
        at_ns=123,
        geometry="found",
        corners=((0.5, 1.0), (9.0, 1.0), (9.0, 9.0), (0.0, 9.0)),
        covered=(3, 4),
        counts=quantise_counts(logs),
        dice=(DieSeen(5, 0.98, (0.25, 0.5), "left", 0.03), DieSeen(0, 0.4, (1.1, 0.5), "off")),
        off=quantise_counts(logs[0]),
        loose=((0.5, 0.25),),
        motion=0.01,
    )


def test_a_percept_survives_the_journal() -> None:
    percept = full()
    assert NardiPercept.from_json(json.loads(json.dumps(percept.to_json()))) == percept


def test_a_lost_board_survives_the_journal() -> None:
    percept = NardiPercept(1, 2, "lost", "too dark")
    assert NardiPercept.from_json(json.loads(json.dumps(percept.to_json()))) == percept


def test_counts_are_kept_to_an_eighth_of_a_nat() -> None:
    logs = np.full((24, 2, 16), -np.inf)
    logs[..., 3] = -0.3
    kept = NardiPercept(0, 0, "found", counts=quantise_counts(logs)).log_probabilities()
    assert kept.shape == (24, 2, 16)
    assert np.allclose(kept[..., 3], -0.25)
    assert np.all(np.delete(kept, 3, axis=-1) == -127 / 8)


def test_counts_of_another_board_are_refused() -> None:
    with pytest.raises(VisionError):
        NardiPercept(0, 0, "found", counts=b"\0" * 5)


def test_a_die_has_six_faces() -> None:
    with pytest.raises(VisionError):
        DieSeen(7, 1.0, (0.5, 0.5), "left")

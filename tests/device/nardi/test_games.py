"""Whole nardi games at random, heads of fifteen included: every turn told, nobody accused.

More of them, before a running camera too: ``python -m tests.benchmarks.nardi_session``.
"""

import pytest

from tests.benchmarks.nardi_session import Player, Tally, offences


@pytest.mark.parametrize(("seed", "ending"), [(2, "gone"), (3, "press"), (4, "hands")])
def test_a_game_of_settled_pictures(seed: int, ending: str) -> None:
    tally = Tally()
    Player(seed, settled=True, ending=ending, tally=tally).game()
    assert tally.alarms == []
    # bearing off from stacks that are too tall to count may be understood late
    assert tally.right >= 0.9 * tally.turns


def test_wrong_turns_of_every_code_are_noticed() -> None:
    tally = Tally()
    offences(1, settled=True, tally=tally, turns=60)
    missed = {k: n for k, n in tally.noticed.items() if k.split()[-1] in ("nothing", "move")}
    assert missed == {}
    named = sum(n for text, n in tally.noticed.items() if len(set(text.split(" as "))) == 1)
    assert named >= 0.9 * sum(tally.noticed.values())
    assert {"B1", "B3", "M1", "M2", "M3", "M4", "M6", "P5"} <= tally.staged.keys()

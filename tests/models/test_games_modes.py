"""One recorded game in each of the three modes: the same is seen, and told as each mode wants."""

from typing import Any

from device.modes import MODES
from device.session import Setup, State, begin, step
from device.session_values import Publish, Show
from models.evaluate.games_acts import Carry, grid_of
from models.evaluate.games_given import Given
from models.evaluate.games_scene import Shown, stage_for
from models.evaluate.games_story import rng_of, story
from rules.draughts.game import DraughtsGame
from vision.frame import Frame
from vision.percept import Percept

GAME = DraughtsGame.by_name("russian")
PLIES = 24


def recorded() -> list[Percept]:
    """What made-up eyes say of a game with offences, takebacks and all; nobody hurries."""
    acts = story(GAME, rng_of(3, 1, 1), PLIES, "club", clocked=False)
    lens, percepts = Given(GAME.board), list[Percept]()
    stage = stage_for(GAME, rng_of(3, 1, 2), lambda: -1.0, lens)
    for it in stage.play(acts):
        if isinstance(it, Shown):
            percepts.append(lens.see(Frame(it.image, len(percepts), round(it.at * 1e9))))
    return percepts


def watched(percepts: list[Percept], mode: Any) -> tuple[State, list[dict[str, Any]], set[str]]:
    """The end, the events and the signals of the game in a mode."""
    state, events, shown = begin(Setup("russian", mode=mode)), list[dict[str, Any]](), set[str]()
    for percept in percepts:
        state, effects = step(state, percept)
        events += [dict(e.event) for e in effects if isinstance(e, Publish)]
        shown |= {e.signal for e in effects if isinstance(e, Show)}
    return state, events, shown


def test_the_same_recorded_game_in_each_mode() -> None:
    percepts = recorded()
    told = {mode: watched(percepts, mode) for mode in MODES}
    kinds = ("move", "offence", "resolved", "takeback")
    seen = {
        mode: [
            (e["t"], e["event"], e.get("text") or e.get("code") or e.get("plies"))
            for e in events
            if e["event"] in kinds
        ]
        for mode, (_, events, _) in told.items()
    }
    assert seen["home"] == seen["club"] == seen["tournament"]
    assert {event for _, event, _ in seen["home"]} >= {"move", "offence", "resolved"}
    assert len({state.position for state, _, _ in told.values()}) == 1
    for mode, (_, events, shown) in told.items():
        row = MODES[mode]
        assert not shown & {signal.value for signal in row.hidden}
        to = {e.get("to") for e in events if e["event"] == "offence"}
        assert to == ({"arbiter"} if row.told == "arbiter" else {None})
        assert {e["code"] for e in events if e["event"] == "remark"} <= row.remarks
    remarks = [[e["event"] for e in events].count("remark") for _, events, _ in told.values()]
    assert remarks[0] < remarks[1] == remarks[2]


def test_a_move_with_both_hands_shows_both_arms_whole() -> None:
    lens, position = Given(GAME.board), GAME.start()
    stage = stage_for(GAME, rng_of(3, 1, 2), lambda: -1.0, lens)
    move = GAME.parse_move(position, "c3-d4")
    grids = (grid_of(GAME, position), grid_of(GAME, move.after))
    hidden = set[int]()
    for it in stage.play([Carry("w", grids, both=True)]):
        if isinstance(it, Shown):
            hidden |= {*lens.see(Frame(it.image, 0, round(it.at * 1e9))).covered}
    bottom = {n % 8 for n in hidden if n // 8 == 7}
    assert {(n // 8 + n % 8) % 2 for n in hidden} == {0, 1}, "light squares as well"
    assert max(bottom) - min(bottom) >= 3, "two arms"

"""Who is who, the PIN, and how often one may guess."""

import json
import stat
from pathlib import Path

import pytest

from device.errors import BadConfig
from device.web import pin as pins
from device.web.access import ARBITER_COOKIE, ARBITER_S, SIDE_COOKIE, Access
from device.web.roles import ARBITER, EVERYBODY, NOTHING, PLAYERS, SPECTATOR, Role, may

PIN = "271828"
HERE, THERE = "10.0.0.7", "10.0.0.8"


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def access(tmp_path: Path, time: Time) -> Access:
    made = Access(tmp_path / "secrets.json", "club", "open", time)
    made.set_pin(PIN)
    return made


def arbiter(access: Access) -> dict[str, str]:
    token = access.log_in(PIN, HERE)
    assert isinstance(token, str)
    return {ARBITER_COOKIE: token}


def test_at_home_everybody_is_everything(tmp_path: Path) -> None:
    access = Access(tmp_path / "secrets.json", "home")
    assert access.role({}) == EVERYBODY
    assert not (tmp_path / "secrets.json").exists()


def test_in_a_club_each_is_what_he_can_show(access: Access) -> None:
    assert access.role({}) == SPECTATOR
    assert access.role({SIDE_COOKIE: access.token("b")}) == Role(True, frozenset(("b",)), False)
    assert access.role(arbiter(access)) == Role(True, frozenset(), True)
    both = {**arbiter(access), SIDE_COOKIE: access.token("w")}
    assert access.role(both) == Role(True, frozenset(("w",)), True)
    assert access.role({SIDE_COOKIE: "x", ARBITER_COOKIE: "\ud800"}) == SPECTATOR


def test_only_members_may_look_if_the_owner_wants(tmp_path: Path) -> None:
    access = Access(tmp_path / "secrets.json", "club", "members")
    assert access.role({}) == NOTHING
    assert access.role({SIDE_COOKIE: access.token("w")}).reads


def test_the_file_holds_no_pin_and_is_for_its_owner_only(access: Access, tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert PIN not in path.read_text()
    assert json.loads(path.read_text())["pin"].startswith("scrypt$16384$8$1$")


def test_tokens_and_pin_are_still_good_after_a_restart(access: Access, tmp_path: Path) -> None:
    again = Access(tmp_path / "secrets.json", "club")
    assert again.token("w") == access.token("w")
    assert isinstance(again.log_in(PIN, HERE), str)
    assert again.role(arbiter(access)) == SPECTATOR  # arbiters are remembered in memory only


def test_a_new_game_has_other_players(access: Access, tmp_path: Path) -> None:
    old = access.token("w")
    access.renew_tokens()
    assert access.side_of(old) is None
    assert access.side_of(access.token("w")) == "w"
    assert access.token("w") != access.token("b")
    assert Access(tmp_path / "secrets.json", "club").token("w") == access.token("w")


def test_an_arbiter_stays_one_for_a_day_of_play(access: Access, time: Time) -> None:
    shown = arbiter(access)
    time.now += ARBITER_S - 1
    assert access.role(shown).arbiter
    time.now += 2
    assert not access.role(shown).arbiter


def test_an_arbiter_can_leave_and_a_new_pin_sends_all_away(access: Access) -> None:
    first, second = arbiter(access), arbiter(access)
    access.log_out(first)
    assert not access.role(first).arbiter
    assert access.role(second).arbiter
    access.set_pin("314159")
    assert not access.role(second).arbiter
    assert access.log_in(PIN, THERE) == 0.0


def test_after_five_failures_even_the_right_pin_has_to_wait(access: Access, time: Time) -> None:
    assert [access.log_in("000000", HERE) for _ in range(5)] == [0.0, 0.0, 0.0, 0.0, 30.0]
    assert access.log_in(PIN, HERE) == 30.0
    assert isinstance(access.log_in(PIN, THERE), str)
    time.now += 30.0
    assert access.log_in("000000", HERE) == 60.0
    time.now += 60.0
    assert isinstance(access.log_in(PIN, HERE), str)
    assert access.log_in("000000", HERE) == 0.0


def test_many_addresses_together_may_not_guess_more(time: Time) -> None:
    tries = pins.Tries(time)
    for number in range(pins.ALL_TRIES):
        assert tries.wait_s(f"10.0.1.{number}") == 0.0
        tries.failed(f"10.0.1.{number}")
        time.now += 1.0
    assert tries.wait_s("10.9.9.9") == pins.ALL_WITHIN_S - pins.ALL_TRIES
    time.now += pins.ALL_WITHIN_S
    assert tries.wait_s("10.9.9.9") == 0.0


def test_the_many_addresses_of_one_household_count_as_one(time: Time) -> None:
    tries = pins.Tries(time)
    for number in range(5):
        tries.failed(f"2001:db8:1:2::{number:x}")
    assert tries.wait_s("2001:db8:1:2:ffff::1") == 30.0
    assert tries.wait_s("2001:db8:1:3::1") == 0.0


def test_guessers_are_forgotten_rather_than_fill_the_memory(time: Time) -> None:
    tries = pins.Tries(time)
    for number in range(5000):
        tries.failed(f"name-{number}")
        tries._all.clear()
    assert len(tries._by) == 4096


@pytest.mark.parametrize("pin", ["", "12345", "1" * 65])
def test_a_pin_of_another_length_is_not_kept(access: Access, pin: str) -> None:
    with pytest.raises(BadConfig, match="6 to 64"):
        access.set_pin(pin)


def test_a_hash_is_salted_and_fits_its_pin_only() -> None:
    kept = pins.hashed(PIN)
    assert kept != pins.hashed(PIN)
    assert pins.fits(PIN, kept)
    assert not pins.fits("271829", kept)
    assert not pins.fits("\ud800" * 6, kept)
    with pytest.raises(BadConfig):
        pins.fits(PIN, "md5$1$2$3$00$00")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"v": 9}', '{"v": 1, "pin": 3, "tokens": {}}'])
def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "secrets.json"
    path.write_text(text)
    with pytest.raises(BadConfig, match="remove it"):
        Access(path, "club")


# ---- roles -----------------------------------------------------------------------------------


def test_a_player_speaks_for_his_own_side_only() -> None:
    white = Role(True, frozenset(("w",)), False)
    assert may(white, "resign", "w")
    assert not may(white, "resign", "b")
    assert not may(white, "resign", "arbiter")
    assert not may(white, "correct", "w")
    assert not may(white, "result", "w")


def test_the_arbiter_does_not_resign_for_anybody() -> None:
    arbiter = Role(True, frozenset(), True)
    assert may(arbiter, "correct", "arbiter")
    assert not may(arbiter, "resign", "w")


def test_nobody_ends_the_pictures_by_the_page() -> None:
    assert not any(may(EVERYBODY, "finish", by) for by in ("w", "b", "arbiter"))


def test_a_spectator_may_nothing() -> None:
    for name in PLAYERS | ARBITER:
        assert not any(may(SPECTATOR, name, by) for by in ("", "w", "b", "arbiter"))

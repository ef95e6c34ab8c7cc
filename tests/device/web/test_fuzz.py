"""Whatever is sent to whatever route: no failure of ours, and no change without the right role."""

import json
import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.session_values import NAMES
from device.web.site import ROUTES
from vision.calibrate import Refusal

#: Paths of all routes but the stream, which never ends; those with a blank to fill in.
PATHS = [route.path for route in ROUTES if route.path != "/api/events"]

words = st.sampled_from(
    (
        *("", "w", "b", "arbiter", "russian", "nardi", "home", "tournament", "club", "top"),
        *(*NAMES, "W:Wa1:Bh8", "W:W:B", "B:WKa1:BKh8", "c3-d4", "15+5", "99999999999999999999"),
        *("../x", "%2e%2e", "\ud800", "\x00", "🙂", "a" * 2000, "2026-01-01-000001", "game.pdn"),
    )
)
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), words, st.text(max_size=20)
)
fields = st.sampled_from(
    (
        *("name", "by", "value", "grid", "side", "plan", "corners", "pin", "token"),
        *("game", "mode", "fen", "clock", "white", "white_at", "kings"),
    )
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=8), st.dictionaries(st.one_of(fields, words), inner, max_size=5)
    ),
    max_leaves=12,
)
bodies = st.one_of(
    st.dictionaries(fields, values, max_size=5).map(json.dumps),
    values.map(json.dumps),
    st.just("[" * 20000),
    st.just('{"grid": [' + '".w.w.w.w",' * 7 + '".w.w.w.w"], "side": "w"}'),
    st.text(max_size=40),
).map(lambda text: text.encode("utf-8", "surrogatepass"))
commands = st.fixed_dictionaries(
    {"name": st.sampled_from(NAMES), "by": st.sampled_from(["w", "b", "arbiter"]), "value": words}
).map(json.dumps)

#: Bodies that have broken servers.
NASTY = (
    b"", b"null", b"[]", b"3", b"{", b"\xff\xfe", b"[" * 30000, b'{"a":' * 5000, b'{"plan": {}}',
    b'{"plan": {"game": []}}', b'{"plan": {"game": "russian", "fen": "\\ud800"}}', b'{"pin": null}',
    b'{"pin": "\\ud800\\ud800\\ud800"}', b'{"token": "\\u0000"}', b'{"grid": [1, {}], "side": []}',
    b'{"name": {}, "by": []}', b'{"name": "correct", "by": "arbiter", "value": "\\ud800"}',
    b'{"plan": {"game": "russian"}, "corners": [[1e999, 0], [0, 0], [0, 0], [0, 0]]}',
    b'{"plan": {"game": "russian"}, "corners": [[NaN, 0], [0, 0], [0, 0], [0, 0]]}',
    b'{"plan": {"game": "russian"}, "corners": [[0, 0], [0, 0], [0, 0], [0, 0]]}',
)  # fmt: skip

calm = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def ready(hall: Callable[..., Any], **plan: Any) -> Any:
    table = hall("club", **plan)
    table.stage.refusal = Refusal("too dark", "more light")
    table.start()
    table.play("c3-d4")
    return table


def sent(browser: Any, method: str, path: str, query: str, body: bytes) -> Any:
    headers = {"Content-Type": "application/json", "Accept-Language": query}
    try:
        return browser.request(method, path, params={"q": query}, content=body, headers=headers)
    except UnicodeEncodeError:
        return None  # the client can't even write that


def filled(path: str, word: str) -> str:
    quoted = urllib.parse.quote(word, safe="", errors="surrogatepass")
    for blank in ("{name}", "{file}", "{side}"):
        path = path.replace(blank, quoted)
    return path


@pytest.mark.parametrize("role", ["", "w", "arbiter"])
def test_no_request_is_a_failure_of_ours(hall: Callable[..., Any], role: str) -> None:
    table = ready(hall)
    browser = table.browser(role)
    before = table.values

    @calm
    @given(st.sampled_from(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"]),
           st.sampled_from(PATHS), words, st.one_of(bodies, commands.map(str.encode)))  # fmt: skip
    def fuzz(method: str, path: str, word: str, body: bytes) -> None:
        answer = sent(browser, method, filled(path, word), word.replace("\ud800", ""), body)
        if answer is None:
            return
        assert answer.status_code < 500, (method, path, word, body, answer.text)
        if role == "":
            assert table.values == before, (method, path, word, body)

    fuzz()


@pytest.mark.parametrize("body", NASTY, ids=range(len(NASTY)))
def test_what_has_broken_servers_breaks_nothing_here(hall: Callable[..., Any], body: bytes) -> None:
    table = ready(hall)
    browser = table.browser("arbiter")
    for path in (route.path for route in ROUTES if "POST" in (route.methods or ())):
        answer = sent(browser, "POST", path, "", body)
        assert answer.status_code < 500, (path, answer.text)
        assert not table.values["trouble"], path


@pytest.mark.parametrize(("role", "others"), [("", ("w", "b", "arbiter")), ("w", ("b", "arbiter"))])
def test_no_command_for_another_changes_anything(
    hall: Callable[..., Any], role: str, others: tuple[str, ...]
) -> None:
    table = ready(hall, clock="15")
    browser = table.browser(role)
    before = table.values
    for name in (*NAMES, "x", "", "\ud800"):
        for by in (*others, "", "x"):
            for value in ("", "w", "W:Wa1:Bh8"):
                body = json.dumps({"name": name, "by": by, "value": value}).encode()
                answer = sent(browser, "POST", "/api/command", "", body)
                assert answer.status_code in (400, 403), (name, by, value)
    assert table.values == before


def test_any_command_of_the_arbiter_leaves_a_table_that_works(hall: Callable[..., Any]) -> None:
    table = ready(hall)
    browser = table.browser("arbiter")

    @calm
    @given(st.lists(st.one_of(commands, bodies), max_size=4))
    def fuzz(asked: list[str | bytes]) -> None:
        for body in asked:
            raw = body if isinstance(body, bytes) else body.encode()
            answer = sent(browser, "POST", "/api/command", "", raw)
            assert answer.status_code in (200, 400, 403, 409), (body, answer.text)
            assert "trouble" not in table.values or not table.values["trouble"], body
        assert browser.get("/").status_code == 200

    fuzz()

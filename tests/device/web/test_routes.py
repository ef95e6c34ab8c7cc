"""Every route by every role: who is let in, who is kept out, and what each gets."""

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
import segno

from device.web.site import ROUTES
from vision.calibrate import Refusal

ROLES = ("", "w", "b", "arbiter")
PLAN = {"game": "russian"}

#: Path -> the status for a spectator, for a player, for the arbiter, in a club.
READING = {
    "/": (200, 200, 200),
    "/table": (200, 200, 200),
    "/setup": (403, 403, 200),
    "/health": (200, 200, 200),
    "/join": (200, 200, 200),
    "/games": (200, 200, 200),
    "/games/2026-01-01-000001": (200, 200, 200),
    "/games/2026-01-01-000001/game.pdn": (200, 200, 200),
    "/favicon.ico": (200, 200, 200),
    "/manifest.webmanifest": (200, 200, 200),
    "/api/state": (200, 200, 200),
    "/api/health": (200, 200, 200),
    "/api/camera.jpg": (200, 200, 200),
    "/api/whole.jpg": (403, 403, 200),
    "/api/position?game=russian": (403, 403, 200),
    "/api/look": (403, 403, 200),
    "/api/qr/w": (403, 403, 200),
}

#: The same for changes.
CHANGING: dict[str, tuple[dict[str, Any], tuple[int, int, int]]] = {
    "/api/command": ({"name": "pause", "by": "arbiter"}, (403, 403, 200)),
    "/api/correct": ({"grid": [], "side": "w"}, (403, 403, 400)),
    "/api/prepare": ({"plan": PLAN}, (403, 403, 200)),
    "/api/calibrate": ({}, (403, 403, 200)),
    "/api/begin": ({"plan": PLAN}, (403, 403, 200)),
    "/api/login": ({"pin": "000000"}, (403, 403, 403)),
    "/api/logout": ({}, (200, 200, 200)),
    "/api/join": ({"token": "x"}, (403, 403, 403)),
}


def column(role: str) -> int:
    return {"": 0, "w": 1, "b": 1, "arbiter": 2}[role]


def playing(hall: Callable[..., Any], **more: Any) -> Any:
    table = hall("club", **more)
    table.start()
    table.play("c3-d4")
    return table


def test_every_route_is_tried_here() -> None:
    tried = {path.split("?")[0] for path in (*READING, *CHANGING)}
    tried |= {"/api/events"}  # has a file of its own
    for route in ROUTES:
        assert any(route.path_regex.fullmatch(path) for path in tried), route.path


@pytest.mark.parametrize("role", ROLES)
def test_reading(hall: Callable[..., Any], role: str) -> None:
    table = playing(hall)
    browser = table.browser(role)
    for path, statuses in READING.items():
        assert browser.get(path).status_code == statuses[column(role)], path


def test_where_only_members_read_others_see_nothing(hall: Callable[..., Any]) -> None:
    table = playing(hall, reading="members")
    stranger, player = table.browser(), table.browser("w")
    for path in READING:
        if path in ("/join", "/favicon.ico", "/manifest.webmanifest"):
            continue
        answer = stranger.get(path)
        assert answer.status_code == 403, path
        assert "c3-d4" not in answer.text
        assert '"grid"' not in answer.text
    assert player.get("/api/state").status_code == 200


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("path", CHANGING)
def test_changing(hall: Callable[..., Any], role: str, path: str) -> None:
    table = playing(hall)
    table.stage.refusal = Refusal("too dark", "more light")
    body, statuses = CHANGING[path]
    before = table.values
    answer = table.browser(role).post(path, json=body)
    assert answer.status_code == statuses[column(role)]
    if answer.status_code != 200:
        assert table.values == before


@pytest.mark.parametrize("role", ROLES)
def test_no_route_takes_another_method(hall: Callable[..., Any], role: str) -> None:
    browser = playing(hall).browser(role)
    for path in READING:
        assert browser.post(path.split("?")[0], json={}).status_code == 405, path
    for path in CHANGING:
        assert browser.get(path).status_code == 405, path


# ---- commands --------------------------------------------------------------------------------


def test_a_player_resigns_for_himself_and_for_nobody_else(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    white = table.browser("w")
    for by in ("b", "arbiter", ""):
        answer = white.post("/api/command", json={"name": "resign", "by": by})
        assert answer.status_code in (400, 403)
    assert table.values["game"]["phase"] == "playing"
    assert white.post("/api/command", json={"name": "resign", "by": "w"}).status_code == 200
    assert table.values["game"]["outcome"]["ending"] == "b"
    assert "resigned" in table.values["game"]["outcome"]["reason"]


def test_what_the_session_refuses_comes_back_with_the_reason(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    answer = table.browser("w").post("/api/command", json={"name": "agree-draw", "by": "w"})
    assert answer.status_code == 409
    assert "not offered" in answer.json()["error"]


def test_a_square_is_corrected(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    grid = list(table.values["game"]["grid"])
    assert grid[4][3] == "w"
    grid[4] = grid[4][:3] + "W" + grid[4][4:]
    arbiter = table.browser("arbiter")
    answer = arbiter.post("/api/correct", json={"grid": grid, "side": "b"})
    assert answer.status_code == 200
    assert table.values["game"]["grid"] == grid
    assert "Kd4" in table.values["game"]["fen"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"grid": ["........"] * 7, "side": "w"},
        {"grid": ["........"] * 8, "side": "x"},
        {"grid": ["w......."] + ["........"] * 7, "side": "w"},
        {"grid": [".x......"] + ["........"] * 7, "side": "w"},
        {"grid": [["."] * 8] * 8, "side": "w"},
        {"grid": [".w.w.w.w"] * 8, "side": "w"},
        {"grid": "no", "side": "w"},
        {"grid": ["........"] * 8, "side": "w", "more": 1},
    ],
)
def test_a_board_that_is_none_corrects_nothing(hall: Callable[..., Any], body: Any) -> None:
    table = playing(hall)
    before = table.values["game"]
    answer = table.browser("arbiter").post("/api/correct", json=body)
    assert answer.status_code in (400, 409)
    assert table.values["game"] == before


# ---- who is who ------------------------------------------------------------------------------


def test_an_arbiter_comes_in_by_the_pin_and_leaves(hall: Callable[..., Any]) -> None:
    browser = playing(hall).browser()
    answer = browser.post("/api/login", json={"pin": "271828"})
    assert answer.status_code == 200
    kept = answer.headers["set-cookie"].lower()
    assert "httponly" in kept
    assert "samesite=strict" in kept
    assert browser.get("/setup").status_code == 200
    assert browser.get("/api/state").json()["role"]["arbiter"]
    browser.post("/api/logout", json={})
    assert browser.get("/setup").status_code == 403


def test_guessing_is_made_slow(hall: Callable[..., Any]) -> None:
    browser = playing(hall).browser()
    statuses = [browser.post("/api/login", json={"pin": "000000"}).status_code for _ in range(6)]
    assert statuses == [403, 403, 403, 403, 429, 429]
    refused = browser.post("/api/login", json={"pin": "271828"})
    assert refused.status_code == 429
    assert 25 <= int(refused.headers["retry-after"]) <= 30


def test_a_player_comes_in_by_the_link_of_his_side(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    browser = table.browser()
    token = table.access.token("b")
    answer = browser.post("/api/join", json={"token": token})
    assert answer.json() == {"done": True, "side": "b"}
    assert browser.get("/api/state").json()["role"]["sides"] == ["b"]


def test_a_new_game_sends_the_last_players_away(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    white, arbiter = table.browser("w"), table.browser("arbiter")
    assert arbiter.post("/api/begin", json={"plan": PLAN}).status_code == 200
    assert white.get("/api/state").json()["role"]["sides"] == []
    assert arbiter.get("/api/state").json()["role"]["arbiter"]


def test_a_qr_code_is_a_picture_of_the_link(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    arbiter = table.browser("arbiter")
    answer = arbiter.get("/api/qr/b")
    assert answer.headers["content-type"] == "image/svg+xml"
    drawing = ElementTree.fromstring(answer.text)
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    assert (
        drawn(drawing)
        == segno.make(f"http://testserver/join#{table.access.token('b')}", error="m").matrix
    )
    assert arbiter.get("/api/qr/x").status_code == 404


def drawn(drawing: ElementTree.Element) -> tuple[bytearray, ...]:
    """The dark modules of a drawing whose path goes along rows, without its border of four."""
    (x0, y0, x1, y1) = (int(float(n)) for n in drawing.attrib["viewBox"].split())
    rows = [bytearray(x1 - x0) for _ in range(y1 - y0)]
    path = next(p for p in drawing.iter() if "stroke" in p.attrib).attrib["d"]
    x, y = 0.0, 0.0
    for step, numbers in re.findall(r"([Mmh])([-\d. ]+)", path):
        values = [float(n) for n in re.findall(r"-?[\d.]+", numbers)]
        if step == "h":
            for n in range(int(values[0])):
                rows[int(y)][int(x) + n] = 1
            x += values[0]
        else:
            x, y = (values[0], values[1]) if step == "M" else (x + values[0], y + values[1])
    return tuple(row[4:-4] for row in rows[4:-4])


def test_no_page_gives_a_secret_away(hall: Callable[..., Any]) -> None:
    table = playing(hall)
    secrets = [table.access.token("w"), table.access.token("b"), "271828"]
    arbiter = table.browser("arbiter")
    for path in READING:
        text = arbiter.get(path).text
        assert not any(secret in text for secret in secrets), path


# ---- a tournament ----------------------------------------------------------------------------


def test_in_a_tournament_offences_are_for_the_arbiter_only(hall: Callable[..., Any]) -> None:
    table = playing(hall, mode="tournament")
    table.board("W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,d4,e3,g3:Bb8,d8,f8,h8,a7,c7,e7,g7,a5,c5,f6,h6")
    arbiter, white = table.browser("arbiter"), table.browser("w")
    there = arbiter.get("/api/state").json()["state"]
    assert there["game"]["pending"]["code"]
    code = there["game"]["pending"]["message"]
    for path in ("/", "/table", "/api/state"):
        text = white.get(path).text
        assert code not in text, path
    seen = white.get("/api/state").json()["state"]
    assert seen["game"]["pending"] is None
    assert seen["game"]["phase"] == "playing"
    assert seen["game"]["side"] == "b"
    assert seen["game"]["grid"] == there["game"]["plies"][-1]["grid"]
    assert seen["pictures"] == []
    assert "accept" in there["game"]["may"]["w"]
    assert "accept" not in seen["game"]["may"]["w"]
    asked = white.post("/api/command", json={"name": "accept", "by": "w"})
    assert asked.status_code == 403
    name = there["id"]
    assert white.get(f"/games/{name}/journal.jsonl").status_code == 404
    assert arbiter.get(f"/games/{name}/journal.jsonl").status_code == 200
    assert white.get(f"/games/{name}").status_code == 404


# ---- set-up ----------------------------------------------------------------------------------


def test_the_wizard_prepares_guides_and_begins(hall: Callable[..., Any]) -> None:
    table = hall(game=False)
    browser = table.client
    body = {"plan": {"game": "russian", "fen": "W:Wc3,e3:Bd6"}}
    assert browser.post("/api/prepare", json=body).status_code == 200
    assert browser.get("/api/look").json() == {"picture": None}
    table.board("W:Wc3:Bd6,f6")
    seen = browser.get("/api/look").json()
    assert seen["guide"]["missing"] == [["e3", "w"]]
    assert seen["guide"]["extra"] == ["f6"]
    assert not seen["guide"]["done"]
    table.board("W:Wc3,e3:Bd6")
    assert browser.get("/api/look").json()["guide"]["done"]
    table.stage.refusal = Refusal("too dark", "more light", (3,))
    told = browser.post("/api/calibrate", json={}).json()
    assert (told["done"], told["reason"], told["remedy"]) == (False, "too dark", "more light")
    assert browser.post("/api/begin", json=body).status_code == 200
    table.board("W:Wc3,e3:Bd6")
    assert table.values["game"]["phase"] == "playing"


def test_a_date_that_somebody_typed_goes_into_the_record(
    hall: Callable[..., Any],
) -> None:
    table = hall(game=False)
    assert 'name="date"' in table.client.get("/setup").text
    body = {"plan": {"game": "russian", "date": "2026-11-30"}}
    assert table.client.post("/api/begin", json=body).status_code == 200
    table.start()
    assert '[Date "2026.11.30"]' in (table.table.folder / "game.pdn").read_text()


@pytest.mark.parametrize(
    "corners",
    [[[1, 2]], [[1, 2]] * 3, [["a", 1]] * 4, [[1, 2, 3]] * 4, [[1e9, 1]] * 4, [None] * 4, [1] * 4],
)
def test_corners_that_are_none_are_refused(hall: Callable[..., Any], corners: Any) -> None:
    table = hall()
    answer = table.client.post("/api/prepare", json={"plan": PLAN, "corners": corners})
    assert answer.status_code == 400
    assert table.values["game"] is not None


def test_a_picture_is_cropped_to_the_board_for_those_who_look_on(
    hall: Callable[..., Any],
) -> None:
    import cv2
    import numpy as np

    table = playing(hall)
    sizes = []
    for who, path in (("", "/api/camera.jpg"), ("arbiter", "/api/whole.jpg")):
        data = table.browser(who).get(path).content
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        sizes.append(image.shape[:2])
    # the fake board lies at 0..100 of 160 x 120
    assert sizes == [(110, 110), (120, 160)]
    table.show(None)
    assert table.client.get("/api/camera.jpg").status_code == 404

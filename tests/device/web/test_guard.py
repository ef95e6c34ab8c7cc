"""Hosts, origins, sizes and headers: what a browser may have been tricked into is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from device.web.guard import MAX_BODY

JSON = {"Content-Type": "application/json"}
RESIGN = '{"name": "resign", "by": "w"}'


@pytest.mark.parametrize(
    ("host", "fine"),
    [
        ("toreshi.local", True),
        ("TORESHI.local:8080", True),
        ("192.168.1.20:8080", True),
        ("[fe80::1]:8080", True),
        ("evil.example", False),
        ("toreshi.local.evil.example", False),
        ("192.168.1.20.evil.example", False),
        ("evil.example@localhost", False),
        ("localhost:99999", False),
        ("localhost/evil", False),
        ("[", False),
        ("", False),
    ],
)
def test_a_foreign_name_that_points_here_is_refused(
    hall: Callable[..., Any], host: str, fine: bool
) -> None:
    answer = hall(game=False).client.get("/api/state", headers={"Host": host})
    assert answer.status_code == (200 if fine else 421)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}, 200),
        ({}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://testserver:81"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_a_change_has_to_come_from_our_own_page(
    hall: Callable[..., Any], headers: dict[str, str], status: int
) -> None:
    table = hall()
    table.start()
    answer = table.client.post("/api/command", content=RESIGN, headers={**JSON, **headers})
    assert answer.status_code == status
    assert (table.values["game"]["phase"] == "over") == (status == 200)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_a_foreign_form_could_send_is_refused(hall: Callable[..., Any], kind: str) -> None:
    table = hall()
    table.start()
    answer = table.client.post("/api/command", content=RESIGN, headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert table.values["game"]["phase"] == "playing"


def test_a_body_that_is_too_long_is_refused_by_its_length_and_by_its_bytes(
    hall: Callable[..., Any],
) -> None:
    table = hall(game=False)
    long = b" " * (MAX_BODY + 1)
    assert table.client.post("/api/command", content=long, headers=JSON).status_code == 413

    def pieces() -> Any:
        for _ in range(MAX_BODY // 1000 + 2):
            yield b" " * 1000

    assert table.client.post("/api/command", content=pieces(), headers=JSON).status_code == 413
    bad = {**JSON, "Content-Length": "-1"}
    assert table.client.post("/api/command", content=b"{}", headers=bad).status_code == 413


@pytest.mark.parametrize("path", ["/", "/api/state", "/static/page.css", "/nowhere"])
def test_every_answer_carries_the_headers(hall: Callable[..., Any], path: str) -> None:
    answer = hall().client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/table", "/setup", "/games", "/health", "/join"])
def test_no_page_has_a_script_or_style_of_its_own(hall: Callable[..., Any], path: str) -> None:
    text = hall().client.get(path).text
    for tag in text.split("<script")[1:]:
        head = tag.split(">")[0]
        assert 'src="/static/' in head or 'type="application/json"' in head
    assert "<style" not in text
    assert "style=" not in text
    assert " onclick" not in text
    assert "http://" not in text
    assert "https://" not in text

"""Events as a person at a terminal reads them, in the person's language."""

from typing import Any

import pytest

from device.cli.narrate import line
from rules.said import BLACK, WHITE, Said

TURN = Said(
    "It is {turn}'s turn, but {other} played {played}: take it back.",
    {"turn": WHITE, "other": BLACK, "played": "c3-d4"},
)

EVENTS: list[tuple[dict[str, Any], str, str]] = [
    (
        {"event": "start-position", "white_at": "bottom"},
        "the first position stands; White sits at this edge of the picture: bottom",
        "начальная позиция стоит; белые сидят у этого края изображения: ",
    ),
    ({"event": "move", "side": "b", "text": "f6-g5"}, "Black f6-g5", "Чёрные f6-g5"),
    (
        {
            "event": "offence",
            "side": "b",
            "message": str(TURN),
            "said": TURN.to_json(),
            "article": "FMJD 5.4.5",
        },
        f"Black: {TURN} (FMJD 5.4.5)",
        "Чёрные: Сейчас ходят белые, а сыграли чёрные: c3-d4. Верните ход. (FMJD 5.4.5)",
    ),
    (
        {"event": "resolved", "side": "w", "code": "O6", "how": "put-right"},
        "White: O6 put right",
        "Белые: O6 исправлено",
    ),
    ({"event": "takeback", "plies": 2}, "moves taken back: 2", "взято ходов назад: 2"),
    (
        {"event": "unsure", "message": "b4 should be empty"},
        "unsure: b4 should be empty",
        "не уверен: ",
    ),
    (
        {"event": "end", "result": "draw", "reason": "a draw was agreed"},
        "end draw: a draw was agreed",
        "конец, draw: ",
    ),
    ({"event": "covered"}, "something covers the board", "что-то закрывает доску"),
    ({"event": "something new"}, "something new", "something new"),
]


@pytest.mark.parametrize(("event", "english", "russian"), EVENTS, ids=lambda v: str(v)[:30])
def test_a_line_of_each_kind(event: dict[str, Any], english: str, russian: str) -> None:
    assert line({**event, "t": 12.3}, "en") == f"    12.3 s  {english}"
    assert line({**event, "t": 12.3}, "ru").startswith(f"    12.3 s  {russian}")

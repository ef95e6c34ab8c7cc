"""Events as lines for a person, in the person's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.said import Said

from ..locale import localised, sentence
from ..session_values import Json

SIDES: Mapping[str, str] = {"w": Said("White"), "b": Said("Black")}

#: How an offence was resolved.
HOW: Mapping[str, str] = {
    "put-right": Said("put right"),
    "accepted": Said("accepted"),
    "corrected": Said("corrected"),
}

#: Edges of the picture.
EDGES: Mapping[str, str] = {
    "bottom": Said("bottom"),
    "top": Said("top"),
    "left": Said("left"),
    "right": Said("right"),
}

_LINES: Mapping[str, Callable[[Json], str]] = {
    "start-position": lambda e: Said(
        "the first position stands; White sits at this edge of the picture: {edge}",
        {"edge": EDGES.get(e["white_at"], e["white_at"])},
    ),
    "takeback": lambda e: Said("moves taken back: {count}", {"count": e["plies"]}),
    "unsure": lambda e: Said("unsure: {what}", {"what": e["message"]}),
    "board-lost": lambda e: Said("the board can't be seen: {reason}", {"reason": e["reason"]}),
    "board-found": lambda e: Said("the board is seen again"),
    "covered": lambda e: Said("something covers the board"),
    "corrected": lambda e: Said("the last moves were {moves}", {"moves": ", ".join(e["moves"])}),
    "continued": lambda e: Said("going on after so many plies: {count}", {"count": e["plies"]}),
    "refused": lambda e: Said("not possible: {what}", {"what": e["what"]}),
}


def line(event: Json, lang: str) -> str:
    """An event as one line, its time in front."""
    told = localised(event, lang)
    return f"{event['t']:8.1f} s  {_said(told, lang)}"


def _said(event: Json, lang: str) -> str:
    side = sentence(SIDES.get(event.get("side", ""), ""), lang) if event.get("side") else ""
    kind = event["event"]
    if kind == "move":
        return f"{side} {event['text']}"
    if kind == "roll":
        dice = "-".join(str(number) for number in event["dice"])
        why = f": {sentence(event['reason'], lang)}" if event.get("reason") else ""
        return f"{side or 'opening'} {dice}{why}"
    if kind == "offence":
        return f"{side}: {event['message']} ({event['article']})"
    if kind == "resolved":
        return f"{side}: {event['code']} {sentence(HOW.get(event['how'], event['how']), lang)}"
    if kind == "remark":
        return f"{side}: {sentence(event['text'], lang)}"
    if kind == "end":
        reason = sentence(event["reason"], lang)
        return sentence(
            Said("end {result}: {reason}", {"result": event["result"], "reason": reason}), lang
        )
    made = _LINES.get(kind)
    if made is None:
        return str(kind)
    return sentence(made(_translated(event, lang)), lang)


def _translated(event: Json, lang: str) -> Json:
    """With the texts in it that catalogues know by themselves."""
    known = {key: event[key] for key in ("reason", "what") if isinstance(event.get(key), str)}
    return {**event, **{key: sentence(text, lang) for key, text in known.items()}}

"""What was said of a game against what happened in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from difflib import SequenceMatcher
from typing import Any

from .games_scene import Noted
from .games_watch import Log

#: A move told this much before the hand had wholly left still belongs to it, seconds.
EARLY = 3.0

Row = dict[str, Any]


def scored(log: Log) -> Row:
    """All figures of one game, and its misses, as JSON values."""
    expected = played(log.noted)
    right = _aligned(expected, log.record)
    offences, alarms = _offences(log)
    plies = [n for n in log.noted if n.truth.kind == "ply"]
    row: Row = {
        "name": log.plan.name,
        **asdict(log.plan),
        "tags": log.tags,
        "cut": False,
        "frames": log.frames,
        "seconds": round(log.seconds, 1),
        "cost": {k: round(v, 3) for k, v in log.cost.items()},
        "started": any(e["event"] == "start-position" for e in log.told),
        "plies": len(expected),
        "right": sum(right),
        "recorded": len(log.record),
        "offences": offences,
        "false": alarms,
        "remarks": _remarks(log),
        "move_delays": [d for n in plies if not n.truth.quick if (d := _delay(log, n)) is not None],
        "unsure": sum(e["event"] == "unsure" and not e.get("swept") for e in log.told),
        "lost": sum(e["event"] == "board-lost" for e in log.told),
        "ended": next((e["result"] for e in log.told if e["event"] == "end"), ""),
    }
    row["misses"] = _misses(log, row, right)
    row["clean"] = row["plies"] == row["right"] == row["recorded"] and not alarms
    return row


def played(noted: Sequence[Noted]) -> list[tuple[str, str]]:
    """The record that should be written: (ply or stand, the position after it)."""
    record: list[tuple[str, str]] = []
    for note in noted:
        if note.truth.kind == "ply":
            record.append(("ply", note.truth.fen))
        elif note.truth.kind == "accepted":
            record.append(("stand", note.truth.fen))
        elif note.truth.kind == "takeback":
            record.pop()
    return record


def _aligned(expected: Sequence[tuple[str, str]], said: Sequence[tuple[str, str]]) -> list[bool]:
    """Which of the expected plies stand in the record, in order."""
    right = [False] * len(expected)
    matcher = SequenceMatcher(None, expected, said, autojunk=False)
    for block in matcher.get_matching_blocks():
        right[block.a : block.a + block.size] = [True] * block.size
    return right


def _delay(log: Log, note: Noted) -> float | None:
    """Seconds from the hand's leaving until the move was told; None if it never was."""
    for event in log.told:
        if event["event"] == "move" and event["fen"] == note.truth.fen and (
            event["t"] > note.clear - EARLY
        ):  # fmt: skip
            return round(float(event["t"]) - note.clear, 2)
    return None


# ---------------------------------------------------------------- offences


def _offences(log: Log) -> tuple[list[Row], list[Row]]:
    """Each staged offence with what became of it, and the alarms that nothing was staged for."""
    alarms = [e for e in log.told if e["event"] == "offence"]
    taken: set[int] = set()
    rows = []
    acts = [n for n in log.noted if n.truth.kind in ("staged", "righted", "accepted", "ply")]
    for k, note in enumerate(acts):
        if note.truth.kind != "staged":
            continue
        following = acts[k + 1 :]
        end = following[0].clear if following else log.seconds
        if following and following[0].truth.kind == "accepted":
            end = following[1].clear if len(following) > 1 else log.seconds
        mine = [i for i, e in enumerate(alarms) if note.began <= e["t"] <= end + 0.2]
        taken.update(mine)
        first = alarms[mine[0]] if mine else None
        rows.append(
            {
                "ply": note.truth.ply,
                "code": note.truth.code,
                "side": note.truth.side,
                "at": round(note.clear, 1),
                "pressed": note.truth.pressed,
                "said": first["code"] if first else "",
                "blamed": first["side"] if first else "",
                "delay": round(first["t"] - note.clear, 2) if first else None,
                "again": len(mine) - 1 if mine else 0,
                "became": following[0].truth.kind if following else "",
                "resolved": _resolved(log, first, following) if first else "",
            }
        )
    false = [e for i, e in enumerate(alarms) if i not in taken]
    return rows, [_false(log, e) for e in false]


def _resolved(log: Log, alarm: Row, following: Sequence[Noted]) -> str:
    """How the referee says that an offence ended; it must do so before the next deed's end."""
    wanted = following[:3]
    end = (wanted[-1].clear if wanted else log.seconds) + 3
    return next(
        (
            str(e["how"])
            for e in log.told
            if e["event"] == "resolved" and alarm["t"] <= e["t"] <= end
        ),
        "",
    )


def well_resolved(row: Row) -> bool:
    """Whether an offence that was noticed ended as it did on the board."""
    return bool(row["resolved"] == {"accepted": "accepted"}.get(row["became"], "put-right"))


def _false(log: Log, event: Row) -> Row:
    return {
        "at": event["t"],
        "code": event["code"],
        "side": event["side"],
        "during": _during(log, event["t"]),
        "message": event["message"],
    }


def _during(log: Log, at: float) -> list[str]:
    """The last things that happened before a time."""
    return [d.what for d in log.during if d.at <= at][-3:]


def _remarks(log: Log) -> list[Row]:
    """What only a sequence shows, and whether it was noted."""
    rows = []
    for note in log.noted:
        if note.truth.kind == "remark":
            near = [
                e["code"]
                for e in log.told
                if e["event"] == "remark" and note.began <= e["t"] <= note.clear + 6
            ]
            rows.append({"code": note.truth.code, "said": note.truth.code in near})
        if note.truth.kind == "takeback":
            near = [
                e for e in log.told
                if e["event"] == "takeback" and note.began <= e["t"] <= note.clear + 6
            ]  # fmt: skip
            rows.append({"code": "takeback", "said": bool(near)})
    return rows


# ---------------------------------------------------------------- misses


def _misses(log: Log, row: Row, right: Sequence[bool]) -> list[Row]:
    """What was not as it should be, in order of time."""
    found: list[Row] = []
    standing: list[Noted] = []
    for note in log.noted:
        if note.truth.kind in ("ply", "accepted"):
            standing.append(note)
        elif note.truth.kind == "takeback":
            standing.pop()
    for note, good in zip(standing, right, strict=True):
        if not good:
            told = [
                f"{e['event']} {e.get('text') or e.get('code') or e.get('message') or ''}".strip()
                for e in log.told
                if note.began - 0.5 <= e["t"] <= note.clear + 5 and e["event"] != "press"
            ]
            wanted = note.truth.text or f"{note.truth.code} accepted"
            found.append(_miss("move", note, wanted, "; ".join(told[:4]), log))
    for it in row["offences"]:
        note = next(n for n in log.noted if n.truth.kind == "staged"
                    and round(n.clear, 1) == it["at"] and n.truth.code == it["code"])  # fmt: skip
        if it["said"] != it["code"]:
            found.append(_miss("offence", note, it["code"], it["said"] or "nothing", log))
        elif it["blamed"] != it["side"]:
            found.append(_miss("blame", note, it["side"], it["blamed"], log))
        elif not well_resolved(it):
            found.append(_miss("resolution", note, it["became"], it["resolved"] or "nothing", log))
    for alarm in row["false"]:
        found.append(
            {
                "kind": "false alarm",
                "at": alarm["at"],
                "ply": sum(n.clear <= alarm["at"] for n in standing),
                "expected": "nothing",
                "said": f"{alarm['code']}: {alarm['message']}",
                "during": alarm["during"],
            }
        )
    return sorted(found, key=lambda m: float(m["at"]))


def _miss(kind: str, note: Noted, expected: str, said: str, log: Log) -> Row:
    return {
        "kind": kind,
        "at": round(note.clear, 1),
        "ply": note.truth.ply,
        "expected": expected,
        "said": said,
        "during": _during(log, note.clear),
    }

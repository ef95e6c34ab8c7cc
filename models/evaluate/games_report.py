"""The section of BENCHMARKS.md that tells what the game bench found."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from .dice import wilson
from .games_score import Row, well_resolved
from .results import eyes_hash

HEADING = "## The referee: whole drawn games"

#: Names of the hashes that every game carries.
HASHES = ("weights", "code", "scenes")
Hashes = dict[str, str]

#: Misses told in full.
_TOLD = 30

_SCENES = ("acts", "disturb", "scene", "staged", "story")


def hashes(root: Path, weights: Path) -> Hashes:
    """What the figures hang on: the network, the referee's code, and the scenes."""
    device = root / "device"
    referee = [
        *sorted((root / "vision").glob("*.py")),
        *sorted((root / "rules").rglob("*.py")),
        *sorted(device.glob("session*.py")),
        *(device / f"{name}.py" for name in ("app", "clock", "eyes", "modes")),
    ]
    synth = root / "models" / "synth"
    other = ("nardi", "dice")
    scenes = [p for p in sorted(synth.glob("*.py")) if not p.name.startswith(other)]
    scenes += [root / "models" / "evaluate" / f"games_{name}.py" for name in _SCENES]
    return {"weights": eyes_hash(weights), "code": _hash(referee), "scenes": _hash(scenes)}


def _hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def write_section(
    path: Path,
    drawn: tuple[Sequence[Row], Sequence[Row]],
    given: tuple[Sequence[Row], Sequence[Row]],
    stamps: Hashes,
) -> None:
    """Put the section into the page in place of an older one, else at its end.

    Args:
        path: BENCHMARKS.md.
        drawn: games that were drawn, and boards that nobody played on.
        given: those of which nothing was drawn and every square was read right.
        stamps: hashes of what the figures hang on.
    """
    text = path.read_text("utf-8")
    section = "\n".join([HEADING, "", *section_lines(drawn, given, stamps)]).rstrip() + "\n"
    old = re.search(rf"^{re.escape(HEADING)}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if old is None:
        text = text.rstrip() + "\n\n" + section
    else:
        text = (
            text[: old.start()] + section + ("\n" if text[old.end() :] else "") + text[old.end() :]
        )
    path.write_text(text, "utf-8")


def section_lines(
    drawn: tuple[Sequence[Row], Sequence[Row]],
    given: tuple[Sequence[Row], Sequence[Row]],
    stamps: Hashes,
) -> list[str]:
    """The section without its heading."""
    games, quiet = drawn
    seeds = sorted({row["seed"] for row in games})
    lines = [
        "*Rendered.* Games of the five variants on sets, materials and lenses kept out of "
        "training, from straight above to 45 degrees, 5 frames a second, through `Watch` in "
        "memory: hands and sleeves, steps of light, shadows, knocks of camera and men, adjusting, "
        "replies under the same cover, men lifted late, kings marked slowly, arms that move "
        "nothing, the board cleared at the end. Intervals are Wilson's, 95 %. A move counts as "
        "right when the record holds it at its place at the end; a game is free of errors when its "
        "record is exactly what was played and no alarm was false. A game *cut short* is one whose "
        "run was stopped; it counts as far as its last move told, and its delays are not measured.",
        "",
        "Asked: 60 games, 3,700 plies, 300 staged offences and ten idle hours. Whatever of that is "
        "not in the tables has not been measured yet.",
        "",
        f"- command: `python -m models.evaluate.games --games {len(games)} --idle {len(quiet)} "
        f"--seed {' '.join(map(str, seeds))} --summary`"
        + (", stopped, and gone on with `--rescue`" if any(row["cut"] for row in games) else ""),
        *(f"- {name}: `{stamps[name]}`" for name in HASHES),
        "",
        *_games_table(games),
        "",
        *_codes_table(games),
        "",
        *_figures(games, quiet),
        "",
        *_misses((*games, *quiet)),
    ]
    if given[0]:
        lines += [
            "",
            "### The same without eyes",
            "",
            "Nothing drawn, every square read right that no hand hides: what is wrong here is the "
            f"session's doing. `python -m models.evaluate.games --games {len(given[0])} --idle "
            f"{len(given[1])} --given`.",
            "",
            *_made_up(_games_table(given[0])[:3]),
            "",
            *_made_up(_codes_table(given[0])),
            "",
            *_made_up(_figures(*given)),
            "",
            *_misses((*given[0], *given[1])),
        ]
    return lines


def _made_up(lines: list[str]) -> list[str]:
    """A table that is not of pictures."""
    return [line.replace("| rendered |", "| made up |") for line in lines]


def _games_table(games: Sequence[Row]) -> list[str]:
    lines = [
        "| rendered | games | cut short | never began | moves right | whole games free of errors | "
        "offences noticed | right code | resolved | false alarms |",
        "| --- |" + " --- |" * 9,
    ]
    groups: dict[str, list[Row]] = {"all": list(games)}
    parts: tuple[Callable[[Row], str], ...] = (
        lambda r: str(r["game"]),
        lambda r: f"{r['mode']}{', our clock' if r['clocked'] else ''}",
        lambda r: (
            f"{int(r['tags']['tilt'] // 15) * 15} to {int(r['tags']['tilt'] // 15) * 15 + 15}"
            " degrees"
        ),
        lambda r: f"kings by {r['tags']['king']}",
    )
    for part in parts:
        found = defaultdict(list)
        for row in games:
            found[part(row)].append(row)
        groups.update(sorted(found.items()))
    for name, rows in groups.items():
        offences = [o for r in rows for o in r["offences"]]
        noticed = [o for o in offences if o["said"]]
        whole = [r for r in rows if not r["cut"]]
        cells = [
            str(len(rows)),
            str(len(rows) - len(whole)),
            str(sum(not r["started"] for r in rows)),
            share(sum(r["right"] for r in rows), sum(r["plies"] for r in rows)),
            share(sum(r["clean"] for r in whole), len(whole)),
            share(len(noticed), len(offences)),
            share(sum(o["said"] == o["code"] for o in offences), len(offences)),
            share(sum(well_resolved(o) for o in noticed), len(noticed)),
            str(sum(len(r["false"]) for r in rows)),
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def share(part: int, whole: int) -> str:
    """A share with its interval."""
    if not whole:
        return "-"
    low, high = wilson(part, whole)
    return f"{part}/{whole} ({100 * part / whole:.1f} %, {100 * low:.1f}-{100 * high:.1f})"


def _codes_table(games: Sequence[Row]) -> list[str]:
    lines = [
        "| rendered | staged | noticed | right code | right side | said instead | median delay |",
        "| --- |" + " --- |" * 6,
    ]
    by_code = defaultdict(list)
    for row in games:
        for it in row["offences"]:
            by_code[it["code"]].append(it)
    for code in sorted(by_code, key=lambda c: (int(re.sub(r"\D", "", c)), c)):
        rows = by_code[code]
        other = Counter(o["said"] for o in rows if o["said"] not in ("", code))
        delays = [o["delay"] for o in rows if o["delay"] is not None]
        cells = [
            str(len(rows)),
            str(sum(o["said"] != "" for o in rows)),
            str(sum(o["said"] == code for o in rows)),
            str(sum(o["blamed"] == o["side"] for o in rows)),
            ", ".join(f"{c} {n}" for c, n in other.most_common()) or "-",
            f"{np.median(delays):.1f} s" if delays else "-",
        ]
        lines.append(f"| {code} | " + " | ".join(cells) + " |")
    return lines


def _figures(games: Sequence[Row], quiet: Sequence[Row]) -> list[str]:
    moves = [d for r in games for d in r["move_delays"]]
    offences = [o for r in games for o in r["offences"] if o["delay"] is not None]
    pressed = [o["delay"] for o in offences if o["pressed"]]
    waited = [o["delay"] for o in offences if not o["pressed"]]
    remarks = [m for r in games for m in r["remarks"]]
    whole = [r for r in games if not r["cut"]]
    frames = sum(r["frames"] for r in whole) or 1
    cost = {k: 1000 * sum(r["cost"][k] for r in whole) / frames for k in ("see", "think", "draw")}
    lines = ["| rendered | figure |", "| --- | --- |"]
    for name, delays in (
        ("from the hand leaving to the move told", moves),
        ("to the alarm, clock pressed", pressed),
        ("to the alarm, without a clock", waited),
    ):
        if delays:
            lines.append(
                f"| {name}, at 5 frames a second | median {np.median(delays):.2f} s, p95 "
                f"{np.percentile(delays, 95):.2f} s, of {len(delays)} |"
            )
    for code in sorted({m["code"] for m in remarks}):
        those = [m for m in remarks if m["code"] == code]
        lines.append(f"| {code} noted | {share(sum(m['said'] for m in those), len(those))} |")
    if whole:
        lines.append(
            f"| processor time a frame | eyes {cost['see']:.0f} ms, session, journal and record "
            f"{cost['think']:.1f} ms, drawing {cost['draw']:.0f} ms |"
        )
    twice = sum(o["again"] for r in games for o in r["offences"])
    lines += [
        f"| second alarms for one deed | {twice} |",
        f"| played | {sum(r['seconds'] for r in games) / 60:.0f} minutes, "
        f"{sum(r['frames'] for r in games)} frames |",
        f"| doubts told | {sum(r['unsure'] for r in games)}, board lost "
        f"{sum(r['lost'] for r in games)} times |",
    ]
    if quiet:
        minutes = sum(r["seconds"] for r in quiet) / 60
        false = sum(len(r["false"]) for r in quiet)
        moved = sum(max(0, r["recorded"] - r["right"]) for r in quiet)
        lines.append(
            "| boards that nobody plays on: talk, leaning, adjusting, clearing | "
            f"{len(quiet)} boards, {minutes:.0f} minutes: {false} false alarms, {moved} moves "
            "invented, "
            f"{sum(r['unsure'] for r in quiet)} doubts told |"
        )
    return lines


def _misses(games: Sequence[Row]) -> list[str]:
    rows = [(r, m) for r in games for m in r["misses"]]
    if not rows:
        return ["No misses."]
    kinds = Counter(m["kind"] for _, m in rows)
    lines = [
        "Misses: " + ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()) + "."
        " The first ones of each game, later ones often follow from them:",
        "",
    ]
    firsts = []
    for row in games:
        firsts += [(row, m) for m in row["misses"][:2]]
    for row, miss in firsts[:_TOLD]:
        lines.append(
            f"- {row['name']} at {miss['at']:.0f} s, ply {miss['ply']}: {miss['kind']}: expected "
            f"{miss['expected']}, said {miss['said'] or 'nothing'} "
            f"(after {', '.join(miss['during'])})"
        )
    return lines

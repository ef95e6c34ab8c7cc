"""Runs inside the container of `drive_service.sh`, as root, and drives the real unit.

Each step writes a line to /out/report.txt: what was waited for, and how long it took.  The last
step switches the machine off by the service's own way, which ends the container.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

OUT = Path("/out")
CONTROL = Path("/run/camera-shows")
GAMES = Path("/var/lib/toreshi/games")

#: Frame of the recording by which a move stands on the board.
AFTER = {"b6-a5": 33, "g5-f4": 49, "g3:e5": 75, "c1:e3": 101}
LINE = (*("c3-d4", "h6-g5", "d2-c3", "b6-a5", "a3-b4", "g5-f4", "g3:e5", "d6:d2", "c1:e3"),)


def report(text: str) -> None:
    """A line of the report."""
    with (OUT / "report.txt").open("a") as out:
        out.write(text + "\n")


def run(*command: str) -> str:
    """What a command says."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip()


def shown(name: str) -> str:
    """A property of the unit."""
    return run("systemctl", "show", "-p", name, "--value", "toreshi.service")


def until(what: str, so: Callable[[], object], seconds: float) -> float:
    """Wait for something; seconds that it took."""
    began = time.monotonic()
    while not so():
        if time.monotonic() - began > seconds:
            report(f"FAILED {what}: not within {seconds:.0f} s")
            finish(1)
        time.sleep(0.2)
    took = time.monotonic() - began
    report(f"ok     {what}: {took:.1f} s")
    return took


def events(kind: str) -> list[dict[str, object]]:
    """Events of a kind in the newest journal."""
    newest = max(GAMES.glob("*/journal.jsonl"), default=None)
    found = []
    for line in newest.read_text().splitlines() if newest else []:
        try:
            row = json.loads(line)
        except ValueError:
            continue  # being written
        for effect in row.get("out", ()):
            if effect.get("is") == "publish" and effect["event"]["event"] == kind:
                found.append(effect["event"])
    return found


def moves() -> list[str]:
    """Moves of the newest record."""
    newest = max(GAMES.glob("*/game.pdn"), default=None)
    if newest is None:
        return []
    body = re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", newest.read_text())
    return re.findall(r"[a-h]\d[-:][a-h]\d", body)


def played(move: str) -> bool:
    """Whether the record ends with a move."""
    return moves()[-1:] == [move]


def page_answers() -> bool:
    """Whether the page is there."""
    try:
        with urllib.request.urlopen("http://127.0.0.1:8080/", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def state() -> dict[str, Any]:
    """What the page shows."""
    with urllib.request.urlopen("http://127.0.0.1:8080/api/state", timeout=5) as answer:
        shown: dict[str, Any] = json.loads(answer.read())["state"]
    return shown


def unplugged(seconds: float) -> None:
    """The camera is away for so long: the page stays, and page and lamps say so."""
    before, pid = shown("NRestarts"), shown("MainPID")
    CONTROL.write_text("gone")
    until("unplugged: the page says so", lambda: state()["camera"]["state"] == "none", 40)
    time.sleep(seconds)
    lamps = run("journalctl", "-u", "toreshi", "-g", r"\[cannot-see\]", "-o", "cat")
    stays = (shown("NRestarts"), shown("MainPID")) == (before, pid) and page_answers()
    good = stays and lamps.startswith("[cannot-see]")
    said = (
        f"{seconds:.0f} s without a camera: restarted {not stays}, {lamps or 'lamps say nothing'}"
    )
    report(f"{'ok    ' if good else 'FAILED'} {said}")


def restarted(times: int) -> Callable[[], bool]:
    """Whether the unit was restarted so often and is ready again."""
    return lambda: int(shown("NRestarts")) >= times and shown("ActiveState") == "active"


def go_on(count: int) -> None:
    """The game that was broken off is the one that goes on."""
    until("the game is gone on with", lambda: len(events("continued")) == count, 30)
    if len(list(GAMES.glob("*/journal.jsonl"))) != 1:
        report("FAILED a second game was begun")
        finish(1)


def drive() -> None:
    """All steps."""
    CONTROL.write_text("1")
    run("systemctl", "start", "camera.service")
    time.sleep(2)
    run("systemctl", "start", "--no-block", "toreshi.service")
    until("READY", lambda: shown("ActiveState") == "active", 60)
    until("the page answers", page_answers, 20)
    until("the start position is seen", lambda: events("start-position"), 30)
    CONTROL.write_text(str(AFTER["b6-a5"]))
    until("the first four moves", lambda: played("b6-a5"), 60)

    unplugged(120)
    CONTROL.write_text(str(AFTER["g5-f4"]))
    until("plugged in: the next move is seen", lambda: played("g5-f4"), 60)

    time.sleep(60)  # a camera that hangs sooner is waited for
    CONTROL.write_text("silent")
    until("no frames: restarted by the watchdog", restarted(1), 90)
    report("       " + run("journalctl", "-u", "toreshi", "-g", "Watchdog timeout", "-o", "cat"))
    time.sleep(60)
    times, answers = shown("NRestarts"), page_answers()
    good = "ok    " if times == "1" and answers else "FAILED"
    report(f"{good} still no frames a minute later: {times} restart, the page answers: {answers}")
    CONTROL.write_text(str(AFTER["g5-f4"]))
    go_on(1)

    run("systemctl", "kill", "-s", "KILL", "toreshi.service")
    until("killed: restarted", restarted(2), 60)
    go_on(2)
    CONTROL.write_text(str(AFTER["g3:e5"]))
    until("an illegal move, put right", lambda: played("g3:e5"), 60)
    told = [event["code"] for event in events("offence")]
    report(f"{'ok    ' if told == ['O1'] else 'FAILED'} offences told: {told}")

    run("systemctl", "restart", "toreshi.service")
    until("restarted in order", lambda: shown("ActiveState") == "active", 60)
    go_on(3)
    CONTROL.write_text(str(AFTER["c1:e3"]))
    until("two more captures", lambda: played("c1:e3"), 60)
    report(f"{'ok    ' if tuple(moves()) == LINE else 'FAILED'} the record: {' '.join(moves())}")


def finish(code: int) -> None:
    """Write down how the unit stands, then switch off as its button would."""
    report(f"NRestarts={shown('NRestarts')} Result={shown('Result')} Main={shown('MainPID')}")
    security = run("systemd-analyze", "security", "toreshi.service").splitlines()
    report(next((line for line in security if "Overall" in line), "no exposure level"))
    report(run("ls", "-ld", "/var/lib/toreshi", str(GAMES)))
    (OUT / "journal.txt").write_text(run("journalctl", "-u", "toreshi", "-o", "short-monotonic"))
    (OUT / "moves.txt").write_text("\n".join(moves()))
    report("switching off by /run/toreshi/switch-off")
    subprocess.run(
        ["runuser", "-u", "toreshi", "--", "touch", "/run/toreshi/switch-off"], check=False
    )
    time.sleep(20)
    report("FAILED still running 20 s later")
    run("systemctl", "--no-block", "poweroff")
    sys.exit(code)


if __name__ == "__main__":
    drive()
    finish(0)

"""What `toreshi check` does with lamps and buttons: people look and press, it tells what to see."""

from __future__ import annotations

from collections.abc import Callable

from rules.said import Said

from .buttons import Buttons, Name, Press
from .checks import Finding
from .hardware import Clock
from .pins import Pins
from .signals import PATTERNS, SIDES, Side, Signal, Signaller

SECOND_NS = 1_000_000_000

#: Between two looks; rhythms need ten a second, buttons more.
STEP_S = 0.01

#: Signals in the order of the table in the README; the dark one last.
SHOWN = (*(signal for signal in Signal if signal is not Signal.OFF), Signal.OFF)

NAMES: dict[Name, str] = {
    "clock_white": Said("clock button of White"),
    "clock_black": Said("clock button of Black"),
    "arbiter": Said("arbiter's button"),
}


def show_signals(
    signaller: Signaller,
    seconds: float,
    clock: Clock,
    sleep: Callable[[float], None],
    say: Callable[[Signal, Side], None],
) -> Finding:
    """Show every signal at every side, so many seconds each.

    Args:
        signaller: what shows them.
        seconds: for each.
        clock: monotonic time.
        sleep: waits for so many seconds.
        say: told before each what is to be seen.
    """
    for side in SIDES:
        for signal in SHOWN:
            say(signal, side)
            signaller.show(signal, side)
            until = clock.now_ns() + round(seconds * SECOND_NS)
            while clock.now_ns() < until:
                signaller.tick(clock.now_ns())
                sleep(STEP_S)
    signaller.show(Signal.OFF)
    return Finding("lamps", Said("{count} signals shown at each side", {"count": len(PATTERNS)}))


def wait_for_buttons(
    buttons: Buttons,
    pins: Pins,
    seconds: float,
    clock: Clock,
    sleep: Callable[[float], None],
    heard: Callable[[Name], None],
) -> Finding:
    """Wait until each button was pressed and let go, at most so many seconds in all.

    Args:
        buttons: all of them.
        pins: which of them there are.
        seconds: the longest wait.
        clock: monotonic time.
        sleep: waits for so many seconds.
        heard: told of each button once.
    """
    missing = [name for name in NAMES if getattr(pins, name) is not None]
    down: set[Name] = set()
    until = clock.now_ns() + round(seconds * SECOND_NS)
    while (missing or down) and clock.now_ns() < until:
        for press in buttons.poll(clock.now_ns()):
            _note(press, missing, down, heard)
        sleep(STEP_S)
    if down:
        return Finding(
            "buttons",
            Said("{names}: stays down", {"names": _named(sorted(down))}),
            Said("Look for a button that is stuck, or a wire that touches ground."),
        )
    if missing:
        return Finding(
            "buttons",
            Said("{names}: not heard", {"names": _named(missing)}),
            Said('Press it, look at its wires, or say "none" in pins of the settings.'),
        )
    return Finding("buttons", Said("each was heard"))


def _note(
    press: Press, missing: list[Name], down: set[Name], heard: Callable[[Name], None]
) -> None:
    if press.down:
        down.add(press.button)
        if press.button in missing:
            missing.remove(press.button)
            heard(press.button)
    else:
        down.discard(press.button)


def _named(names: list[Name]) -> str:
    """Names in a row; each is said in the reader's language."""
    if len(names) == 1:
        return NAMES[names[0]]
    return Said("{front} and {last}", {"front": _named(names[:-1]), "last": NAMES[names[-1]]})

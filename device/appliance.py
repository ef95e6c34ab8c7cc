"""What a machine does around its table: buttons, power, and going on after a restart."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rules.errors import ToreshiError
from rules.said import Said

from . import journal
from .buttons import Press
from .config import Settings
from .hardware import Clock, buttons_by_name
from .journal import Past
from .notify import Notifier
from .power import SECOND_NS, LongPress, ask_to_switch_off, undervoltage
from .pressing import Pressing
from .resume import rebuilt
from .session_values import VERSION, Json, Setup

log = logging.getLogger(__name__)

#: Seconds between two looks at the power supply.
POWER_S = 10.0


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that a power cut, a crash or a restart broke off.

    Attributes:
        folder: where it is kept.
        past: its journal.
        begun: whether the first position had been seen.
    """

    folder: Path
    past: Past
    begun: bool = True


def unfinished(games: Path, setup: Setup | None = None) -> Unfinished | None:
    """The newest game in a folder of games, if it was begun and not ended.

    One whose journal can't be read is left for a person to look at.

    Args:
        games: the folder.
        setup: of the game that would begin now; one that waits for its first position with the
            same is gone on with too, so that a machine that starts again and again without a
            camera doesn't make a folder each time.
    """
    folders = sorted(path.parent for path in games.glob("*/journal.jsonl"))
    if not folders:
        return None
    try:
        past = journal.read(folders[-1] / "journal.jsonl")
        phase = rebuilt(past).state.phase
    except ToreshiError as error:
        log.warning("what=unfinished where=%s why=%s", folders[-1], error)
        return None
    waits = phase == "waiting" and past.setup != setup
    if waits or phase == "over":
        return None
    return Unfinished(folders[-1], past, begun=phase != "waiting")


class Appliance:
    """Buttons and power of one table.

    Args:
        settings: pins and what holding a button means.
        notifier: the service manager.
        clock: monotonic time.
        press: is given each press of a button, in another thread.
        publish: is given events about the machine.
        switch_off: asks the system to shut down.
        low: whether the voltage is too low; None where nothing tells.

    Raises:
        HardwareMissing: buttons that were asked for and are not there.
    """

    def __init__(
        self,
        settings: Settings,
        notifier: Notifier,
        clock: Clock,
        press: Callable[[Press], None],
        publish: Callable[[Json], object],
        switch_off: Callable[[], None] = ask_to_switch_off,
        low: Callable[[], bool | None] = undervoltage,
    ) -> None:
        self._notifier = notifier
        self._publish = publish
        self._switch_off = switch_off
        self._low = low
        self._was_low = False
        self._closed = threading.Event()
        power = settings.power
        long = None
        if power.off_button == "arbiter":
            long = LongPress("arbiter", round(power.hold_s * SECOND_NS))
        buttons = buttons_by_name(settings.signals.buttons, settings.pins)
        self._pressing = Pressing(buttons, clock, press, long, self._held)
        self._looking = threading.Thread(target=self._look_on, name="power", daemon=True)

    def start(self) -> None:
        """The page is there: tell the service manager, and begin to read buttons."""
        self._pressing.start()
        self._looking.start()
        self._notifier.ready()

    def look(self) -> None:
        """Look at the power supply once; the thread does that."""
        low = self._low()
        if low is None or low is self._was_low:
            return
        self._was_low = low
        said = Said("the voltage is too low") if low else Said("the voltage is right")
        log.warning("what=voltage low=%s", low)
        self._notifier.status(said)
        self._publish({"v": VERSION, "event": "power", "low": low, "message": said})

    def close(self) -> None:
        """Let buttons go; the end is wanted."""
        self._notifier.stopping()
        self._closed.set()
        self._pressing.close()

    def _held(self) -> None:
        log.warning("what=switch-off")
        self._publish({"v": VERSION, "event": "switch-off", "message": Said("switching off")})
        try:
            self._switch_off()
        except ToreshiError as error:
            log.error("what=switch-off why=%s", error)

    def _look_on(self) -> None:
        while True:
            self.look()
            if self._closed.wait(POWER_S):
                return

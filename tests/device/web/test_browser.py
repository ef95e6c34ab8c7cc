"""A whole evening in a real browser, on a phone: from setting up to the record, in two languages.

The camera is the simulated one, everything else is what a club has.  ``./run browser`` installs
Chromium and runs this alone.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from device.journal import read
from device.locale import translator
from device.weights import weights_path
from rules.draughts import pdn
from rules.draughts.game import DraughtsGame
from rules.draughts.record import GameRecord, Ply

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium; ./run browser installs it"),
    pytest.mark.skipif(not weights_path().exists(), reason="the weights are not here"),
]

TORESHI = Path(sys.executable).with_name("toreshi")
RUSSIAN = DraughtsGame.by_name("russian")

#: Seconds that anything may take; the machine may be busy.
PATIENCE_S = 90

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--disable-dev-shm-usage",
)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[str]:
    """Address of a page over the recorded game, six times as fast as it was played."""
    command = [str(TORESHI), "serve", "--port", "0", "--out", "games", "--speed", "6"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        try:
            found = re.search(r"http://\S+", serving.stdout.readline())
            assert found is not None
            yield found.group().rstrip("/")
        finally:
            serving.terminate()
            serving.wait(20)


class Phone:
    """A browser on a phone-sized screen."""

    def __init__(self, page: str, profile: Path) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        options.binary_location = str(CHROMIUM)
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        metrics = {"width": 390, "height": 844, "pixelRatio": 2.0}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
        self.page = page

    def open(self, path: str) -> None:
        self.driver.get(self.page + path)

    def all(self, css: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", css))

    def text(self, css: str) -> str:
        return str(self.driver.execute_script(
            "return document.querySelector(arguments[0])?.textContent || ''", css))  # fmt: skip

    def press(self, css: str) -> None:
        """Touch something as soon as it is there."""

        def pressed() -> bool:
            for one in self.all(css):
                if one.is_displayed() and one.is_enabled():
                    self.driver.execute_script("arguments[0].scrollIntoView({block:'center'})", one)
                    one.click()
                    return True
            return False

        self.until(pressed, f"to press {css}")

    def until(self, true: Callable[[], Any], what: str) -> None:
        from selenium.common.exceptions import (
            ElementClickInterceptedException,
            StaleElementReferenceException,
        )
        from selenium.webdriver.support.ui import WebDriverWait

        ignored = (StaleElementReferenceException, ElementClickInterceptedException)
        wait = WebDriverWait(self.driver, PATIENCE_S, 0.1, ignored)
        wait.until(lambda _: true(), what)

    def fetch(self, path: str) -> str:
        return str(self.driver.execute_async_script(
            "const done = arguments[1];"
            "fetch(arguments[0]).then((a) => a.text()).then(done, (e) => done('failed: ' + e));",
            path))  # fmt: skip

    def state(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.fetch("/api/state"))["state"]
        return told

    def complaints(self) -> list[str]:
        lines = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [str(line["message"]) for line in lines if line["level"] == "SEVERE"]

    def fits(self) -> bool:
        """Whether nothing sticks out to the side."""
        return bool(self.driver.execute_script(
            "return document.documentElement.scrollWidth <= window.innerWidth"))  # fmt: skip


@pytest.fixture
def phone(page: str, tmp_path: Path) -> Iterator[Phone]:
    made = Phone(page, tmp_path / "profile")
    yield made
    made.driver.quit()


def test_an_evening_from_setting_up_to_the_record(phone: Phone, tmp_path: Path) -> None:
    set_up(phone)
    offence_and_put_right(phone)
    in_russian(phone)
    correct_and_take_back(phone)
    resign(phone)
    assert phone.fits()
    name = phone.state()["id"]
    assert phone.complaints() == []
    same_as_the_journal(phone.fetch(f"/games/{name}/game.pdn"), tmp_path / "games" / name)
    phone.open(f"/games/{name}")
    phone.press("#first")
    assert "c3" in phone.text("#position")


def set_up(phone: Phone) -> None:
    phone.open("/setup?lang=en")
    if phone.all("#stop[open]"):
        phone.press("#stop-yes")
    phone.until(lambda: phone.text("#guide") == "The position stands.", "the start position")
    width = "return document.querySelector('#view').naturalWidth"
    phone.until(lambda: phone.driver.execute_script(width) > 300, "the camera's picture")
    assert len(phone.all("#grid line")) == 18
    phone.press("#learn")
    phone.until(lambda: phone.text("#learned").startswith("Learned"), "the set to be learned")
    assert phone.fits()
    phone.driver.find_element("css selector", "[name=white]").send_keys("Aliya")
    phone.driver.find_element("css selector", "[name=black]").send_keys("Тимур")
    phone.press("#begin")
    phone.until(lambda: phone.all("#moves [data-ply='0']"), "the first move")


def offence_and_put_right(phone: Phone) -> None:
    phone.until(lambda: phone.all(".verdict.alarm"), "the alarm")
    assert "h4" in phone.text("#verdict-text")
    assert "FMJD 5.4.2" in phone.text("#verdict-more")
    assert phone.all("[data-command=demand]")
    assert phone.all("#board .mark.wrong")
    phone.until(lambda: "g3:e5" in phone.text("#moves"), "the offence to be put right")
    assert not phone.all(".verdict.alarm")


def in_russian(phone: Phone) -> None:
    from selenium.webdriver.support.ui import Select

    speak = translator("ru").gettext
    phone.press("[data-command=pause]")
    phone.until(lambda: phone.all("[data-command=resume]"), "the pause")
    Select(phone.driver.find_element("css selector", "#language")).select_by_value("ru")
    phone.until(lambda: phone.all("html[lang=ru]"), "Russian")
    assert speak("The game is paused.") != "The game is paused."
    phone.until(lambda: phone.text("#verdict-head") == speak("The game is paused."), "the verdict")
    assert phone.fits()


def correct_and_take_back(phone: Phone) -> None:
    before = phone.state()["game"]
    square = next(
        name for name, (row, col) in before["squares"].items() if before["grid"][row][col] == "w"
    )
    row, col = before["squares"][square]
    phone.press("#correct")
    phone.press("[data-letter=W]")
    phone.press(f"[data-square={square}]")
    phone.press("#correct-send")
    phone.until(lambda: phone.state()["game"]["grid"][row][col] == "W", "the king")
    phone.until(lambda: phone.all("#board .king.white .crown"), "a crown on the board")
    phone.press("[data-command=takeback]")
    phone.until(lambda: phone.state()["game"]["grid"] == before["grid"], "the position of before")


def resign(phone: Phone) -> None:
    speak = translator("ru").gettext
    phone.press("[data-command=resign][data-side=w]")
    phone.press("#ask-yes")
    phone.until(lambda: phone.all(".verdict.over"), "the end")
    assert phone.text("#verdict-head") == speak("Black has won.")


def same_as_the_journal(text: str, folder: Path) -> None:
    """The record that was downloaded has the moves and the result that the journal tells."""
    assert text == (folder / "game.pdn").read_text("utf-8")
    (record,) = pdn.read(text)
    assert not record.faults
    played: list[str] = []
    ends = []
    for row in read(folder / "journal.jsonl").rows:
        for effect in row.get("out", []):
            line = effect.get("line", {})
            if line.get("what") == "move":
                played.append(line["text"])
            elif line.get("what") == "corrected":
                played.append("")
            elif line.get("what") == "takeback":
                del played[-line["plies"] :]
            elif line.get("what") == "end":
                ends.append(line["result"])
    assert len(played) >= 7
    assert moves_of(record) == played
    assert ends == ["b"]
    assert record.result == "b"
    assert record.tag("White") == "Aliya"
    assert record.tag("Black") == "Тимур"


def moves_of(record: GameRecord) -> list[str]:
    texts, before = [], record.start
    for ply in record.plies:
        texts.append(RUSSIAN.text(before, ply.move) if isinstance(ply, Ply) else "")
        before = ply.after
    return texts

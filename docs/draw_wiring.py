"""Draws docs/wiring.svg and docs/mounting.svg from the pins that the program uses.

    python docs/draw_wiring.py

A test holds the drawings to what this draws.
"""

from __future__ import annotations

import math
from pathlib import Path

from device.pins import Pins

HERE = Path(__file__).parent

#: BCM number -> pin of the 40-pin header.
HEADER = {
    **{2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19},
    **{9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35},
    **{16: 36, 26: 37, 20: 38, 21: 40},
}
POWER = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"}
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)

STYLE = (
    "text{font:13px sans-serif;fill:#222}.s{font-size:11px;fill:#555}.w{fill:none;stroke-width:2}"
)


def rows(pins: Pins) -> list[tuple[str, str, int | None, str]]:
    """What is wired: kind, name, BCM number, colour."""
    places = ("bottom lamp, green", "middle lamp, amber", "top lamp, red")
    colours = ("#2a9d4a", "#e09b1f", "#d03030")
    lamps = [
        ("lamp", f"{side}: {place}", number, colour)
        for side, numbers in (("White", pins.white), ("Black", pins.black))
        for place, number, colour in zip(places, numbers, colours, strict=True)
    ]
    return [
        *lamps,
        ("buzzer", "active buzzer, 3.3 V", pins.buzzer, "#7a4fb0"),
        ("button", "White: clock button", pins.clock_white, "#3060b0"),
        ("button", "Black: clock button", pins.clock_black, "#3060b0"),
        ("button", "arbiter's button", pins.arbiter, "#3060b0"),
    ]


def wiring(pins: Pins) -> str:
    """The 40-pin header at the left, what is wired to it at the right."""
    used = {HEADER[number]: (kind, name, number, colour)
            for kind, name, number, colour in rows(pins) if number is not None}  # fmt: skip
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 560" role="img">',
        "<title>Wiring of lamps, buzzer and buttons</title>",
        f"<style>{STYLE}</style>",
        '<rect width="760" height="560" fill="#fff"/>',
        '<rect x="40" y="40" width="84" height="492" rx="6" fill="#1d6b3a"/>',
        '<text x="40" y="26">Raspberry Pi, 40-pin header</text>',
    ]
    for pin in range(1, 41):
        x, y = (64 if pin % 2 else 100), 58 + (pin - 1) // 2 * 24
        fill = used[pin][3] if pin in used else "#222" if pin in GROUND else "#c9a23a"
        out.append(f'<circle cx="{x}" cy="{y}" r="7" fill="{fill}"/>')
        label = POWER.get(pin) or ("GND" if pin in GROUND else "")
        if label and pin % 2:
            out.append(f'<text class="s" x="8" y="{y + 4}">{label}</text>')
    for place, pin in enumerate(sorted(used)):
        kind, name, number, colour = used[pin]
        x, y = (64 if pin % 2 else 100), 58 + (pin - 1) // 2 * 24
        line, bend = 62 + place * 50, 330 - place * 18
        # wires of the left column pass between the pins of the right one
        level = y + 12 if pin % 2 else y
        out.append(
            f'<path class="w" stroke="{colour}" d="M{x} {y}V{level}H{bend}V{line}H400"/>'
            f"{symbol(kind, line, colour)}"
            f'<text x="500" y="{line - 2}">{name}</text>'
            f'<text class="s" x="500" y="{line + 13}">BCM {number}, pin {pin}</text>'
        )
    out.append(
        '<text class="s" x="400" y="548">The other end of each goes to any GND pin (black).</text>'
    )
    return "\n".join([*out, "</svg>", ""])


def symbol(kind: str, y: int, colour: str) -> str:
    """Resistor and lamp, buzzer, or button; then ground."""
    ground = (
        f'<path class="w" stroke="#222" d="M470 {y}H484M484 {y - 7}V{y + 7}M488 {y - 4}V{y + 4}"/>'
    )
    if kind == "lamp":
        return (
            f'<rect x="400" y="{y - 5}" width="26" height="10" fill="#fff" stroke="#222"/>'
            f'<text class="s" x="397" y="{y - 9}">330 Ω</text>'
            f'<path class="w" stroke="#222" d="M426 {y}H440"/>'
            f'<circle cx="452" cy="{y}" r="11" fill="{colour}" stroke="#222"/>'
            f'<path class="w" stroke="#222" d="M463 {y}H470"/>{ground}'
        )
    if kind == "buzzer":
        return (
            f'<path class="w" stroke="#222" d="M400 {y}H438"/>'
            f'<path d="M438 {y - 12}a14 12 0 0 1 0 24z" fill="{colour}"/>'
            f'<path class="w" stroke="#222" d="M450 {y}H470"/>{ground}'
        )
    return (
        f'<path class="w" stroke="#222" d="M400 {y}H430M430 {y}L454 {y - 10}M456 {y}H470"/>'
        f'<circle cx="430" cy="{y}" r="3"/><circle cx="456" cy="{y}" r="3"/>{ground}'
    )


# ---- how high the camera hangs ---------------------------------------------------------------

#: Field of view in degrees, horizontal and vertical, and pixels across at full width.
CAMERAS = {
    "Camera Module 3": (66.0, 41.0),
    "Camera Module 3 Wide": (102.0, 67.0),
    "a USB camera of 78° (diagonal)": (70.0, 43.0),
}
#: Outer edge of the board in millimetres.
BOARDS = {
    "draughts 8x8, 40 mm squares": 360,
    "draughts 8x8, 50 mm squares": 440,
    "draughts 10x10, 45 mm squares": 500,
    "nardi, 500 mm": 500,
    "nardi, 600 mm": 600,
}
#: Table that has to be seen around the board, as a share of its edge at each side.
MARGIN = 0.15
#: Pixels of the main stream from top to bottom.
LINES = 1296


def height_m(board_mm: float, vertical_deg: float) -> float:
    """How high over the board the lens has to be, looking straight down."""
    return board_mm * (1 + 2 * MARGIN) / 2 / math.tan(math.radians(vertical_deg / 2)) / 1000


def pixels_per_mm(board_mm: float) -> float:
    """How finely the board is seen from there; the same for every lens."""
    return LINES / (board_mm * (1 + 2 * MARGIN))


def table() -> str:
    """The table of heights as Markdown."""
    lines = [
        "| board | " + " | ".join(CAMERAS) + " | pixels a millimetre | a 12 mm die |",
        "|---|" + "---|" * (len(CAMERAS) + 2),
    ]
    for name, board_mm in BOARDS.items():
        heights = [f"{height_m(board_mm, v):.2f} m" for _, v in CAMERAS.values()]
        fine = pixels_per_mm(board_mm)
        lines.append(f"| {name} | {' | '.join(heights)} | {fine:.1f} | {12 * fine:.0f} px |")
    return "\n".join(lines)


def mounting() -> str:
    """A camera on an arm over a board, with what the table calls height."""
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" role="img">',
            "<title>How the camera hangs</title>",
            f"<style>{STYLE}</style>",
            '<rect width="640" height="400" fill="#fff"/>',
            '<path d="M40 340H600" stroke="#8a6a48" stroke-width="10"/>',
            '<rect x="210" y="322" width="220" height="13" fill="#6d4424"/>',
            '<path d="M560 335V60H320" fill="none" stroke="#555" stroke-width="8"/>',
            '<rect x="300" y="60" width="40" height="22" rx="3" fill="#222"/>',
            '<path d="M320 82L170 340M320 82L470 340" stroke="#3060b0" stroke-dasharray="6 5"/>',
            '<path d="M120 82V322M112 82h16M112 322h16" stroke="#222" stroke-width="1.5"/>',
            '<text x="60" y="205">height</text>',
            '<text x="352" y="52">camera, straight down</text>',
            '<text x="246" y="318">board</text>',
            '<text class="s" x="174" y="366">15 % of the edge of table at each side</text>',
            '<text class="s" x="545" y="110" text-anchor="end">an arm where nobody</text>',
            '<text class="s" x="545" y="126" text-anchor="end">leans or pushes</text>',
            '<circle cx="80" cy="72" r="20" fill="#ffe9a8" stroke="#c9a23a"/>',
            '<text class="s" x="30" y="30">light from the side, no spot on the board</text>',
            "</svg>",
            "",
        ]
    )


def main() -> None:
    """Write the drawings."""
    (HERE / "wiring.svg").write_text(wiring(Pins()), "utf-8")
    (HERE / "mounting.svg").write_text(mounting(), "utf-8")


if __name__ == "__main__":
    main()

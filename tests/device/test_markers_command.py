"""``toreshi markers``: what comes out of the printer is what the eyes look for."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

from device.cli.markers import command
from rules.errors import ToreshiError
from vision.markers import find_markers

DOTS = 4  # to a millimetre


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def painted(
    boxes: list[tuple[float, float, float, float, float]], wide: float, high: float
) -> NDArray[np.uint8]:
    """Boxes (x, y, width, height, tone) in millimetres, in order, as a picture."""
    image = np.full((round(high * DOTS), round(wide * DOTS), 3), 255, np.uint8)
    for x, y, w, h, tone in boxes:
        left, up, right, down = (round(v * DOTS) for v in (x, y, x + w, y + h))
        image[up:down, left:right] = round(tone * 255)
    return image


def from_svg(path: Path) -> NDArray[np.uint8]:
    root = ElementTree.parse(path).getroot()
    boxes = [
        (*(float(r.get(k, "")) for k in ("x", "y", "width", "height")), int(tone[1:3], 16) / 255)
        for r in root.iter("{http://www.w3.org/2000/svg}rect")
        if (tone := r.get("fill", ""))
    ]
    wide, high = (float(str(root.get(k)).removesuffix("mm")) for k in ("width", "height"))
    return painted(boxes, wide, high)  # type: ignore[arg-type]


def from_pdf(path: Path) -> NDArray[np.uint8]:
    data = path.read_bytes()
    place = int(data.split(b"startxref\n")[1].split()[0])
    assert data[place:].startswith(b"xref")
    for line, number in zip(data[place:].splitlines()[3:8], range(1, 6), strict=True):
        assert data[int(line[:10]) :].startswith(b"%d 0 obj" % number)
    (length,) = re.findall(rb"/Length (\d+)", data)
    stream = data.split(b"stream\n", 1)[1][: int(length)].decode()
    assert data.split(b"stream\n", 1)[1][int(length) :].startswith(b"\nendstream")
    _, _, wide, high = map(float, re.findall(r"[\d.]+", data.decode().split("MediaBox")[1])[:4])
    rows = re.findall(r"([\d.]+) g ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f", stream)
    mm = 25.4 / 72
    boxes = [
        (float(x) * mm, (high - float(y) - float(h)) * mm, float(w) * mm, float(h) * mm, float(t))
        for t, x, y, w, h in rows
    ]
    return painted(boxes, wide * mm, high * mm)


def from_png(path: Path) -> NDArray[np.uint8]:
    data = path.read_bytes()
    at = data.index(b"pHYs")
    across, down, metre = struct.unpack(">IIB", data[at + 4 : at + 13])
    assert (across, down, metre) == (11811, 11811, 1)  # 300 dots an inch
    image = cv2.imread(str(path))
    assert image is not None
    wide, high = image.shape[1] * 25.4 / 300, image.shape[0] * 25.4 / 300
    size = round(wide * DOTS), round(high * DOTS)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


READERS = {"svg": from_svg, "pdf": from_pdf, "png": from_png}


@pytest.mark.parametrize("kind", list(READERS))
@pytest.mark.parametrize(("edge", "board", "paper"), [(30, 1, "a4"), (20, 12, "letter")])
def test_printed_markers_are_found_at_their_size(
    tmp_path: Path, kind: str, edge: int, board: int, paper: str
) -> None:
    path = tmp_path / f"sheet.{kind}"
    done = run(
        "--out", str(path), "--size", str(edge), "--board", str(board), "--paper", paper
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    image = READERS[kind](path)
    assert image.shape[1] / DOTS == pytest.approx(210 if paper == "a4" else 215.9, abs=0.3)
    seen = find_markers(image)
    assert sorted(seen) == [4 * board - 4 + k for k in range(4)]
    for corners in seen.values():
        sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T) / DOTS
        # six cells of eight are black; the rest is the white rim
        np.testing.assert_allclose(sides, edge * 6 / 8, atol=0.3)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--out", "x.txt"], "--out: 'x.txt'; expected a name that ends in .pdf, .svg or .png"),
        (["--out", "x.pdf", "--size", "5"], "--size: 5 mm; expected 15 to 80 mm"),
        (["--out", "x.pdf", "--size", "nan"], "--size: nan mm; expected 15 to 80 mm"),
        (["--out", "x.pdf", "--board", "13"], "--board: board 13; expected 1 to 12"),
    ],
)
def test_what_can_not_be_printed_is_refused(arguments: list[str], says: str) -> None:
    done = run(*arguments)
    assert isinstance(done.exception, ToreshiError)
    assert str(done.exception) == says

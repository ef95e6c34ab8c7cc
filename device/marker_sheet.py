"""The sheet of corner markers to print: PDF, SVG or PNG, drawn here so that nothing else is needed.

Lengths are millimetres, from the sheet's top left.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from struct import pack
from xml.sax.saxutils import escape
from zlib import crc32

import cv2
import numpy as np

from vision.markers import CELLS, PAPER, RIM, SETS, pattern

from .errors import BadConfig

#: Width and height of papers.
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
#: Edges of a marker's paper that a board can use.
SMALLEST, LARGEST = 15.0, 80.0
#: Numbers of the markers as they stand on the sheet, row by row: not in order around it, so that a
#: whole sheet in the picture is not taken for a board.
PLACES = (0, 2, 1, 3)
CORNERS = ("top left", "top right", "bottom right", "bottom left")
DOTS_PER_INCH = 300
POINT = 25.4 / 72

HELP = (
    "For a board that Toreshi does not find by itself.",
    "Print at 100 % (not 'fit to page') on paper that does not shine. Cut at the grey lines, and",
    "leave the white rim around each black square: without it the marker is not seen.",
    "Lay the four papers flat outside the squares, on the frame if there is one, so that a corner",
    "of each paper touches a corner of the playing area: 1, 2, 3, 4 clockwise from above. They may",
    "be turned any way. Beside a board without a frame lay them as high as its squares are.",
    "Keep them uncovered while Toreshi looks for the board.",
)


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; ``tone`` 0 black to 1 white."""

    x: float
    y: float
    wide: float
    high: float
    tone: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """A line of plain text; (x, y) is where its base line begins, ``high`` the type size."""

    x: float
    y: float
    text: str
    high: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is on the paper."""

    wide: float
    high: float
    boxes: tuple[Box, ...]
    texts: tuple[Text, ...]


def marker_sheet(edge: float, paper: str = "a4", number: int = 1) -> Sheet:
    """The sheet of one board.

    Args:
        edge: of each marker's paper, millimetres.
        paper: a name of PAPERS.
        number: of the board, 1 to SETS; each has markers of its own.
    """
    if not SMALLEST <= edge <= LARGEST:
        raise BadConfig(f"{edge:g} mm", "--size", f"{SMALLEST:g} to {LARGEST:g} mm")
    if not 1 <= number <= SETS:
        raise BadConfig(f"board {number}", "--board", f"1 to {SETS}")
    wide, high = PAPERS[paper]
    texts = [Text(15, 22, f"Toreshi: corner markers of board {number}, {edge:g} mm", 6)]
    texts += [Text(15, 32 + 5.5 * k, line, 3.4) for k, line in enumerate(HELP)]
    boxes: list[Box] = []
    top, step = 82.0, (high - 82) / 2
    for place, corner in enumerate(PLACES):
        x = wide / 2 * (place % 2 + 0.5) - edge / 2
        y = top + step * (place // 2)
        boxes += _marker(4 * (number - 1) + corner, x, y, edge)
        label = f"{corner + 1}: {CORNERS[corner]} of board {number}"
        texts.append(Text(x, y + edge + 6, label, 4))
    return Sheet(wide, high, tuple(boxes), tuple(texts))


def _marker(number: int, x: float, y: float, edge: float) -> list[Box]:
    """The cut line and the cells of one marker: a black square, and white cells on it."""
    line, cell = 0.15, edge / PAPER
    inner = CELLS * cell
    boxes = [
        Box(x - line, y - line, edge + 2 * line, edge + 2 * line, 0.6),
        Box(x, y, edge, edge, 1.0),
        Box(x + RIM * cell, y + RIM * cell, inner, inner, 0.0),
    ]
    for row, column in np.argwhere(~pattern(number)).tolist():
        boxes.append(Box(x + (RIM + column) * cell, y + (RIM + row) * cell, cell, cell, 1.0))
    return boxes


def write_sheet(sheet: Sheet, path: Path) -> None:
    """Write it in the format that the file's name asks for."""
    writers = {".pdf": as_pdf, ".svg": as_svg, ".png": as_png}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise BadConfig(f"'{path.name}'", "--out", "a name that ends in .pdf, .svg or .png")
    path.write_bytes(writer(sheet))


def as_svg(sheet: Sheet) -> bytes:
    """The sheet as SVG."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.wide:g}mm" '
        f'height="{sheet.high:g}mm" viewBox="0 0 {sheet.wide:g} {sheet.high:g}">',
        f'<rect x="0" y="0" width="{sheet.wide:g}" height="{sheet.high:g}" fill="#ffffff"/>',
    ]
    for box in sheet.boxes:
        tone = f"#{round(box.tone * 255):02x}" + f"{round(box.tone * 255):02x}" * 2
        lines.append(
            f'<rect x="{box.x:.3f}" y="{box.y:.3f}" width="{box.wide:.3f}" '
            f'height="{box.high:.3f}" fill="{tone}"/>'
        )
    for text in sheet.texts:
        lines.append(
            f'<text x="{text.x:.2f}" y="{text.y:.2f}" font-family="Helvetica, Arial, sans-serif" '
            f'font-size="{text.high:g}">{escape(text.text)}</text>'
        )
    return ("\n".join([*lines, "</svg>"]) + "\n").encode()


def as_png(sheet: Sheet) -> bytes:
    """The sheet as PNG, 300 dots per inch; the file says so, so that it prints at its size."""
    scale = DOTS_PER_INCH / 25.4
    image = np.full((round(sheet.high * scale), round(sheet.wide * scale)), 255, np.uint8)
    for box in sheet.boxes:
        left, up = round(box.x * scale), round(box.y * scale)
        right, down = round((box.x + box.wide) * scale), round((box.y + box.high) * scale)
        image[up:down, left:right] = round(box.tone * 255)
    for text in sheet.texts:
        at = round(text.x * scale), round(text.y * scale)
        size = text.high * scale / 32  # capitals of OpenCV's plain font are 22 pixels high
        cv2.putText(image, text.text, at, 0, size, 0, max(1, round(size * 2)), cv2.LINE_AA)
    dots = round(DOTS_PER_INCH / 0.0254)
    done, data = cv2.imencode(".png", image)
    if not done:
        raise BadConfig("a sheet that can't be written", "PNG", "another format")
    return _with_resolution(data.tobytes(), dots)


def _with_resolution(png: bytes, dots_per_metre: int) -> bytes:
    """A PNG with the chunk after its header that says how large its pixels are (PNG, 11.3.5)."""
    body = b"pHYs" + pack(">IIB", dots_per_metre, dots_per_metre, 1)
    chunk = pack(">I", len(body) - 4) + body + pack(">I", crc32(body))
    header = 8 + 25
    return png[:header] + chunk + png[header:]


def as_pdf(sheet: Sheet) -> bytes:
    """The sheet as PDF 1.4 of one page, with the reader's own Helvetica."""
    drawn = []
    for box in sheet.boxes:
        x, y = box.x / POINT, (sheet.high - box.y - box.high) / POINT
        wide, high = box.wide / POINT, box.high / POINT
        drawn.append(f"{box.tone:g} g {x:.3f} {y:.3f} {wide:.3f} {high:.3f} re f")
    for text in sheet.texts:
        plain = text.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        x, y = text.x / POINT, (sheet.high - text.y) / POINT
        drawn.append(f"BT 0 g /F1 {text.high / POINT:.2f} Tf {x:.2f} {y:.2f} Td ({plain}) Tj ET")
    page = "\n".join(drawn).encode("latin-1")
    size = f"[0 0 {sheet.wide / POINT:.2f} {sheet.high / POINT:.2f}]"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {size} /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page), page),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n" % (
        len(objects) + 1, table, len(objects) + 1,
    )  # fmt: skip
    return out + end + b"startxref\n%d\n%%%%EOF\n" % len(out)

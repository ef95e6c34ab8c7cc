import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.geometry import BoardGeometry, bend, order_corners, project
from vision.locate import NotFound, locate, refine
from vision.pictures import read_picture

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
Colour = tuple[int, int, int]

SHARED = Path(os.environ.get("TORESHI_SHARED", Path(__file__).parents[2].parent / "shared"))
PHOTOS = SHARED / "photos"


@dataclass(frozen=True)
class View:
    """A board drawn as a pinhole camera sees it; lengths in squares, angles in degrees."""

    size: int = 8
    tilt: float = 0.0
    turn: float = 0.0
    share: float = 0.7
    shift: tuple[float, float] = (0.0, 0.0)
    wh: tuple[int, int] = (960, 720)
    k1: float = 0.0
    light: Colour = (190, 215, 225)
    dark: Colour = (40, 60, 95)
    table: Colour = (120, 130, 125)
    frame: Colour | None = (70, 100, 140)
    men: bool = True

    def camera(self) -> NDArray[np.float64]:
        """3x4, board places (x, y, up, 1) to straight pixels."""
        a, b = np.radians(self.tilt), np.radians(self.turn)
        turn = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
        look = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, -np.sin(a), -np.cos(a)]])
        middle = np.array([self.size / 2, self.size / 2, 0])
        rotation = look @ turn
        w, h = self.wh
        focal = 1.1 * w
        distance = focal * self.size / (self.share * min(w, h))
        to_eye = np.column_stack([rotation, -rotation @ middle + [0, 0, distance]])
        lens = np.array(
            [
                [focal, 0, w / 2 + self.shift[0] * w],
                [0, focal, h / 2 + self.shift[1] * h],
                [0, 0, 1],
            ]
        )
        return np.asarray(lens @ to_eye)

    def plane(self, up: float = 0.0) -> NDArray[np.float64]:
        """3x3, places (x, y) on a level to straight pixels."""
        c = self.camera()
        return np.column_stack([c[:, 0], c[:, 1], c[:, 2] * up + c[:, 3]])

    def corners(self) -> Points:
        n = self.size
        straight = project(self.plane(), [[0, 0], [n, 0], [n, n], [0, n]])
        return order_corners(bend(straight, self.k1, self.wh))

    def draw(self) -> Image:
        w, h = self.wh
        out = np.full((h, w, 3), self.table, np.uint8)
        n = self.size
        if self.frame is not None:
            fill(
                out,
                self.path([[-0.6, -0.6], [n + 0.6, -0.6], [n + 0.6, n + 0.6], [-0.6, n + 0.6]]),
                self.frame,
            )
        for y in range(n):
            for x in range(n):
                tone = self.light if (x + y) % 2 == 0 else self.dark
                fill(out, self.path([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]), tone)
        if self.men:
            self.draw_men(out)
        noise = np.random.default_rng(7).normal(0, 3, out.shape)
        return np.clip(cv2.GaussianBlur(out, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)

    def draw_men(self, out: Image) -> None:
        """The first position: men of 0.7 squares, 0.2 high, on the dark squares."""
        rows = range(3 if self.size == 8 else 4)
        theirs = [(x, y) for y in rows for x in range(self.size) if (x + y) % 2]
        ours = [(self.size - 1 - x, self.size - 1 - y) for x, y in theirs]
        tones: list[tuple[int, int, Colour]] = [
            *((x, y, (25, 25, 30)) for x, y in theirs),
            *((x, y, (160, 190, 205)) for x, y in ours),
        ]
        depth = self.camera()[2]
        for x, y, tone in sorted(tones, key=lambda m: -(depth @ [m[0], m[1], 0, 1])):
            turn = np.linspace(0, 2 * np.pi, 40)
            ring = np.column_stack([x + 0.5 + 0.35 * np.cos(turn), y + 0.5 + 0.35 * np.sin(turn)])
            top, low = self.path(ring, 0.2), self.path(ring, 0.0)
            hull = cv2.convexHull(np.concatenate([top, low]).astype(np.float32)).reshape(-1, 2)
            fill(out, hull.astype(np.float64), tuple(int(0.6 * c) for c in tone))
            fill(out, top, tone)

    def path(self, points: Any, up: float = 0.0) -> Points:
        """Pixels of a closed line, in pieces since a lens bends it."""
        p = np.asarray(points, np.float64)
        part = np.linspace(0, 1, 6, endpoint=False)[:, None]
        line = np.concatenate(
            [a + (b - a) * part for a, b in zip(p, np.roll(p, -1, 0), strict=True)]
        )
        return bend(project(self.plane(up), line), self.k1, self.wh)


def fill(out: Image, path: Points, colour: Any) -> None:
    # OpenCV counts whole pixels from their middles, in 16ths here
    cv2.fillPoly(out, [np.rint(path * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def miss(found: BoardGeometry | NotFound, corners: Points) -> float:
    """How far the worst corner is off, in squares; inf for no board."""
    if isinstance(found, NotFound):
        return float("inf")
    return float(np.hypot(*(found.corners - corners).T).max() / found.square_px())


def seen(view: View) -> float:
    return miss(locate(view.draw(), view.size), view.corners())


@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize("tilt", [0, 25, 45, 60])
@pytest.mark.parametrize("turn", [0, 17, 44, 100, 200])
def test_found_from_any_side(size: int, tilt: float, turn: float) -> None:
    assert seen(View(size, tilt, turn)) < 0.1


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(
            View(share=0.34, wh=(1280, 960), shift=(0.3, 0.2)), id="a quarter of the width"
        ),
        pytest.param(View(share=1.02, wh=(640, 640), frame=None), id="edges touch the picture's"),
        pytest.param(View(share=0.97, shift=(0.0, 0.03), tilt=30), id="larger than the picture"),
        pytest.param(View(frame=None, tilt=40, turn=30), id="no frame"),
        pytest.param(View(frame=(20, 20, 20), dark=(30, 30, 35)), id="dark squares like the frame"),
        pytest.param(View(frame=(185, 210, 222)), id="light squares like the frame"),
        pytest.param(
            View(light=(40, 60, 190), dark=(75, 130, 40)), id="red and green, equally light"
        ),
        pytest.param(View(light=(60, 66, 70), dark=(44, 48, 50)), id="little contrast"),
        pytest.param(View(k1=-0.12, share=0.9), id="a wide lens"),
        pytest.param(View(men=False, tilt=35), id="empty"),
        pytest.param(View(size=10, tilt=55, turn=45, share=0.5), id="small, low and from a corner"),
        pytest.param(View(wh=(480, 640), tilt=20), id="upright picture"),
        pytest.param(View(wh=(2560, 1920), tilt=20), id="large picture"),
    ],
)
def test_found_on_any_set(view: View) -> None:
    assert seen(view) < 0.12


def test_the_lens_term_is_that_of_the_lens() -> None:
    found = locate(View(k1=-0.1, share=0.95).draw(), 8)
    assert isinstance(found, BoardGeometry)
    assert found.k1 == pytest.approx(-0.1, abs=0.01)
    assert found.residual < 0.03


def test_a_turned_picture_gives_the_turned_corners() -> None:
    view = View(tilt=35, turn=12)
    image = view.draw()
    w = view.wh[0]
    upright = locate(np.ascontiguousarray(np.rot90(image)), 8)
    # a quarter turn to the left takes the pixel (x, y) to (y, w - 1 - x)
    x, y = view.corners().T
    assert miss(upright, order_corners(np.column_stack([y, w - 1 - x]))) < 0.05


def test_a_hand_hides_a_part() -> None:
    view = View(tilt=20)
    image = view.draw()
    arm = project(view.plane(), [[2.0, 9.5], [6.0, 9.5], [5.6, 3.6], [4.5, 2.4], [3.0, 3.0]])
    fill(image, arm, (130, 150, 200))
    assert miss(locate(image, 8), view.corners()) < 0.15
    truth = BoardGeometry(8, view.corners())
    for step in ((0.4, 0.2), (-0.4, 0.2), (0.1, -0.45)):
        guess = replace(truth, corners=truth.corners + np.array(step) * truth.square_px())
        assert miss(refine(image, guess), view.corners()) < 0.1


def test_a_hard_shadow_over_half_of_it() -> None:
    view = View(tilt=30, turn=10)
    image = view.draw()
    shade = np.ones(image.shape[:2], np.float32)
    cv2.fillPoly(shade, [np.array([[0, 0], [520, 0], [300, 720], [0, 720]])], 0.25)
    image = (image * shade[..., None]).astype(np.uint8)
    assert miss(locate(image, 8), view.corners()) < 0.1


def test_thin_lines_between_the_squares() -> None:
    view = View(turn=9, dark=(70, 95, 130), light=(90, 118, 155), men=False)
    image = view.draw()
    for k in range(9):
        for ends in ([[k, 0], [k, 8]], [[0, k], [8, k]]):
            a, b = np.rint(project(view.plane(), ends)).astype(int).tolist()
            cv2.line(image, a, b, (170, 215, 235), 3, cv2.LINE_AA)
    assert miss(locate(image, 8), view.corners()) < 0.1


def test_the_same_picture_gives_the_same_answer() -> None:
    image = View(tilt=50, turn=30).draw()
    assert locate(image, 8) == locate(image.copy(), 8)


def test_the_picture_is_left_as_it_was() -> None:
    image = View().draw()
    image.flags.writeable = False
    before = image.tobytes()
    locate(image, 8)
    assert image.tobytes() == before


def texts() -> Image:
    """A page of text on a table: many corners, no board."""
    out = np.full((720, 960, 3), (150, 160, 170), np.uint8)
    cv2.rectangle(out, (200, 60), (760, 680), (240, 240, 240), -1)
    for row in range(18):
        words = "".join(chr(97 + (row * 7 + k * k) % 26) for k in range(26))
        cv2.putText(out, words, (220, 100 + 32 * row), 0, 0.9, (40, 40, 40), 2, cv2.LINE_AA)
    return out


def clutter() -> Image:
    """Discs and boxes of many colours."""
    rng = np.random.default_rng(11)
    out = np.full((720, 960, 3), (90, 120, 140), np.uint8)
    for _ in range(90):
        x, y = rng.integers(0, (960, 720)).tolist()
        colour = rng.integers(0, 256, 3).tolist()
        if rng.random() < 0.5:
            cv2.circle(out, (x, y), int(rng.integers(10, 60)), colour, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints(
                ((x, y), rng.uniform(20, 140, 2).tolist(), float(rng.uniform(0, 90)))
            )
            cv2.fillPoly(out, [box.astype(np.int32)], colour, cv2.LINE_AA)
    return out


def ruled() -> Image:
    """Squared paper: a lattice without dark and light squares."""
    out = np.full((720, 960, 3), 235, np.uint8)
    out[::40, :] = out[1::40, :] = out[:, ::40] = out[:, 1::40] = 120
    return out


def noise() -> Image:
    return np.random.default_rng(3).integers(0, 256, (720, 960, 3)).astype(np.uint8)


def in_the_dark() -> Image:
    """A board of which less arrives than the sensor's noise."""
    left = View().draw() * 0.005 + np.random.default_rng(4).normal(3, 3, (720, 960, 3))
    return left.clip(0, 255).astype(np.uint8)


def smooth_noise() -> Image:
    coarse = np.random.default_rng(3).integers(0, 256, (45, 60, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (960, 720), interpolation=cv2.INTER_CUBIC), np.uint8)


@pytest.mark.parametrize("size", [8, 10])
@pytest.mark.parametrize(
    ("image", "reason"),
    [
        pytest.param(np.zeros((720, 960, 3), np.uint8), "too dark", id="black"),
        pytest.param(in_the_dark(), "too dark", id="a board in the dark"),
        pytest.param(np.full((720, 960, 3), 140, np.uint8), "no board", id="plain table"),
        pytest.param(noise(), "board", id="noise"),
        pytest.param(smooth_noise(), "board", id="smooth noise"),
        pytest.param(texts(), "board", id="a page of text"),
        pytest.param(clutter(), "board", id="discs and boxes"),
        pytest.param(ruled(), "board", id="squared paper"),
        pytest.param(np.full((3, 5, 3), 90, np.uint8), "no board", id="five pixels"),
    ],
)
def test_no_board_is_said_and_why(image: Image, reason: str, size: int) -> None:
    found = locate(image, size)
    assert isinstance(found, NotFound)
    assert reason in found.reason


def test_a_blurred_board_is_called_blurred() -> None:
    image = cv2.GaussianBlur(View(size=10, share=0.4).draw(), (0, 0), 40)
    found = locate(np.asarray(image, np.uint8), 10)
    assert isinstance(found, NotFound)
    assert "blurred" in found.reason


@pytest.mark.parametrize(("board", "asked"), [(8, 10), (10, 8), (12, 8), (12, 10), (6, 8)])
@pytest.mark.parametrize("tilt", [0, 45])
def test_a_board_of_another_size_is_refused(board: int, asked: int, tilt: float) -> None:
    view = View(board, tilt, 15, men=board > 7)
    found = locate(view.draw(), asked)
    assert isinstance(found, NotFound)
    if board != 6:
        assert f"{board}x{board}" in found.reason


def test_a_chequered_cloth_is_no_board() -> None:
    image = View(size=40, share=2.2, men=False).draw()
    assert isinstance(locate(image, 8), NotFound)
    assert isinstance(locate(image, 10), NotFound)


def test_a_board_on_a_chequered_cloth_is_found() -> None:
    view = View(tilt=20, turn=10, share=0.55)
    cloth = View(size=40, share=2.6, turn=30, men=False, light=(180, 120, 90), dark=(120, 60, 40))
    image = cloth.draw()
    mask = np.zeros(image.shape[:2], np.uint8)
    fill(mask, view.path([[-0.6, -0.6], [8.6, -0.6], [8.6, 8.6], [-0.6, 8.6]]), 255)
    image[mask > 0] = view.draw()[mask > 0]
    assert miss(locate(image, 8), view.corners()) < 0.1


@pytest.mark.parametrize("side", [(0.33, 0.0), (-0.33, 0.0), (0.0, 0.3), (0.0, -0.3), (0.3, 0.3)])
@pytest.mark.parametrize("tilt", [0, 30])
def test_a_board_that_is_cut_off_is_refused(side: tuple[float, float], tilt: float) -> None:
    """Up to three rows lie outside the picture."""
    view = View(share=0.7, shift=side, wh=(720, 720), tilt=tilt)
    outside = np.maximum(-view.corners(), view.corners() - 719).max() / 720 * 8 / 0.7
    assert outside > 0.65
    found = locate(view.draw(), 8)
    assert isinstance(found, NotFound)
    assert "cut off" in found.reason


@pytest.mark.parametrize("angle", [10, 130, 250])
@pytest.mark.parametrize("far", [0.05, 0.25, 0.45])
def test_a_guess_is_refined(angle: float, far: float) -> None:
    view = View(size=10, tilt=35, turn=8)
    truth = BoardGeometry(10, view.corners())
    step = (
        far * truth.square_px() * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    )
    found = refine(view.draw(), replace(truth, corners=truth.corners + step))
    assert miss(found, view.corners()) < 0.05


def test_clicked_corners_are_refined() -> None:
    view = View(tilt=45)
    truth = BoardGeometry(8, view.corners())
    off = np.random.default_rng(5).normal(0, 0.12, (4, 2)) * truth.square_px()
    found = refine(view.draw(), BoardGeometry(8, truth.corners + off))
    assert miss(found, view.corners()) < 0.05


def elsewhere() -> Iterator[Any]:
    view = View(tilt=20, share=0.4, shift=(-0.2, 0.0))
    far = BoardGeometry(8, view.corners() + np.array([480, 0]))
    yield pytest.param(view.draw(), far, "no board", id="the board is elsewhere")
    yield pytest.param(texts(), far, "no board", id="no board")
    yield pytest.param(np.zeros((720, 960, 3), np.uint8), far, "too dark", id="lights off")


@pytest.mark.parametrize(("image", "guess", "reason"), list(elsewhere()))
def test_a_guess_without_a_board_is_lost(image: Image, guess: BoardGeometry, reason: str) -> None:
    found = refine(image, guess)
    assert isinstance(found, NotFound)
    assert reason in found.reason


def labels() -> list[dict[str, Any]]:
    """Real photos that may be looked at; the scored ones are measured elsewhere."""
    path = PHOTOS / "labels_draughts.jsonl"
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["use"] == "train"]


@pytest.mark.skipif(not labels(), reason="the shared photos are not here")
@pytest.mark.parametrize("label", labels()[::3], ids=lambda label: Path(label["file"]).stem[:24])
def test_found_on_real_photos(label: dict[str, Any]) -> None:
    photo = read_picture(PHOTOS / label["file"]).image
    found = locate(photo, label["size"])
    corners = np.array(label["corners"])
    assert miss(found, corners) < 0.35
    knocked = BoardGeometry(label["size"], corners)
    knocked = replace(knocked, corners=corners + np.array([0.45, 0]) * knocked.square_px())
    assert miss(refine(photo, knocked), corners) < 0.35

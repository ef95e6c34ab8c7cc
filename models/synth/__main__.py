"""``python -m models.synth``: drawn pictures with labels, as files."""

from __future__ import annotations

import json
from pathlib import Path

import click
import cv2
import numpy as np

from .arrays import Array, Rng
from .episodes import PICTURES, sample_episode, sample_lone
from .paint import SPLITS, Split
from .scene import Rendered


def label(rendered: Rendered, file: str, start: str | None = None) -> dict[str, object]:
    """A line of labels in the schema of the labelled photographs."""
    tags = rendered.tags
    tilt = float(tags["tilt"])
    row: dict[str, object] = {
        "file": file,
        "size": len(rendered.grid),
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in rendered.corners],
        "grid": list(rendered.grid),
        "tags": [
            "rendered",
            "topdown" if tilt < 12 else "oblique" if tilt < 40 else "low",
            f"light-{tags['light']}",
            f"king-{tags['king']}",
            f"board-{tags['board']}",
            f"tilt-{round(tilt)}",
            *(["hand"] if tags["hand"] else []),
            *(["start"] if tags.get("start") else []),
        ],
        "note": "",
        "use": "train" if tags["split"] == "train" else "score",
    }
    if start is not None:
        row["start"] = start
    return row


def save(rendered: Rendered, path: Path) -> None:
    """Write one picture; the camera's own JPEG was made before, so this one loses little."""
    cv2.imwrite(str(path), rendered.image, [cv2.IMWRITE_JPEG_QUALITY, 95])


def pictures(
    rng: Rng, split: Split, sizes: tuple[int, ...], alone: bool, hands: float
) -> list[Rendered]:
    """The next few pictures: an episode's, its first position first, or a lone one."""
    size = int(rng.choice(sizes))
    picture = PICTURES[int(rng.integers(len(PICTURES)))]
    if alone:
        return [sample_lone(rng, split, size, picture=picture, hands=hands)]
    episode = sample_episode(rng, split, size, 3, picture=picture, hands=hands)
    episode.start.tags["start"] = True
    return [episode.start, *episode.queries]


def sheet(images: list[Array], columns: int = 4, edge: int = 480) -> Array:
    """Small copies of pictures, side by side."""
    cells = []
    for image in images:
        scale = edge / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cell = np.zeros((edge, edge, 3), np.uint8)
        cell[: small.shape[0], : small.shape[1]] = small
        cells.append(cell)
    while len(cells) % columns:
        cells.append(np.zeros((edge, edge, 3), np.uint8))
    rows = [np.hstack(cells[k : k + columns]) for k in range(0, len(cells), columns)]
    return np.vstack(rows)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="Folder for pictures and labels.")
@click.option("--count", default=24, show_default=True, help="Pictures to draw.")
@click.option("--split", type=click.Choice(SPLITS), default="train", show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--size", "sizes", type=click.IntRange(8, 10), multiple=True, default=(8, 10))
@click.option("--alone", is_flag=True, help="Another set in every picture, no first positions.")
@click.option("--hands", default=0.0, show_default=True, help="Share of pictures with a hand.")
@click.option("--contact-sheet", type=click.Path(path_type=Path), help="One picture of them all.")
def main(
    out: Path | None, count: int, split: Split, seed: int, sizes: tuple[int, ...], alone: bool,
    hands: float, contact_sheet: Path | None,
) -> None:
    """Draw labelled pictures of draughts boards."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, SPLITS.index(split)])
    rows: list[dict[str, object]] = []
    images: list[Array] = []
    if out:
        out.mkdir(parents=True, exist_ok=True)
    while len(rows) < count:
        start: str | None = None
        for rendered in pictures(rng, split, sizes, alone, hands)[: count - len(rows)]:
            name = f"{split}_{len(rows):05d}.jpg"
            rows.append(label(rendered, name, start))
            if rendered.tags.get("start"):
                start = name
            if out:
                save(rendered, out / name)
            if contact_sheet:
                images.append(rendered.image)
    if out:
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (out / "labels.jsonl").write_text(text, encoding="utf-8")
    if contact_sheet:
        cv2.imwrite(str(contact_sheet), sheet(images))
    click.echo(f"{len(rows)} pictures")


if __name__ == "__main__":
    main()

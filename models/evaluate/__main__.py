"""Score the eyes on photographs and drawn boards, and write RESULTS.md."""

from __future__ import annotations

from pathlib import Path

import click
import cv2

from models.synth.paint import Split
from vision.model import SquareModel

from .album import Album
from .drawn import score_drawn
from .photos import SKIPPED, PhotoReader, labels_of, score_photos
from .plots import plot_conditions
from .results import RESULTS, head, table
from .tally import Tally

ROOT = Path(__file__).parents[2]
WEIGHTS = ROOT / "models" / "weights" / "squares.onnx"

SPLITS: tuple[Split, ...] = ("validation", "heldout")


def photo_tables(photos: Path, model: SquareModel) -> list[str]:
    """Tables of the photographs kept for scoring."""
    reader, labels = PhotoReader(photos, model), labels_of(photos)
    scored = [row for row in labels if row.get("use") == "score"]
    clear = [row for row in scored if not SKIPPED & set(row["tags"])]
    lines: list[str] = []
    for title, chosen, with_start in (
        ("With a start picture of the set", [r for r in clear if r.get("start")], True),
        ("All scored photographs, start picture where there is one", clear, True),
        ("Without any start picture", clear, False),
        ("Nearly black photographs", [r for r in scored if "dark" in r["tags"]], True),
    ):
        lines += table(
            "real", title, "", with_total(dict(score_photos(reader, chosen, with_start)))
        )
    held = [r for r in labels if r.get("use") == "train" and "hand" in r["tags"]]
    note = (
        "Of a series that training has seen, so no evidence for others: none of them may be read."
    )
    lines += table("real", "Hands and a robot arm", note, dict(score_photos(reader, held, True)))
    return lines


def with_total(tallies: dict[str, Tally]) -> dict[str, Tally]:
    """The tallies and one of all together."""
    total = Tally()
    for tally in tallies.values():
        total.merge(tally)
    return {**tallies, "all": total}


@click.command()
@click.option("--photos", type=click.Path(path_type=Path), default=ROOT.parent / "shared/photos")
@click.option("--weights", type=click.Path(path_type=Path), default=WEIGHTS)
@click.option(
    "--boards",
    default=500,
    help="Drawn pictures of each size held out.",
)
@click.option("--out", type=click.Path(path_type=Path), default=RESULTS)
def main(photos: Path, weights: Path, boards: int, out: Path) -> None:
    """Score the eyes and write the results."""
    cv2.setNumThreads(1)
    model = SquareModel(weights)
    lines = head(f"python -m models.evaluate --boards {boards}", weights, ROOT / "vision")
    if photos.is_dir():
        lines += photo_tables(photos, model)
    album = Album(out.with_name("mistakes"))
    tallies: dict[str, dict[str, Tally]] = {}
    for split in SPLITS:
        count = boards if split == "heldout" else max(3, boards // 10)
        for size in (8, 10):
            note = f"{count} pictures, three of a set, through the search for the board and all."
            title = f"Drawn boards {size}x{size}, {split}"
            scored = score_drawn(model, split, size, count, album)
            lines += table("rendered", title, note, scored)
            tallies[f"{size}x{size}"] = scored
    plot_conditions(out.with_name("conditions.svg"), tallies)
    lines += ["## By angle and light (rendered, held out)", "", "![bars](conditions.svg)", ""]
    lines += ["## Mistakes (rendered)", "", *album.lines()]
    out.write_text("\n".join(lines).rstrip() + "\n")
    click.echo(f"written: {out}")


if __name__ == "__main__":
    main()

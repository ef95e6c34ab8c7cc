"""``toreshi demo --game nardi``: the drawn nardi game through the pipeline of real boards."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

from ..session_values import Json, Setup
from ..signals import Signaller


def play(video: Path, folder: Path, signaller: Signaller) -> list[Json]:
    """Watch the video; all events.

    Raises:
        ToreshiError: the folder can't be written, or a network is missing.
    """
    from tqdm import tqdm

    from ..nardi.eyes import open_eyes
    from ..nardi.watch import NardiWatch
    from ..source_files import Video

    told: list[Json] = []
    with ExitStack() as stack:
        eyes, _ = open_eyes()
        about_video = json.loads(video.with_suffix(".json").read_text(encoding="utf-8"))
        camera = Video(video, about_video["fps"])
        stack.callback(camera.close)
        about = {"toreshi": version("toreshi"), "source": video.name}
        tags = {"Event": "Toreshi demo"}
        run = NardiWatch(Setup("nardi"), eyes, signaller, folder, told.append, about, tags)
        stack.callback(run.close)
        frames = camera.frames()
        run.run(tqdm(frames, total=about_video["frames"], unit="frame", file=sys.stderr))
    return told

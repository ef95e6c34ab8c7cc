"""``toreshi replay``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from . import OWN_FAILURE


@click.command()
@click.argument("journal", metavar="JOURNAL|BUNDLE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Differences as JSON lines.")
@click.pass_context
def command(context: click.Context, journal: Path, as_json: bool) -> None:
    """Run a JOURNAL or a bundle again and say where the effects differ; exit 1 if they do."""
    from .. import bundle
    from ..journal import read
    from ..replay import replay

    past = bundle.read(journal) if bundle.is_bundle(journal) else read(journal)
    again = replay(past)
    if past.torn:
        click.echo(f"the last line was cut off; {past.torn} bytes of it are left out", err=True)
    for difference in again.differences:
        row = {"v": 1, "row": difference.row, "effect": difference.at,
               "written": difference.written, "now": difference.now}  # fmt: skip
        if as_json:
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            click.echo(f"row {difference.row}, effect {difference.at}:")
            click.echo(f"  written {_shown(difference.written)}")
            click.echo(f"  now     {_shown(difference.now)}")
    if not as_json:
        same = "the same" if not again.differences else f"{len(again.differences)} differ"
        click.echo(f"{again.inputs} inputs, {again.effects} effects: {same}")
    context.exit(OWN_FAILURE if again.differences else 0)


def _shown(effect: object) -> str:
    return "nothing" if effect is None else json.dumps(effect, ensure_ascii=False)

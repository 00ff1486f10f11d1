"""``git search-index status``: how complete the index is."""

from __future__ import annotations

import json

import click

from gitsearch.commands.options import cached_option, here, json_option
from gitsearch.terminal.failing import FOUND
from gitsearch.wording import counted, plain, printable


@click.command()
@cached_option
@json_option
@click.option("--skipped", is_flag=True, help="List the files left out, each with its reason.")
def status(cached: bool, as_json: bool, skipped: bool) -> int:
    """Say how complete the index is, and what it leaves out."""
    from dataclasses import asdict

    state = here().status(cached=cached)
    if as_json:
        fields = {"version": 1, "coverage": round(state.coverage, 4), **asdict(state)}
        fields["uncovered"] = [printable(path) for path in state.uncovered]
        fields["skipped"] = {printable(path): why for path, why in state.skipped.items()}
        click.echo(json.dumps(fields, ensure_ascii=False))
        return FOUND
    if skipped:
        for path, reason in state.skipped.items():
            click.echo(f"{plain(path)}\t{plain(reason)}")
        return FOUND
    click.echo(f"coverage  {state.coverage:.1%} of {counted(state.files, 'source file')}")
    click.echo(f"model     {plain(state.model)}, {counted(state.dimensions, 'dimension')}")
    click.echo(f"chunks    {state.chunks}, vectors {state.vectors}")
    click.echo(f"segments  {state.segments}, {state.segment_bytes / 1e6:.2f} MB")
    click.echo(f"skipped   {counted(len(state.skipped), 'file')} (list them: --skipped)")
    if state.uncovered:
        click.echo(f"keyword   {counted(len(state.uncovered), 'file')} found by keyword alone")
    for path in state.uncovered[:10]:
        click.echo(f"missing   {plain(path)}")
    if len(state.uncovered) > 10:
        click.echo(f"missing   and {len(state.uncovered) - 10} more")
    for model, vectors in state.foreign.items():
        click.echo(f"foreign   {counted(vectors, 'vector')} of {plain(model)}, not used")
    for damage in state.damaged.values():
        click.echo(f"damaged   {plain(damage)}")
    return FOUND

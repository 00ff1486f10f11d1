"""``git-search-index model``: which model the index is made with, and the change to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitsearch.commands.options import here, model_options, say
from gitsearch.terminal.failing import FOUND
from gitsearch.wording import counted, plain

if TYPE_CHECKING:
    from gitsearch.model import ModelChoice


@click.command()
@click.argument("name", required=False)
@model_options
@click.option("--dry-run", is_flag=True, help="Say what the change would cost, change nothing.")
def model(
    name: str | None,
    model_path: Path | None,
    max_tokens: int | None,
    adapter: str | None,
    download: bool,
    dry_run: bool,
) -> int:
    """Say which model the index is made with; with NAME, change it to that one.

    The change embeds everything anew, writes the configuration and takes the earlier vectors out
    of the tree: what is staged then is one commit. NAME may be "default", the model that comes with
    git-search.
    """
    from gitsearch.model import ModelChoice

    if name is None:
        for option, value in (
            ("--model-path", model_path), ("--max-tokens", max_tokens), ("--adapter", adapter),
            ("--download", download), ("--dry-run", dry_run),
        ):  # fmt: skip
            if value:
                raise click.UsageError(f"{option} goes with the NAME of a model")
        return _show()
    chosen = None if name == "default" else name
    return _change(ModelChoice(chosen, model_path, max_tokens, adapter, download), dry_run)


def _show() -> int:
    from gitsearch.config import DEFAULT_MODEL
    from gitsearch.model import model_files
    from hybridindex.errors import SearchError

    repository = here()
    tree = repository.tree()
    wanted = tree.fingerprint
    adapter = f", adapter {wanted.adapter}" if wanted.adapter else ""
    click.echo(f"configured  {plain(wanted.model)}{plain(adapter)}")
    click.echo(f"vectors     {len(tree.catalogue.keys)} of {wanted.dimensions} dimensions")
    for other, vectors in tree.catalogue.foreign.items():
        click.echo(f"foreign     {counted(vectors, 'vector')} of {plain(other)}, not used")
    hint = ""
    try:
        files = model_files(wanted, repository.settings)
        repository.encoder(wanted)
        where = (
            "comes with git-search" if files.origin == "builtin" else plain(str(files.directory))
        )
        click.echo(f"here        {where}")
    except SearchError as error:
        click.echo(f"here        no: {plain(error.problem)}")
        hint = error.hint
    if wanted.model != DEFAULT_MODEL:
        click.echo(f"default     {DEFAULT_MODEL}: git search-index model default")
    if hint:
        say(f"hint: {hint}")
    return FOUND


def _change(choice: ModelChoice, dry_run: bool) -> int:
    from gitsearch.layout import FOLDER

    repository = here()
    fingerprint = repository.describe(choice)
    if fingerprint == repository.tree().fingerprint:
        say(f"{fingerprint.model} is configured already; complete it: git search-index update")
        return FOUND
    switching = repository.switching(fingerprint)
    cost = switching.cost()
    say(
        f"{counted(cost.chunks, 'chunk')} to embed, about {cost.seconds:.0f} s here; about"
        f" {cost.added / 1e6:.1f} MB come into the tree, {cost.dropped / 1e6:.1f} MB go"
    )
    if dry_run:
        return FOUND
    done = switching.run()
    say(
        f"{counted(done.update.embedded, 'chunk')} embedded,"
        f" {counted(done.compacted.removed, 'segment')} of other models taken out"
    )
    say(f'Staged {FOLDER}/. Commit it: git commit -m "Search with {fingerprint.model}"')
    return FOUND

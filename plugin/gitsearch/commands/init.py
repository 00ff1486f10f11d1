"""``git-search-index init``: gives a repository its index."""

from __future__ import annotations

from pathlib import Path

import click

from gitsearch.commands.options import here, model_options, say
from gitsearch.terminal.failing import FOUND
from hybridindex.types import METHODS, Method


@click.command()
@click.option(
    "--model", metavar="NAME",
    help="A sentence-transformers model by name.  [default: the one that comes with git-search]",
)  # fmt: skip
@model_options
@click.option(
    "--chunking", type=click.Choice([*METHODS]), default="syntax", show_default=True,
    help="How files are cut into chunks.",
)  # fmt: skip
@click.option(
    "--config-only", is_flag=True, help="Index nothing yet: a CI, or several jobs at once, will."
)
def init(
    model: str | None,
    model_path: Path | None,
    max_tokens: int | None,
    adapter: str | None,
    download: bool,
    chunking: Method,
    config_only: bool,
) -> int:
    """Give this repository an index: write .search/, index everything, stage it."""
    from gitsearch.commands.update import tell
    from gitsearch.layout import CONFIG, FOLDER
    from gitsearch.model import ModelChoice

    repository = here()
    choice = ModelChoice(model, model_path, max_tokens, adapter, download)
    if not repository.initialise(choice, chunking):
        say(f"{CONFIG} is there already and stays as it is")
    code = FOUND if config_only else tell(repository.update())
    say(f'Staged {FOLDER}/. Commit it: git commit -m "Add the search index"')
    say("Keep it complete at every commit: git search-index install")
    return code

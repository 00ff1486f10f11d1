"""``git search-index init``: gives a repository its index."""

from __future__ import annotations

from pathlib import Path

import click

from gitsearch.commands.options import here, say
from gitsearch.terminal.failing import FOUND
from hybridindex.types import METHODS, Method


@click.command()
@click.option("--model", metavar="NAME", help="A sentence-transformers model by name.")
@click.option(
    "--model-path", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="Where the model's files lie, if not where they are usually found.",
)  # fmt: skip
@click.option(
    "--max-tokens", type=click.IntRange(8), metavar="NUMBER",
    help="How many tokens of a chunk the model reads.",
)  # fmt: skip
@click.option(
    "--adapter", metavar="NAME",
    help="Change of the model's weights that comes with git-search, or none."
    "  [default: the newest for the model]",
)  # fmt: skip
@click.option(
    "--chunking", type=click.Choice([*METHODS]), default="syntax", show_default=True,
    help="How files are cut into chunks.",
)  # fmt: skip
@click.option("--download", is_flag=True, help="Allow the model to be fetched from its hub.")
@click.option(
    "--config-only", is_flag=True, help="Index nothing yet: a CI, or several jobs at once, will."
)
def init(
    model: str | None,
    model_path: Path | None,
    max_tokens: int | None,
    adapter: str | None,
    chunking: Method,
    download: bool,
    config_only: bool,
) -> int:
    """Give this repository an index: write .search/, index everything, stage it."""
    from gitsearch.commands.update import tell
    from gitsearch.layout import CONFIG, FOLDER

    repository = here()
    made = repository.initialise(
        model=model,
        model_path=model_path,
        max_tokens=max_tokens,
        adapter=adapter,
        chunking=chunking,
        download=download,
    )
    if made is None:
        say(f"{CONFIG} is there already and stays as it is")
    code = FOUND if config_only else tell(repository.update())
    say(f'Staged {FOLDER}/. Commit it: git commit -m "Add the search index"')
    say("Keep it complete at every commit: git search-index install")
    return code

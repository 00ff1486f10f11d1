"""``init``, ``update``, ``compact``: what writes the committed index."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitsearch.commands.options import cached_option, say, tree_of
from gitsearch.failing import FOUND
from hybridindex.types import METHODS, Method

if TYPE_CHECKING:
    from gitsearch.git.repository import Repository
    from gitsearch.sharding import Shard


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
    from gitsearch.config import DEFAULT_MODEL, Config
    from gitsearch.git.repository import find_repository
    from gitsearch.initialising import initialise, is_initialised
    from gitsearch.layout import CONFIG, FOLDER
    from gitsearch.model import describe_model
    from hybridindex.embedding.adapting import adapter_called

    repository = find_repository()
    if is_initialised(repository):
        say(f"{CONFIG} is there already and stays as it is")
    else:
        named = adapter_called(adapter)
        fingerprint = describe_model(
            repository, model or DEFAULT_MODEL, model_path, max_tokens, named, download
        )
        initialise(repository, Config(fingerprint, chunking))
    code = FOUND if config_only else _update(repository, False)
    say(f'Staged {FOLDER}/. Commit it: git commit -m "Add the search index"')
    say("Keep it whole at every commit: git search-index install")
    return code


def _update(repository: Repository, cached: bool, shard: Shard | None = None) -> int:
    from gitsearch.model import update_encoder
    from gitsearch.update import update
    from hybridindex.database.local import LocalVectors
    from hybridindex.errors import SearchError

    if repository.bare and not cached:
        raise SearchError("a bare repository has no work tree", "run it in a clone")
    tree = tree_of(repository, cached)
    local = LocalVectors(repository.shared / "vectors.db", tree.config.model)
    paths_of = shard.paths_of if shard else None
    done = update(tree, lambda texts: update_encoder(tree, texts), local, paths_of)
    if done.segments:
        say(
            f"{done.records} files indexed, {done.embedded} chunks embedded,"
            f" {len(done.segments)} segments staged"
        )
    else:
        say(f"share {shard} is whole" if shard else "the index is whole; nothing to do")
    return FOUND


def _shard(_: click.Context, __: click.Parameter, text: str | None) -> Shard | None:
    from gitsearch.sharding import parse_shard
    from hybridindex.errors import SearchError

    try:
        return None if text is None else parse_shard(text)
    except SearchError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@cached_option
@click.option(
    "--shard", metavar="I/N", callback=_shard,
    help="Take only share I of N of the files, for jobs that run at the same time.",
)  # fmt: skip
def update(cached: bool, shard: Shard | None) -> int:
    """Index what the tree wants and its segments lack; write and stage it as new segments."""
    from gitsearch.git.repository import find_repository

    return _update(find_repository(), cached, shard)


@click.command()
@click.option(
    "--above", type=click.IntRange(1), default=64, show_default=True, metavar="NUMBER",
    help="Only where there are more segments than this.",
)  # fmt: skip
@click.option(
    "--keep-commits", type=click.IntRange(0), default=100, show_default=True, metavar="NUMBER",
    help="Keep what the files of so many last commits use.",
)  # fmt: skip
@click.option(
    "--keep-refs", multiple=True, metavar="PATTERN",
    help="Keep what these branches use, as of git for-each-ref. Repeatable.",
)  # fmt: skip
@click.option(
    "--drop-foreign", is_flag=True, help="Take out segments of models that are not configured."
)
def compact(above: int, keep_commits: int, keep_refs: tuple[str, ...], drop_foreign: bool) -> int:
    """Merge small segments and drop what nobody uses; stage it for a commit of its own.

    Best on the default branch alone: branches that know nothing of it merge with it.
    """
    from gitsearch.compacting import compact_tree
    from gitsearch.git.repository import find_repository

    tree = tree_of(find_repository(), cached=True)
    done = compact_tree(tree, above, keep_commits, keep_refs, drop_foreign)
    if done.removed:
        say(
            f"{done.removed} segments taken out, {done.added} put in"
            f" ({done.added_bytes / 1e6:.2f} MB); staged"
        )
    else:
        say(f"{len(tree.sorted.segments)} segments: nothing to do")
    return FOUND

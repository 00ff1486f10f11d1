"""``git search-index``: everything that makes and keeps the committed index."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitsearch.commands.evaluate import evaluate
from gitsearch.commands.integrate import integrate
from gitsearch.commands.options import run_command, version_option
from gitsearch.failing import FOUND, NOTHING, plain
from hybridindex.types import METHODS, Method

if TYPE_CHECKING:
    from gitsearch.git.repository import Repository
    from gitsearch.sharding import Shard
    from gitsearch.tree import Tree

PROGRAM = "git search-index"

cached_option = click.option("--cached", is_flag=True, help="The git index, not the work tree.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def _say(text: str) -> None:
    sys.stderr.write(plain(text) + "\n")


def _tree(repository: Repository, cached: bool) -> Tree:
    from gitsearch.tree import index_tree, revision_tree, work_tree

    if repository.bare and not cached:
        return revision_tree(repository, "HEAD")
    return index_tree(repository) if cached else work_tree(repository)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@version_option
def maintain() -> None:
    """Make and keep the search index that is committed with the code."""


@maintain.command()
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

    repository = find_repository()
    if is_initialised(repository):
        _say(f"{CONFIG} is there already and stays as it is")
    else:
        fingerprint = describe_model(
            repository, model or DEFAULT_MODEL, model_path, max_tokens, download
        )
        initialise(repository, Config(fingerprint, chunking))
    code = FOUND if config_only else _update(repository, False)
    _say(f'Staged {FOLDER}/. Commit it: git commit -m "Add the search index"')
    _say("Keep it whole at every commit: git search-index install")
    return code


def _update(repository: Repository, cached: bool, shard: Shard | None = None) -> int:
    from gitsearch.model import update_encoder
    from gitsearch.update import update
    from hybridindex.database.local import LocalVectors
    from hybridindex.errors import SearchError

    if repository.bare and not cached:
        raise SearchError("a bare repository has no work tree", "run it in a clone")
    tree = _tree(repository, cached)
    local = LocalVectors(repository.shared / "vectors.db", tree.config.model)
    paths_of = shard.paths_of if shard else None
    done = update(tree, lambda texts: update_encoder(tree, texts), local, paths_of)
    if done.segments:
        _say(
            f"{done.records} files indexed, {done.embedded} chunks embedded,"
            f" {len(done.segments)} segments staged"
        )
    else:
        _say(f"share {shard} is whole" if shard else "the index is whole; nothing to do")
    return FOUND


def _shard(_: click.Context, __: click.Parameter, text: str | None) -> Shard | None:
    from gitsearch.sharding import parse_shard
    from hybridindex.errors import SearchError

    try:
        return None if text is None else parse_shard(text)
    except SearchError as error:
        raise click.BadParameter(str(error)) from error


@maintain.command()
@cached_option
@click.option(
    "--shard", metavar="I/N", callback=_shard,
    help="Take only share I of N of the files, for jobs that run at the same time.",
)  # fmt: skip
def update(cached: bool, shard: Shard | None) -> int:
    """Index what the tree wants and its segments lack; write and stage it as new segments."""
    from gitsearch.git.repository import find_repository

    return _update(find_repository(), cached, shard)


@maintain.command()
@cached_option
@json_option
@click.option("--skipped", is_flag=True, help="List the files left out, each with its reason.")
def status(cached: bool, as_json: bool, skipped: bool) -> int:
    """Say how whole the index is, and what it leaves out."""
    from dataclasses import asdict

    from gitsearch.git.repository import find_repository
    from gitsearch.status import status_of
    from hybridindex.text import printable

    state = status_of(_tree(find_repository(), cached))
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
    click.echo(f"coverage  {state.coverage:.1%} of {state.files} source files")
    click.echo(f"model     {plain(state.model)}, {state.dimensions} dimensions")
    click.echo(f"chunks    {state.chunks}, vectors {state.vectors}")
    click.echo(f"segments  {state.segments}, {state.segment_bytes / 1e6:.2f} MB")
    click.echo(f"skipped   {len(state.skipped)} files (list them: --skipped)")
    for path in state.uncovered[:10]:
        click.echo(f"missing   {plain(path)}")
    if len(state.uncovered) > 10:
        click.echo(f"missing   and {len(state.uncovered) - 10} more")
    for model, vectors in state.foreign.items():
        click.echo(f"foreign   {vectors} vectors of {plain(model)}, not used")
    for damage in state.damaged.values():
        click.echo(f"damaged   {plain(damage)}")
    return FOUND


@maintain.command()
@cached_option
def check(cached: bool) -> int:
    """Exit 0 when every source file is covered, 1 when one is not, 2 on trouble."""
    from gitsearch.git.repository import find_repository
    from gitsearch.update import uncovered

    tree = _tree(find_repository(), cached)
    missing = uncovered(tree, tree.catalogue)
    if not missing:
        return FOUND
    _say(f"{len(missing)} of {len(tree.sorted.files)} source files are not covered:")
    for path in missing[:10]:
        _say(f"  {path}")
    _say("to mend it: git search-index update")
    return NOTHING


@maintain.command()
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
    from gitsearch.tree import index_tree

    tree = index_tree(find_repository())
    done = compact_tree(tree, above, keep_commits, keep_refs, drop_foreign)
    if done.removed:
        _say(
            f"{done.removed} segments taken out, {done.added} put in"
            f" ({done.added_bytes / 1e6:.2f} MB); staged"
        )
    else:
        _say(f"{len(tree.sorted.segments)} segments: nothing to do")
    return FOUND


@maintain.command()
@cached_option
@click.option("--all", "every", is_flag=True, help="Embed every chunk again.")
@click.option(
    "--sample", type=click.IntRange(1), default=100, show_default=True, metavar="NUMBER",
    help="Embed so many chunks again.",
)  # fmt: skip
@click.option("--seed", type=int, metavar="NUMBER", help="Draw the same sample as before.")
@click.option("--since", metavar="REVISION", help="Only what came after this revision.")
def verify(cached: bool, every: bool, sample: int, seed: int | None, since: str | None) -> int:
    """Embed chunks again and compare them with the committed vectors.

    Exit 0 when all are what they claim, 1 when one is not, 2 on trouble. Every chunk key is
    checked; vectors are checked for a sample.
    """
    import random

    from gitsearch.git.repository import find_repository
    from gitsearch.model import update_encoder
    from gitsearch.verifying import verify as verify_tree

    tree = _tree(find_repository(), cached)
    drawn = random.SystemRandom().randrange(2**32) if seed is None else seed
    done = verify_tree(
        tree, lambda texts: update_encoder(tree, texts), None if every else sample, drawn, since
    )
    for lie in done.lies:
        why = "the key is not that of these lines" if lie.cosine is None else f"{lie.cosine:.4f}"
        click.echo(f"{plain(lie.path)}:{lie.start}-{lie.end}\t{why}")
    _say(
        f"{done.claims} chunk keys checked, {done.checked} chunks embedded again"
        f" (seed {drawn}): {len(done.lies)} are not what they claim"
    )
    return NOTHING if done.lies else FOUND


@maintain.command()
def doctor() -> int:
    """Say what is wrong in this clone, each with the line that mends it.

    Exit 0 when answers are as good as they can be, 1 when something makes them worse.
    """
    from gitsearch.doctor import examine
    from gitsearch.git.repository import find_repository

    worse = False
    for finding in examine(find_repository()):
        worse = worse or finding.serious
        click.echo(plain(finding.problem))
        click.echo(f"  to mend it: {plain(finding.remedy)}")
    if not worse:
        _say("answers are as good as they can be here")
    return NOTHING if worse else FOUND


@maintain.command()
def install() -> int:
    """Put the index into git's hooks: at every commit, what is staged is indexed."""
    from gitsearch.git.repository import find_repository
    from gitsearch.hooking import HOOKS
    from gitsearch.installing import install as install_hooks

    for done in install_hooks(find_repository(), HOOKS, _program()):
        _say(f"{done.path}: {done.change}")
    return FOUND


@maintain.command()
def uninstall() -> int:
    """Take our lines out of git's hooks, and nothing else."""
    from gitsearch.git.repository import find_repository
    from gitsearch.hooking import HOOKS
    from gitsearch.installing import uninstall as uninstall_hooks

    done = uninstall_hooks(find_repository(), HOOKS)
    for change in done:
        _say(f"{change.path}: {change.change}")
    if not done:
        _say("there was nothing to remove")
    return FOUND


maintain.add_command(evaluate)
maintain.add_command(integrate)


def _program() -> str:
    """The program a hook runs: the one beside the Python that runs now, whatever PATH says."""
    beside = Path(sys.executable).with_name("git-search-index")
    return str(beside) if beside.exists() else str(Path(sys.argv[0]).absolute())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    return run_command(maintain, PROGRAM, argv)

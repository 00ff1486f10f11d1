"""``git search-index ci``: what an Action or a pipeline runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitsearch.commands.options import here
from gitsearch.terminal.failing import FOUND, NOTHING, report
from gitsearch.wording import counted, plain

if TYPE_CHECKING:
    from gitsearch.ci.contributing import Push

PROGRAM = "git search-index ci"


@click.command(name="ci")
@click.option(
    "--push", "mode", type=click.Choice(["none", "branch", "pr"]), default="none",
    show_default=True, envvar="SEARCH_PUSH", show_envvar=True,
    help="On the default branch: only report, push what is missing, or open a pull request.",
)  # fmt: skip
@click.option(
    "--fail-below", type=click.FloatRange(0, 100), metavar="PERCENT",
    envvar="SEARCH_FAIL_BELOW", show_envvar=True,
    help="Exit 1 where the coverage is below this; never, if it is not given.",
)  # fmt: skip
@click.option(
    "--compact-above", type=click.IntRange(0), default=64, show_default=True,
    metavar="NUMBER", envvar="SEARCH_COMPACT_ABOVE", show_envvar=True,
    help="Compact where there are more segments than this; 0 for never.",
)  # fmt: skip
@click.option(
    "--model-path", default="", metavar="FOLDER", envvar="SEARCH_MODEL_PATH", show_envvar=True,
    help="Where the model's files lie.",
)  # fmt: skip
@click.option(
    "--allow-model", default="", metavar="NAME", envvar="SEARCH_ALLOW_MODEL", show_envvar=True,
    help="Allow this model beside the default one.",
)  # fmt: skip
@click.option(
    "--download", type=click.BOOL, default=False, show_default=True, envvar="SEARCH_DOWNLOAD",
    show_envvar=True, help="Allow the model to be fetched from its hub.",
)  # fmt: skip
@click.option(
    "--branch", default="", metavar="NAME",
    help="The branch to keep complete, where neither GitHub nor GitLab tells it.",
)  # fmt: skip
def ci(
    mode: Push,
    fail_below: float | None,
    compact_above: int,
    model_path: str,
    allow_model: str,
    download: bool,
    branch: str,
) -> int:
    """Keep the default branch's index complete, and report on every other tree.

    Reads what GitHub Actions or GitLab CI say of the job. Exit 0, or 1 where the coverage is below
    --fail-below, or 2 on trouble.
    """
    from gitsearch.ci.contributing import check, contribute
    from gitsearch.ci.job import Job, read_job
    from gitsearch.ci.report import publish, summary
    from gitsearch.terminal.progress import Progress
    from gitsearch.tree import NoIndex

    _configure(model_path, allow_model, download)
    repository = here()
    job = Job(branch=branch, default_branch=branch) if branch else read_job(os.environ)
    writes = mode != "none" and job.on_default_branch
    try:
        if writes:
            done = contribute(repository, job, mode, compact_above, Progress)
        else:
            done = check(repository)
    except NoIndex as error:
        if writes or fail_below is not None:
            raise
        report(PROGRAM, error.problem, error.hint)
        publish(job, "### Search index\n\nThis tree has none.\n", {"pushed": "false"})
        return FOUND
    state = done.state
    percent = state.coverage * 100
    pushed = "true" if done.commit else "false"
    outputs = {"coverage": f"{percent:.2f}", "pushed": pushed, "commit": done.commit}
    publish(job, summary(state), outputs)
    click.echo(f"coverage {state.coverage:.1%} of {counted(state.files, 'source file')}")
    for path in state.uncovered[:10]:
        click.echo(f"missing  {plain(path)}")
    if done.commit:
        click.echo(f"pushed   {done.commit}")
    if fail_below is not None and percent < fail_below:
        report(PROGRAM, f"coverage is below {fail_below:g}%", "git search-index update, and commit")
        return NOTHING
    return FOUND


def _configure(model_path: str, allow_model: str, download: bool) -> None:
    """Give this process, and the git it starts, settings that no file keeps."""
    settings = []
    if model_path:
        settings.append(("search.modelPath", str(Path(model_path).expanduser().resolve())))
    if allow_model:
        settings.append(("search.allowModel", allow_model))
    if download:
        settings.append(("search.download", "true"))
    count = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    for at, (name, value) in enumerate(settings, count):
        os.environ[f"GIT_CONFIG_KEY_{at}"] = name
        os.environ[f"GIT_CONFIG_VALUE_{at}"] = value
    if settings:
        os.environ["GIT_CONFIG_COUNT"] = str(count + len(settings))

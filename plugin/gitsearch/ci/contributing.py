"""What a CI does for an index: complete the default branch's, and report on every other tree."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import Literal

from gitsearch.ci.job import Host, Job
from gitsearch.git.location import Location
from gitsearch.git.process import environment, run
from gitsearch.git.pushing import changed_by, commit_author, fetch_tip, push
from gitsearch.git.scratch import commit_index, scratch, start_from
from gitsearch.hooks.stale import keep_vectors
from gitsearch.layout import FOLDER
from gitsearch.maintaining.status import Status
from gitsearch.repository import Repository
from hybridindex.errors import SearchError
from hybridindex.types import Watch

#: Where what is missing goes: nowhere, to the branch itself, or into a pull request.
Push = Literal["none", "branch", "pr"]

#: Who the commits are by. The loop check knows them by this address.
AUTHORS: dict[Host, tuple[str, str]] = {
    "github": ("github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com"),
    "gitlab": ("git-search", "git-search@noreply.gitlab.com"),
    "": ("git-search", "git-search@localhost"),
}
#: The branch that pull requests are made from; only ever written by this job.
BRANCH = "search-index"
UPDATE, COMPACT = "Update the search index", "Compact the search index"
#: Pushes tried while others push too.
_ATTEMPTS = 8


@dataclass(frozen=True)
class Outcome:
    """The state that is now right, and the commit that was sent, '' for none."""

    state: Status
    commit: str = ""


def check(repository: Repository) -> Outcome:
    """The state of what is checked out. Needs no model and writes nothing."""
    return Outcome(repository.status(revision="HEAD"))


def contribute(
    repository: Repository, job: Job, mode: Push, compact_above: int, watch: Watch
) -> Outcome:
    """Complete the index of a branch and send it there, or as a pull request.

    Where somebody pushes in between, nothing is rebased: the index of the new tip is made. The
    work tree, the git index and the branches of the clone stay as they are. Raises SearchError.
    """
    location = repository.location
    head = run(["rev-parse", "HEAD^{commit}"], location.root).decode().strip()
    if is_own(location, head, job):
        return check(repository)
    with scratch(location) as work:
        for _ in range(_ATTEMPTS):
            made = Repository(work, watch=watch)
            commit = index_commit(made, head, AUTHORS[job.host], compact_above)
            state = repository.status(revision=commit)
            if commit == head:
                return Outcome(state)
            if _send(location, job, mode, commit):
                return Outcome(state, commit)
            head = fetch_tip(location, job.branch)
    raise SearchError(
        f"others pushed to {job.branch} {_ATTEMPTS} times while the index was made",
        "run the job again, one at a time",
    )


def is_own(location: Location, commit: str, job: Job) -> bool:
    """Whether a commit is one of ours: nothing follows from it, or it would go on for ever."""
    if commit_author(location, commit) != AUTHORS[job.host][1]:
        return False
    paths = changed_by(location, commit)
    return bool(paths) and all(path.startswith(f"{FOLDER}/") for path in paths)


def index_commit(work: Repository, head: str, author: tuple[str, str], compact_above: int) -> str:
    """The tip of ``head`` with a complete index: itself, or up to two commits more."""
    start_from(work.location, head)
    done = work.update(cached=True)
    if done.trouble is not None:
        raise done.trouble
    commit = head
    if done.segments:
        commit = commit_index(work.location, commit, UPDATE, author)
        # If somebody pushes in between, what was embedded must not be embedded again.
        tree = work.tree(cached=True)
        keep_vectors(tree, done.segments, work.local_vectors(tree))
    if compact_above and work.compact(above=compact_above).removed:
        # A commit of its own, so that it can be reverted and reviewed alone.
        commit = commit_index(work.location, commit, COMPACT, author)
    return commit


def _send(location: Location, job: Job, mode: Push, commit: str) -> bool:
    if mode == "branch":
        # GitHub starts nothing for a push with the job's own token; GitLab has to be told.
        options = ["ci.skip"] if job.host == "gitlab" else []
        return push(location, commit, job.branch, options=options)
    options = []
    if job.host == "gitlab":
        options = ["merge_request.create", f"merge_request.target={job.branch}"]
    push(location, commit, BRANCH, force=True, options=options)
    if job.host != "gitlab":
        _open_pull_request(location, job)
    return True


def _open_pull_request(location: Location, job: Job) -> None:
    """Open a pull request unless there is one, which the push has renewed then."""
    between = ["--head", BRANCH, "--base", job.branch]
    if json.loads(_gh(location, ["pr", "list", *between, "--state", "open", "--json", "number"])):
        return
    body = "Vectors and file records of what the default branch does not cover yet. Only .search/."
    _gh(location, ["pr", "create", *between, "--title", UPDATE, "--body", body])


def _gh(location: Location, arguments: list[str]) -> str:
    hint = "let the job write pull requests (`pull-requests: write`) and Actions create them"
    try:
        done = subprocess.run(
            ["gh", *arguments],
            cwd=location.root,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise SearchError("the program gh is not here", "install GitHub's gh") from error
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise SearchError(f"gh {' '.join(arguments[:2])} failed: {''.join(said[-1:])}", hint)
    return done.stdout

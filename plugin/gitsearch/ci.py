"""What a CI does for an index: make the default branch's whole, and report on every other tree."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import Literal

from gitsearch.ci_job import Host, Job
from gitsearch.compacting import compact_tree
from gitsearch.git.process import environment, run
from gitsearch.git.pushing import changed_by, commit_author, fetch_tip, push
from gitsearch.git.repository import Repository
from gitsearch.git.scratch import commit_index, scratch, start_from
from gitsearch.layout import FOLDER
from gitsearch.model import update_encoder
from gitsearch.pending import keep_vectors
from gitsearch.status import Status, status_of
from gitsearch.tree import index_tree, revision_tree
from gitsearch.update import update
from hybridindex.database.local import LocalVectors
from hybridindex.errors import SearchError

Push = Literal["true", "pr", "false"]

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
    return Outcome(status_of(revision_tree(repository, "HEAD")))


def contribute(repository: Repository, job: Job, mode: Push, compact_above: int) -> Outcome:
    """Make the index of a branch whole and send it there, or as a pull request.

    Where somebody pushes in between, nothing is rebased: the index of the new tip is made. The
    work tree, the git index and the branches of the clone stay as they are. Raises SearchError.
    """
    head = run(["rev-parse", "HEAD^{commit}"], repository.root).decode().strip()
    if is_own(repository, head, job):
        return check(repository)
    with scratch(repository) as work:
        for _ in range(_ATTEMPTS):
            commit = index_commit(work, head, AUTHORS[job.host], compact_above)
            state = status_of(revision_tree(repository, commit))
            if commit == head:
                return Outcome(state)
            if _send(repository, job, mode, commit):
                return Outcome(state, commit)
            head = fetch_tip(repository, job.branch)
    raise SearchError(
        f"others pushed to {job.branch} {_ATTEMPTS} times while the index was made",
        "run the job again, one at a time",
    )


def is_own(repository: Repository, commit: str, job: Job) -> bool:
    """Whether a commit is one of ours: nothing follows from it, or it would go on for ever."""
    if commit_author(repository, commit) != AUTHORS[job.host][1]:
        return False
    paths = changed_by(repository, commit)
    return bool(paths) and all(path.startswith(f"{FOLDER}/") for path in paths)


def index_commit(work: Repository, head: str, author: tuple[str, str], compact_above: int) -> str:
    """The tip of ``head`` with a whole index: itself, or up to two commits more."""
    start_from(work, head)
    tree = index_tree(work)
    local = LocalVectors(work.shared / "vectors.db", tree.config.model)
    done = update(tree, lambda texts: update_encoder(tree, texts), local)
    commit = head
    if done.segments:
        commit = commit_index(work, commit, UPDATE, author)
        # If somebody pushes in between, what was embedded must not be embedded again.
        keep_vectors(index_tree(work), done.segments, local)
    if compact_above and compact_tree(index_tree(work), compact_above).removed:
        # A commit of its own, so that it can be reverted and reviewed alone.
        commit = commit_index(work, commit, COMPACT, author)
    return commit


def _send(repository: Repository, job: Job, mode: Push, commit: str) -> bool:
    if mode == "true":
        # GitHub starts nothing for a push with the job's own token; GitLab has to be told.
        options = ["ci.skip"] if job.host == "gitlab" else []
        return push(repository, commit, job.branch, options=options)
    options = []
    if job.host == "gitlab":
        options = ["merge_request.create", f"merge_request.target={job.branch}"]
    push(repository, commit, BRANCH, force=True, options=options)
    if job.host != "gitlab":
        _open_pull_request(repository, job)
    return True


def _open_pull_request(repository: Repository, job: Job) -> None:
    """Open a pull request unless there is one, which the push has renewed then."""
    between = ["--head", BRANCH, "--base", job.branch]
    if json.loads(_gh(repository, ["pr", "list", *between, "--state", "open", "--json", "number"])):
        return
    body = "Vectors and file records of what the default branch does not cover yet. Only .search/."
    _gh(repository, ["pr", "create", *between, "--title", UPDATE, "--body", body])


def _gh(repository: Repository, arguments: list[str]) -> str:
    remedy = "let the job write pull requests (`pull-requests: write`) and Actions create them"
    try:
        done = subprocess.run(
            ["gh", *arguments],
            cwd=repository.root,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise SearchError("the program gh is not here", "install GitHub's gh") from error
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise SearchError(f"gh {' '.join(arguments[:2])} failed: {''.join(said[-1:])}", remedy)
    return done.stdout

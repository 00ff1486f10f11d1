"""A CI's own commits: nothing follows from them, or it would go on for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitsearch.ci.contributing import contribute, is_own
from gitsearch.ci.job import Job
from gitsearch.git.location import locate
from gitsearch.repository import Repository
from hybridindex.types import unwatched
from tests.conftest import Work
from tests.git.seen import function

GITHUB = Job(host="github", branch="main", default_branch="main")
GITHUB_BOT = "x <41898282+github-actions[bot]@users.noreply.github.com>"
GITLAB_BOT = "x <git-search@noreply.gitlab.com>"


def commit(work: Work, author: str, *paths: str) -> str:
    for path in paths:
        before = work.path / path
        work.write(path, (before.read_text() if before.exists() else "") + "# more\n")
    work.git("add", "-A")
    options = [] if paths else ["--allow-empty"]
    return work.commit("change", "--no-verify", "--author", author, *options)


@pytest.mark.parametrize(
    ("author", "paths", "own"),
    [
        (GITHUB_BOT, [".search/segments/x.seg"], True),
        (GITHUB_BOT, [".search/config.toml", ".search/segments/x.seg"], True),
        (GITHUB_BOT, [".search/segments/x.seg", "src/retry.py"], False),
        (GITHUB_BOT, [".searching/x.py"], False),
        (GITHUB_BOT, ["src/retry.py"], False),
        (GITHUB_BOT, [], False),
        ("x <somebody@example.org>", [".search/segments/x.seg"], False),
        (GITLAB_BOT, [".search/segments/x.seg"], False),
    ],
)
def test_own_are_commits_of_the_jobs_author_to_the_index_alone(
    indexed: Work, author: str, paths: list[str], own: bool
) -> None:
    """Other jobs commit as the same bot, and what they commit has to be indexed."""
    made = commit(indexed, author, *paths)
    assert is_own(locate(indexed.path), made, GITHUB) is own


def test_each_host_has_its_own_author(indexed: Work) -> None:
    made = commit(indexed, GITLAB_BOT, ".search/segments/x.seg")
    assert is_own(locate(indexed.path), made, Job(host="gitlab", branch="main"))
    assert not is_own(locate(indexed.path), made, Job())


@pytest.fixture
def origin(indexed: Work, tmp_path: Path) -> Work:
    """A remote that holds the repository's main."""
    bare = tmp_path / "origin.git"
    indexed.git("clone", "-q", "--bare", str(indexed.path), str(bare))
    indexed.git("remote", "add", "origin", str(bare))
    return Work(bare)


@pytest.mark.parametrize(("author", "follows"), [(GITHUB_BOT, False), ("x <a@b.c>", True)])
def test_nothing_follows_from_an_own_commit_even_where_something_is_missing(
    indexed: Work, origin: Work, author: str, follows: bool
) -> None:
    """Two such jobs (another model, another grammar) would push by turns for ever."""
    indexed.write("src/web.py", function("web_name"))
    indexed.git("add", "-A")
    indexed.git("commit", "-q", "--no-verify", "-m", "web")
    head = commit(indexed, author, ".search/notes.txt")
    indexed.git("push", "-q", "origin", "main")
    done = contribute(Repository(indexed.path), GITHUB, "branch", 0, unwatched)
    assert bool(done.commit) is follows
    assert (origin.git("rev-parse", "main") != head) is follows
    assert list(done.state.uncovered) == ([] if follows else ["src/web.py"])


def test_what_was_embedded_is_kept_for_a_second_try(indexed: Work, origin: Work) -> None:
    """Where somebody pushes in between, nothing is embedded twice."""
    indexed.write("src/web.py", function("web_name"))
    indexed.git("add", "-A")
    indexed.git("commit", "-q", "--no-verify", "-m", "web")
    indexed.git("push", "-q", "origin", "main")
    repository = Repository(indexed.path)
    done = contribute(repository, GITHUB, "branch", 0, unwatched)
    tree = repository.tree(revision=done.commit)
    keys = [chunk.key for chunk in repository.chunks(revision=done.commit)]
    local = repository.local_vectors(tree).snapshot()
    web = [c.key for c in repository.chunks(revision=done.commit) if c.path == "src/web.py"]
    assert web
    assert all(local.vector(key) == tree.catalogue.vector(key) for key in web)
    assert len(keys) > len(web)

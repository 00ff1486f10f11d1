"""Repositories and work trees that are not the plain kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import PROJECT, Work
from tests.git.seen import (
    assert_absent,
    assert_clean,
    assert_whole,
    coverage_found,
    function,
    missing,
)

Clone = Callable[..., Work]


def installed(work: Work) -> Work:
    """With the hook, which no clone brings along."""
    assert work.index("install").code == 0
    return work


def commit_new(work: Work, name: str) -> None:
    work.write(f"src/{name}.py", function(f"{name}_name"))
    work.git("add", "-A", "--sparse", f"src/{name}.py")
    work.commit(name)


def assert_works(work: Work, name: str = "fresh") -> None:
    """Questions and commits as in any other repository."""
    assert coverage_found(work, "EvictOldest", "src/cache.go") == 1.0
    commit_new(work, name)
    assert_whole(work)
    assert coverage_found(work, f"{name}_name", f"src/{name}.py") == 1.0
    assert coverage_found(work, f"{name}_name", f"src/{name}.py", revision="HEAD") == 1.0


def test_linked_work_trees(indexed: Work, tmp_path: Path) -> None:
    """Each has its own state; the hook and the vectors of this machine are shared."""
    linked = Work(tmp_path / "linked")
    indexed.git("worktree", "add", "-q", "-b", "side", str(linked.path))
    assert_works(linked)
    assert missing(indexed) == []
    assert indexed.git("rev-parse", "side^") == indexed.git("rev-parse", "main")
    assert coverage_found(indexed, "may_retry", "src/retry.py") == 1.0
    assert (indexed.path / ".git/worktrees/linked/git-search/work.db").exists()
    indexed.git("merge", "-q", "side")
    assert coverage_found(indexed, "fresh_name", "src/fresh.py") == 1.0
    # A partial commit is the hard one, since its index has another name there.
    linked.write("src/retry.py", function("partly_name"))
    linked.git("commit", "-q", "-m", "x", "-a")
    assert_whole(linked)


def test_inside_a_submodule_and_around_it(indexed: Work, tmp_path: Path, clone: Clone) -> None:
    inner = clone(indexed)
    indexed.git("submodule", "--quiet", "add", f"file://{inner.path}", "libs/inner")
    indexed.commit("submodule")
    assert_whole(indexed)
    sub = installed(Work(indexed.path / "libs/inner"))
    assert_works(sub)
    sub.git("push", "-q", "origin", "HEAD:refs/heads/side")
    assert (indexed.path / ".git/modules/libs/inner/git-search/work.db").exists()
    # The superproject has its own index, and of the submodule no file.
    assert_clean(indexed, " M libs/inner")
    indexed.commit("newer", "-a")
    assert_whole(indexed)
    assert_absent(indexed, "fresh_name")
    recursive = clone(indexed, "--recurse-submodules")
    assert coverage_found(recursive, "EvictOldest", "src/cache.go") == 1.0


def test_a_bare_repository_is_asked_for_head(indexed: Work, clone: Clone) -> None:
    bare = clone(indexed, "--bare")
    assert coverage_found(bare, "EvictOldest", "src/cache.go") == 1.0
    found = bare.search("-l", "EvictOldest", "--", "src", ":!*.py")
    assert (found.code, found.out, found.err) == (0, "src/cache.go\n", "")
    status = json.loads(bare.index("status", "--json").out)
    assert (status["coverage"], status["files"]) == (1.0, 5)
    assert bare.index("check").code == 0
    refused = bare.index("update")
    assert refused.code == 2
    assert "bare repository" in refused.err
    commit_new(indexed, "fresh")
    indexed.git("push", "-q", str(bare.path), "main")
    assert coverage_found(bare, "fresh_name", "src/fresh.py") == 1.0


def test_a_shallow_clone(indexed: Work, clone: Clone) -> None:
    commit_new(indexed, "later")
    shallow = installed(clone(indexed, "--depth", "1"))
    assert shallow.git("rev-parse", "--is-shallow-repository") == "true"
    assert_works(shallow)
    shallow.git("push", "-q", "origin", "HEAD:refs/heads/side")
    assert missing(indexed, "side") == []


def test_a_partial_clone(indexed: Work, clone: Clone) -> None:
    indexed.git("config", "uploadpack.allowFilter", "true")
    for path in ("src/retry.py", "src/cache.go", "docs/retry.md", "setup.cfg"):
        indexed.write(path, PROJECT[path] + "\nnewer_name\n")
    indexed.commit("newer", "-a")
    partial = installed(clone(indexed, "--filter=blob:none"))
    assert partial.git("rev-list", "--objects", "--all", "--missing=print").count("\n?") > 0
    # An older commit's blobs are not here: they are fetched together, not one by one.
    trace = partial.path.parent / "trace"
    ran = partial.run("git", "search", "--rev", "HEAD~1", "EvictOldest", GIT_TRACE=str(trace))
    assert ran.out.startswith("src/cache.go:1-5"), ran
    assert trace.read_text().count("built-in: git fetch ") == 1
    assert_works(partial)


def test_a_partial_clone_without_its_remote(indexed: Work, clone: Clone) -> None:
    indexed.git("config", "uploadpack.allowFilter", "true")
    indexed.write("src/retry.py", function("newer_name"))
    indexed.write("setup.cfg", "[metadata]\nname = newer\n")
    indexed.commit("newer", "-a")
    partial = clone(indexed, "--filter=blob:none")
    partial.git("remote", "set-url", "origin", f"file://{indexed.path}/nowhere")
    assert coverage_found(partial, "EvictOldest", "src/cache.go") == 1.0
    older = partial.search("--rev", "HEAD~1", "EvictOldest")
    assert older.code == 2
    assert "2 files of this partial clone were never fetched" in older.err
    assert "connect to its remote" in older.err


@pytest.mark.parametrize("cone", ["--cone", "--no-cone"])
def test_a_sparse_checkout(indexed: Work, clone: Clone, cone: str) -> None:
    """Files that are not checked out, the index among them, are still found and kept."""
    sparse = installed(clone(indexed, "--no-checkout"))
    sparse.git("sparse-checkout", "set", cone, "docs" if cone == "--cone" else "/docs/")
    sparse.git("checkout", "-q", "main")
    assert not (sparse.path / "src").exists()
    assert not (sparse.path / ".search").exists()
    assert coverage_found(sparse, "EvictOldest", "src/cache.go") == 1.0
    sparse.write("docs/new.md", "# Fresh heading\n\nWhat nobody wrote before: zyzzyva.\n")
    sparse.git("add", "docs/new.md")
    sparse.commit("docs")
    assert_whole(sparse)
    assert coverage_found(sparse, "zyzzyva", "docs/new.md") == 1.0
    sparse.git("sparse-checkout", "disable")
    assert_whole(sparse)


def test_a_sparse_index(indexed: Work, clone: Clone) -> None:
    sparse = installed(clone(indexed, "--no-checkout"))
    ran = sparse.run("git", "sparse-checkout", "set", "--cone", "--sparse-index", "docs")
    if ran.code:
        pytest.skip("this git has no sparse index, which is of 2.32")
    sparse.git("checkout", "-q", "main")
    assert "040000" in sparse.git("ls-files", "--sparse", "-s")
    assert coverage_found(sparse, "EvictOldest", "src/cache.go") == 1.0
    sparse.write("docs/new.md", "# Fresh heading\n\nWhat nobody wrote before: zyzzyva.\n")
    sparse.git("add", "docs/new.md")
    sparse.commit("docs")
    assert_whole(sparse)
    assert coverage_found(sparse, "zyzzyva", "docs/new.md") == 1.0


@pytest.mark.parametrize(
    "layout",
    [
        ["update-index", "--split-index"],
        ["update-index", "--index-version", "4"],
        ["update-index", "--untracked-cache"],
        ["config", "feature.manyFiles", "true"],
        ["config", "index.threads", "2"],
    ],
)
def test_layouts_of_the_git_index(indexed: Work, layout: list[str]) -> None:
    indexed.git(*layout)
    if layout[-1] == "--split-index":
        assert list((indexed.path / ".git").glob("sharedindex.*"))
    assert_works(indexed)
    indexed.write("src/retry.py", function("partly_name"))
    indexed.commit("all", "-a")
    assert_whole(indexed)


def made(tmp_path: Path, tiny_model: Path, *options: str) -> Work:
    """A repository made with options of ``git init``, given an index and the hook."""
    work = Work(tmp_path / "made")
    work.path.mkdir()
    ran = work.run("git", "init", "-q", *options)
    if ran.code:
        pytest.skip(f"this git has no `init {' '.join(options)}`: {ran.err.splitlines()[0]}")
    work.use_model(tiny_model)
    for path, content in PROJECT.items():
        work.write(path, content)
    work.git("add", "-A")
    work.commit("project")
    assert work.index("init", "--model", "tiny/model").code == 0
    work.commit("index")
    return installed(work)


@pytest.mark.parametrize("options", [["--object-format=sha256"], ["--ref-format=reftable"]])
def test_formats_that_git_3_plans_as_defaults(
    tmp_path: Path, tiny_model: Path, options: list[str]
) -> None:
    work = made(tmp_path, tiny_model, *options)
    assert_works(work)
    # Edited and not yet staged, and staged but aborted: names are made and taken out there too.
    work.write("src/retry.py", function("edited_name"))
    assert coverage_found(work, "edited_name", "src/retry.py") < 1.0
    work.git("add", "-A")
    assert work.run("git", "commit", GIT_EDITOR="true").code == 1
    work.write("src/retry.py", function("instead_name"))
    work.commit("instead", "-a")
    assert_whole(work)
    assert len(work.git("show", "--name-only", "--format=").split("\n")) == 2


def test_a_separate_git_directory(tmp_path: Path, tiny_model: Path) -> None:
    work = made(tmp_path, tiny_model, f"--separate-git-dir={tmp_path}/elsewhere.git")
    assert_works(work)
    assert (tmp_path / "elsewhere.git/git-search/work.db").exists()
